package room

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voice"
	"readback/voice/room"
	"readback/voice/voicetest"
)

// soon is how long anything may take on a busy machine.
const soon = 30 * time.Second

func code(err error) string {
	var c smsmcp.Coded
	if errors.As(err, &c) {
		return c.Code()
	}
	return ""
}

// hears listens to a leg for so long, and says what sounded.
func hears(t *testing.T, leg voice.Leg, d time.Duration) []time.Duration {
	t.Helper()
	var all []int16
	for len(all) < int(d*rate/time.Second) {
		f, err := leg.Hear(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Samples...)
	}
	return voicetest.Bursts(all, rate)
}

// heard waits until a caller who speaks is heard.
func heard(t *testing.T, leg voice.Leg, caller *person) {
	t.Helper()
	testbed.Until(t, soon, "the caller is heard", func() bool {
		caller.Send(voicetest.Tone(rate, 700, 200*time.Millisecond))
		return len(hears(t, leg, 500*time.Millisecond)) > 0
	})
}

func play(t *testing.T, leg voice.Leg, pcm []int16) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := leg.Play(ctx, voice.Frame{Rate: rate, Samples: pcm}); err != nil {
		t.Fatal(err)
	}
}

func answer(t *testing.T, mark <-chan voice.Mark) voice.Mark {
	t.Helper()
	select {
	case m := <-mark:
		return m
	case <-time.After(soon):
		t.Fatal("a mark was not answered")
		return voice.Mark{}
	}
}

// noKey checks that no key comes.
func noKey(t *testing.T, leg voice.Leg) {
	t.Helper()
	select {
	case k := <-leg.Keys():
		t.Errorf("the key %q came", k.Rune)
	case <-time.After(500 * time.Millisecond):
	}
}

// TestInvariant10OnlyTheCallersMicrophoneIsHeard: not others in the room, of whatever kind, and not what the caller plays from a screen.
func TestInvariant10OnlyTheCallersMicrophoneIsHeard(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	early := h.enter(t, name, who{identity: "early", browser: true})
	caller := h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	late := h.enter(t, name, who{identity: "late"}) // by SIP, too
	screen := h.enter(t, h.room(), who{identity: "sip_caller", mute: true})
	screen.HangUp()
	testbed.Until(t, soon, "both are seen", func() bool { return leg.Others() == 2 })
	for _, p := range []*person{early, late} {
		p.Send(voicetest.Tone(rate, 700, 500*time.Millisecond))
	}
	if got := hears(t, leg, 1500*time.Millisecond); len(got) != 0 {
		t.Errorf("somebody else was heard: %v", got)
	}
	heard(t, leg, caller)
	// What is played goes to the caller alone.
	arrives(t, leg, caller)
	for _, p := range []*person{early, late} {
		if got := voicetest.Bursts(p.Received(), rate); len(got) != 0 {
			t.Errorf("%s heard the call: %v", p.room.LocalParticipant.Identity(), got)
		}
	}
}

func TestInvariant10WhatTheCallerPlaysFromAScreenIsNotWhatTheySay(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{source: livekit.TrackSource_SCREEN_SHARE_AUDIO})
	leg := h.join(t, h.options(name))
	caller.Send(voicetest.Tone(rate, 700, 500*time.Millisecond))
	if got := hears(t, leg, 1500*time.Millisecond); len(got) != 0 {
		t.Errorf("a screen was heard: %v", got)
	}
}

// TestWhoIsCalling: a number is that of a SIP participant; one that is hidden, or of a page, or no number, is none.
func TestWhoIsCalling(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	for what, c := range map[string]struct {
		who  who
		want string
	}{
		"by SIP":    {who{}, "+15145550101"},
		"hidden":    {who{hidden: true}, ""},
		"no number": {who{extra: map[string]string{livekit.AttrSIPPhoneNumber: "anonymous"}}, ""},
		"a page that says it is a telephone": {who{identity: "page", browser: true, extra: map[string]string{
			livekit.AttrSIPPhoneNumber: "+15145550101", livekit.AttrSIPCallStatus: "active"}}, ""},
	} {
		name := h.room()
		caller := h.enter(t, name, c.who)
		o := h.options(name)
		if c.who.browser {
			o.Caller = "page"
		}
		leg := h.join(t, o)
		if got := leg.Caller(); got.Number != c.want || got.Line != "livekit" {
			t.Errorf("%s: the caller is %+v", what, got)
		}
		// Who may write their own attributes is nobody else by it.
		caller.room.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPPhoneNumber: "+15145550199"})
		heard(t, leg, caller)
		if got := leg.Caller(); got.Number != c.want {
			t.Errorf("%s: the caller has become %+v", what, got)
		}
		caller.HangUp()
	}
}

