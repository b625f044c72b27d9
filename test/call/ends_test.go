package call

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/test/testbed"
	"readback/voice"
	"readback/voice/line"
	"readback/voice/voicetest"
	"readback/voip/ari"
)

// steps is an Asterisk that lets a test come between the steps of a call's beginning.
type steps struct {
	line.Asterisk
	mu     sync.Mutex
	before map[string]func()       // by the step
	fail   map[string]func() error // instead of the step, or after it
	deaf   bool                    // nothing is deleted and nobody is hung up: as if this program had died
}

func (s *steps) at(step string) (func() error, bool) {
	s.mu.Lock()
	before, fail := s.before[step], s.fail[step]
	s.mu.Unlock()
	if before != nil {
		before()
	}
	return fail, fail != nil
}

func (s *steps) Answer(ctx context.Context, channel string) error {
	if fail, ok := s.at("answer"); ok {
		return fail()
	}
	return s.Asterisk.Answer(ctx, channel)
}

func (s *steps) CreateBridge(ctx context.Context, id string) error {
	if fail, ok := s.at("bridge"); ok {
		_ = s.Asterisk.CreateBridge(ctx, id) // it was done, but nobody knows
		return fail()
	}
	return s.Asterisk.CreateBridge(ctx, id)
}

func (s *steps) AddToBridge(ctx context.Context, bridge, channel string) error {
	step := "add caller"
	if bridge == channel {
		step = "add media"
	}
	if fail, ok := s.at(step); ok {
		return fail()
	}
	return s.Asterisk.AddToBridge(ctx, bridge, channel)
}

func (s *steps) ExternalMedia(ctx context.Context, id string, to netip.AddrPort) (netip.AddrPort, error) {
	if fail, ok := s.at("media"); ok {
		_, _ = s.Asterisk.ExternalMedia(ctx, id, to) // it was done, but nobody knows
		return netip.AddrPort{}, fail()
	}
	return s.Asterisk.ExternalMedia(ctx, id, to)
}

func (s *steps) HangUp(ctx context.Context, channel string, why ari.Reason) error {
	if s.isDeaf() {
		return nil
	}
	return s.Asterisk.HangUp(ctx, channel, why)
}

func (s *steps) DeleteBridge(ctx context.Context, id string) error {
	if s.isDeaf() {
		return nil
	}
	return s.Asterisk.DeleteBridge(ctx, id)
}

func (s *steps) isDeaf() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deaf
}

func (s *steps) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func between(s **steps) func(*line.Options) {
	return func(o *line.Options) {
		*s = &steps{Asterisk: o.Asterisk, before: map[string]func(){}, fail: map[string]func() error{}}
		o.Asterisk = *s
	}
}

var allSteps = []string{"answer", "bridge", "add caller", "media", "add media"}

// leaks looks for goroutines of the line's calls: none may be left when all calls are over.
func leaks(t *testing.T) {
	t.Helper()
	var left string
	testbed.Until(t, 10*time.Second, "no goroutine of a call is left", func() bool {
		buf := make([]byte, 4<<20)
		left = ""
		for one := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(one, "voice/line.(*Line).serve") || strings.Contains(one, "voice/line.(*keys)") || strings.Contains(one, "voice/media.(*Port)") {
				left += one + "\n\n"
			}
		}
		return left == ""
	})
}

// TestTheCallerHangsUpAtEveryStep of a call's beginning, and while something is played.
func TestTheCallerHangsUpAtEveryStep(t *testing.T) {
	b := newBed(t)
	var between1 *steps
	s := start(t, b, between(&between1))
	for _, step := range allSteps {
		for _, known := range []bool{false, true} { // whether the end is known when the step is done
			t.Run(fmt.Sprintf("%s, known %v", step, known), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				answered := make(chan *testbed.Dialed, 1)
				reached := sync.OnceFunc(func() {
					if step == "answer" {
						cancel() // the telephone takes its call back
					} else {
						(<-answered).HangUp()
					}
					if known {
						testbed.Until(t, 10*time.Second, "the caller's channel has ended", func() bool {
							channels, err := s.client.Channels(context.Background())
							for _, c := range channels {
								if strings.HasPrefix(c.Name, "PJSIP/") {
									return false
								}
							}
							return err == nil
						})
					}
				})
				between1.set(func() { clear(between1.before); between1.before[step] = reached })
				far, err := s.phone.Dial(ctx, testbed.Ring{})
				if err == nil {
					answered <- far
					ended(t, "the telephone's call", far.Done(), 10*time.Second)
				} else if step != "answer" {
					t.Errorf("not answered: %v", err)
				}
				s.nothingLeft()
				select {
				case leg := <-s.legs: // the end came too late to be seen
					ended(t, "a leg of a call that had ended", leg.Done(), time.Second)
				default:
				}
			})
		}
	}
	between1.set(func() { clear(between1.before) })
	t.Run("while something is played", func(t *testing.T) {
		leg, far := s.dial(testbed.Ring{})
		if err := leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: voicetest.Tone(8000, 500, 5*time.Second)}); err != nil {
			t.Fatal(err)
		}
		testbed.Until(t, 5*time.Second, "the caller hears it", func() bool { return len(voicetest.Bursts(far.Received(), 8000)) > 0 })
		far.HangUp()
		ended(t, "the leg", leg.Done(), 5*time.Second)
		s.nothingLeft()
	})
	leaks(t)
	if n := s.line.Counts(); n.Failed != 0 || n.Crashed != 0 {
		t.Errorf("%+v: a caller who hangs up is no failure; the log:\n%s", n, s.log)
	}
	leg, _ := s.dial(testbed.Ring{}) // and the line takes calls as before
	if err := leg.HangUp(t.Context()); err != nil {
		t.Error(err)
	}
	s.nothingLeft()
}

