package smsmcp

// Event is something that is counted; [a-z_]+.
type Event string

// The events, each with what its label tells: a code of [a-z_]{1,40}, and never a number, a name or a word of somebody's.
const (
	TextReceived   Event = "text_received"   // one was stored; the carrier's name
	TextUnverified Event = "text_unverified" // one of those, of which nothing says yet who it is from; the carrier's name
	TextLost       Event = "text_lost"       // one came without its body; the carrier's name
	TextRefused    Event = "text_refused"    // a message was not taken for a text; why
	SendJudged     Event = "send_judged"     // a verdict; allow, confirm or deny
	SendEnded      Event = "send_ended"      // its state
	HoldStarted    Event = "hold_started"    // its kind
	Asked          Event = "asked"           // the owner was asked for a yes; empty
	Answered       Event = "answered"        // the owner answered; the channel, or what it was instead
	CarrierFailed  Event = "carrier_failed"  // a list or a send; its code
	LineFailed     Event = "line_failed"     // the event connection to Asterisk; its code
	Notified       Event = "notified"        // ntfy took a notification; text, summary or name
	NtfyFailed     Event = "ntfy_failed"     // its code
	CallAnswered   Event = "call_answered"   // who called; owner or stranger
	CallEnded      Event = "call_ended"      // why; caller, agent, silence, too_long, fault or shut_down
	DraftRead      Event = "draft_read"      // a draft was read back to its end; empty
	DraftEnded     Event = "draft_ended"     // a draft of a call; its state after a yes, or why there was none
)

// Observe counts one event. It never blocks and keeps nothing else. Who takes one does without where it is nil.
type Observe func(e Event, label string)

// Count counts, where there is somebody to.
func (o Observe) Count(e Event, label string) {
	if o != nil {
		o(e, label)
	}
}

// Lengths are how much waits, as the store has it.
type Lengths struct {
	Notices    int // texts that wait for their notification
	Held       int // texts that wait for a summary
	Asked      int // sends that wait for the owner's yes
	Unknown    int // sends of which nobody knows whether they went
	Unverified int // received texts of the last day of which nothing says yet who they are from
	Holds      int // holds that stand
}
