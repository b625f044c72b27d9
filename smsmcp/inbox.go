package smsmcp

import "time"

// Query asks for texts. The zero value of a field asks for no limit by it, except Limit, which must be 1 to 500.
type Query struct {
	Contact   ContactID // only texts from and to this contact
	Since     time.Time // at or after
	Before    Cursor    // strictly older than this place in the list
	Contains  string    // the body holds this, both folded by fold.Key
	Strangers bool      // show strangers' texts too; false folds them into a count
	Images    bool      // only received texts that came with images
	Limit     int       // newest first are kept
}

// Cursor is a place in the list of texts, ordered by (At, ID). The zero value is the newest end.
type Cursor struct {
	At time.Time
	ID TextID
}

// Row is a text with the contact that its peer's number belongs to now; nil for a stranger's.
type Row struct {
	Text    Text
	Contact *Contact
}

// Page is one answer to a Query: rows oldest first.
type Page struct {
	Rows            []Row
	Older           bool // older rows match too
	FoldedTexts     int  // strangers' received texts that match and were not shown
	FoldedStrangers int  // and from how many senders
}

// HoldKind is why a hold stands.
type HoldKind string

// The kinds of hold.
const (
	HoldStranger HoldKind = "hold"  // a stranger's words were shown
	HoldAlarm    HoldKind = "alarm" // a shown text tripped an alarm
)

// Hold is the time after the model was shown a stranger's words.
type Hold struct {
	Scope Scope
	Kind  HoldKind
	From  time.Time
	Until time.Time
}

// Shown is what is committed before words leave for a model (invariant 9): which texts, and the holds they start.
type Shown struct {
	At    time.Time
	Texts []TextID // received ones
	Holds []Hold
}

// SyncState is how a carrier's last syncs went.
type SyncState struct {
	Carrier string
	Good    time.Time // the last one that worked; zero if none has
	Asked   time.Time // the last one whose list came, whole or not
	Partial time.Time // the first of those, up to Asked, whose lists were not whole; zero if the last one was
	Tried   time.Time
	Failure string // of the last one, reduced; empty if it worked
}

// Midnight is 00:00 of the day so many days before now, in a zone, whatever the clock did there in between.
func Midnight(now time.Time, zone *time.Location, days int) time.Time {
	y, m, d := now.In(zone).Date()
	return time.Date(y, m, d-days, 0, 0, 0, 0, zone)
}
