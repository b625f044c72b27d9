package listen

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/media/mediatest"
	"readback/voice/voicetest"
)

// less is set under the race detector.
var less bool

// some gives all of a list, or each n-th.
func some[T any](all []T, n int) (out []T) {
	if !less {
		return all
	}
	for i := 0; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}

var errEngine = errors.New("the words of a stranger")

// deed is what a recogniser does with one utterance.
type deed struct {
	words                         string // "utterance N"
	none                          bool   // no words
	listen, write, finish         error
	panicListen, panicWrite, boom bool          // boom: Finish panics
	slow                          time.Duration // Finish takes so long
	deaf                          bool          // and does not mind its context
	interims                      []string      // told with each write
	hold                          chan struct{} // Listen waits for it
}

// recogniser is a fake engine. Its deeds are those of the utterances in the order in which they are begun; beyond them it works.
type recogniser struct {
	mu    sync.Mutex
	deeds []deed
	all   []*hearing
}

type hearing struct {
	d         deed
	n         int
	lang      lang.Lang
	mu        sync.Mutex
	pcm       []int16
	interim   chan untrusted.Text
	ended     bool
	cancelled bool
}

func (r *recogniser) Listen(ctx context.Context, l lang.Lang, rate int) (voice.Hearing, error) {
	r.mu.Lock()
	h := &hearing{n: len(r.all) + 1, lang: l, interim: make(chan untrusted.Text, 64)}
	if len(r.deeds) > 0 {
		h.d, r.deeds = r.deeds[0], r.deeds[1:]
	}
	r.all = append(r.all, h)
	r.mu.Unlock()
	if rate != 8000 {
		panic("another rate")
	}
	if h.d.hold != nil {
		<-h.d.hold
	}
	if h.d.panicListen {
		panic("the words of a stranger")
	}
	if h.d.listen != nil {
		return nil, h.d.listen
	}
	return h, ctx.Err()
}

func (h *hearing) Write(f voice.Frame) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.d.panicWrite {
		panic("the words of a stranger")
	}
	h.pcm = append(h.pcm, f.Samples...)
	if len(h.d.interims) > 0 {
		h.interim <- untrusted.New(h.d.interims[0])
		h.d.interims = h.d.interims[1:]
	}
	return h.d.write
}

func (h *hearing) Interim() <-chan untrusted.Text { return h.interim }

func (h *hearing) Finish(ctx context.Context) (untrusted.Text, error) {
	h.mu.Lock()
	d := h.d
	h.ended = true
	close(h.interim)
	h.mu.Unlock()
	if d.deaf {
		time.Sleep(d.slow)
	}
	select {
	case <-time.After(d.slow):
	case <-ctx.Done():
		return untrusted.Text{}, ctx.Err()
	}
	switch {
	case d.boom:
		panic("the words of a stranger")
	case d.finish != nil:
		return untrusted.Text{}, d.finish
	case d.none:
		return untrusted.Text{}, nil
	case d.words == "":
		d.words = fmt.Sprint("utterance ", h.n)
	}
	return untrusted.New(d.words), nil
}

func (h *hearing) Cancel() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cancelled = true
}

func (r *recogniser) heard() []*hearing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*hearing(nil), r.all...)
}

// call is a call with ears, in a bubble.
type call struct {
	t     *testing.T
	leg   *voicetest.Leg
	ears  *Ears
	said  *voice.Transcript
	began time.Time // when the first sample was spoken
	ended chan error

	mu     sync.Mutex
	events []event
	closed chan struct{}
	sent   []int16 // all that the caller said
}

type event struct {
	at time.Time
	h  voice.Heard
}

// dial begins a call; other, if it is not nil, stands between the leg and the ears.
func dial(t *testing.T, o Options, lo voicetest.Options, other func(voice.Leg) voice.Leg) *call {
	t.Helper()
	c := &call{t: t, leg: voicetest.New(lo), began: time.Now(), ended: make(chan error, 1), closed: make(chan struct{})}
	o.Leg, o.Now = c.leg, time.Now
	if other != nil {
		o.Leg = other(c.leg)
	}
	c.said, o.Ear = voice.NewTranscript(time.Now)
	c.ears = New(o)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { c.ended <- c.ears.Run(ctx) }()
	go func() {
		defer close(c.closed)
		for h := range c.ears.Heard() {
			c.mu.Lock()
			c.events = append(c.events, event{time.Now(), h})
			c.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = c.leg.HangUp(ctx)
		<-c.closed
		cancel()
	})
	return c
}

// say has the caller say something and waits for the end of it.
func (c *call) say(s mediatest.Sound) {
	pcm := s.PCM()
	pcm = append(pcm, make([]int16, (160-len(pcm)%160)%160)...) // what follows begins with a frame
	c.sent = append(c.sent, pcm...)
	<-c.leg.Speak(pcm)
}

// line is so much of a telephone line on which nobody speaks.
func line(d time.Duration, seed uint64) mediatest.Sound {
	return mediatest.Pink(int(d*8000/time.Second), seed).At(-52)
}

// over is speech with the noise of the line in it.
func over(pcm []int16, seed uint64) mediatest.Sound {
	s := mediatest.From(pcm).At(-22)
	return s.Plus(mediatest.Pink(len(s), seed).At(-52), 0)
}

// names gives what was heard so far, in short.
func (c *call) names() (out []string) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		out = append(out, short(e.h))
	}
	return out
}

func short(h voice.Heard) string {
	switch h := h.(type) {
	case voice.Begun:
		return "begun"
	case voice.Barged:
		return "barged"
	case voice.Dropped:
		if h.Err != nil {
			return "dropped: " + h.Err.Error()
		}
		return "dropped"
	case voice.Said:
		if h.Turn.Key() != 0 {
			return "key " + string(h.Turn.Key())
		}
		return "said " + h.Turn.Words().RawForStore()
	}
	return "?"
}

// turns gives the turns of speech that were heard.
func (c *call) turns() (out []voice.Turn) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		if s, ok := e.h.(voice.Said); ok && s.Turn.Key() == 0 {
			out = append(out, s.Turn)
		}
	}
	return out
}

// find says where in what the caller said a piece of it is.
func (c *call) find(pcm []int16) int {
	for i := 0; i+len(pcm) <= len(c.sent); i++ {
		if c.sent[i] == pcm[0] && equal(c.sent[i:i+len(pcm)], pcm) {
			return i
		}
	}
	return -1
}

func equal(a, b []int16) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// at is when a sample of what the caller said was spoken.
func (c *call) at(sample int) time.Time {
	return c.began.Add(time.Duration(sample) * time.Second / 8000)
}
