package hostile

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/media"
)

// far is the caller's end of a call on a leg: a telephone, or a browser. Places count samples of a telephone line, and are the same ones for what is sent and what is heard.
type far interface {
	Send(pcm []int16) (at int)    // behind what was sent before; where it begins
	Received(from int) []int16    // all that was heard from a place on
	Time(at int) time.Time        // of a place
	Press(key rune) (counts bool) // and waits until it was sent; whether a key of this caller is one
	Meddle(pcm []int16, key rune) // somebody else who is there does it; nobody may be
	HangUp()                      // ends the call
	Done() <-chan struct{}        // closed when it is over
}

// onLeg is a caller on a leg, with the engines by which the program hears and speaks, who are in it with the caller: what is said is a number in the air, and they know of which words.
type onLeg struct {
	t   testing.TB
	far far

	mu     sync.Mutex
	r      *rand.Rand    // of the engines
	faulty int           // of 100 sentences, how often the engine that speaks fails
	given  []*speech     // what was to be said to the caller, by number
	heard  []*speech     // of these, of which something was heard
	told   []*told       // what was said to the program, by number
	lead   time.Duration // of what is heard: how much sooner it came than its place says, which goes by when its first packet came
	keep   func(said)
	trip   func() time.Duration // the leg's
	news   chan news
}

// told is something that was said to the program.
type told struct {
	line
	began  time.Time
	theirs bool // of somebody else in the room, whose words are nobody's yes
	done   bool // it was understood, or not
	over   chan struct{}
}

// Loudness.
const (
	programs = 6000.0
	callers  = 14000.0
)

var errEngine = errors.New("an engine's words: yes, send it")

// lasts is how long a sentence sounds between its numbers.
func lasts(text string) time.Duration { return time.Duration(len(text)) * 12 * time.Millisecond }

// notes are how long the program's sounds before and behind a quote take.
const notes = 400 * time.Millisecond

// long is how long a sentence sounds in all.
func long(text string) time.Duration { return 2*media.Duration(pairLong) + lasts(text) }

// Speak has a sentence said. What the engine gives it gives at once.
func (o *onLeg) Speak(ctx context.Context, l lang.Lang, v voice.Voice, text string) iter.Seq2[voice.Frame, error] {
	return func(yield func(voice.Frame, error) bool) {
		o.mu.Lock()
		id := len(o.given)
		if id >= most {
			o.mu.Unlock()
			yield(voice.Frame{}, errEngine)
			return
		}
		o.given = append(o.given, &speech{lang: l, parts: []voice.Part{{Voice: v, Text: text}}, given: time.Now()})
		fault, share, panics := o.r.IntN(100) < o.faulty, o.r.Float64(), o.r.IntN(4) == 0
		o.mu.Unlock()
		pcm := pair(startA, id, programs)
		hum := make([]int16, int(lasts(text)*media.Rate/time.Second))
		for i := range hum {
			hum[i] = int16(500 * (i / 10 % 2)) // 400 Hz, softly
		}
		pcm = append(append(pcm, hum...), pair(endA, id, programs)...)
		if fault {
			pcm = pcm[:int(share*float64(len(pcm)-pairLong))]
		}
		for len(pcm) > 0 {
			n := min(len(pcm), media.Rate/10)
			if !yield(voice.Frame{Rate: media.Rate, Samples: pcm[:n:n]}, nil) {
				return
			}
			pcm = pcm[n:]
		}
		switch {
		case ctx.Err() != nil:
		case fault && panics:
			panic("yes, send it")
		case fault:
			yield(voice.Frame{}, errEngine)
		}
	}
}

// Listen has an utterance understood.
func (o *onLeg) Listen(context.Context, lang.Lang, int) (voice.Hearing, error) {
	return &understanding{o: o, interim: make(chan untrusted.Text)}, nil
}

type understanding struct {
	o       *onLeg
	r       reader
	ids     []int
	interim chan untrusted.Text
}

func (u *understanding) Write(f voice.Frame) error {
	u.found(u.r.take(f.Samples))
	return nil
}

func (u *understanding) found(all []found) {
	for _, x := range all {
		if x.kind <= startB && !slices.Contains(u.ids, x.id) {
			u.ids = append(u.ids, x.id)
		}
	}
}

func (u *understanding) Interim() <-chan untrusted.Text { return u.interim }
func (u *understanding) Cancel()                        { close(u.interim) }

// Finish gives the words of the one number that is in the utterance. Some are not understood, and some after a while.
func (u *understanding) Finish(ctx context.Context) (untrusted.Text, error) {
	defer close(u.interim)
	u.found(u.r.rest())
	o := u.o
	o.mu.Lock()
	if len(u.ids) != 1 || u.ids[0] >= len(o.told) || o.told[u.ids[0]].done {
		o.mu.Unlock()
		return untrusted.Text{}, nil
	}
	x := o.told[u.ids[0]]
	x.done = true
	fate, pause := o.r.IntN(24), time.Duration(o.r.IntN(1500))*time.Millisecond
	o.mu.Unlock()
	defer close(x.over)
	switch fate {
	case 0:
		return untrusted.Text{}, nil
	case 1:
		return untrusted.Text{}, errEngine
	case 2:
		panic("yes, send it")
	case 3, 4: // it takes its time
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return untrusted.Text{}, ctx.Err()
		}
	}
	if !x.theirs {
		o.keep(said{began: x.began, came: time.Now(), line: x.line})
	}
	return untrusted.New(x.words), nil
}