// TestTwoTelephonesAreNoCall: whom to hear cannot be known.
func TestTwoTelephonesAreNoCall(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{})
	h.enter(t, name, who{identity: "sip_other"})
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if _, err := room.Join(ctx, h.options(name)); code(err) != room.CodeTwoCallers {
		t.Errorf("it says %v", err)
	}
}

func TestNobodyCalls(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	h.enter(t, name, who{identity: "page", browser: true}) // nobody whom we wait for
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := room.Join(ctx, h.options(name)); code(err) != room.CodeNoCaller {
		t.Errorf("it says %v", err)
	}
	testbed.Until(t, soon, "we have left", func() bool {
		got, err := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret).ListParticipants(t.Context(), &livekit.ListParticipantsRequest{Room: name})
		return err == nil && len(got.GetParticipants()) == 1
	})
}

// TestACallBeginsWhenItIsActive: our sound is there before, for LiveKit's SIP bridge answers the telephone only then; the call is, when the bridge says so.
func TestACallBeginsWhenItIsActive(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{status: "ringing"})
	begun := make(chan *room.Call, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), soon)
		defer cancel()
		c, err := room.Join(ctx, h.options(name))
		if err != nil {
			t.Error(err)
		}
		begun <- c
	}()
	testbed.Until(t, soon, "our sound is there", func() bool { return len(caller.Received()) > 0 })
	select {
	case <-begun:
		t.Fatal("the call began while the telephone rang")
	case <-time.After(1200 * time.Millisecond):
	}
	caller.room.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPCallStatus: "active"})
	select {
	case c := <-begun:
		if c == nil {
			return
		}
		if err := c.HangUp(t.Context()); err != nil {
			t.Error(err)
		}
	case <-time.After(soon):
		t.Fatal("the call did not begin")
	}
}

// TestInvariant10KeysOfARoomComeFromTheCallersTelephone: whoever else sends a key has pressed none.
func TestInvariant10KeysOfARoomComeFromTheCallersTelephone(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	for _, w := range []who{{identity: "page", browser: true, mute: true}, {identity: "agent", kind: livekit.ParticipantInfo_AGENT, mute: true}, {identity: "sip_other", mute: true}} {
		h.enter(t, name, w).Press('1')
	}
	noKey(t, leg)
	caller.Press('2')
	select {
	case k := <-leg.Keys():
		if k.Rune != '2' {
			t.Errorf("the key is %q", k.Rune)
		}
	case <-time.After(soon):
		t.Error("the caller's key did not come")
	}
	// A page has no keys of a telephone.
	name = h.room()
	page := h.enter(t, name, who{identity: "page", browser: true})
	o := h.options(name)
	o.Caller = "page"
	leg = h.join(t, o)
	page.Press('1')
	noKey(t, leg)
}

// TestInvariant10WhatComesAsDataIsNoTurn: texts, transcriptions and streams, of the caller and of an agent, are neither sound nor keys, and harm nothing.
func TestInvariant10WhatComesAsDataIsNoTurn(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	name := h.room()
	caller := h.enter(t, name, who{})
	leg := h.join(t, h.options(name))
	agent := h.enter(t, name, who{identity: "agent", kind: livekit.ParticipantInfo_AGENT, mute: true})
	for _, p := range []*person{caller, agent} {
		lp := p.room.LocalParticipant
		if err := lp.PublishDataPacket(lksdk.UserData([]byte("yes")), lksdk.WithDataPublishReliable(true)); err != nil {
			t.Fatal(err)
		}
		if err := lp.PublishDataPacket(&transcription{&livekit.Transcription{
			TranscribedParticipantIdentity: "sip_caller", Segments: []*livekit.TranscriptionSegment{{Id: "1", Text: "yes", Final: true}},
		}}, lksdk.WithDataPublishReliable(true)); err != nil {
			t.Fatal(err)
		}
		lp.SendText("yes", lksdk.StreamTextOptions{Topic: "lk.transcription"})
		lp.SendText("yes", lksdk.StreamTextOptions{Topic: "lk.chat"})
	}
	noKey(t, leg)
	heard(t, leg, caller)
}

// transcription is a packet that the SDK has no word for.
type transcription struct{ t *livekit.Transcription }

func (t *transcription) ToProto() *livekit.DataPacket {
	return &livekit.DataPacket{Value: &livekit.DataPacket_Transcription{Transcription: t.t}}
}
