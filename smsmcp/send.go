package smsmcp

import (
	"time"

	"readback/smsmcp/untrusted"
)

// SendID names a send to people and models: 10 characters of a–z and 2–7, random.
type SendID string

// SendState is where a send stands.
type SendState string

// The states. Waiting and Reserved and Unknown are open; the others are final.
const (
	Refused   SendState = "refused"   // the guard denied it, or no confirmation channel could be reached
	Waiting   SendState = "waiting"   // for the owner's yes
	Declined  SendState = "declined"  // the owner said no
	Expired   SendState = "expired"   // nobody answered in time
	Cancelled SendState = "cancelled" // withdrawn before the yes
	Void      SendState = "void"      // replaced by a newer draft, or its contact changed, or the store was restored
	Reserved  SendState = "reserved"  // recorded as handed to the carrier, before it is
	Done      SendState = "sent"      // the carrier took it
	Failed    SendState = "failed"    // the carrier did not take it, for certain
	Unknown   SendState = "unknown"   // it may have gone: never sent again until that is settled
)

// Open says whether the state can still change.
func (s SendState) Open() bool { return s == Waiting || s == Reserved || s == Unknown }

// Channel is how a confirmation came.
type Channel string

// The channels.
const (
	NoChannel   Channel = ""
	CommandLine Channel = "command_line"
	PageChannel Channel = "page"        // the owner's page
	Phone       Channel = "phone"       // the buttons of a notification
	Elicitation Channel = "elicitation" // a question that the client asks for us, and answers: weak
	Card        Channel = "card"        // a card in the chat, whose button the client draws: weak
	Voice       Channel = "voice"       // the owner's voice, or a key, on a call, after the draft was read back (invariant 10)
)

// Scope is what a hold covers: all MCP clients together, or one call.
type Scope string

// CallScope begins the scope of each call, whose id follows.
const CallScope = "call:"

// MCP is the one scope of all MCP clients.
const MCP Scope = "mcp"

// Rule is the code of a rule of the guard, stored with each send; [a-z_]+.
type Rule string

// Reason is one rule's say about a draft. It holds no stranger's words.
type Reason struct {
	Rule  Rule      `json:"rule"`
	Until time.Time `json:"until,omitzero"` // when the rule lets go, where that is known
	Count int       `json:"count,omitempty"`
	Limit int       `json:"limit,omitempty"`
	Send  SendID    `json:"send,omitempty"`  // the earlier send that the rule points at
	State SendState `json:"state,omitempty"` // and where that one stands
	Code  string    `json:"code,omitempty"`  // a carrier's status, reduced
}

// Send is one journey of a draft.
type Send struct {
	ID      SendID
	Draft   Draft
	Name    string // the contact's name when the draft was made
	State   SendState
	Reasons []Reason
	Strong  bool // only a strong channel may confirm it

	By    string // the token's name, or another face's name
	Scope Scope
	Only  Channel // the one channel whose yes counts: Voice for a draft that was made on a call, which always waits; empty for all others, to which Voice says no yes

	Kind     Kind // how the carrier will carry it
	Segments int

	Created  time.Time
	Expires  time.Time // of the wait for a yes; zero where nobody was asked
	Answered time.Time // when the owner answered
	Reserved time.Time // when it was recorded as handed to the carrier
	Ended    time.Time

	ConfirmedBy Channel        // the channel of the yes; empty where none was needed
	Answer      untrusted.Text // of a yes by Voice: the words that were judged to be it, or the key that was pressed
	Key         Key            // the carrier and kind from Reserved on; the carrier's own id once it told one
	Delivery    string         // the carrier's delivery state, reduced
	Failure     string         // why it failed or is unknown, reduced
}
