package room

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/test/testbed"
	"readback/voice"
	"readback/voice/voicetest"
)

func over(t *testing.T, leg voice.Leg, within time.Duration) {
	t.Helper()
	select {
	case <-leg.Done():
	case <-time.After(within):
		t.Fatal("the call is not over")
	}
}

// TestNobodyIsLeftInARoom: when we hang up, the caller is out of it too; when the caller does, we leave.
func TestNobodyIsLeftInARoom(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for _, theyDo := range []bool{false, true} {
		name := h.room()
		caller := h.enter(t, name, who{})
		leg := h.join(t, h.options(name))
		if theyDo {
			caller.HangUp()
		} else if err := leg.HangUp(t.Context()); err != nil {
			t.Error(err)
		}
		over(t, leg, soon)
		testbed.Until(t, soon, "the room is empty", func() bool { return h.empty(name) })
	}
}

// TestInvariant10WhoComesAgainByTheCallersNameIsSomebodyElse: the call is over, and the one who came is not heard.
func TestInvariant10WhoComesAgainByTheCallersNameIsSomebodyElse(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	h.enter(t, name, who{}).Press('1') // the server puts the first one out
	over(t, leg, soon)
	if k, open := <-leg.Keys(); open {
		t.Errorf("the key %q came", k.Rune)
	}
}

// TestInvariant10WhatWasPlayedToATelephoneThatDoesNotHearIsNot: while the SIP call is not active, and while the server mutes us.
func TestInvariant10WhatWasPlayedToATelephoneThatDoesNotHearIsNot(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	service := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret)
	mute := func(yes bool) func() {
		return func() {
			me, err := service.GetParticipant(t.Context(), &livekit.RoomParticipantIdentity{Room: name, Identity: leg.ID()})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := service.MutePublishedTrack(t.Context(), &livekit.MuteRoomTrackRequest{Room: name, Identity: leg.ID(), TrackSid: me.Tracks[0].Sid, Muted: yes}); err != nil {
				t.Fatal(err)
			}
		}
	}
	status := func(s string) func() {
		return func() { caller.room.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPCallStatus: s}) }
	}
	for _, way := range []struct {
		what           string
		begins, passes func() // a server that mutes does not unmute, unless its owner has allowed it
	}{{"the call is not active", status("ringing"), status("active")}, {"the server mutes us", mute(true), nil}} {
		play(t, leg, voicetest.Tone(rate, 700, 200*time.Millisecond))
		if m := answer(t, leg.Mark()); !m.Played {
			t.Fatalf("before %s: %+v", way.what, m)
		}
		way.begins()
		testbed.Until(t, soon, "what is played while "+way.what+" was not", func() bool {
			play(t, leg, voicetest.Tone(rate, 700, 200*time.Millisecond))
			m := answer(t, leg.Mark())
			return !m.Played && m.Left > 0
		})
		if way.passes == nil {
			break
		}
		way.passes()
		testbed.Until(t, soon, "and afterwards it is again", func() bool {
			play(t, leg, voicetest.Tone(rate, 700, 200*time.Millisecond))
			return answer(t, leg.Mark()).Played
		})
	}
}

// mended is how long a break may last that nobody keeps up, on a busy machine.
const mended = 90 * time.Second

// wire stands between a leg and the server's signalling, and can be cut.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	conns    []net.Conn
	cut      bool
	brief    bool // who resumes a session gets one answer, and the end
	cuts     int  // of those who did
}

func newWire(t *testing.T, url string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{listener: l, to: strings.TrimPrefix(url, "ws://")}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			w.mu.Lock() // until it is among those that can be cut
			far, err := net.Dial("tcp", w.to)
			if w.cut || err != nil {
				near.Close()
				if err == nil {
					far.Close()
				}
			} else {
				w.conns = append(w.conns, near, far)
				go w.join(near, far)
			}
			w.mu.Unlock()
		}
	}()
	t.Cleanup(func() { l.Close(); w.set(true) })
	return w
}

// join carries what two say to each other, until one ends.
func (w *wire) join(near, far net.Conn) {
	defer near.Close()
	defer far.Close()
	first := make([]byte, 64<<10)
	n, err := near.Read(first)
	if err != nil {
		return
	}
	if _, err := far.Write(first[:n]); err != nil {
		return
	}
	go func() { io.Copy(far, near); far.Close() }()
	w.mu.Lock()
	brief := w.brief && bytes.Contains(first[:n], []byte("reconnect=1")) && bytes.Contains(bytes.ToLower(first[:n]), []byte("upgrade: websocket"))
	w.mu.Unlock()
	if !brief {
		io.Copy(near, far)
		return
	}
	var said []byte
	for {
		n, err := far.Read(first)
		if err != nil {
			return
		}
		if _, err := near.Write(first[:n]); err != nil {
			return
		}
		said = append(said, first[:n]...)
		if _, answer, _ := bytes.Cut(said, []byte("\r\n\r\n")); len(answer) > 0 {
			w.mu.Lock()
			w.cuts++
			w.mu.Unlock()
			return
		}
	}
}

