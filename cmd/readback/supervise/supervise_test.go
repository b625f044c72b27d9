package supervise_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"readback/cmd/readback/supervise"
	"readback/smsmcp"
)

func group(log *bytes.Buffer) *supervise.Group {
	return supervise.New(supervise.Options{Now: time.Now, Log: slog.New(slog.NewTextHandler(log, nil))})
}

// failures writes how the parts stand: "a=code b=".
func failures(g *supervise.Group) string {
	var all []string
	for _, p := range g.Parts() {
		all = append(all, p.Name+"="+p.Failure)
	}
	return strings.Join(all, " ")
}

// TestOnePartTakesNoOtherDown: a part that panics and one that returns are begun again while a third runs on.
func TestOnePartTakesNoOtherDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		g := group(&log)
		ctx, end := context.WithCancel(t.Context())
		var crashes, returns, ticks atomic.Int32
		g.Go(ctx, "crasher", func(context.Context) error { crashes.Add(1); panic("Marie +14185550123") }, nil)
		g.Go(ctx, "leaver", func(context.Context) error { returns.Add(1); return errors.New("hunter22") }, nil)
		g.Go(ctx, "steady", func(ctx context.Context) error {
			for tick := time.NewTicker(time.Second); ; ticks.Add(1) {
				select {
				case <-ctx.Done():
					tick.Stop()
					return nil
				case <-tick.C:
				}
			}
		}, nil)
		time.Sleep(10*time.Minute + time.Millisecond)
		synctest.Wait()
		if got, want := failures(g), "crasher=part_crashed leaver=part_ended steady="; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		// 0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 63.5, then each minute.
		if crashes.Load() != 16 || returns.Load() != 16 || ticks.Load() != 600 {
			t.Errorf("%d crashes, %d returns, %d ticks", crashes.Load(), returns.Load(), ticks.Load())
		}
		end()
		g.Wait()
		for _, private := range []string{"Marie", "4185550123", "hunter22"} {
			if strings.Contains(log.String(), private) {
				t.Errorf("the log holds %q:\n%s", private, log.String())
			}
		}
		if !strings.Contains(log.String(), "code=part_crashed") || !strings.Contains(log.String(), "code=part_ended") || !strings.Contains(log.String(), "supervise_test.go") {
			t.Errorf("the log does not tell:\n%s", log.String())
		}
	})
}

// TestAPartThatRanLongIsWellAgain: it is down from its crash until it has run for a while, and the next crash waits no longer than the first.
func TestAPartThatRanLongIsWellAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		g := group(&log)
		ctx, end := context.WithCancel(t.Context())
		runs := 0
		began := time.Now()
		var starts []string
		g.Go(ctx, "p", func(ctx context.Context) error {
			starts = append(starts, fmt.Sprint(time.Since(began)))
			if runs++; runs <= 3 {
				return nil
			}
			select {
			case <-ctx.Done():
			case <-time.After(20 * time.Second):
			}
			return nil
		}, nil)
		at := func(d time.Duration, want string) {
			t.Helper()
			time.Sleep(time.Until(began.Add(d)))
			synctest.Wait()
			if got := failures(g); got != want {
				t.Errorf("after %v: %s, want %s", d, got, want)
			}
		}
		at(13*time.Second, "p=part_ended") // it runs since 3.5 s
		at(13*time.Second+600*time.Millisecond, "p=")
		if p := g.Parts()[0]; p.Since != began.Add(13*time.Second+500*time.Millisecond) {
			t.Errorf("since %v", p.Since.Sub(began))
		}
		at(23*time.Second+600*time.Millisecond, "p=part_ended")
		time.Sleep(time.Second)
		end()
		g.Wait()
		if got, want := fmt.Sprint(starts), "[0s 500ms 1.5s 3.5s 24s]"; got != want {
			t.Errorf("begun at %s, want %s", got, want)
		}
	})
}

// TestAPartThatEndsAsItTurnsSteadyIsDown: at that very moment, in whichever order the two happen.
func TestAPartThatEndsAsItTurnsSteadyIsDown(t *testing.T) {
	for range 400 {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			g := group(&log)
			ctx, end := context.WithCancel(t.Context())
			g.Go(ctx, "p", func(ctx context.Context) error {
				select {
				case <-ctx.Done():
				case <-time.After(10 * time.Second):
				}
				return nil
			}, nil)
			time.Sleep(10*time.Second + 100*time.Millisecond)
			synctest.Wait()
			if got := failures(g); got != "p=part_ended" {
				t.Errorf("%s", got)
			}
			end()
			g.Wait()
		})
		if t.Failed() {
			return
		}
	}
}

// TestAPartSaysHowItStands: what it says of itself is told, unless it is down.
func TestAPartSaysHowItStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		g := group(&log)
		ctx, end := context.WithCancel(t.Context())
		crash := make(chan struct{})
		since := time.Now().Add(-time.Hour)
		g.Go(ctx, "line", func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return nil
			case <-crash:
				panic("oops")
			}
		}, func() smsmcp.Part { return smsmcp.Part{Name: "any", Failure: "ari_lost", Since: since} })
		synctest.Wait()
		if p := g.Parts()[0]; p != (smsmcp.Part{Name: "line", Failure: "ari_lost", Since: since}) {
			t.Errorf("%+v", p)
		}
		crash <- struct{}{}
		synctest.Wait()
		if p := g.Parts()[0]; p.Failure != supervise.Crashed || p.Since != time.Now() {
			t.Errorf("%+v", p)
		}
		end()
		g.Wait()
	})
}

// TestNothingIsBegunAgainAtTheEnd: a part that ends because it was told to has not failed, and one that waits to be begun again ends at once.
func TestNothingIsBegunAgainAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		g := group(&log)
		ctx, end := context.WithCancel(t.Context())
		var runs atomic.Int32
		g.Go(ctx, "good", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, nil)
		g.Go(ctx, "bad", func(context.Context) error { runs.Add(1); return nil }, nil)
		synctest.Wait()
		before := time.Now()
		end()
		g.Wait()
		if got := failures(g); got != "good= bad=part_ended" || runs.Load() != 1 || time.Since(before) > 0 || strings.Contains(log.String(), "part=good") {
			t.Errorf("%s, %d runs, %v\n%s", got, runs.Load(), time.Since(before), log.String())
		}
	})
}
