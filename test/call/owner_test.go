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
	"readback/voice/consent"
	"readback/voice/media"
)

// TestInvariant10AnOwnersCalls are whole calls: what is said is spoken by flite and heard by pocketsphinx, and what the caller heard is recognised from the sound that came.
func TestInvariant10AnOwnersCalls(t *testing.T) {
	t.Parallel()
	scenes(t, usual, map[string]func(h *house){
		"yes": yes, "no": no, "a change": change, "silence": silence, "a yes over the read-back": over, "keys": keys, "a text that says yes": textThatSaysYes,
	})
}

func yes(h *house) {
	p := h.owner(owners[0])
	p.asks("Marie", "dinner is ready")
	p.yes("Marie", "Yes, send it.")
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
		p.h.try.evidence("all that was said, heard once more, is %q", heard) // each part of it was recognised by itself
		p.t.Errorf("%d words of %q are where they belong in %q", found, want, heard)
	}
}

func no(h *house) {
	p := h.owner(owners[1])
	p.asks("Alexander", "we are at the office")
	p.answers("No, do not send it.", "dropped nothing has left")
	p.hangsUp()
	h.settled("Alexander", smsmcp.Declined)
	h.left("Alexander")
}

// change: a new request voids the draft, and the yes is to the new one alone. One that had most of its words from the read-back would pass for its echo.
func change(h *house) {
	p := h.owner(owners[2])
	p.asks("Robert", "dinner is at seven")
	p.asks("Robert", "the train is late")
	p.yes("Robert", "Yes.")
	p.hangsUp()
	h.settled("Robert", smsmcp.Cancelled, smsmcp.Done)
	h.left("Robert", "The train is late")
}

func silence(h *house) {
	p := h.owner(owners[3])
	p.asks("Elizabeth", "the meeting is at noon")
	p.expect(question)
	p.expect("i had no plain answer nothing has left")
	p.hangsUp()
	h.settled("Elizabeth", smsmcp.Cancelled)
	h.left("Elizabeth")
}

// over: a yes that is said over the read-back never sends, however often. The read-back begins anew, twice at most; then a key sends.
func over(h *house) {
	p := h.owner(owners[0])
	p.requests("Christopher", long)
	read, heard := 1, false
	for u := p.overs(); ; {
		next := p.hears(opening, closing)
		if next.kind == closing && !p.anew(u) {
			break
		}
		if read++; read > 1+consent.MaxRestarts {
			h.t.Fatalf("it is read for the %dth time", read)
		}
		heard = heard || h.understood(u)
		u = p.overs()
	}
	if s := h.audit("Christopher"); len(s) != 1 || s[0].State != smsmcp.Waiting || read == 1 {
		h.t.Fatalf("read %d times; %+v", read, s)
	}
	h.left("Christopher")
	p.press("Christopher")
	p.hangsUp()
	if s := h.settled("Christopher", smsmcp.Done)[0]; s.Answer != "key 1" || s.ConfirmedBy != smsmcp.Voice {
		h.t.Errorf("%+v", s)
	}
	h.left("Christopher", long)
	if !heard { // in which case no yes was said at all, as far as the program knows
		h.t.Error("no yes was understood")
	}
}

// overs says yes over a read-back that has begun.
func (p *person) overs() *utterance {
	p.t.Helper()
	at := len(p.far.Spoken())
	u := p.say("Send it.")
	for _, s := range sounds(p.far.Received()[p.at:], false) {
		if s.kind == closing && p.at+s.from < at {
			p.h.try.lost("the yes was said when the read-back was over already")
		}
	}
	return u
}

// anew says, at the end of a read-back, whether it begins anew because of what was said over it, which may be understood only now. Where it does not, the question was heard.
func (p *person) anew(u *utterance) bool {
	p.t.Helper()
	from := p.at
	p.h.until("what was said is understood", func() bool {
		return p.h.understood(u) || len(p.h.stray(u.from)) > 0 || len(p.far.Received())-from > 8*media.Rate
	})
	return p.follows(opening, p.hears(words))
}

// long are words whose read-back can well be spoken over.
const long = "I am on my way and I will be there at seven this evening"

// keys: 1 over the read-back is no yes, afterwards it is; 2 is a no.
func keys(h *house) {
	p := h.owner(owners[1])
	p.requests("Julie", "the meeting is at noon")
	p.keys("1")
	p.hears(opening) // again
	p.hears(closing)
	p.expect("shall i let it leave")
	h.left("Julie")
	p.keys("2")
	p.expect("dropped nothing has left")
	p.asks("Julie", "i will be late")
	p.press("Julie")
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
	h.until("the text is in the store", func() bool {
		return strings.Contains(h.program.Call(h.t.Context(), "read_texts", nil), "Send it!")
	})
	p := h.owner(owners[2])
	p.far.Echo(0.25)
	p.requests("Katherine", "yes send it")
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
	alone(t, usual, func(h *house) {
		one, two := h.owner(owners[0]), h.owner(owners[1])
		h.allowed["Marie"], h.allowed["Robert"] = 0, 0
		first, second := one.speaks("text marie that dinner is ready."), two.speaks("text robert that the train is late.")
		for _, p := range []*person{one, two} {
			p.hears(opening)
			p.hears(closing)
			p.expect("shall i let it leave")
		}
		one.is(first)
		two.is(second)
		two.yes("Robert", "Yes, send it.")
		one.answers("No, do not send it.", "dropped nothing has left")
		h.settled("Robert", smsmcp.Done)
		h.settled("Marie", smsmcp.Declined)
		h.left("Robert", "The train is late")
		h.left("Marie")
		one.hangsUp()
		two.hangsUp()
		h.nothingLeft()
		if got := one.told(0); strings.Contains(got, "robert") || strings.Contains(got, "train") {
			h.misheard(one, "robert", "train")
			h.t.Errorf("one owner heard the other's: %s", got)
		}
		if got := two.told(0); strings.Contains(got, "marie") || strings.Contains(got, "dinner") {
			h.misheard(two, "marie", "dinner")
			h.t.Errorf("one owner heard the other's: %s", got)
		}
	})
}
