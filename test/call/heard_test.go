package call

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/zaf/g711"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/owner"
	"readback/voice/media"
	"readback/voice/media/rate"
)

// ledger is what became of a house's transcripts: each is that of one utterance.
type ledger struct {
	mu    sync.Mutex
	taken map[int]bool
}

// utterance is what a caller said, and may be understood.
type utterance struct {
	words      string
	from       int // transcripts before it
	understood bool
}

func plain(s string) string { return strings.Join(fold.Words(s), " ") }

// understood says whether the program's recogniser gave back what was said; for long words, among others that were said in the same breath.
func (h *house) understood(u *utterance) bool {
	h.ledger.mu.Lock()
	defer h.ledger.mu.Unlock()
	for i, heard := range h.hears.Heard() {
		if u.understood || i < u.from || h.ledger.taken[i] {
			continue
		}
		if plain(heard) == u.words {
			u.understood, h.ledger.taken[i] = true, true
		} else if strings.Count(u.words, " ") >= 3 && strings.Contains(" "+plain(heard)+" ", " "+u.words+" ") {
			u.understood = true
		}
	}
	return u.understood
}

// stray are transcripts since then that nobody's words have become.
func (h *house) stray(from int) (out []string) {
	h.ledger.mu.Lock()
	defer h.ledger.mu.Unlock()
	for i, heard := range h.hears.Heard() {
		if i >= from && !h.ledger.taken[i] {
			out = append(out, heard)
		}
	}
	return out
}

// wall looks, at the end of a scene that went well or badly, at what must never be: whatever went to a contact of the scene had a yes, and was read back in these words.
func (h *house) wall() {
	h.t.Helper()
	for name, allowed := range h.allowed {
		handed := h.sent(name)
		if len(handed) > allowed {
			h.try.alarm("%q went to %s, and the caller had said yes %d times", handed, name, allowed)
		}
		for _, body := range handed {
			if h.speaks != nil && !h.second && !slices.ContainsFunc(h.speaks.Spoken(), func(s speech) bool { return s.Voice == quoteVoice && plain(s.Text) == plain(body) }) {
				h.try.alarm("%q went to %s, and was not read back", body, name)
			}
		}
	}
}

// judge is called at the end of a scene, when its callers have hung up.
func (h *house) judge() {
	h.t.Helper()
	h.rests()
	h.wall()
	if !h.t.Failed() {
		return
	}
	for _, p := range h.persons {
		for _, u := range p.said {
			if !h.understood(u) {
				h.try.evidence("%q was said, and heard was %q", u.words, h.stray(u.from))
			}
		}
		if torn, all := p.far.Torn(), len(p.far.Received())/media.FrameSamples; torn > all/100 {
			h.try.evidence("of %d packets that a caller should have got %d did not come", all, torn)
		}
	}
	for _, late := range []string{"recogniser_slow", `msg="not said"`} {
		if strings.Contains(h.program.Log()[h.logged:], late) {
			h.try.evidence("an engine was too slow: %s", late)
		}
	}
}

// rests waits until nothing of the scene is on its way any more, where the program still runs.
func (h *house) rests() {
	h.t.Helper()
	h.until("what was begun is over", func() bool {
		all, err := owner.ListSends.Do(h.t.Context(), h.program.Owner(), owner.Limit{Limit: 500}, "")
		return err != nil || !slices.ContainsFunc(all, func(s owner.Send) bool {
			_, mine := h.allowed[s.Contact]
			return mine && (s.State == smsmcp.Waiting || s.State == smsmcp.Reserved)
		})
	})
}

// may says that the caller is about to say yes to a text. Nothing more has gone until then than what had one.
func (p *person) may(name string) {
	p.t.Helper()
	if got := p.h.sent(name); len(got) > p.h.allowed[name] {
		p.h.try.alarm("%q went to %s before there was a yes", got, name)
	}
	p.h.allowed[name]++
}

// heard says whether a sound is some words: by the recogniser; or, where that does not understand it, by the very sound that the voice made of them.
func (p *person) heard(s sound, want string) (got string, ok bool) {
	p.t.Helper()
	if got = p.recognise(s); mostly(got, want) {
		return got, true
	}
	all := p.far.Received()
	spoken, there := p.h.spoken(all[s.from:min(len(all), s.to)], want)
	switch {
	case there:
		p.t.Logf("recognised as %q, and it is the sound of %q", got, want)
	case spoken:
		p.h.try.evidence("%q was spoken, and recognised is %q", want, got)
	}
	return got, there
}

// spoken says whether the program's voice spoke some words, and whether its sound is in what was heard.
func (h *house) spoken(pcm []int16, want string) (spoken, there bool) {
	if h.speaks == nil {
		return false, false
	}
	for _, s := range h.speaks.Spoken() {
		if has(strings.NewReplacer("1", "one", "2", "two").Replace(s.Text), want) {
			spoken = true
			there = there || share(pcm, onTheLine(s)) > 0.5
		}
	}
	return spoken, there
}

// misheard looks whether words that a caller should not have heard were none of what they were told: the sound of nothing that was spoken with one of them is in what they heard.
func (h *house) misheard(p *person, wrong ...string) {
	h.t.Helper()
	all := p.far.Received()
	for _, s := range h.speaks.Spoken() {
		for _, w := range wrong {
			if has(s.Text, w) && share(all, onTheLine(s)) > 0.5 {
				return
			}
		}
	}
	h.try.evidence("%q was recognised, and spoken to somebody else", wrong)
}

// onTheLine is what a telephone gets of a speech.
func onTheLine(s speech) []int16 {
	c, err := rate.New(s.Rate, media.Rate)
	if err != nil {
		return nil
	}
	return c.Flush(c.Convert(nil, s.Sound))
}

var seed = maphash.MakeSeed()

// share is how much of a sound is in another, in pieces of 10 ms that are the same to the last bit: holes do not matter, nor when it began.
func share(in, of []int16) float64 {
	const piece = media.Rate / 100
	law := func(pcm []int16) []byte {
		out := make([]byte, len(pcm))
		for i, s := range pcm {
			out[i] = g711.EncodeUlawFrame(s)
		}
		return out
	}
	there := map[uint64]bool{}
	for b := law(in); len(b) >= piece; b = b[1:] {
		there[maphash.Bytes(seed, b[:piece])] = true
	}
	all, found := 0, 0
	for b := law(of); len(b) >= piece; of, b = of[piece:], b[piece:] {
		power := 0.0
		for _, s := range of[:piece] {
			power += float64(s) * float64(s)
		}
		if math.Sqrt(power/piece) < quiet {
			continue
		}
		all++
		if there[maphash.Bytes(seed, b[:piece])] {
			found++
		}
	}
	return float64(found) / float64(max(1, all))
}
