package guard

import "time"

// Settings are the guard's part of the configuration.
type Settings struct {
	Confirm            string // ConfirmAuto, ConfirmAlways or ConfirmNever
	PerHour            int    // texts in an hour that reach the carrier
	PerDay             int
	KeptForConfirmed   int // of PerDay, kept for sends that the owner confirmed
	UnconfirmedPerHour int
	UnconfirmedPerDay  int
	Duplicate          time.Duration // same body, same contact
	FanOut             int           // contacts who may get the same body in an hour
	Hold               time.Duration
	Alarm              time.Duration
	Named              time.Duration
	Repeats            time.Duration
	RepeatWords        int    // how many words in a row are a long run
	NewHosts           bool   // ask before a link to a host that was never sent
	QuietFrom, QuietTo string // "HH:MM"; both empty: off
	Zone               *time.Location

	Expiry       time.Duration // of a wait for a yes
	MaxWaiting   int
	AsksPerHour  int
	PauseAfterNo time.Duration // after two No in a row
}

// The values of Settings.Confirm.
const (
	ConfirmAuto   = "auto"
	ConfirmAlways = "always"
	ConfirmNever  = "never"
)