// shorten has the wire end, right behind the server's first answer, what resumes a session from then on.
func (w *wire) shorten() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.brief = true
}

// shortened is how often it has.
func (w *wire) shortened() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cuts
}

func (w *wire) url() string { return "ws://" + w.listener.Addr().String() }

// set cuts the wire, or mends it for what connects from then on.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	if cut {
		for _, c := range w.conns {
			c.Close()
		}
		w.conns = nil
	}
}

// TestACallOutlivesABreakOfTheConnection: what is played in it was not, keys of the time are as old as the break, and afterwards both are heard again.
func TestACallOutlivesABreakOfTheConnection(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.URL = w.url()
	leg := h.join(t, o)
	w.set(true)
	broken := time.Now()
	testbed.Until(t, soon, "what is played in the break was not", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return !answer(t, leg.Mark()).Played
	})
	caller.Press('1')
	<-time.After(500 * time.Millisecond)
	w.set(false)
	standsAgain(t, leg)
	t.Logf("the break lasted %v", time.Since(broken))
	select {
	case k := <-leg.Keys():
		if k.Held < 500*time.Millisecond {
			t.Errorf("a key of the break is %v old", k.Held)
		}
	case <-time.After(2 * time.Second): // it may be lost: it counts for nothing then
	}
	arrives(t, leg, caller)
	heard(t, leg, caller)
}

// TestInvariant10WhatIsPlayedOverABreakWasNotPlayed: also over one so short that the sound goes on, since that is not known.
func TestInvariant10WhatIsPlayedOverABreakWasNotPlayed(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.URL = w.url()
	leg := h.join(t, o)
	play(t, leg, voicetest.Tone(rate, 700, 3*time.Second))
	mark := leg.Mark()
	testbed.Until(t, soon, "the caller hears", func() bool { return len(voicetest.Bursts(caller.Received(), rate)) > 0 })
	w.set(true)
	w.set(false)
	if m := answer(t, mark); m.Played || m.Left == 0 {
		t.Errorf("a mark behind a break says %+v", m)
	}
	standsAgain(t, leg)
}

// standsAgain waits until what is played is played again.
func standsAgain(t *testing.T, leg voice.Leg) {
	t.Helper()
	testbed.Until(t, mended, "what is played is played again", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return answer(t, leg.Mark()).Played
	})
}

// arrives checks that the caller hears what a mark says was played.
func arrives(t *testing.T, leg voice.Leg, caller *person) {
	t.Helper()
	var before int
	testbed.Until(t, mended, "a tone between silences is played whole", func() bool {
		play(t, leg, voicetest.Silence(rate, 500*time.Millisecond))
		answer(t, leg.Mark())
		<-time.After(leg.RoundTrip()) // what was played before has arrived
		before = len(voicetest.Bursts(caller.Received(), rate))
		play(t, leg, voicetest.Tone(rate, 500, 300*time.Millisecond))
		return answer(t, leg.Mark()).Played
	})
	testbed.Until(t, soon, "the caller hears it", func() bool { return len(voicetest.Bursts(caller.Received(), rate)) > before })
}

// TestInvariant10ABreakThatTheSDKMissesIsNoticed: its signalling closes right behind the server's answer to who resumes, again and again, until it does so while the SDK is just ending that
// break. The SDK holds then that all stands, where nothing that happens in the room is told: that the SIP call is no more active, as here, and so what is played is not heard.
func TestInvariant10ABreakThatTheSDKMissesIsNoticed(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.URL = w.url()
	leg := h.join(t, o)
	arrives(t, leg, caller)
	w.shorten()
	w.set(true)
	w.set(false)
	testbed.Until(t, mended, "no session is resumed any more", func() bool {
		before := w.shortened()
		<-time.After(time.Second)
		return before > 0 && w.shortened() == before
	})
	arrives(t, leg, caller)
	caller.room.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPCallStatus: "ringing"})
	testbed.Until(t, soon, "what is played is not heard", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return !answer(t, leg.Mark()).Played
	})
}

// TestACallerWhoLeavesInABreakHasHungUp: the SDK does not notice.
func TestACallerWhoLeavesInABreakHasHungUp(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.URL = w.url()
	leg := h.join(t, o)
	w.set(true)
	caller.HangUp()
	<-time.After(time.Second)
	w.set(false)
	over(t, leg, mended)
}

// TestACallWhoseServerDiesIsOver, in a time that a person waits.
func TestACallWhoseServerDiesIsOver(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
	h.kit.Server.Kill()
	over(t, leg, mended)
	if m := answer(t, leg.Mark()); m.Played {
		t.Errorf("a mark afterwards says %+v", m)
	}
}
