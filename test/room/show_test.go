package room

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/test/testbed"
	"readback/voice"
	"readback/voice/room"
	"readback/voice/show"
	"readback/voice/voicetest"
)

// TestWhatACallShowsGoesToItsCallerAlone, whole and in its order, and says by its sender that it is ours.
func TestWhatACallShowsGoesToItsCallerAlone(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	page := h.enter(t, name, who{identity: "page", browser: true})
	other := h.enter(t, name, who{identity: "other", browser: true, mute: true})
	o := h.options(name)
	o.Caller = "page"
	leg := h.join(t, o)
	testbed.Until(t, soon, "the other is seen", func() bool { return leg.Others() == 1 })
	const messages = 20
	for n := range messages {
		if err := leg.Show(bytes.Repeat([]byte{byte(n)}, show.MostBytes)); err != nil {
			t.Fatal(err)
		}
	}
	testbed.Until(t, soon, "all came", func() bool { return len(page.Data()) >= messages })
	for n, d := range page.Data() {
		if d.from != leg.ID() || d.topic != "readback" || !bytes.Equal(d.payload, bytes.Repeat([]byte{byte(n)}, show.MostBytes)) {
			t.Errorf("message %d: from %s, topic %q, %d bytes", n, d.from, d.topic, len(d.payload))
		}
	}
	// The other gets what is for all, and so would have got ours.
	if err := page.room.LocalParticipant.PublishDataPacket(lksdk.UserData([]byte("hello")), lksdk.WithDataPublishReliable(true)); err != nil {
		t.Fatal(err)
	}
	testbed.Until(t, soon, "the other gets what is for all", func() bool { return len(other.Data()) > 0 })
	for _, d := range other.Data() {
		if d.from != "page" {
			t.Errorf("somebody else got something of %s", d.from)
		}
	}
	if err := leg.HangUp(t.Context()); err != nil {
		t.Error(err)
	}
	if err := leg.Show([]byte("{}")); !errors.Is(err, voice.ErrHungUp) {
		t.Errorf("after the end it says %v", err)
	}
}

// TestWhatMayHaveBeenLostInABreakIsKnown: nothing is sent while the connection is broken, and once more nothing afterwards, so that who shows something begins anew.
func TestWhatMayHaveBeenLostInABreakIsKnown(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	page := h.enter(t, name, who{identity: "page", browser: true})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.Caller, o.URL = "page", w.url()
	leg := h.join(t, o)
	if err := leg.Show([]byte("one")); err != nil {
		t.Fatal(err)
	}
	w.set(true)
	testbed.Until(t, soon, "the break is seen", func() bool { return code(leg.Show([]byte("before"))) == room.CodeMediaLost })
	for range 3 {
		if err := leg.Show([]byte("lost")); code(err) != room.CodeMediaLost {
			t.Errorf("in the break it says %v", err)
		}
	}
	w.set(false)
	testbed.Until(t, mended, "what is shown is sent again, and comes", func() bool {
		_ = leg.Show([]byte("two")) // it is told of each break once
		all := page.Data()
		return len(all) > 0 && string(all[len(all)-1].payload) == "two"
	})
	// A break that is over before anything is shown is told of all the same. It comes when the connection stands, and where the SDK has not yet ended the one before.
	w.set(true)
	w.set(false)
	testbed.Until(t, mended, "what is played was not", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 300*time.Millisecond))
		return !answer(t, leg.Mark()).Played
	})
	standsAgain(t, leg)
	if err := leg.Show([]byte("three")); code(err) != room.CodeMediaLost {
		t.Errorf("behind a break it says %v", err)
	}
	testbed.Until(t, mended, "what is shown is sent again, and comes again", func() bool {
		_ = leg.Show([]byte("four"))
		all := page.Data()
		return string(all[len(all)-1].payload) == "four"
	})
	for _, d := range page.Data() {
		if got := string(d.payload); got == "lost" || got == "three" {
			t.Errorf("%s came", got)
		}
	}
}

// TestWhoIsCounted: everybody but the caller and agents of ours, and who left in a break of the connection no more.
func TestWhoIsCounted(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	w := newWire(t, h.kit.URL)
	o := h.options(name)
	o.URL = w.url()
	leg := h.join(t, o)
	h.enter(t, name, who{identity: "readback-dead", kind: livekit.ParticipantInfo_AGENT, mute: true}) // as one that was killed
	count := func(n int) {
		t.Helper()
		testbed.Until(t, soon, fmt.Sprintf("%d others are seen", n), func() bool { return leg.Others() == n })
	}
	h.enter(t, name, who{identity: "another", kind: livekit.ParticipantInfo_AGENT, mute: true})
	count(1)
	h.enter(t, name, who{identity: "readback-page", browser: true, mute: true}) // whoever calls themselves so
	count(2)
	leaves := h.enter(t, name, who{identity: "leaves", browser: true, mute: true})
	count(3)
	w.set(true)
	testbed.Until(t, soon, "the break is seen", func() bool {
		play(t, leg, voicetest.Tone(rate, 700, 100*time.Millisecond))
		return !answer(t, leg.Mark()).Played
	})
	leaves.HangUp()
	testbed.Until(t, soon, "they have left", func() bool {
		got, err := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret).ListParticipants(t.Context(), &livekit.ListParticipantsRequest{Room: name})
		return err == nil && len(got.GetParticipants()) == 5
	})
	<-time.After(1500 * time.Millisecond) // a break that is so long ends with a new connection, and the SDK goes on with whom it knew
	w.set(false)
	standsAgain(t, leg)
	count(2)
	h.enter(t, name, who{identity: "leaves", browser: true, mute: true}) // and comes again
	count(3)
}
