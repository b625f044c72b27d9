package browser

import (
	"strings"
	"testing"
)

// TestInvariant14ACallShowsNoDraftWithAnothersFate: where messages do not arrive, what became of the draft that is shown is not known, unless one says so of this very draft.
func TestInvariant14ACallShowsNoDraftWithAnothersFate(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	b.dials()
	b.stands("connecting")
	r := s.readback()
	b.stands("talk")
	opens := func(to string) {
		t.Helper()
		r.drafts(to, "+15145550142", 1, plain("Dinner is ready."))
		r.stage("listening")
		b.stands("listening")
	}
	hidden := func(note string) {
		t.Helper()
		b.showing("said", note)
		if eval[bool](b, `!document.querySelector("#call [data-draft]").hidden`) {
			t.Error("the card stays")
		}
		if live := eval[string](b, `document.querySelector("#call [data-log]").ariaLive`); live != "polite" {
			t.Error("the list stays silent")
		}
	}
	// follows waits until all was drawn that was told before, and says whether words are shown anywhere.
	follows := func(words string) bool {
		t.Helper()
		r.said("agent", "After "+words)
		b.showing("said", "After "+words)
		return strings.Contains(strings.ReplaceAll(b.shown("said"), "After "+words, ""), words)
	}

	// The end of this one is missed, and that another is read.
	opens("Marie Tremblay")
	r.n, r.draft = r.n+4, r.draft+1
	r.stage("listening")
	b.stands("not_known")
	hidden("Marie Tremblay · May have been sent: see History")
	r.stage("yes")
	r.stage("left")
	if follows("Marie Tremblay · Sent") {
		t.Error("another draft's end is taken for this one's")
	}
	b.stands("talk")

	// Something is missed, and nobody knows what.
	opens("Alex Roy")
	r.n++
	r.said("agent", "The text is dropped.")
	hidden("Alex Roy · May have been sent: see History")
	opens("Zoé Roy")
	r.stage("no")
	b.stands("no")
	r.n++
	r.tells("others", fields{"count": 0})
	hidden("Zoé Roy · Dropped, not sent")

	// What is told once more says how this one is, whatever was missed: what is over stays over.
	opens("Marie Roy")
	r.n += 3
	r.tells("stage", fields{"draft": r.draft - 1, "stage": "withdrawn"})
	r.tells("draft", fields{"draft": r.draft, "to": "Marie Roy", "number": "+15145550142", "segments": 1, "lines": plain("Dinner is ready.")})
	r.stage("listening")
	r.n++
	r.stage("yes")
	b.stands("yes")
	b.showing("draft", "Marie Roy")
	if follows("Marie Roy · May have been sent") {
		t.Error("its fate was told, and is not known")
	}
	if follows("Marie Roy · Dropped") {
		t.Error("it is over as the one before it is")
	}
	// The next one comes where the end of this one was missed.
	r.n++
	r.drafts("Léo Roy", "+15145550142", 1, plain("Dinner is ready."))
	b.stands("reading")
	b.showing("said", "Marie Roy · May have been sent: see History")
	b.showing("draft", "Léo Roy")
	r.n += 2
	r.stage("left")
	b.stands("left")
	b.showing("said", "Léo Roy · Sent")
	b.clean()
}
