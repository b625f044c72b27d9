package voice

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"time"

	"readback/smsmcp/untrusted"
)

// Role is who a turn came from. The channel that it arrived on says so, never its content. The zero value is nobody.
type Role int

// The roles.
const (
	Nobody Role = iota
	Caller      // heard on the leg: speech or a key
	Agent       // spoken by the program, in its own words or the model's
	Tool        // what a tool answered to the model
)

var roleNames = [...]string{"nobody", "caller", "agent", "tool"}

// String is the role's name, for logs.
func (r Role) String() string {
	if r < 0 || int(r) >= len(roleNames) {
		return roleNames[Nobody]
	}
	return roleNames[r]
}

// Turn is one utterance of a call, whole: what the caller said or pressed, what the agent said, what a tool answered. It is immutable, and
// only a [Transcript] makes one. The zero value is nobody's.
type Turn struct {
	number       int
	role         Role
	began, ended time.Time
	words        untrusted.Text
	key          rune
}

// String says which turn it is, and nothing of what was said or pressed: keys may be a PIN (invariant 11).
func (t Turn) String() string { return "turn " + strconv.Itoa(t.number) + " of the " + t.role.String() }

// Format prints String for every verb.
func (t Turn) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, t.String()) }

// LogValue is String.
func (t Turn) LogValue() slog.Value { return slog.StringValue(t.String()) }

// Number counts the turns of a transcript from 1, in the order in which they were added; 0 of one that is in none.
func (t Turn) Number() int { return t.number }

// Role is who it came from.
func (t Turn) Role() Role { return t.role }

// Began is when its first sound was heard, or the key went down. It is never after Ended.
func (t Turn) Began() time.Time { return t.began }

// Ended is when the turn was added.
func (t Turn) Ended() time.Time { return t.ended }

// Words are what was said; empty for a key.
func (t Turn) Words() untrusted.Text { return t.words }

// Key is the key of the caller's telephone, one of 0123456789*#ABCD, or 0 (not '0') for speech.
func (t Turn) Key() rune { return t.key }

// Interim is what a recogniser believes that it has heard of an utterance that has not ended. It may change in every word, so it is no [Turn].
type Interim struct {
	Began time.Time // when the first sound of the utterance was heard
	Words untrusted.Text
}

// Keys are the keys of a telephone.
const Keys = "0123456789*#ABCD"
