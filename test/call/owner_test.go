package call

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/voice/media"
)

// TestInvariant10AnOwnersCalls are whole calls: what is said is spoken by flite and heard by pocketsphinx, and what the caller heard is recognised from the sound that came.
func TestInvariant10AnOwnersCalls(t *testing.T) {
	t.Parallel()
	h := newHouse(t, wish{})
	for name, scene := range map[string]func(h *house){
		"yes": yes, "no": no, "a change": change, "silence": silence, "a yes over the read-back": over, "keys": keys, "a text that says yes": textThatSaysYes,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene(h.on(t))
		})
	}
}

func yes(h *house) {
	p := h.owner(owners[0])
	p.asks("marie", "dinner is ready")
	p.answers("Yes, send it.", "the text to marie has left")
	p.hangsUp()
	s := h.settled("Marie", smsmcp.Done)[0]
	if s.ConfirmedBy != smsmcp.Voice || !strings.EqualFold(s.Answer, "yes send it") || s.Only != smsmcp.Voice {
		h.t.Errorf("%+v", s)
	}
	h.left("Marie", "Dinner is ready")
	p.whole("what can do for you", "text marie that dinner is ready", "text marie", "dinner is ready", "shall it leave", "yes send it", "text marie has left")
}

// whole mixes both directions of a call, keeps it where READBACK_CALL_WAV says, and finds all that was said in it, in its order.
func (p *person) whole(want ...string) {
	p.t.Helper()
	mix, said := p.far.Received(), p.far.Spoken()
	for len(mix) < len(said) {
		mix = append(mix, 0)
	}
	for i, s := range said {
		mix[i] = int16(max(-32768, min(32767, int(mix[i])+int(s)))) //nolint:gosec // within bounds
	}
	if name := os.Getenv("READBACK_CALL_WAV"); name != "" {
		var wav bytes.Buffer
		if err := media.WriteWAV(&wav, media.Rate, mix); err != nil {
			p.t.Error(err)
		}
		if err := os.WriteFile(name, wav.Bytes(), 0o600); err != nil {
			p.t.Error(err)
		}
	}
	var heard []string
	for _, s := range split(mix, true, media.Rate*3/10) { // they answer one another sooner than in two sentences of one
		if s.kind == words {
			heard = append(heard, fold.Words(p.h.recognise(mix[max(0, s.from-media.Rate/5):min(len(mix), s.to+media.Rate/5)], media.Rate))...)
		}
	}
	all, at, found := fold.Words(strings.Join(want, " ")), 0, 0
	for _, w := range all {
		if k := slices.Index(heard[at:], w); k >= 0 && k < 12 {
			at, found = at+k+1, found+1
		}
	}
	if 4*found < 3*len(all) {
		p.t.Errorf("%d words of %q are where they belong in %q", found, want, heard)
	}
}

func no(h *house) {
	p := h.owner(owners[1])
	p.asks("alexander", "we are at the office")
	p.answers("No, do not send it.", "dropped nothing has left")
	p.hangsUp()
	h.settled("Alexander", smsmcp.Declined)
	h.left("Alexander")
}

// change: a new request voids the draft, and the yes is to the new one alone. One that had most of its words from the read-back would pass for its echo.
func change(h *house) {
	p := h.owner(owners[2])
	p.asks("robert", "dinner is at seven")
	p.asks("robert", "the train is late")
	p.answers("Yes, send it.", "the text to robert has left")
	p.hangsUp()
	h.settled("Robert", smsmcp.Cancelled, smsmcp.Done)
	h.left("Robert", "The train is late")
}

func silence(h *house) {
	p := h.owner(owners[3])
	p.asks("elizabeth", "the meeting is at noon")
	p.expect(question)
	p.expect("i had no plain answer nothing has left")
	p.hangsUp()
	h.settled("Elizabeth", smsmcp.Cancelled)
	h.left("Elizabeth")
}

