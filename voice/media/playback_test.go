package media

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/voice"
)

func sound(d time.Duration) voice.Frame {
	pcm := make([]int16, samples(d))
	for i := range pcm {
		pcm[i] = 1000
	}
	return voice.Frame{Rate: Rate, Samples: pcm}
}

func play(t *testing.T, q *Playback, d time.Duration) {
	t.Helper()
	if err := q.Play(t.Context(), sound(d)); err != nil {
		t.Fatal(err)
	}
}

// run is the pace: it takes and sends so many frames.
func run(q *Playback, frames int, left bool) {
	var f Frame
	for range frames {
		q.Slot(time.Now())
		q.Next(&f)
		q.Sent(left)
	}
}

func answer(t *testing.T, ch <-chan voice.Mark) voice.Mark {
	t.Helper()
	select {
	case m := <-ch:
		return m
	default:
		t.Helper()
		t.Fatal("the mark has no answer yet")
		return voice.Mark{}
	}
}

func silent(t *testing.T, ch <-chan voice.Mark) {
	t.Helper()
	select {
	case m := <-ch:
		t.Fatalf("the mark is answered too soon: %+v", m)
	default:
	}
}

func TestInvariant10AMarkIsPlayedWhenItsLastSampleHasSounded(t *testing.T) {
	q := NewPlayback(time.Now)
	play(t, q, 50*time.Millisecond)
	m := q.Mark()
	play(t, q, 30*time.Millisecond)
	run(q, 2, true)
	silent(t, m)
	run(q, 1, true) // the frame with the last sample leaves
	silent(t, m)
	run(q, 1, true) // and has sounded
	if got := answer(t, m); !got.Played || got.Left != 0 || got.At.IsZero() {
		t.Errorf("%+v", got)
	}
	if q.Played() != 80*time.Millisecond || q.Waiting() != 0 {
		t.Errorf("played %v, %v wait", q.Played(), q.Waiting())
	}
}

func TestInvariant10WhatWasClearedWasNotPlayed(t *testing.T) {
	q := NewPlayback(time.Now)
	play(t, q, 100*time.Millisecond)
	first := q.Mark()
	play(t, q, 100*time.Millisecond)
	second := q.Mark()
	run(q, 6, true)
	if cut := q.Clear(); cut != 80*time.Millisecond {
		t.Errorf("cleared %v", cut)
	}
	if m := answer(t, first); !m.Played {
		t.Errorf("first: %+v", m)
	}
	if m := answer(t, second); m.Played || m.Left != 80*time.Millisecond {
		t.Errorf("second: %+v", m)
	}
	var f Frame
	if n := q.Next(&f); n != 0 || f != (Frame{}) {
		t.Error("cleared sound is played")
	}
	q.Sent(true)
	// What comes after is heard as if nothing had been.
	after := q.Mark()
	play(t, q, 20*time.Millisecond)
	whole := q.Mark()
	run(q, 2, true)
	if m := answer(t, after); !m.Played {
		t.Errorf("after: %+v", m)
	}
	if m := answer(t, whole); !m.Played {
		t.Errorf("whole: %+v", m)
	}
}

// a sentence comes in pieces: one that is cleared before the mark behind them is set makes that mark say so.
func TestInvariant10ClearedBeforeTheMarkWasSet(t *testing.T) {
	q := NewPlayback(time.Now)
	q.Mark()
	play(t, q, 60*time.Millisecond)
	run(q, 1, true)
	q.Clear()
	play(t, q, 40*time.Millisecond)
	m := q.Mark()
	run(q, 10, true)
	if m := answer(t, m); m.Played || m.Left != 40*time.Millisecond {
		t.Errorf("%+v", m)
	}
}

func TestInvariant10WhatTheNetworkRefusedWasNotPlayed(t *testing.T) {
	q := NewPlayback(time.Now)
	play(t, q, 30*time.Millisecond)
	first := q.Mark()
	play(t, q, 30*time.Millisecond)
	second := q.Mark()
	play(t, q, 40*time.Millisecond)
	third := q.Mark()
	run(q, 1, true)
	run(q, 1, false) // this frame belongs to the first two
	run(q, 10, true)
	if a, b, c := answer(t, first), answer(t, second), answer(t, third); a.Played || b.Played || !c.Played {
		t.Errorf("%+v %+v %+v", a, b, c)
	}
}