// sentence is the sound of something that is said to the program.
func (o *onLeg) sentence(l line, theirs bool) (*told, []int16) {
	x := &told{line: l, theirs: theirs, over: make(chan struct{})}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.told) == most {
		o.t.Error("the caller says too much for this test")
		return x, nil
	}
	o.told = append(o.told, x)
	pcm := append(murmur(300*time.Millisecond), make([]int16, gapLong)...)
	return x, append(pcm, pair(startA, len(o.told)-1, callers)...)
}

// says says something, and waits until it was understood, or could have been.
func (o *onLeg) says(c *caller, l line) {
	x, pcm := o.sentence(l, false)
	if pcm == nil {
		return
	}
	o.mu.Lock()
	at := o.far.Send(pcm)
	x.began = o.far.Time(at)
	o.mu.Unlock()
	limit := time.NewTimer(time.Until(x.began.Add(media.Duration(len(pcm)) + 1500*time.Millisecond)))
	defer limit.Stop()
	select {
	case <-x.over:
	case <-limit.C:
	case <-c.gone:
	}
}

// presses presses a key. When it came is not known better than that it was not before it went down.
func (o *onLeg) presses(c *caller, key rune) {
	s := said{began: time.Now(), key: key}
	s.came = s.began
	switch key {
	case '1':
		s.means = yes
	case '2':
		s.means = no
	}
	if o.far.Press(key) {
		o.keep(s)
	}
}

// hears follows what the caller hears, until the call is over.
func (o *onLeg) hears() {
	var r reader
	at := 0
	var open *speech
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case <-tick.C:
		case <-o.far.Done():
			over = true
		}
		pcm := o.far.Received(at)
		if at += len(pcm); len(pcm) > 0 { // all of it has come by now
			o.mu.Lock()
			o.lead = min(o.lead, time.Since(o.far.Time(at)))
			o.mu.Unlock()
		}
		all := r.take(pcm)
		if over {
			all = append(all, r.rest()...)
		}
		for _, x := range all {
			open = o.hear(x, open)
		}
	}
}

// hear takes a number that was heard; open is what is being heard.
func (o *onLeg) hear(x found, open *speech) *speech {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x.id >= len(o.given) {
		return open
	}
	s, at := o.given[x.id], o.far.Time(x.at).Add(o.lead)
	second := media.Duration(codeLong + gapLong)
	switch x.kind {
	case startA, startB:
		if s == open || len(s.heard) > 0 {
			return open
		}
		if x.kind == startB {
			at = at.Add(-second)
		}
		s.heard = []stretch{{from: at, to: at}}
		o.heard = append(o.heard, s)
		if x.id+1 < len(o.given) && s.parts[0].Voice == voice.ProgramVoice && o.given[x.id+1].parts[0].Voice == voice.QuoteVoice {
			next := o.given[x.id+1]
			o.tell(news{began: true, of: &speech{
				lang: s.lang, parts: []voice.Part{s.parts[0], {Sound: voice.Opening}, next.parts[0], {Sound: voice.Closing}},
				ends: at.Add(long(s.parts[0].Text) + notes + long(next.parts[0].Text) + notes),
			}})
		}
		return s
	case endA, endB:
		end := at.Add(media.Duration(pairLong))
		if x.kind == endB {
			end = end.Add(-second)
		}
		if s != open || s.heard[0].whole {
			return open
		}
		took := end.Sub(s.heard[0].from)
		s.heard[0].to, s.heard[0].whole = end, took > long(s.parts[0].Text)-40*time.Millisecond
		s.whole = s.heard[0].whole
		o.tell(news{of: s})
	}
	return open
}

func (o *onLeg) tell(n news) {
	select {
	case o.news <- n:
	default: // the caller does not listen
	}
}

// last is what the caller heard last, or hears. Nobody changes its words.
func (o *onLeg) last() *speech {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.heard) == 0 {
		return nil
	}
	return o.heard[len(o.heard)-1]
}

// speeches are all that was heard: a sentence of the program's with a quote right behind it is one, and what was said otherwise one each.
func (o *onLeg) speeches() (out []*speech) {
	for i := 0; i < len(o.heard); i++ {
		s := o.heard[i]
		if i+1 < len(o.heard) && s.whole && s.parts[0].Voice == voice.ProgramVoice {
			q := o.heard[i+1]
			pause := q.heard[0].from.Sub(s.heard[0].to)
			if q.parts[0].Voice == voice.QuoteVoice && pause > notes/2 && pause < notes+3*time.Second {
				end := q.heard[0].to
				out = append(out, &speech{
					lang: q.lang, given: s.given, whole: q.whole, parts: []voice.Part{s.parts[0], {Sound: voice.Opening}, q.parts[0], {Sound: voice.Closing}},
					heard: []stretch{s.heard[0], {s.heard[0].to, q.heard[0].from, true}, q.heard[0], {end, end.Add(notes), true}},
				})
				i++
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// meddles has somebody else in the room say yes and press keys, until the call is over.
func (o *onLeg) meddles(c *caller, r *rand.Rand) {
	for c.waits(time.Duration(300+r.IntN(2500)) * time.Millisecond) {
		_, pcm := o.sentence(line{yeses[r.IntN(len(yeses))], yes}, true)
		o.far.Meddle(pcm, '1')
	}
}
