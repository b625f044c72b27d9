package room

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/thesyncim/gopus"

	"readback/smsmcp"
	"readback/voice"
	"readback/voice/media"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func options() Options {
	return Options{
		URL: "ws://127.0.0.1:1", Key: "key", Secret: strings.Repeat("secret", 6), Room: "a stranger's room",
		Peer: func(string) smsmcp.Peer { return smsmcp.Peer{} }, Now: time.Now,
	}
}

// called is a call whose caller is known, with no server.
func called(t *testing.T, now func() time.Time, sip bool) *Call {
	t.Helper()
	o := options()
	o.Now = now
	hush()
	c := newCall(o)
	c.identity, c.sid, c.sip = "sip_caller", "PA_one", sip
	t.Cleanup(c.cut)
	return c
}

func TestOptionsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"URL": func(o *Options) { o.URL = "" }, "Key": func(o *Options) { o.Key = "" }, "Secret": func(o *Options) { o.Secret = "" },
		"Room": func(o *Options) { o.Room = "" }, "Peer": func(o *Options) { o.Peer = nil }, "Now": func(o *Options) { o.Now = nil },
	} {
		o := options()
		change(&o)
		if c, err := Join(t.Context(), o); err == nil || c != nil {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestInvariant13WhatGoesWrongInARoomIsACode: a server that is not there, and nothing of its address, the room or the key is told.
func TestInvariant13WhatGoesWrongInARoomIsACode(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, err := Join(ctx, options())
	var coded smsmcp.Coded
	if !errors.As(err, &coded) || coded.Code() != CodeNotJoined || err.Error() != "room: "+CodeNotJoined {
		t.Errorf("it says %v", err)
	}
}

// TestInvariant10AKeyOfSomebodyElseIsNone: keys are those of the caller's own SIP participant.
func TestInvariant10AKeyOfSomebodyElseIsNone(t *testing.T) {
	for _, k := range []struct {
		digit, from string
		sip, is     bool
	}{
		{"1", "sip_caller", true, true}, {"#", "sip_caller", true, true}, {"D", "sip_caller", true, true},
		{"1", "somebody", true, false}, {"1", "", true, false}, {"1", "sip_caller", false, false},
		{"", "sip_caller", true, false}, {"12", "sip_caller", true, false}, {"x", "sip_caller", true, false}, {"é", "sip_caller", true, false}, {"d", "sip_caller", true, false},
	} {
		c := called(t, time.Now, k.sip)
		c.pressed(k.digit, k.from)
		if got := taken(t, c); k.is && got != k.digit || !k.is && got != "" {
			t.Errorf("%+v: %q", k, got)
		}
	}
	// Before it is known who the caller is, nobody is.
	c := called(t, time.Now, true)
	c.identity = ""
	c.pressed("1", "")
	if got := taken(t, c); got != "" {
		t.Errorf("the key %s came of a nameless sender", got)
	}
}

// taken are the keys that were taken of a call, which is over then.
func taken(t *testing.T, c *Call) (keys string) {
	t.Helper()
	const last = 'A'
	if !c.queue.Add(last, noon) {
		t.Fatal("too many keys wait")
	}
	defer c.end(CodeHungUp)
	go c.queue.Hand(c.done, c.keys)
	for k := range c.keys {
		if keys += string(k.Rune); k.Rune == last {
			break
		}
	}
	return strings.TrimSuffix(keys, string(last))
}

// TestInvariant10AKeyThatWaitedInARoomWentDownEarlier: in the queue, and over a break of the connection, since the server keeps what it could not deliver.
func TestInvariant10AKeyThatWaitedInARoomWentDownEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := called(t, time.Now, true)
		go c.queue.Hand(c.done, c.keys)
		defer synctest.Wait()
		defer c.end(CodeHungUp)
		c.lost.came(c.o.Now())
		c.pressed("1", "sip_caller")
		time.Sleep(700 * time.Millisecond)
		if k := <-c.keys; k.Rune != '1' || k.Held < 700*time.Millisecond || k.Held > 750*time.Millisecond {
			t.Errorf("a key that waited 0.7 s: %+v", k)
		}
		c.lost.came(c.o.Now())
		time.Sleep(resent + time.Millisecond)
		c.lost.last = c.o.Now() // what comes of a caller all the time has come
		c.pressed("2", "sip_caller")
		if k := <-c.keys; k.Rune != '2' || k.Held != 0 {
			t.Errorf("one that did not: %+v", k)
		}
		c.lost.came(c.o.Now())
		time.Sleep(4 * time.Second) // broken, and not noticed
		c.lost.now(c.o.Now())
		c.lost.came(c.o.Now())
		time.Sleep(2 * time.Second)
		c.lost.found()
		if !c.lost.is() || !c.lost.sure(c.o.Now()) || c.lost.is() {
			t.Error("a break is over when the caller is known to be there, and not before")
		}
		time.Sleep(3 * time.Second)
		c.pressed("3", "sip_caller")
		if k := <-c.keys; k.Held != 9*time.Second {
			t.Errorf("one that came 3 s after a break of 6 s is %v old", k.Held)
		}
		time.Sleep(replayed)
		c.lost.last = c.o.Now()
		c.pressed("4", "sip_caller")
		if k := <-c.keys; k.Held != 0 {
			t.Errorf("one that came long after a break is %v old", k.Held)
		}
	})
}