func TestInvariant10RefusedBeforeTheMarkWasSet(t *testing.T) {
	q := NewPlayback(time.Now)
	q.Mark()
	play(t, q, 60*time.Millisecond)
	run(q, 1, false)
	m := q.Mark()
	run(q, 10, true)
	if m := answer(t, m); m.Played {
		t.Errorf("%+v", m)
	}
}

func TestInvariant10ACallThatEndsPlaysNothing(t *testing.T) {
	q := NewPlayback(time.Now)
	play(t, q, 20*time.Millisecond)
	m := q.Mark()
	run(q, 1, true) // it has left, and has not sounded yet
	q.Close()
	if m := answer(t, m); m.Played {
		t.Errorf("%+v", m)
	}
	if m := answer(t, q.Mark()); m.Played {
		t.Errorf("after the end: %+v", m)
	}
	if err := q.Play(t.Context(), sound(FrameTime)); !errors.Is(err, voice.ErrHungUp) {
		t.Error(err)
	}
}

func TestPlaybackIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewPlayback(time.Now)
		play(t, q, time.Second)
		play(t, q, 500*time.Millisecond) // a second waits, and no more: it is taken
		var err error
		done := make(chan struct{})
		go func() { defer close(done); err = q.Play(t.Context(), sound(time.Second)) }()
		synctest.Wait()
		if q.Waiting() != 1500*time.Millisecond {
			t.Fatalf("%v wait", q.Waiting())
		}
		run(q, 25, true)
		<-done
		if err != nil || q.Waiting() != 2*time.Second {
			t.Errorf("%v, %v wait", err, q.Waiting())
		}
		// Nothing of a frame is taken when the time of its context is up.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := q.Play(ctx, sound(time.Second)); !errors.Is(err, context.DeadlineExceeded) || q.Waiting() != 2*time.Second {
			t.Errorf("%v, %v wait", err, q.Waiting())
		}
		if err := q.Play(t.Context(), voice.Frame{Rate: 16000, Samples: make([]int16, 10)}); !errors.Is(err, ErrRate) {
			t.Error(err)
		}
	})
}

// sound that still waits to be taken when the queue is cleared is not heard afterwards, and the sentence it belongs to was not played.
func TestInvariant10ClearReachesThoseWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewPlayback(time.Now)
		play(t, q, 2*time.Second)
		q.Mark()
		var err error
		done := make(chan struct{})
		go func() { defer close(done); err = q.Play(t.Context(), sound(300*time.Millisecond)) }()
		synctest.Wait()
		q.Clear()
		<-done
		if err != nil || q.Waiting() != 0 {
			t.Errorf("%v, %v wait", err, q.Waiting())
		}
		m := q.Mark()
		run(q, 2, true)
		if m := answer(t, m); m.Played || m.Left != 300*time.Millisecond {
			t.Errorf("%+v", m)
		}
	})
}

// TestWhoWaitsIsToldThatTheCallIsOver, and not that the sound was taken.
func TestWhoWaitsIsToldThatTheCallIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewPlayback(time.Now)
		play(t, q, 2*time.Second)
		done := make(chan error, 1)
		go func() { done <- q.Play(t.Context(), sound(300*time.Millisecond)) }()
		synctest.Wait()
		q.Close()
		if err := <-done; !errors.Is(err, voice.ErrHungUp) {
			t.Error(err)
		}
	})
}

func TestPlaybackByManyAtOnce(t *testing.T) {
	q := NewPlayback(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	var players, pace sync.WaitGroup
	for range 4 {
		players.Go(func() {
			for range 50 {
				if q.Play(ctx, sound(70*time.Millisecond)) != nil {
					return
				}
				ch := q.Mark()
				select {
				case <-ch:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	players.Go(func() {
		for range 100 {
			q.Clear()
			q.Waiting()
		}
	})
	stop := make(chan struct{})
	pace.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				run(q, 1, true)
			}
		}
	})
	players.Wait()
	cancel()
	close(stop)
	pace.Wait()
	q.Close()
}

func TestPlaybackThatIsNeverEmptyDoesNotGrow(t *testing.T) {
	q := NewPlayback(time.Now)
	play(t, q, 200*time.Millisecond)
	for range 5000 {
		play(t, q, 20*time.Millisecond)
		run(q, 1, true)
	}
	if cap(q.chunks) > 200 {
		t.Errorf("room for %d pieces", cap(q.chunks))
	}
}