// TestAFailureHalfWayLeavesNothing: whatever step fails, done in Asterisk or not.
func TestAFailureHalfWayLeavesNothing(t *testing.T) {
	var between1 *steps
	s := start(t, newBed(t), between(&between1))
	for i, step := range allSteps {
		t.Run(step, func(t *testing.T) {
			between1.set(func() {
				clear(between1.fail)
				between1.fail[step] = func() error { return errors.New("the words of a stranger") }
			})
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			far, err := s.phone.Dial(ctx, testbed.Ring{})
			var no testbed.Refused
			switch {
			case err == nil:
				ended(t, "the telephone's call", far.Done(), 10*time.Second)
			case step != "answer" || !errors.As(err, &no):
				t.Errorf("the telephone: %v", err)
			}
			s.nothingLeft()
			if n := s.line.Counts(); n.Failed != uint64(i+1) {
				t.Errorf("%+v", n)
			}
		})
	}
	t.Run("panic", func(t *testing.T) {
		between1.set(func() {
			clear(between1.fail)
			between1.fail["media"] = func() error { panic("the words of a stranger") }
		})
		_, err := s.phone.Dial(t.Context(), testbed.Ring{})
		if err != nil {
			t.Error(err)
		}
		s.nothingLeft()
		if n := s.line.Counts(); n.Crashed != 1 {
			t.Errorf("%+v", n)
		}
	})
	if len(s.legs) != 0 {
		t.Error("a call that was not set up was handled")
	}
	if strings.Contains(s.log.String(), "words") {
		t.Errorf("foreign words in the log:\n%s", s.log)
	}
	leaks(t)
}

// TestAsteriskRestartsInTheMiddleOfACall, by a crash and in good order: the call is over, and the line takes others.
func TestAsteriskRestartsInTheMiddleOfACall(t *testing.T) {
	b := newBed(t)
	s := start(t, b)
	for what, end := range map[string]func(){"killed": b.Asterisk.Kill, "stopped": b.Asterisk.Stop} {
		leg, far := s.dial(testbed.Ring{})
		if err := leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: voicetest.Tone(8000, 500, time.Second)}); err != nil {
			t.Fatal(err)
		}
		end()
		b.Asterisk.Restart()
		ended(t, what, leg.Done(), 10*time.Second)
		far.Vanish()
		testbed.Until(t, 20*time.Second, "the line stands", func() bool { return s.client.State().Up })
		s.nothingLeft()
		again, _ := s.dial(testbed.Ring{})
		if err := again.HangUp(t.Context()); err != nil {
			t.Error(err)
		}
		s.nothingLeft()
	}
	leaks(t)
}

// TestACallGoesOnWhenTheConnectionBreaks and is made again: a sweep touches no call that there is.
func TestACallGoesOnWhenTheConnectionBreaks(t *testing.T) {
	b := newBed(t)
	s := start(t, b)
	leg, far := s.dial(testbed.Ring{})
	for range 5 {
		_ = s.line.Connected(t.Context())
		<-time.After(300 * time.Millisecond)
	}
	<-time.After(2500 * time.Millisecond) // what is suspect is looked at a second time
	select {
	case <-leg.Done():
		t.Fatalf("the call was ended:\n%s", s.log)
	default:
	}
	far.Send(voicetest.Tone(8000, 700, 300*time.Millisecond))
	hearTone(t, leg)
	far.HangUp()
	ended(t, "the leg", leg.Done(), 5*time.Second)
	s.nothingLeft()
}

