package voicetest

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestTheLegInMemory passes what every leg passes, at 8 and at 48 kHz, in the time of a bubble.
func TestTheLegInMemory(t *testing.T) {
	for _, o := range []Options{{}, {Rate: 48000, Frame: 60 * time.Millisecond}, {Frame: 10 * time.Millisecond}} {
		for _, r := range Rules() {
			t.Run(r.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					leg := New(o)
					t.Cleanup(func() { _ = leg.HangUp(t.Context()) })
					r.Check(t, leg, leg.Far())
				})
			})
		}
	}
}

// what the network refuses was not played, and neither the sound before it nor that behind it is charged for it.
func TestWhatTheNetworkRefusesWasNotPlayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leg := New(Options{})
		defer func() { _ = leg.HangUp(t.Context()) }()
		first := leg.Mark()
		play(t, leg, Tone(8000, 700, 200*time.Millisecond))
		second := leg.Mark()
		play(t, leg, Tone(8000, 700, 200*time.Millisecond))
		third := leg.Mark()
		time.Sleep(310 * time.Millisecond) // between two frames
		leg.Refuse(true)
		time.Sleep(40 * time.Millisecond)
		leg.Refuse(false)
		if !answer(t, first, soon).Played || !answer(t, second, soon).Played {
			t.Error("what had left before counts as lost")
		}
		if m := answer(t, third, soon); m.Played || m.Left != 40*time.Millisecond {
			t.Errorf("40 ms were refused: %+v", m)
		}
		if m := answer(t, leg.Mark(), soon); !m.Played {
			t.Errorf("and nothing behind them: %+v", m)
		}
	})
}