// over: a yes that is said over the read-back never sends, however often. The read-back begins anew; after the question a key sends.
func over(h *house) {
	p := h.owner(owners[0])
	p.requests("christopher", long)
	again := 0
	for {
		began := len(p.far.Spoken())
		p.say("Yes, send it.")
		next := p.hears(opening, closing)
		if next.kind == closing {
			if began > next.from {
				h.t.Fatal("the yes was said too late: this machine is too busy")
			}
			break
		}
		again++
	}
	p.hears(words)
	if s := h.audit("Christopher"); len(s) != 1 || s[0].State != smsmcp.Waiting || again == 0 {
		h.t.Fatalf("read again %d times; %+v", again, s)
	}
	h.left("Christopher")
	p.keys("1")
	p.hearsOf("the text to christopher has left")
	p.hangsUp()
	if s := h.settled("Christopher", smsmcp.Done)[0]; s.Answer != "key 1" || s.ConfirmedBy != smsmcp.Voice {
		h.t.Errorf("%+v", s)
	}
	h.left("Christopher", long)
	if got := p.told(0); !has(got, "from the start") {
		h.t.Errorf("the caller heard %q", got)
	}
}

// long are words whose read-back can well be spoken over.
const long = "I am on my way and I will be there at seven this evening"

// keys: 1 over the read-back is no yes, afterwards it is; 2 is a no.
func keys(h *house) {
	p := h.owner(owners[1])
	p.requests("julie", "the meeting is at noon")
	p.keys("1")
	p.hears(opening) // again
	p.hears(closing)
	p.expect("shall i let it leave")
	h.left("Julie")
	p.keys("2")
	p.expect("dropped nothing has left")
	p.asks("julie", "i will be late")
	p.keys("1")
	p.hearsOf("the text to julie has left")
	p.hangsUp()
	s := h.settled("Julie", smsmcp.Declined, smsmcp.Done)
	if s[1].Answer != "key 1" {
		h.t.Errorf("%+v", s)
	}
	h.left("Julie", "I will be late")
}

// textThatSaysYes: a text that says yes is read aloud, and so is a draft whose own words are a yes, to a caller who says nothing and whose telephone gives back all that it hears.
func textThatSaysYes(h *house) {
	if _, err := owner.Receive.Do(h.t.Context(), h.program.Owner(), owner.Incoming{From: numberOf("Katherine"), Body: "Yes. Send it!"}, ""); err != nil {
		h.t.Fatal(err)
	}
	testbed.Until(h.t, patience, "the text is in the store", func() bool {
		return strings.Contains(h.program.Call(h.t.Context(), "read_texts", nil), "Send it!")
	})
	p := h.owner(owners[2])
	p.far.Echo(0.25)
	p.requests("katherine", "yes send it")
	p.expect("yes send it")
	p.hears(closing)
	p.hearsOf("i had no plain answer nothing has left") // after its question, once or twice, or all of it again
	p.keys("1")                                         // no draft is there: the texts are read
	p.hears(opening)
	p.expect("yes send it")
	p.hears(closing)
	p.hangsUp()
	h.settled("Katherine", smsmcp.Cancelled)
	h.left("Katherine")
}

// TestInvariant10TwoOwnersAtOnce: both drafts wait at the same time, and each yes and no is to its own.
func TestInvariant10TwoOwnersAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, wish{})
	one, two := h.owner(owners[0]), h.owner(owners[1])
	one.speaks("text marie that dinner is ready.")
	two.speaks("text robert that the train is late.")
	for _, p := range []*person{one, two} {
		p.hears(opening)
		p.hears(closing)
		p.expect("shall i let it leave")
	}
	two.answers("Yes, send it.", "the text to robert has left")
	one.answers("No, do not send it.", "dropped nothing has left")
	h.settled("Robert", smsmcp.Done)
	h.settled("Marie", smsmcp.Declined)
	h.left("Robert", "The train is late")
	h.left("Marie")
	one.hangsUp()
	two.hangsUp()
	h.nothingLeft()
	if got := one.told(0); strings.Contains(got, "robert") || strings.Contains(got, "train") {
		t.Errorf("one owner heard the other's: %s", got)
	}
	if got := two.told(0); strings.Contains(got, "marie") || strings.Contains(got, "dinner") {
		t.Errorf("one owner heard the other's: %s", got)
	}
}
