package talk

import (
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/lang/spoken"
)

const readBack = "Dinner is ready"

// shown checks the card of the draft, and gives its body to the byte.
func (b *tab) shown(name, number, words string) string {
	b.t.Helper()
	if to, at := b.shows("to"), b.shows("number"); to != name || at != number {
		b.t.Errorf("the draft is to %q, %q", to, at)
	}
	body := eval[string](b, `[...document.querySelectorAll("#call [data-body] > p")].map(p => p.textContent).join("\n")`)
	if !strings.EqualFold(body, words) || b.shows("size") != "1 segment" {
		b.t.Errorf("the draft says %q, %s", body, b.shows("size"))
	}
	return body
}

// TestInvariant10AYesFromTheBrowser is the whole of it: a text is asked for, shown while it is read back, answered with a spoken yes, and the carrier has it once, as it was shown.
func TestInvariant10AYesFromTheBrowser(t *testing.T) {
	scene(t, func(h *house) {
		b := h.calls()
		b.asks("Marie", "dinner is ready")
		body := b.shown("Marie", "+15145550111", readBack)
		b.keep("reading")
		if got := h.sent(); len(got) > 0 {
			h.t.alarm("%q went before there was a yes", got)
		}
		h.allowed++
		b.answers("Yes, send it.", "yes", "left")
		b.stands("left", "talk")
		b.told("The text to Marie has left.")
		b.keep("sent")
		if got := b.shows("outcome"); got != "Sent" {
			h.t.Errorf("the card says %q", got)
		}
		if got := b.shows("said"); !strings.Contains(strings.ToLower(got), "you\n\ntext marie that dinner is ready") {
			h.t.Errorf("the list says %q", got)
		}
		b.click("[data-press]")
		b.stands("hung_up")
		s := h.settled(smsmcp.Done)[0]
		if s.ConfirmedBy != smsmcp.Voice || s.Only != smsmcp.Voice || plain(s.Answer) != "yes send it" {
			h.t.Errorf("%+v", s)
		}
		h.left("+15145550111 " + body)
	})
}

func TestInvariant10ANoFromTheBrowser(t *testing.T) {
	scene(t, func(h *house) {
		b := h.calls()
		b.asks("Alexander", "we are at the office")
		b.shown("Alexander", "+15145550113", "We are at the office")
		b.answers("No, do not send it.", "no", "withdrawn")
		b.stands("withdrawn", "talk")
		b.told("Nothing has left.")
		b.keep("no")
		b.click("[data-press]")
		b.stands("hung_up")
		h.settled(smsmcp.Declined)
		h.left()
	})
}

// TestInvariant10AYesOverTheReadBackFromTheBrowser is none: it stops the read-back, which begins anew; what is said then is asked for.
func TestInvariant10AYesOverTheReadBackFromTheBrowser(t *testing.T) {
	scene(t, func(h *house) {
		b := h.calls()
		b.asks("Robert", "the train is late")
		b.shown("Robert", "+15145550112", "The train is late")
		if n := b.stood("listening"); n != 0 {
			h.t.Fatalf("it was read back before anything could be said over it: %v", eval[[]string](b, "states"))
		}
		b.speaks("Yes, send it.")
		b.wait(`states.filter(s => s == "reading").length > 1`)
		if got := h.sent(); len(got) > 0 {
			h.t.alarm("%q went, by a yes over the read-back", got)
		}
		b.keep("barge-in")
		b.answers("No, do not send it.", "no", "withdrawn")
		b.told("Nothing has left.")
		b.click("[data-press]")
		b.stands("hung_up")
		h.settled(smsmcp.Declined)
		h.left()
	})
}

// TestInvariant10SomebodyElseInTheRoomSaysYes, when it is asked, in the very voice that is understood from the owner, and a third in the room hears it: nothing is sent. The page and the agent
// say that they are there.
func TestInvariant10SomebodyElseInTheRoomSaysYes(t *testing.T) {
	scene(t, func(h *house) {
		b := h.calls()
		g, w := h.enters("guest"), h.listens("guest")
		b.wait(`!document.querySelector("#call [data-others]").hidden`)
		b.told(spoken.Overheard.EN)
		b.asks("Marie", "dinner is ready")
		heard := len(h.hears.Heard())
		for range 2 { // each question
			b.stands("listening")
			g.speaks(h, "Yes, send it.")
			b.stands("unclear", "withdrawn")
		}
		b.stands("withdrawn", "talk")
		b.told("othing has left.")
		if all := h.hears.Heard(); len(all) > heard {
			h.t.Errorf("what somebody else said was heard: %q", all[heard:])
		}
		h.until("the third in the room has heard it", w.heard)
		b.keep("others")
		b.click("[data-press]")
		b.stands("hung_up")
		h.settled(smsmcp.Cancelled)
		h.left()
	})
}

// TestInvariant10ATabThatIsClosedInTheReadBack sends nothing, and withdraws the draft.
func TestInvariant10ATabThatIsClosedInTheReadBack(t *testing.T) {
	scene(t, func(h *house) {
		b := h.calls()
		b.asks("Marie", "dinner is ready")
		if n := b.stood("listening"); n != 0 {
			h.t.Fatal("it was read back too soon")
		}
		b.closes()
		h.settled(smsmcp.Cancelled)
		h.left()
		h.until("the room is empty", func() bool { return len(h.inRoom()) == 0 })
	})
}
