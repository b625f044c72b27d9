package ari

import (
	"time"

	"readback/smsmcp/untrusted"
)

// Event is one of the types below. They have the names of ARI's model, and of its fields what Readback uses.
type Event interface{ head() Head }

// Head is what every event has.
type Head struct {
	At time.Time // by Asterisk's clock, UTC; zero if it could not be read
}

func (h Head) head() Head { return h }

// TextMessageReceived is a SIP MESSAGE that came in. From, To and variables are what the message says, and anybody can write one: they prove nothing.
type TextMessageReceived struct {
	Head
	From     untrusted.Text // such as "Name" <sip:+15145550100@host>
	To       untrusted.Text
	Body     untrusted.Text
	Endpoint string                    // the endpoint by which Asterisk identified the sender, such as "voipms"; empty if it did not say
	Vars     map[string]untrusted.Text // the message's headers
	Length   int                       // of the body as the message said it; -1 if it did not
}

// Lost says whether the message said that it has a body, and none arrived: Asterisk drops one of 1024 bytes and more.
func (t TextMessageReceived) Lost() bool { return t.Body.Len() == 0 && t.Length > 0 }

// Channel is one side of a call.
type Channel struct {
	ID     string // [A-Za-z0-9._-]{1,150}
	Name   string // such as PJSIP/voipms-00000001
	State  string // Up, Ring, Down …; letters alone
	Number untrusted.Text
	Caller untrusted.Text // the name
	Dialed untrusted.Text // the extension
	App    string         // the dialplan application that it is in, such as Stasis
	Args   string         // and its arguments
}

// The events of channels.
type (
	// StasisStart is a channel that entered the application.
	StasisStart struct {
		Head
		Channel Channel
		Args    []string
	}
	// StasisEnd is a channel that left it.
	StasisEnd struct {
		Head
		Channel Channel
	}
	// ChannelDtmfReceived is a key that was pressed.
	ChannelDtmfReceived struct {
		Head
		Channel  Channel
		Digit    byte // 0-9, A-D, * or #
		Duration time.Duration
	}
	// ChannelHangupRequest is the other side hanging up.
	ChannelHangupRequest struct {
		Head
		Channel Channel
		Cause   int // Q.850
	}
	// ChannelStateChange is a channel that rings or was answered.
	ChannelStateChange struct {
		Head
		Channel Channel
	}
	// ChannelHold is a caller who put the call on hold: nobody hears it. With Off it goes on.
	ChannelHold struct {
		Head
		Channel Channel
		Off     bool
	}
	// ChannelDestroyed is the end of a channel.
	ChannelDestroyed struct {
		Head
		Channel Channel
		Cause   int // Q.850
	}
)

// ofChannel says whether an event is one of those above.
func ofChannel(e Event) bool {
	switch e.(type) {
	case StasisStart, StasisEnd, ChannelDtmfReceived, ChannelHangupRequest, ChannelStateChange, ChannelHold, ChannelDestroyed:
		return true
	}
	return false
}

// Playback is a sound that Asterisk plays.
type Playback struct {
	ID     string
	Target string // such as channel:1700000000.1
	State  string // done, failed, playing …; letters alone
}

// The events of playbacks.
type (
	// PlaybackStarted is a sound whose first packet went out.
	PlaybackStarted struct {
		Head
		Playback Playback
	}
	// PlaybackFinished is a sound that ended, as its State says.
	PlaybackFinished struct {
		Head
		Playback Playback
	}
)

// ApplicationReplaced says that another connection took the application: this one gets no more events.
type ApplicationReplaced struct{ Head }

// Other is an event that Readback has no use for, or one that lacks what its type needs.
type Other struct {
	Head
	Type string // letters alone, at most 64
}