// a clock that is set back makes keys older, and never younger.
func TestInvariant12AClockSetBackMakesAKeyOfARoomOlder(t *testing.T) {
	var l lost
	l.came(noon)
	l.now(noon.Add(2 * time.Second))
	l.found()
	if at := l.dated(noon.Add(-time.Hour)); at.After(noon.Add(-time.Hour)) {
		t.Errorf("a key of an hour earlier went down at %v", at)
	}
	if at := l.dated(noon.Add(4 * time.Second)); at != noon {
		t.Errorf("a key after a break that began at noon went down at %v", at)
	}
}

func TestKeysThatNobodyTakesEndTheCall(t *testing.T) {
	c := called(t, time.Now, true)
	for range media.MaxKeys {
		c.pressed("1", "sip_caller")
	}
	if c.why() != "" {
		t.Fatal("it is over too early")
	}
	c.pressed("1", "sip_caller")
	if c.why() != CodeKeysFull {
		t.Errorf("it is over for %q", c.why())
	}
}

// TestInvariant10WhatNobodyInTheRoomHeardWasNotPlayed: what is given to a call whose caller does not listen is thrown away, and its marks say so.
func TestInvariant10WhatNobodyInTheRoomHeardWasNotPlayed(t *testing.T) {
	c := called(t, time.Now, true)
	p, err := newPacer(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
		t.Fatal(err)
	}
	mark := c.Mark()
	for range 3 {
		c.playback.Slot(c.o.Now())
		p.send()
	}
	if m := <-mark; m.Played || m.Left != media.FrameTime {
		t.Errorf("it says %+v", m)
	}
}

// TestWhatACallerSaysIsHeardThoughItComesLate: for a third of a second nothing comes, and then all at once. No frame of it is lost, nor is any of the time.
func TestWhatACallerSaysIsHeardThoughItComesLate(t *testing.T) {
	const frames, stall = 60, 17
	c := called(t, time.Now, true)
	p, err := newPacer(c)
	if err != nil {
		t.Fatal(err)
	}
	var heard []int16
	put := 0
	for n := range frames {
		if n < 20 || n >= 20+stall {
			for ; put <= n; put++ {
				c.jitter.PutPCM(uint32(put*media.FrameSamples), slices.Repeat([]int16{int16(put + 1)}, media.FrameSamples))
			}
		}
		p.tick()
		p.hear()
		if n == 20+stall-1 && len(heard) > 25 {
			t.Errorf("%d frames were handed out before they came", len(heard))
		}
		for {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			f, err := c.Hear(ctx)
			if err != nil {
				break
			}
			heard = append(heard, f.Samples[0])
		}
	}
	behind := int(ourJitter / media.FrameTime)
	for i, v := range heard {
		if want := int16(max(0, i+1-behind)); v != want {
			t.Fatalf("frame %d is the caller's %d, not %d", i, v, want)
		}
	}
	if len(heard) != frames {
		t.Errorf("%d frames of %d were heard", len(heard), frames)
	}
}

// TestWhatHappensIsSeenAtOnceByAllWhoWait: who joins does not wait for a tick because watch has taken the news.
func TestWhatHappensIsSeenAtOnceByAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := called(t, time.Now, true)
		defer c.end(CodeHungUp)
		begun := time.Now()
		joined := make(chan time.Duration, 1)
		go func() {
			_ = c.await(t.Context(), func() (bool, coded) { return c.heard.Load(), nil })
			joined <- time.Since(begun)
		}()
		synctest.Wait()
		c.heard.Store(true)
		c.stir()
		<-c.news
		if took := <-joined; took > 0 {
			t.Errorf("it was seen after %v", took)
		}
	})
}

// TestInvariant10WhatWaitsWhileNobodyListensIsThrownAway: at once, and not at the pace of speech: none of it is sent to whoever may hear it then.
func TestInvariant10WhatWaitsWhileNobodyListensIsThrownAway(t *testing.T) {
	c := called(t, time.Now, true)
	p, err := newPacer(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, 10*media.FrameSamples)}); err != nil {
		t.Fatal(err)
	}
	p.send()
	if left := c.playback.Waiting(); left != 0 {
		t.Errorf("%v wait", left)
	}
}

