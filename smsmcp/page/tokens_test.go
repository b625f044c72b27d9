package page

import "testing"

// TestTheListSaysWhoseYesCounts: of a token that works, and of no other.
func TestTheListSaysWhoseYesCounts(t *testing.T) {
	h := build(t)
	const says = "A yes given in this program counts"
	if err := h.store.AddToken(t.Context(), h.now, "laptop", "id1", [32]byte{1}); err != nil {
		t.Fatal(err)
	}
	b := h.browser().signIn()
	hasNot(t, b.get("/tokens"), says)
	if err := h.store.SetTokenMayConfirm(t.Context(), "laptop", true); err != nil {
		t.Fatal(err)
	}
	has(t, b.get("/tokens"), 200, "laptop", says)
	if err := h.store.RevokeToken(t.Context(), h.now, "laptop"); err != nil {
		t.Fatal(err)
	}
	hasNot(t, b.get("/tokens"), says)
}
