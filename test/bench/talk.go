package main

import (
	"context"
	"iter"
	"math"
	"strings"
	"sync"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/listen"
	"readback/voice/media"
	"readback/voice/speak"
)

// Engines that take no time: what is left is the program's own.

type instantEar struct{}

func (instantEar) Listen(context.Context, lang.Lang, int) (voice.Hearing, error) {
	return instantHearing{make(chan untrusted.Text)}, nil
}

type instantHearing struct{ interim chan untrusted.Text }

func (instantHearing) Write(voice.Frame) error          { return nil }
func (h instantHearing) Interim() <-chan untrusted.Text { return h.interim }
func (h instantHearing) Cancel()                        { close(h.interim) }
func (h instantHearing) Finish(context.Context) (untrusted.Text, error) {
	close(h.interim)
	return untrusted.New("please go on with the story"), nil
}

type instantModel struct{}

func (instantModel) Reply(context.Context, voice.Request) iter.Seq2[voice.Delta, error] {
	return func(yield func(voice.Delta, error) bool) {
		yield(voice.Delta{Text: "It was a long story " + strings.Repeat("and on it went ", 8) + "."}, nil)
	}
}

// instantVoice speaks in one tone, 50 ms for each character.
type instantVoice struct{}

func (instantVoice) Speak(_ context.Context, _ lang.Lang, _ voice.Voice, text string) iter.Seq2[voice.Frame, error] {
	return func(yield func(voice.Frame, error) bool) {
		for range len(text) * 50 / 100 {
			if !yield(voice.Frame{Rate: media.Rate, Samples: tone}, nil) {
				return
			}
		}
	}
}

// tone is 100 ms of a tone whose end fits its beginning.
var tone = func() []int16 {
	out := make([]int16, media.Rate/10)
	for i := range out {
		out[i] = int16(3000 * math.Cos(2*math.Pi*440*float64(i)/media.Rate))
	}
	return out
}()

// talks answers calls by the agent, and notes when the ears told that somebody spoke for long enough to be a barge-in.
type talks struct {
	agent *agent.Agent

	mu     sync.Mutex
	barged map[string][]time.Time // by the caller's number
	took   []time.Duration        // from the frame that ends a turn to the first sound that is given to the leg
}

func newTalks() *talks {
	return &talks{barged: map[string][]time.Time{}, agent: agent.New(agent.Options{LLM: instantModel{}, Lang: lang.EN, Now: time.Now})}
}

func (t *talks) answer(ctx context.Context, leg voice.Leg) {
	leg = &timed{Leg: leg, t: t}
	transcript, hears := voice.NewTranscript(time.Now)
	ears := listen.New(listen.Options{Leg: leg, Ear: hears, STT: instantEar{}, Lang: lang.EN, Now: time.Now})
	mouth := speak.New(speak.Options{Leg: leg, TTS: instantVoice{}, Now: time.Now})
	ctx, end := context.WithCancel(ctx)
	var both sync.WaitGroup
	defer both.Wait()
	defer end()
	both.Go(func() { _ = ears.Run(ctx) })
	both.Go(func() { _ = mouth.Run(ctx) })
	t.agent.Answer(ctx, agent.Call{
		ID: leg.ID(), Caller: leg.Caller(), Transcript: transcript, Ears: t.tap(ears, leg.Caller().Number, &both), Mouth: mouth, HangUp: leg.HangUp, Owner: true,
	})
}

// timed is a leg that notes how long an answer takes.
type timed struct {
	voice.Leg
	t *talks

	mu    sync.Mutex
	quiet int       // silent frames on end, since somebody spoke
	spoke bool      // the caller did, and the turn is not over
	ended time.Time // when the frame came that ends the turn, if there was no answer yet
}

func (l *timed) Hear(ctx context.Context) (voice.Frame, error) {
	f, err := l.Leg.Hear(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case sounds(f.Samples):
		l.quiet, l.spoke = 0, true
	case l.spoke:
		if l.quiet++; time.Duration(l.quiet)*media.FrameTime >= endpointing {
			l.spoke, l.ended = false, time.Now()
		}
	}
	return f, err
}

func (l *timed) Play(ctx context.Context, f voice.Frame) error {
	l.mu.Lock()
	if !l.ended.IsZero() && sounds(f.Samples) {
		l.t.mu.Lock()
		l.t.took = append(l.t.took, time.Since(l.ended))
		l.t.mu.Unlock()
		l.ended = time.Time{}
	}
	l.mu.Unlock()
	return l.Leg.Play(ctx, f)
}

func sounds(pcm []int16) bool {
	for _, s := range pcm {
		if s > 200 || s < -200 {
			return true
		}
	}
	return false
}

// own gives what answers took since it was asked last.
func (t *talks) own() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := t.took
	t.took = nil
	return took
}

// tapped are ears whose events somebody looks at on their way.
type tapped struct {
	voice.Ears
	events chan voice.Heard
}

func (t tapped) Heard() <-chan voice.Heard { return t.events }

func (t *talks) tap(ears voice.Ears, caller string, wg *sync.WaitGroup) voice.Ears {
	out := tapped{ears, make(chan voice.Heard, 64)}
	wg.Go(func() {
		defer close(out.events)
		for h := range ears.Heard() {
			if _, ok := h.(voice.Barged); ok {
				now := time.Now()
				t.mu.Lock()
				t.barged[caller] = append(t.barged[caller], now)
				t.mu.Unlock()
			}
			select {
			case out.events <- h:
			default: // the conversation is over
			}
		}
	})
	return out
}

// noticed gives for each tone that was spoken over the time from when the program noticed to its last packet.
func (t *talks) noticed(stops []hushed) (out []time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range stops {
		at := time.Unix(0, s.At)
		var last time.Time
		for _, b := range t.barged[fromOf(s.Call)] {
			if b.Before(at.Add(media.FrameTime)) {
				last = b
			}
		}
		if d := at.Sub(last); d < time.Second {
			out = append(out, d)
		}
	}
	return out
}