// TestInvariant10WhoEndsToListenWhileAFrameLeavesHasNotHeardIt: it was asked before it left, and is asked again behind.
func TestInvariant10WhoEndsToListenWhileAFrameLeavesHasNotHeardIt(t *testing.T) {
	for _, stays := range []bool{true, false} {
		c := called(t, time.Now, true)
		asked := 0
		c.bound = func() bool { asked++; return stays || asked == 1 }
		c.published.Store(lksdk.NewLocalTrackPublication(lksdk.TrackKindAudio, c.out, lksdk.TrackPublicationOptions{}, nil, nil))
		c.subscribed.Store(true)
		c.active.Store(true)
		p, err := newPacer(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Play(t.Context(), voice.Frame{Rate: media.Rate, Samples: make([]int16, media.FrameSamples)}); err != nil {
			t.Fatal(err)
		}
		mark := c.Mark()
		p.send()
		c.playback.Slot(c.o.Now())
		if m := <-mark; m.Played != stays {
			t.Errorf("the caller stays: %v, and the mark says %+v", stays, m)
		}
	}
}

// TestInvariant10TheCallerListensOnlyIfAllIsWell: each of what has to be so is.
func TestInvariant10TheCallerListensOnlyIfAllIsWell(t *testing.T) {
	well := func() *Call {
		c := called(t, time.Now, true)
		c.bound = func() bool { return true }
		c.published.Store(lksdk.NewLocalTrackPublication(lksdk.TrackKindAudio, c.out, lksdk.TrackPublicationOptions{}, nil, nil))
		c.subscribed.Store(true)
		c.active.Store(true)
		return c
	}
	if !well().listening() {
		t.Fatal("nobody listens where all is well")
	}
	for what, ill := range map[string]func(*Call){
		"our sound has no connection":         func(c *Call) { c.bound = func() bool { return false } },
		"our sound is not published":          func(c *Call) { c.published.Store(nil) },
		"the caller is not subscribed":        func(c *Call) { c.subscribed.Store(false) },
		"the SIP call is not active":          func(c *Call) { c.active.Store(false) },
		"the connection is broken":            func(c *Call) { c.lost.now(noon) },
		"it is not known who is there behind": func(c *Call) { c.lost.now(noon); c.lost.found() },
		"it may be broken":                    func(c *Call) { c.doubt(noon) },
	} {
		c := well()
		if ill(c); c.listening() {
			t.Errorf("somebody listens though %s", what)
		}
	}
}

// TestTheRoundTripIsTheLongestOfLate: it never falls below what is beyond the server, and one slow answer is remembered for a while.
func TestTheRoundTripIsTheLongestOfLate(t *testing.T) {
	c := called(t, time.Now, true)
	if got := c.RoundTrip(); got != unmeasured+beyond {
		t.Errorf("before it was measured: %v", got)
	}
	c.way.add(90 * time.Millisecond)
	for range len(c.way.last) - 1 {
		c.way.add(2 * time.Millisecond)
		if got := c.RoundTrip(); got != 90*time.Millisecond+beyond {
			t.Fatalf("it is %v", got)
		}
	}
	c.way.add(2 * time.Millisecond)
	if got := c.RoundTrip(); got != 2*time.Millisecond+beyond {
		t.Errorf("at last it is %v", got)
	}
}

// plain is a decoder that makes 20 ms of the number that a packet holds, and remembers the order.
type plain struct{ order []int }

func (p *plain) DecodeInt16(data []byte, pcm []int16) (int, error) {
	if len(data) != 4 {
		return 0, errors.New("none of ours")
	}
	n := int(binary.BigEndian.Uint32(data))
	p.order = append(p.order, n)
	for i := range media.FrameSamples {
		pcm[i] = int16(n + 1)
	}
	return media.FrameSamples, nil
}

// numbered is the n-th packet of a stream.
func numbered(n int, seq uint16, ts uint32) packet {
	return packet{seq + uint16(n), ts + uint32(n*perFrame), binary.BigEndian.AppendUint32(nil, uint32(n))}
}

// TestPacketsAreDecodedInTheirOrder, across the wraps of number and timestamp, whatever order they come in; and the sound lies where its timestamp says.
func TestPacketsAreDecodedInTheirOrder(t *testing.T) {
	for _, order := range [][]int{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 2, 1, 3, 5, 4, 4, 6, 7, 9, 8}, {0, 1, 4, 2, 3, 5, 7, 6, 9, 8}, {0, 0, 1, 1, 2, 3, 3, 4, 6, 5, 5, 7, 8, 9},
	} {
		dec := &plain{}
		s := stream{dec: dec}
		var places []uint32
		for _, n := range order {
			s.take(numbered(n, 0xfffd, 0xffffffff-3*perFrame+7), func(ts uint32, pcm []int16) { places = append(places, ts) })
		}
		if !slices.Equal(dec.order, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("%v was decoded as %v", order, dec.order)
		}
		for i, at := range places {
			if at != uint32(i*media.FrameSamples) {
				t.Errorf("%v: packet %d lies at %d", order, i, at)
			}
		}
	}
}

