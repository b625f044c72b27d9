package call

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"net"
	"net/netip"
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

// TestInvariant10OnlyAsterisksOwnPacketsAreHeard: whoever else sends to the call's port, from whatever address, is not.
func TestInvariant10OnlyAsterisksOwnPacketsAreHeard(t *testing.T) {
	s := start(t, newBed(t))
	leg, far := s.dial(testbed.Ring{})
	far.Mute(true) // so that nothing comes from Asterisk: the stranger has the port alone
	var port netip.AddrPort
	channels, err := s.client.Channels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range channels {
		if rest, ok := strings.CutPrefix(c.Name, "UnicastRTP/"); ok {
			at, _, _ := strings.Cut(rest, "-")
			port = netip.MustParseAddrPort(at)
		}
	}
	if !port.IsValid() {
		t.Fatalf("no port in %v", channels)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, from := range []string{"127.0.0.1:0", "127.0.0.4:0", "127.0.0.9:0"} {
		conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(from)))
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer conn.Close()
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			b := make([]byte, 172)
			b[0] = 0x80
			for i := range b[12:] {
				b[12+i] = byte(0x80 * (i / 4 % 2)) // a square wave as loud as can be
			}
			for n := 0; ; n++ {
				binary.BigEndian.PutUint16(b[2:], uint16(n))
				binary.BigEndian.PutUint32(b[4:], uint32(n*160))
				if _, err := conn.WriteToUDPAddrPort(b, port); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	var all []int16
	for range 100 {
		f, err := leg.Hear(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Samples...)
	}
	if got := voicetest.Bursts(all, 8000); len(got) != 0 {
		t.Errorf("a stranger was heard: %v", got)
	}
	// The caller is, with the stranger still there; and what is played goes to the caller alone.
	far.Mute(false)
	far.Send(voicetest.Tone(8000, 700, 300*time.Millisecond))
	hearTone(t, leg)
	play(t, leg, voicetest.Tone(8000, 500, 300*time.Millisecond))
	testbed.Until(t, 5*time.Second, "the caller hears what is played", func() bool { return len(voicetest.Bursts(far.Received(), 8000)) > 0 })
	cancel()
	wg.Wait()
	far.HangUp()
	s.nothingLeft()
}

func play(t *testing.T, leg voice.Leg, pcm []int16) {
	t.Helper()
	if err := leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: pcm}); err != nil {
		t.Fatal(err)
	}
}

// TestInvariant10KeysComeBySignallingAlone: tones in the sound are no keys, however well they are made; keys by RFC 4733 are, once each, with the time that they
// were down.
func TestInvariant10KeysComeBySignallingAlone(t *testing.T) {
	s := start(t, newBed(t))
	leg, far := s.dial(testbed.Ring{})
	one := make([]int16, 8000)
	for i := range one {
		at := 2 * math.Pi * float64(i) / 8000
		one[i] = int16(8000*math.Sin(697*at) + 8000*math.Sin(1209*at)) // the key 1
	}
	far.Send(one)
	far.Send(make([]int16, 1600))
	testbed.Until(t, 5*time.Second, "it was sent", far.Sent)
	far.PressFor('5', 600*time.Millisecond)
	k := key(t, leg)
	if k.Rune != '5' || k.Held < 550*time.Millisecond || k.Held > 1500*time.Millisecond {
		t.Errorf("the first key is %q, held for %v", k.Rune, k.Held)
	}
	// Keys that nobody comes for are not younger for it.
	for _, r := range "12*#12" {
		far.Press(r)
	}
	<-time.After(time.Second)
	for i, r := range "12*#12" {
		if k := key(t, leg); k.Rune != r || k.Held < time.Second {
			t.Errorf("key %d is %q, %v after it went down", i, k.Rune, k.Held)
		}
	}
	select {
	case k := <-leg.Keys():
		t.Errorf("and %q", k.Rune)
	case <-time.After(300 * time.Millisecond):
	}
	far.HangUp()
	s.nothingLeft()
}

func key(t *testing.T, leg voice.Leg) voice.Key {
	t.Helper()
	select {
	case k, ok := <-leg.Keys():
		if !ok {
			t.Fatal("no more keys")
		}
		return k
	case <-time.After(5 * time.Second):
		t.Fatal("no key came")
		return voice.Key{}
	}
}

// TestInvariant10AKeyWaitsBehindNoText: texts that cannot be stored hold up no key, and no end of a call.
func TestInvariant10AKeyWaitsBehindNoText(t *testing.T) {
	b := newBed(t)
	stuck := make(chan struct{})
	came := make(chan struct{}, 100)
	client := newClient(t, b)
	s := &scene{t: t, bed: b, client: client, legs: make(chan voice.Leg, 10), log: &log{}, phone: b.NewCaller(t)}
	s.listen(func(context.Context, ari.Event) {
		came <- struct{}{}
		<-stuck
	})
	free := sync.OnceFunc(func() { close(stuck) })
	t.Cleanup(free) // before the line's own end, which waits for it
	leg, far := s.dial(testbed.Ring{})
	phone := testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil)
	for range 20 {
		if _, err := phone.Text(t.Context(), b.SIP, testbed.SIPText{From: "+15145550101", Body: "hello"}); err != nil {
			t.Fatal(err)
		}
	}
	<-came // and 19 wait
	began := time.Now()
	far.Press('1')
	if k := key(t, leg); k.Rune != '1' || time.Since(began) > 2*time.Second {
		t.Errorf("%q came after %v", k.Rune, time.Since(began))
	}
	far.HangUp()
	ended(t, "the leg", leg.Done(), 2*time.Second)
	free()
	s.nothingLeft()
}

