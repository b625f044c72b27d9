package room

import (
	"context"
	"strings"
	"testing"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/smsmcp"
	"readback/smsmcp/lang/spoken"
	"readback/test/testbed"
)

// TestInvariant10AnOwnersTelephoneInARoom: the owner's number and code, a read-back heard whole, and the key 1: one text, once, as it was read.
func TestInvariant10AnOwnersTelephoneInARoom(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.known(t)
	c.asks("Marie", "dinner is ready")
	c.expect(spoken.Ask.EN)
	if got := h.sent(t, "Marie"); len(got) > 0 {
		t.Fatalf("sent before the yes: %q", got)
	}
	c.keys("1")
	c.expect(left)
	s := h.settled(t, smsmcp.Done)[0]
	if got := h.sent(t, "Marie"); len(got) != 1 || !strings.EqualFold(got[0], "dinner is ready") || s.Contact != "Marie" || s.Answer != "key 1" || s.ConfirmedBy != smsmcp.Voice {
		t.Errorf("sent %q: %+v", got, s)
	}
	c.keys("1") // once more is nothing
	c.HangUp()
	testbed.Until(t, patience, "the room is empty", func() bool { return h.empty(c.name) })
	if got := h.sent(t, "Marie"); len(got) != 1 {
		t.Errorf("sent %q", got)
	}
	h.settled(t, smsmcp.Done)
}

// TestInvariant10ASpokenYesInARoom, by the owner's telephone.
func TestInvariant10ASpokenYesInARoom(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.known(t)
	c.asks("Robert", "the train is late")
	c.expect(spoken.Ask.EN)
	c.says("yes send it")
	c.expect(left)
	if s := h.settled(t, smsmcp.Done)[0]; s.Answer != "yes send it" || len(h.sent(t, "Robert")) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestInvariant10KeysThatAreNoYesInARoom: one of somebody else in the room, and one that is pressed before the end of the read-back, whoever is first.
func TestInvariant10KeysThatAreNoYesInARoom(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	t.Run("of somebody else", func(t *testing.T) {
		c := h.known(t)
		var others []*person
		for _, w := range []who{{identity: "sip_other", mute: true}, {identity: "page", browser: true, mute: true}, {identity: "agent", kind: livekit.ParticipantInfo_AGENT, mute: true}} {
			others = append(others, h.enter(t, c.name, w))
		}
		c.expect(spoken.Overheard.EN) // the owner hears that they are there
		c.asks("Marie", "we are at the office")
		c.expect(spoken.Ask.EN)
		for _, p := range others {
			p.Press('1')
		}
		testbed.Until(t, patience, "their keys are in the room", func() bool { return len(c.Pressed()) == len(others) })
		c.keys("2")
		c.expect(spoken.Dropped.EN)
		h.settled(t, smsmcp.Declined)
		if got := h.sent(t, "Marie"); len(got) > 0 {
			t.Errorf("sent %q", got)
		}
		c.HangUp()
	})
	t.Run("before the end of the read-back", func(t *testing.T) {
		c := h.known(t)
		c.asks("Robert", "the meeting is at noon")
		c.keys("1")
		c.expect(spoken.Again.EN)
		c.expect(spoken.Ask.EN)
		h.settled(t, smsmcp.Declined, smsmcp.Waiting)
		if got := h.sent(t, "Robert"); len(got) > 0 {
			t.Errorf("sent %q", got)
		}
		c.HangUp()
		h.settled(t, smsmcp.Declined, smsmcp.Cancelled)
		if got := h.sent(t, "Robert"); len(got) > 0 {
			t.Errorf("sent %q", got)
		}
	})
}

// voicemail goes through what is there for whoever is not the owner, and nothing else: a message, which is kept.
func (c *caller) voicemail(message string) {
	c.t.Helper()
	asked := len(c.h.log(c.t))
	c.expect(spoken.Greeting.EN)
	c.keys(pin) // no code opens anything any more
	c.says("text marie that " + message)
	c.keys("#")
	c.expect(spoken.Thanks.EN)
	c.never(spoken.Hello.EN)
	testbed.Until(c.t, patience, "the message is in the store", func() bool {
		return strings.Contains(c.h.program.Call(context.Background(), "read_texts", map[string]any{"strangers": true}), message)
	})
	testbed.Until(c.t, patience, "the room is empty", func() bool { return c.h.empty(c.name) })
	if got := c.h.log(c.t); len(got) != asked {
		c.t.Errorf("the log has %+v", got)
	}
	for _, p := range people {
		if c.h.spoke(p.Name) {
			c.t.Errorf("%s was spoken of", p.Name)
		}
	}
}

// TestInvariant10WhoIsNotTheOwnerInARoomLeavesAMessage: a hidden number, a stranger's, and one that becomes the owner's once the call goes on; and whoever does not know the code. No tool is
// there for any of them.
func TestInvariant10WhoIsNotTheOwnerInARoomLeavesAMessage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	t.Run("a hidden number", func(t *testing.T) {
		h.dial(t, who{hidden: true}).voicemail("the roof leaks")
	})
	t.Run("a stranger's number", func(t *testing.T) {
		h.dial(t, who{extra: map[string]string{livekit.AttrSIPPhoneNumber: anybody}}).voicemail("the soup is cold")
	})
	t.Run("a page without a pass that says it is the owner's telephone", func(t *testing.T) {
		w := who{identity: "owner-abcdefghijklmnopqrstuvwxyz", browser: true, extra: map[string]string{livekit.AttrSIPPhoneNumber: theOwner, livekit.AttrSIPCallStatus: "active"}}
		c := h.dial(t, w)
		testbed.Until(t, patience, "the program was in the room, and is no more", func() bool { return strings.Contains(h.program.Log(), "no_caller") })
		c.never(spoken.PIN.EN)
		c.never(spoken.Hello.EN)
		c.never(spoken.Greeting.EN)
		c.HangUp()
	})
	t.Run("a number that is forged after joining", func(t *testing.T) {
		c := h.dial(t, who{extra: map[string]string{livekit.AttrSIPPhoneNumber: anybody}})
		c.begun()
		c.room.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPPhoneNumber: theOwner})
		testbed.Until(t, patience, "the server believes it", func() bool { return c.attribute(livekit.AttrSIPPhoneNumber) == theOwner })
		c.voicemail("i am the owner")
	})
	t.Run("the owner's number, and no code", func(t *testing.T) {
		c := h.dial(t, who{})
		c.expect(spoken.PIN.EN)
		for _, wrong := range []string{"481517", "000000", "123456"} {
			c.keys(wrong)
			c.expect(spoken.PINWrong.EN)
		}
		c.voicemail("it is me")
	})
}

// begun waits until the call has begun: the program's sound is there.
func (c *caller) begun() {
	c.t.Helper()
	testbed.Until(c.t, patience, "the call begins", func() bool { n, _ := steps(c.Received(), 0, toneOf(spoken.Greeting.EN)); return n > 0 })
}

// attribute is what the server says of a caller.
func (c *caller) attribute(name string) string {
	p, err := lksdk.NewRoomServiceClient(c.h.kit.URL, c.h.kit.Key, c.h.kit.Secret).GetParticipant(context.Background(), &livekit.RoomParticipantIdentity{Room: c.name, Identity: c.room.LocalParticipant.Identity()})
	if err != nil {
		return ""
	}
	return p.GetAttributes()[name]
}
