package line_test

import (
	"testing"
	"time"

	"readback/voice"
	"readback/voice/media"
	"readback/voip/ari"
)

func next(t *testing.T, leg voice.Leg) voice.Key {
	t.Helper()
	select {
	case k, ok := <-leg.Keys():
		if !ok {
			t.Fatal("no more keys")
		}
		return k
	case <-time.After(10 * time.Second):
		t.Fatal("no key")
		return voice.Key{}
	}
}

// about says whether a time is as expected, on a busy machine.
func about(got, want time.Duration) bool {
	return got >= want-5*time.Millisecond && got < want+900*time.Millisecond
}

// TestInvariant10AKeyThatCameLateWentDownEarly: by how much later than others it came, whatever the difference of the clocks.
func TestInvariant10AKeyThatCameLateWentDownEarly(t *testing.T) {
	for _, skew := range []time.Duration{0, 3 * time.Hour, -3 * time.Hour} {
		w := begin(t)
		there := func() time.Time { return time.Now().Add(skew) }
		w.call("c", there())
		leg := w.leg()
		w.key("c", '1', there(), 100*time.Millisecond)
		if k := next(t, leg); k.Rune != '1' || !about(k.Held, 100*time.Millisecond) {
			t.Errorf("%+v", k)
		}
		w.key("c", '2', there().Add(-4*time.Second), 200*time.Millisecond) // it was 4 s on its way
		if k := next(t, leg); k.Rune != '2' || !about(k.Held, 4200*time.Millisecond) {
			t.Errorf("%+v", k)
		}
		w.key("c", '3', there().Add(-time.Second), 0) // Asterisk's clock was set back: earlier, never later
		w.key("c", '4', there().Add(time.Second), 0)  // and forth
		w.key("c", '5', there(), 0)
		if k := next(t, leg); k.Rune != '3' || !about(k.Held, time.Second) {
			t.Errorf("%+v", k)
		}
		if k := next(t, leg); k.Rune != '4' || !about(k.Held, 0) {
			t.Errorf("%+v", k)
		}
		if k := next(t, leg); k.Rune != '5' || !about(k.Held, time.Second) {
			t.Errorf("%+v", k)
		}
	}
}

// TestInvariant10AKeyThatWaitsGetsOlder: nobody who comes late takes it for one that was just pressed.
func TestInvariant10AKeyThatWaitsGetsOlder(t *testing.T) {
	w := begin(t)
	w.call("c", time.Now())
	leg := w.leg()
	w.key("c", '1', time.Now(), 0)
	w.key("c", '2', time.Now(), 0)
	<-time.After(600 * time.Millisecond)
	for _, want := range "12" {
		if k := next(t, leg); k.Rune != want || !about(k.Held, 500*time.Millisecond) {
			t.Errorf("%q: %+v", want, k)
		}
	}
}

// TestAKeyThatIsToldTwiceIsOne, and two that follow each other are two.
func TestAKeyThatIsToldTwiceIsOne(t *testing.T) {
	w := begin(t)
	at := time.Now().Add(-10 * time.Second)
	w.call("c", at)
	leg := w.leg()
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	const held = 100 * time.Millisecond
	w.key("c", '1', ms(100), held)
	w.key("c", '1', ms(100), held) // by the other subscription
	w.key("c", '2', ms(240), held)
	w.key("c", '1', ms(100), held) // late
	w.key("c", '2', ms(240), held)
	w.key("c", '2', ms(343), held) // it would have gone down 3 ms after it came up
	w.key("c", '2', ms(343), held)
	w.key("c", '2', ms(343+150), held) // pressed again
	w.key("c", '3', ms(700), held)
	w.key("c", '3', ms(700-5000), held) // the clock was set back, and it is pressed again
	w.key("d", '9', ms(800), held)      // of nobody's call
	w.line.Event(ari.ChannelDtmfReceived{Head: ari.Head{At: ms(900)}, Channel: ari.Channel{ID: leg.ID()}, Digit: '8'})
	w.key("c", '#', ms(1000), held)
	got := ""
	for len(got) == 0 || got[len(got)-1] != '#' {
		got += string(next(t, leg).Rune)
	}
	if got != "12233#" {
		t.Errorf("the keys are %s", got)
	}
}

// TestNoKeyIsLost: as many as may wait come in their order; one more ends the call, for nobody would know what it meant.
func TestNoKeyIsLost(t *testing.T) {
	w := begin(t)
	w.call("c", time.Now())
	leg := w.leg()
	press := func(n int) { w.key("c", "0123456789"[n%10], time.Now().Add(time.Duration(n)*time.Second), 0) }
	for n := range media.MaxKeys {
		press(n)
	}
	select {
	case <-leg.Done():
		t.Fatal("the call ended")
	default:
	}
	for n := range media.MaxKeys / 2 {
		if k := next(t, leg); k.Rune != rune("0123456789"[n%10]) {
			t.Fatalf("key %d is %q", n, k.Rune)
		}
	}
	for n := range media.MaxKeys/2 + 2 {
		press(media.MaxKeys + n)
	}
	w.over(leg)
}
