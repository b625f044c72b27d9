package voipms_test

import (
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/carriertest"
	"readback/voip/voipms/voipmstest"
)

// TestContract runs the suite against an API without quirks, with each, and with all of them.
func TestContract(t *testing.T) {
	for name, q := range map[string]voipmstest.Quirks{
		"plain":        {},
		"escape":       {Escape: true},
		"escape twice": {Escape: true, Twice: true},
		"entities":     {Entities: true},
		"numbers":      {Ints: true},
		"senders":      {Prefix011: true, E164: true},
		"all":          {Escape: true, Entities: true, Ints: true, Prefix011: true, E164: true, NoMedia: true},
	} {
		t.Run(name, func(t *testing.T) {
			carriertest.Run(t, func(t *testing.T) carriertest.Harness {
				r := newRig(t)
				r.fake.Set(q)
				return carriertest.Harness{
					Carrier: r.Carrier, To: friend, Now: r.now.now,
					Taken: func() int { return len(r.fake.Sent()) },
					Receive: func(_ *testing.T, from smsmcp.Peer, body string, at time.Time) {
						raw := from.Code + from.Label.RawForStore()
						if from.Kind == smsmcp.PeerNumber {
							raw = string(from.Number[2:])
						}
						kind := "sms"
						if len(body) > 160 {
							kind = "mms"
						}
						r.fake.Receive(kind, raw, body, at, 0)
					},
					Break: func(*testing.T) { r.fake.Fail("getMMS", voipmstest.Fault{Cut: true}) },
					Spoil: func(*testing.T) {
						r.fake.Spoil("sms", r.fake.Receive("sms", "5145550123", "spoilt", r.now.now(), 0), "date", "0000-00-00 00:00:00")
					},
				}
			})
		})
	}
}
