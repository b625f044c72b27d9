package smsmcp

import "time"

// Owed is what the owner has not been told yet: received texts that wait for their notification, and texts that were held back from it, so
// that one summary can tell of them.
type Owed struct {
	First   *Row      // the oldest that waits, of contacts' texts if any of these does; nil if none does
	Stored  time.Time // when that one was stored
	Waiting int       // counted up to 1,000
	Held    int       // so too
	Due     time.Time // when the summary of those held is due

	// Known is the oldest text that was told of as unverified and is known to be a contact's since: its notification is to have the name. nil if there is none.
	Known       *Row
	KnownStored time.Time // when that one was stored
}

// Pace is what bears on one text's notification: how many were given lately, and whether an earlier text of the same sender is held back.
type Pace struct {
	Sender int  // to texts of this sender
	Kind   int  // to texts of all senders of its kind: contacts, or strangers
	Held   bool // then this one waits behind it. A claim of a number holds up none of the number's own texts
}

// Tally counts the texts of one sender that were held back. Its Row has the sender alone: no body, no id.
type Tally struct {
	From  Row
	Texts int
}

// Summary is what one summary tells of: the texts held back up to Last, by sender: contacts first, and then who sent the most.
type Summary struct {
	First, Last TextID
	Texts       int
	Senders     int
	Most        []Tally
}
