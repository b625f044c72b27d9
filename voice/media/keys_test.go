package media

import (
	"testing"
	"testing/synctest"
	"time"

	"readback/voice"
)

// TestInvariant10AKeyThatWaitsInAQueueGetsOlder: it is as old as it is when it is handed over, and a clock that is set back makes none younger than it is.
func TestInvariant10AKeyThatWaitsInAQueueGetsOlder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back time.Duration
		k := NewKeys(func() time.Time { return time.Now().Add(-back) })
		done, to := make(chan struct{}), make(chan voice.Key)
		go k.Hand(done, to)
		if !k.Add('1', time.Now()) || !k.Add('2', time.Now().Add(-3*time.Second)) {
			t.Fatal("a key was not taken")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for _, want := range []voice.Key{{Rune: '1', Held: 2 * time.Second}, {Rune: '2', Held: 5 * time.Second}} {
			if got := <-to; got.Rune != want.Rune || got.Held < want.Held-again || got.Held > want.Held {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		k.Add('3', time.Now().Add(time.Hour)) // dated by a clock that was set back
		if got := <-to; got.Held != 0 {
			t.Errorf("a key of the future is %v old", got.Held)
		}
		k.Add('4', time.Now())
		synctest.Wait()
		close(done)
		if got, open := <-to; open {
			t.Errorf("%+v came after the end", got)
		}
	})
}

// TestAQueueOfKeysIsBounded: what waits comes in its order, and one more than may wait is refused.
func TestAQueueOfKeysIsBounded(t *testing.T) {
	k := NewKeys(time.Now)
	for n := range MaxKeys {
		if !k.Add(rune(voice.Keys[n%16]), time.Now()) {
			t.Fatalf("key %d was refused", n)
		}
	}
	if k.Add('1', time.Now()) {
		t.Error("one too many was taken")
	}
	done, to := make(chan struct{}), make(chan voice.Key)
	defer close(done)
	go k.Hand(done, to)
	for n := range MaxKeys {
		if got := <-to; got.Rune != rune(voice.Keys[n%16]) {
			t.Fatalf("key %d is %q", n, got.Rune)
		}
	}
}
