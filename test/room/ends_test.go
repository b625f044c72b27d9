package room

import (
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

// wire stands between a leg and the server's signalling, and can be cut.
type wire struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	conns    []net.Conn
	cut      bool
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
			far, err := net.Dial("tcp", w.to)
			w.mu.Lock()
			if w.cut || err != nil {
				near.Close()
				if err == nil {
					far.Close()
				}
			} else {
				w.conns = append(w.conns, near, far)
				go func() { io.Copy(near, far); near.Close() }()
				go func() { io.Copy(far, near); far.Close() }()
			}
			w.mu.Unlock()
		}
	}()
	t.Cleanup(func() { l.Close(); w.set(true) })
	return w
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
	testbed.Until(t, 30*time.Second, "what is played is played again", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return answer(t, leg.Mark()).Played
	})
	t.Logf("the break lasted %v", time.Since(broken))
	select {
	case k := <-leg.Keys():
		if k.Held < 500*time.Millisecond {
			t.Errorf("a key of the break is %v old", k.Held)
		}
	case <-time.After(2 * time.Second): // it may be lost: it counts for nothing then
	}
	play(t, leg, voicetest.Silence(rate, 500*time.Millisecond))
	answer(t, leg.Mark())
	<-time.After(leg.RoundTrip())
	before := len(voicetest.Bursts(caller.Received(), rate))
	play(t, leg, voicetest.Tone(rate, 500, 300*time.Millisecond))
	testbed.Until(t, soon, "the caller hears", func() bool { return len(voicetest.Bursts(caller.Received(), rate)) > before })
	testbed.Until(t, soon, "the caller is heard", func() bool {
		caller.Send(voicetest.Tone(rate, 700, 200*time.Millisecond))
		return len(hears(t, leg, 500*time.Millisecond)) > 0
	})
}

// TestInvariant10WhatIsPlayedOverABreakWasNotPlayed: also over one so short that the sound goes on, since that is not known.
func TestInvariant10WhatIsPlayedOverABreakWasNotPlayed(t *testing.T) {
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
	testbed.Until(t, soon, "what is played is played again", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return answer(t, leg.Mark()).Played
	})
}

// TestACallerWhoLeavesInABreakHasHungUp: the SDK does not notice.
func TestACallerWhoLeavesInABreakHasHungUp(t *testing.T) {
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
	over(t, leg, 10*time.Second)
}

// TestACallWhoseServerDiesIsOver, in a time that a person waits.
func TestACallWhoseServerDiesIsOver(t *testing.T) {
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
	h.kit.Server.Kill()
	over(t, leg, 50*time.Second)
	if m := answer(t, leg.Mark()); m.Played {
		t.Errorf("a mark afterwards says %+v", m)
	}
}
