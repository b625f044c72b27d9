package testbed

import (
	"testing"
	"time"
)

// Until waits for something to be so, asking ten times a second.
func Until(t testing.TB, within time.Duration, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(within)
	for !so() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}
