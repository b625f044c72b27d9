package speak

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/mediatest"
	"readback/voice/speech/espeak"
)

// lazy is a leg that takes a frame some time after it was given, and no longer looks at who gave it up.
type lazy struct{ voice.Leg }

func (l lazy) Play(_ context.Context, f voice.Frame) error {
	time.Sleep(7 * time.Millisecond)
	return l.Leg.Play(context.Background(), f)
}

// what comes to such a leg behind a stop is silenced as well.
func TestNothingIsSaidAfterAStop(t *testing.T) {
	for after := time.Millisecond; after < 60*time.Millisecond; after += 3 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			m, leg := beginOver(t, Options{TTS: three()}, func(l voice.Leg) voice.Leg { return lazy{l} })
			m.Say(lang.EN, words("one", "two")...)
			time.Sleep(after)
			m.Stop()
			had := len(leg.Listen())
			if o := outcome(t, m.Say(lang.EN, words("three")...)); !o.Played {
				t.Errorf("after %v: %+v", after, o)
			}
			heard := loud(runs(leg.Listen()[had:]))
			if len(heard) > 1 && heard[0].n <= 160 {
				heard = heard[1:]
			}
			if !slices.Equal(heard, []stretch{{3000, 4000}}) {
				t.Errorf("after %v: heard %v", after, heard)
			}
		})
	}
}

// broken is a leg that refuses the third frame it is given.
type broken struct {
	voice.Leg
	mu *sync.Mutex
	n  *int
}

func (b broken) Play(ctx context.Context, f voice.Frame) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if *b.n++; *b.n == 3 {
		return errors.New("the network is down")
	}
	return b.Leg.Play(ctx, f)
}

func TestInvariant10WhatTheLegRefusedWasNotPlayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, leg := beginOver(t, Options{TTS: three()}, func(l voice.Leg) voice.Leg { return broken{l, new(sync.Mutex), new(int)} })
		if o := outcome(t, m.Say(lang.EN, words("one")...)); o.Played || !errors.Is(o.Err, ErrLeg) || o.Whole != 0 {
			t.Errorf("%+v", o)
		}
		if o := outcome(t, m.Say(lang.EN, words("two")...)); !o.Played {
			t.Errorf("the next: %+v", o)
		}
		if heard := loud(runs(leg.Listen())); !slices.Equal(heard, []stretch{{1000, 1600}, {2000, 3200}}) {
			t.Errorf("heard %v", heard)
		}
	})
}

// rtp is a leg over a real port.
type rtp struct {
	*media.Port
	done chan struct{}
}

func (rtp) ID() string                                      { return "rtp" }
func (rtp) Caller() voice.CallerID                          { return voice.CallerID{} }
func (rtp) Rate() int                                       { return media.Rate }
func (rtp) Keys() <-chan voice.Key                          { return nil }
func (rtp) RoundTrip() time.Duration                        { return 100 * time.Millisecond }
func (rtp) HangUp(context.Context) error                    { return nil }
func (r rtp) Done() <-chan struct{}                         { return r.done }
func (r rtp) Hear(context.Context) (voice.Frame, error)     { return voice.Frame{}, voice.ErrHungUp }
func (r rtp) Play(ctx context.Context, f voice.Frame) error { return r.Playback().Play(ctx, f) }
func (r rtp) Mark() <-chan voice.Mark                       { return r.Playback().Mark() }
func (r rtp) Clear()                                        { r.Playback().Clear() }

// TestInvariant10ARealVoiceOverRealPackets has espeak-ng speak over RTP to a second port: the marks are those of a line.
func TestInvariant10ARealVoiceOverRealPackets(t *testing.T) {
	tts, err := espeak.New(espeak.Options{Program: mediatest.Program(t, "espeak-ng")})
	if err != nil {
		t.Fatal(err)
	}
	local := netip.MustParseAddrPort("127.0.0.1:0")
	var mu sync.Mutex
	var heard []int16
	far, err := media.Open(media.Options{Local: local, Now: time.Now, Learn: true, OnSlot: func(s media.Slot) {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, s.Near[:]...)
	}})
	if err != nil {
		t.Fatal(err)
	}
	near, err := media.Open(media.Options{Local: local, Now: time.Now, Peer: far.Addr()})
	if err != nil {
		t.Fatal(err)
	}
	leg := rtp{near, make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	m := New(Options{Leg: leg, TTS: tts, Now: time.Now})
	var wg sync.WaitGroup
	defer func() { stop(); wg.Wait() }()
	wg.Go(func() { _ = far.Run(ctx) })
	wg.Go(func() { _ = near.Run(ctx) })
	wg.Go(func() { _ = m.Run(ctx) })

	length := func() time.Duration { // of all speech that has arrived
		mu.Lock()
		defer mu.Unlock()
		n := 0
		for i := 0; i+160 <= len(heard); i += 160 {
			if mediatest.From(heard[i:i+160]).Level() > -50 {
				n++
			}
		}
		return time.Duration(n) * 20 * time.Millisecond
	}
	o := outcome(t, m.Say(lang.EN, voice.Part{Sound: voice.Opening}, voice.Part{Text: "I will be late."}, voice.Part{Sound: voice.Closing}))
	if !o.Played || o.Whole != 3 || o.Err != nil || o.RoundTrip != 100*time.Millisecond {
		t.Fatalf("%+v", o)
	}
	limit := time.Now().Add(5 * time.Second)
	for length() < 700*time.Millisecond && time.Now().Before(limit) {
		<-time.After(10 * time.Millisecond) // the way there, and the far jitter buffer
	}
	if d := length(); d < 700*time.Millisecond {
		t.Errorf("a sentence that is said to be played was heard for %v", d)
	}
	s := m.Say(lang.FR, words("Ceci est une phrase assez longue, et personne ne l'entendra jusqu'au bout.")...)
	<-s.Started()
	before := length()
	for length() < before+300*time.Millisecond && time.Now().Before(limit.Add(10*time.Second)) {
		<-time.After(10 * time.Millisecond)
	}
	m.Stop()
	if o := outcome(t, s); o.Played || o.Err != nil || o.Whole != 0 {
		t.Errorf("a sentence that was stopped: %+v", o)
	}
}
