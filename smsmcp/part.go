package smsmcp

import "time"

// Part is how one part of the running program stands: "carrier", "line" or "bridge".
type Part struct {
	Name    string    `json:"name"`
	Failure string    `json:"failure,omitempty"` // a code of [a-z_]{1,40}; empty where it is well
	Since   time.Time `json:"since,omitzero"`    // when that last changed; zero if it never has
}
