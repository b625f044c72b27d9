package call

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// tries is how often a scene is begun.
const tries = 3

// try is a scene that was begun: a test whose faults are held back until it is known whose they are. A recogniser is wrong now and then, and more often where sound is torn by a busy
// machine. If there is a proof of that, by what the engines themselves were given and gave, the scene is begun anew, in a house of its own. What must never be is no matter of tries: see alarm.
type try struct {
	testing.TB
	mu       sync.Mutex
	faults   []string
	misheard []string
	cleanups []func()
}

// again begins a scene, up to three times. The first may be in a house that others are in.
func again(t testing.TB, scene func(a *try, first bool)) {
	t.Helper()
	for n := 1; ; n++ {
		a := &try{TB: t}
		a.run(func() { scene(a, n == 1) })
		if len(a.faults) == 0 {
			return
		}
		faults := strings.Join(a.faults, "\n")
		if t.Failed() || len(a.misheard) == 0 || n == tries {
			t.Errorf("begun %d times; misheard: %q; faults:\n%s", n, a.misheard, faults)
			return
		}
		t.Logf("begun anew, because of what was misheard: %s\nwhat was wrong then:\n%s", strings.Join(a.misheard, "; "), faults)
	}
}

// run runs a scene to its end, wherever that is, and then what it left to be done.
func (a *try) run(scene func()) {
	for _, part := range []func(){scene, a.clean} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			part()
		}()
		<-done
	}
}

func (a *try) clean() {
	for {
		a.mu.Lock()
		n := len(a.cleanups)
		if n == 0 {
			a.mu.Unlock()
			return
		}
		last := a.cleanups[n-1]
		a.cleanups = a.cleanups[:n-1]
		a.mu.Unlock()
		done := make(chan struct{})
		go func() { // one that fails does not keep the others from being done
			defer close(done)
			last()
		}()
		<-done
	}
}

// alarm is for what must never be, whoever misheard what: something sent without a yes, or other words than were read back. The test has failed, and nothing is begun anew.
func (a *try) alarm(format string, args ...any) {
	a.TB.Errorf("%s: %s", where(), fmt.Sprintf(format, args...))
	a.fault("an alarm")
}

// evidence keeps a proof that a recogniser was wrong, or that sound was torn on its way to one.
func (a *try) evidence(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.misheard = append(a.misheard, fmt.Sprintf(format, args...))
}

// lost gives a scene up in which something was misheard.
func (a *try) lost(format string, args ...any) {
	a.evidence(format, args...)
	a.fault("given up")
	runtime.Goexit()
}

func (a *try) fault(what string) {
	at := where()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.faults = append(a.faults, at+": "+what)
}

// where is the lines of these tests that lead here.
func where() string {
	var pc [24]uintptr
	var out []string
	for frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])]); ; {
		f, more := frames.Next()
		if file := filepath.Base(f.File); strings.Contains(f.Function, "/test/call.") && file != "again_test.go" {
			out = append(out, fmt.Sprintf("%s:%d", file, f.Line))
		}
		if !more {
			return strings.Join(out, " < ")
		}
	}
}

func (a *try) Error(args ...any)                 { a.fault(fmt.Sprint(args...)) }
func (a *try) Errorf(format string, args ...any) { a.fault(fmt.Sprintf(format, args...)) }
func (a *try) Fail()                             { a.fault("failed") }
func (a *try) FailNow()                          { a.fault("failed"); runtime.Goexit() }
func (a *try) Fatal(args ...any)                 { a.fault(fmt.Sprint(args...)); runtime.Goexit() }
func (a *try) Fatalf(format string, args ...any) {
	a.fault(fmt.Sprintf(format, args...))
	runtime.Goexit()
}

func (a *try) Failed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.faults) > 0 || a.TB.Failed()
}

func (a *try) Cleanup(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cleanups = append(a.cleanups, f)
}

// scenes begins scenes at once, in one house that build makes; one that is begun anew has a house of its own.
func scenes(t *testing.T, build func(testing.TB) *house, all map[string]func(h *house)) {
	t.Helper()
	shared := build(t)
	for name, scene := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			again(t, func(a *try, first bool) {
				if first {
					scene(shared.on(a))
				} else {
					scene(build(a).on(a))
				}
			})
		})
	}
}

// alone begins a scene in a house of its own.
func alone(t *testing.T, build func(testing.TB) *house, scene func(h *house)) {
	t.Helper()
	again(t, func(a *try, _ bool) { scene(build(a).on(a)) })
}