// hearTone waits until the caller's tone is heard.
func hearTone(t *testing.T, leg voice.Leg) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var all []int16
	for len(voicetest.Bursts(append(all, make([]int16, 1600)...), 8000)) == 0 {
		f, err := leg.Hear(ctx)
		if err != nil {
			t.Fatalf("the caller's tone was not heard: %v", err)
		}
		all = append(all, f.Samples...)
	}
}

// TestASweepEndsWhatACrashLeft, and nothing that is another's.
func TestASweepEndsWhatACrashLeft(t *testing.T) {
	b := newBed(t)
	var first *steps
	dead := start(t, b, between(&first))
	_, far := dead.dial(testbed.Ring{})
	_, far2 := dead.dial(testbed.Ring{From: "anonymous"})
	first.set(func() { first.deaf = true })
	dead.stop()
	ctx := t.Context()
	other := "readback-other-" + strings.Repeat("a", 26)
	for _, id := range []string{other, "music", "readback-hold"} {
		if err := dead.client.CreateBridge(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if channels, err := dead.client.Channels(ctx); err != nil || len(channels) != 4 {
		t.Fatalf("after the crash: %v, %v", channels, err)
	}
	s := start(t, b)
	leg, farther := s.dial(testbed.Ring{}) // it enters while the sweep is on its way
	ended(t, "a call from before the crash", far.Done(), 10*time.Second)
	ended(t, "a call from before the crash", far2.Done(), 10*time.Second)
	var left []string
	testbed.Until(t, 10*time.Second, "the crash's bridges and media channels are gone", func() bool {
		bridges, err := s.client.Bridges(ctx)
		channels, err2 := s.client.Channels(ctx)
		left = nil
		for _, x := range bridges {
			left = append(left, x.ID)
		}
		return err == nil && err2 == nil && len(bridges) == 4 && len(channels) == 2
	})
	if got := strings.Join(left, " "); !strings.Contains(got, other) || !strings.Contains(got, "music") || !strings.Contains(got, "readback-hold") || !strings.Contains(got, leg.ID()) {
		t.Errorf("the bridges that are left: %s", got)
	}
	select {
	case <-leg.Done():
		t.Fatal("the new call was swept away")
	default:
	}
	farther.HangUp()
	for _, id := range []string{other, "music", "readback-hold"} {
		if err := s.client.DeleteBridge(ctx, id); err != nil {
			t.Error(err)
		}
	}
	s.nothingLeft()
}

// TestNobodyIsLeftWhenTheProgramEnds: callers are hung up on.
func TestNobodyIsLeftWhenTheProgramEnds(t *testing.T) {
	s := start(t, newBed(t))
	leg, far := s.dial(testbed.Ring{})
	_, far2 := s.dial(testbed.Ring{})
	s.stop()
	ended(t, "the leg", leg.Done(), time.Millisecond)
	ended(t, "the caller", far.Done(), 5*time.Second)
	ended(t, "the other caller", far2.Done(), 5*time.Second)
	s.nothingLeft()
	leaks(t)
}

// TestACrashOfAHandlerEndsItsCallAlone.
func TestACrashOfAHandlerEndsItsCallAlone(t *testing.T) {
	legs := make(chan voice.Leg, 10)
	s := start(t, newBed(t), func(o *line.Options) {
		stay := o.Handle
		o.Handle = func(ctx context.Context, leg voice.Leg) {
			switch leg.Caller().Number {
			case "+15145550666":
				legs <- leg
				panic("the words of a stranger")
			case "+15145550777":
				legs <- leg // and returns at once
			default:
				stay(ctx, leg)
			}
		}
	})
	good, _ := s.dial(testbed.Ring{})
	for _, from := range []string{"+15145550666", "+15145550777"} {
		far, err := s.phone.Dial(t.Context(), testbed.Ring{From: from})
		if err != nil {
			t.Fatal(err)
		}
		ended(t, "the leg of "+from, (<-legs).Done(), 5*time.Second)
		ended(t, "the caller "+from, far.Done(), 5*time.Second)
	}
	select {
	case <-good.Done():
		t.Error("another call ended with it")
	default:
	}
	if n := s.line.Counts(); n.Crashed != 1 {
		t.Errorf("%+v", n)
	}
	if log := s.log.String(); !strings.Contains(log, line.CodeCrashed) || strings.Contains(log, "words") || strings.Contains(log, "5145550") {
		t.Errorf("the log:\n%s", log)
	}
	if err := good.HangUp(t.Context()); err != nil {
		t.Error(err)
	}
	s.nothingLeft()
	leaks(t)
}