// TestAPacketThatIsLostIsNotWaitedForLong: nor is one that comes later taken for a new one.
func TestAPacketThatIsLostIsNotWaitedForLong(t *testing.T) {
	dec := &plain{}
	s := stream{dec: dec}
	var places []uint32
	for _, n := range []int{0, 1, 3, 4, 5, 2, 6, 9, 10, 11, 12} {
		s.take(numbered(n, 7, 0), func(ts uint32, _ []int16) { places = append(places, ts) })
	}
	if !slices.Equal(dec.order, []int{0, 1, 3, 4, 5, 6, 9, 10, 11, 12}) {
		t.Errorf("decoded %v", dec.order)
	}
	if last := places[len(places)-1]; last != 12*media.FrameSamples {
		t.Errorf("the last lies at %d", last)
	}
}

// TestAStreamThatBeginsAnewIsFollowed, far off and near by; and what is no Opus costs itself alone.
func TestAStreamThatBeginsAnewIsFollowed(t *testing.T) {
	for _, seq := range []uint16{30000, 0xffff - 300, 950} { // the last is 70 packets back
		dec := &plain{}
		s := stream{dec: dec}
		for n := range 20 {
			s.take(numbered(n, 1000, 0), func(uint32, []int16) {})
		}
		s.take(packet{seq: 1020, ts: 20 * perFrame, opus: []byte("no Opus")}, func(uint32, []int16) { t.Error("it made sound") })
		dec.order = nil
		for n := range 40 {
			s.take(numbered(n, seq, 1<<20), func(uint32, []int16) {})
		}
		if len(dec.order) < 40-maxLate-1 || dec.order[len(dec.order)-1] != 39 {
			t.Errorf("from %d on: %v", seq, dec.order)
		}
	}
}

// TestRealOpusComesThroughTheJitterBuffer: a tone, encoded at 48 and at 8 kHz, is the tone at 8.
func TestRealOpusComesThroughTheJitterBuffer(t *testing.T) {
	for _, rate := range []int{8000, 48000} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: rate, Channels: 1, Application: gopus.ApplicationVoIP})
			if err != nil {
				t.Fatal(err)
			}
			dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
			if err != nil {
				t.Fatal(err)
			}
			s := stream{dec: dec}
			j := media.NewJitter(ourJitter)
			const frames = 100
			var heard, gaps int
			packet1 := make([]byte, 1276)
			for n := range frames {
				pcm := make([]int16, rate/50)
				for i := range pcm {
					pcm[i] = 12000
					if (n*len(pcm)+i)*1000/rate%2 == 1 { // a square of 500 Hz
						pcm[i] = -12000
					}
				}
				k, err := enc.EncodeInt16(pcm, packet1)
				if err != nil {
					t.Fatal(err)
				}
				s.take(packet{uint16(n), uint32(n * perFrame), append([]byte(nil), packet1[:k]...)}, j.PutPCM)
				var f media.Frame
				if j.Next(&f); n < 10 {
					continue
				}
				turns := 0
				for i := 1; i < len(f); i++ {
					if (f[i] < 0) != (f[i-1] < 0) {
						turns++
					}
				}
				if turns >= 19 && turns <= 21 { // 20 ms of 500 Hz turn twenty times
					heard++
				} else {
					gaps++
				}
			}
			if gaps > 0 || heard != frames-10 {
				t.Errorf("%d frames are the tone, %d are not", heard, gaps)
			}
		})
	}
}

// FuzzStream: whatever comes, the stream stays bounded, and never fails.
func FuzzStream(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 3, 192, 4, 1, 2, 3, 4})
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := stream{dec: dec}
		for len(b) >= 7 {
			n := min(int(b[6]), len(b)-7)
			s.take(packet{binary.BigEndian.Uint16(b), binary.BigEndian.Uint32(b[2:]), b[7 : 7+n]}, func(_ uint32, pcm []int16) {
				if len(pcm) == 0 || len(pcm) > longest {
					t.Fatalf("%d samples", len(pcm))
				}
			})
			if len(s.ahead) > maxAhead {
				t.Fatalf("%d packets wait", len(s.ahead))
			}
			b = b[7+n:]
		}
	})
}