// TestTenCallsAtOnce: each is heard in its own call alone, hears its own alone, and ends alone.
func TestTenCallsAtOnce(t *testing.T) {
	s := start(t, newBed(t))
	const n = 10
	type pair struct {
		leg  voice.Leg
		far  *testbed.Dialed
		tone float64
	}
	var mu sync.Mutex
	legs := map[string]voice.Leg{} // by the caller's number
	var pairs []*pair
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			far, err := s.phone.Dial(t.Context(), testbed.Ring{From: number(i)})
			if err != nil {
				t.Error(err)
				return
			}
			leg := s.leg()
			mu.Lock()
			defer mu.Unlock()
			legs[leg.Caller().Number] = leg
			pairs = append(pairs, &pair{far: far, tone: 400 + 150*float64(i)})
		})
	}
	wg.Wait()
	if len(pairs) != n || len(legs) != n {
		t.Fatalf("%d calls, %d callers", len(pairs), len(legs))
	}
	for _, p := range pairs {
		i := int((p.tone - 400) / 150)
		p.leg = legs[number(i)]
		wg.Go(func() {
			p.far.Send(voicetest.Tone(8000, p.tone, time.Second))
			p.far.Send(make([]int16, 4000))
			var all []int16
			for range 100 {
				f, err := p.leg.Hear(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				all = append(all, f.Samples...)
			}
			only(t, "the leg", all, i)
			if err := p.leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: voicetest.Tone(8000, p.tone, time.Second)}); err != nil {
				t.Error(err)
			}
			if m := <-p.leg.Mark(); !m.Played {
				t.Errorf("%+v", m)
			}
			<-time.After(300 * time.Millisecond)
			only(t, "the caller", p.far.Received(), i)
			if i%2 == 0 {
				p.far.HangUp()
			} else if err := p.leg.HangUp(t.Context()); err != nil {
				t.Error(err)
			}
			ended(t, "the leg", p.leg.Done(), 5*time.Second)
			ended(t, "the caller", p.far.Done(), 5*time.Second)
		})
	}
	wg.Wait()
	s.nothingLeft()
	leaks(t)
	if c := s.line.Counts(); c.Taken != n || c.Failed+c.Crashed+c.Refused != 0 {
		t.Errorf("%+v", c)
	}
}

func number(i int) string { return "+1514555020" + string(rune('0'+i)) }

// only looks for the tone of one call, and none of another's.
func only(t *testing.T, who string, pcm []int16, i int) {
	t.Helper()
	for other := range 10 {
		level := goertzel(pcm, 400+150*float64(other))
		if other == i && level < 0.05 || other != i && level > 0.01 {
			t.Errorf("%s of call %d hears the tone of call %d with %.3f", who, i, other, level)
		}
	}
}

// goertzel is how much of a tone is in a sound: the amplitude over the whole, full scale is 1.
func goertzel(pcm []int16, hertz float64) float64 {
	var re, im float64
	for i, s := range pcm {
		at := 2 * math.Pi * hertz * float64(i) / 8000
		re += float64(s) * math.Cos(at)
		im += float64(s) * math.Sin(at)
	}
	return 2 * math.Hypot(re, im) / float64(len(pcm)) / 32768
}

// TestOneCallTooMany hears that the line is busy, and nobody is the worse for it.
func TestOneCallTooMany(t *testing.T) {
	s := start(t, newBed(t), func(o *line.Options) { o.MaxCalls = 2 })
	first, _ := s.dial(testbed.Ring{})
	second, far := s.dial(testbed.Ring{})
	for range 5 {
		_, err := s.phone.Dial(t.Context(), testbed.Ring{})
		var no testbed.Refused
		if !errors.As(err, &no) || no != 486 {
			t.Errorf("the third call: %v", err)
		}
	}
	if c := s.line.Counts(); c.Refused != 5 || c.Calls != 2 {
		t.Errorf("%+v", c)
	}
	far.HangUp()
	ended(t, "the second", second.Done(), 5*time.Second)
	testbed.Until(t, 5*time.Second, "there is room", func() bool { return s.line.Counts().Calls == 1 })
	third, _ := s.dial(testbed.Ring{})
	for _, leg := range []voice.Leg{first, third} {
		if err := leg.HangUp(t.Context()); err != nil {
			t.Error(err)
		}
	}
	s.nothingLeft()
}

// TestNobodyTakesCalls: a caller hears so at once.
func TestNobodyTakesCalls(t *testing.T) {
	s := start(t, newBed(t), func(o *line.Options) { o.Handle = nil })
	_, err := s.phone.Dial(t.Context(), testbed.Ring{})
	var no testbed.Refused
	if !errors.As(err, &no) || no != 403 && no != 603 {
		t.Errorf("%v", err)
	}
	s.nothingLeft()
}

// TestWhoIsCalling: a whole number, or none.
func TestWhoIsCalling(t *testing.T) {
	s := start(t, newBed(t))
	for from, want := range map[string]string{
		"+15145550101": "+15145550101", "5145550101": "+15145550101", "15145550101": "+15145550101", "+442071838750": "+442071838750",
		"anonymous": "", "Anonymous": "", "unknown": "", "restricted": "", "12345": "", "5145550101x": "", "+1514555010112345678": "", "0": "",
		"%3Cscript%3E": "", "caller": "",
	} {
		leg, far := s.dial(testbed.Ring{From: from, Name: "Mama"})
		if got := leg.Caller(); got.Number != want || got.Line != "voipms" {
			t.Errorf("%s is %+v, not %q", from, got, want)
		}
		far.HangUp()
		ended(t, "the leg", leg.Done(), 5*time.Second)
	}
	s.nothingLeft()
	if log := s.log.String(); strings.Contains(log, "514555") || strings.Contains(log, "Mama") || strings.Contains(log, "script") {
		t.Errorf("a caller is in the log:\n%s", log)
	}
}
