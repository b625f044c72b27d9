package page

import (
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/untrusted"
)

// TestADraftOfACallHasNoButtonsHere: the page shows where it is asked about, takes no yes to it, and says afterwards in which words that came.
func TestADraftOfACallHasNoButtonsHere(t *testing.T) {
	h := build(t)
	b := h.browser().signIn()
	a, err := h.door.Send(t.Context(), dispatch.Request{To: "Marie Tremblay", Body: "hi", By: "phone", Scope: smsmcp.CallScope + "1", Only: smsmcp.Voice})
	if err != nil || a.Send.State != smsmcp.Waiting {
		t.Fatal(a, err)
	}
	other := h.draft("Alex Roy", "the other")
	list := b.get("/")
	has(t, list, 200, "1 text waits for your yes.", "the other")
	hasNot(t, list, string(a.Send.ID))
	shown := b.get("/sends/" + string(a.Send.ID))
	has(t, shown, 200, "waiting for your yes", "It was drafted on a call")
	hasNot(t, shown, yesPath(a.Send))
	forged, err := form(list, yesPath(other))
	if err != nil {
		t.Fatal(err)
	}
	sum := a.Send.Draft.Digest()
	forged.Set("digest", hex.EncodeToString(sum[:]))
	has(t, b.post(yesPath(a.Send), forged), http.StatusConflict, "takes its yes there alone")
	if h.state(a.Send.ID) != smsmcp.Waiting {
		t.Fatal(h.state(a.Send.ID))
	}
	if _, err := h.door.Spoken(t.Context(), a.Send.ID, a.Send.Draft.Digest(), untrusted.New("yes» <b>send</b>\u202e it")); err != nil {
		t.Fatal(err)
	}
	const words = `voice <bdi>«yes" <b>send</b> it»</bdi>`
	for _, path := range []string{"/history", "/sends/" + string(a.Send.ID)} {
		w := b.get(path)
		has(t, w, 200, words)
		if strings.Contains(w.Body.String(), "<b>send") {
			t.Error("a mark that was spoken is one")
		}
	}
}
