package talk

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

// try is a scene that was begun: a test whose faults are held back until it is known whose they are, as in test/call.
type try struct {
	testing.TB
	mu       sync.Mutex
	faults   []string
	misheard []string
	cleanups []func()
}

// scene begins one, up to three times, each in a house of its own.
func scene(t *testing.T, play func(h *house)) {
	t.Helper()
	for n := 1; ; n++ {
		a := &try{TB: t}
		a.run(func() { play(newHouse(a)) })
		a.clean()
		if len(a.faults) == 0 {
			return
		}
		faults := strings.Join(a.faults, "\n")
		if t.Skipped() || t.Failed() || len(a.misheard) == 0 || n == tries {
			t.Errorf("begun %d times; misheard: %q; faults:\n%s", n, a.misheard, faults)
			return
		}
		t.Logf("begun anew, because of what was misheard: %s\nwhat was wrong then:\n%s", strings.Join(a.misheard, "; "), faults)
	}
}

// run runs a part to its end, wherever that is.
func (a *try) run(part func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		part()
	}()
	<-done
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
		a.run(last) // one that fails does not keep the others from being done
	}
}

// alarm is for what must never be, whoever misheard what. The test has failed, and nothing is begun anew.
func (a *try) alarm(format string, args ...any) {
	a.TB.Errorf("%s: %s", where(), fmt.Sprintf(format, args...))
	a.fault("an alarm")
}

// evidence keeps a proof that the recogniser was wrong.
func (a *try) evidence(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.misheard = append(a.misheard, fmt.Sprintf(format, args...))
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
		if file := filepath.Base(f.File); strings.Contains(f.Function, "/test/talk.") && file != "again_test.go" {
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
