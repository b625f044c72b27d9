package smsmcp

import "time"

// Note is a message to the owner's phone that the program writes whole.
type Note struct {
	Sequence string // what it is of: a later one with the same takes its place. [a-z0-9_-]{1,64}
	Title    string
	Body     string
	Priority int // 1 to 5; 3 is usual
	Tags     []string
	Click    string   // where a tap on it leads; "" nowhere
	Buttons  []Button // at most 3
}

// Button is one of a Note's: it posts Body to URL, or, without a Body, opens URL.
type Button struct{ Label, URL, Body string }

// TapAction is what a button on the owner's phone does; [a-z]+.
type TapAction string

// The actions.
const (
	TapSend   TapAction = "send"
	TapDont   TapAction = "dont"
	TapFreeze TapAction = "freeze"
)

// Tap is what a button's token stands for. The token itself is kept nowhere: Hash is its SHA-256.
type Tap struct {
	Hash    [32]byte
	Send    SendID
	Digest  [32]byte // of the draft that the owner was shown
	Action  TapAction
	Expires time.Time
}
