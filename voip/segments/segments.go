// Package segments counts the SMS segments that a body takes on the air (GSM 03.40, 03.38): what a person is shown before a yes.
//
// Floor 2: imports github.com/warthog618/sms, and smsmcp of the project.
package segments

import (
	"github.com/warthog618/sms"

	"readback/smsmcp"
)

// maxBody bounds the work of one count: no carrier here takes a body near it.
const maxBody = 64 << 10

// The library fills its tables at their first use, and guards that with nothing: they are filled before any goroutine counts.
func init() { Count("€") }

// Count gives the number of segments of a body in UTF-8: 160 septets of GSM-7 in one segment and 153 in each of several, or 70 and 67
// UTF-16 units where a character is not in GSM-7 (é and € are; ê, ’ and — are not). An empty body takes one. A body that no SMS can
// carry (over 64 KiB, or over 255 segments) counts 0.
func Count(body string) int {
	if len(body) > maxBody {
		return 0
	}
	pdus, err := sms.Encode([]byte(body))
	if err != nil || len(pdus) > 255 {
		return 0
	}
	return max(len(pdus), 1)
}

// Plan is that of a carrier that takes up to maxSMS bytes as an SMS and up to maxMMS as an MMS; more is smsmcp.ErrTooLong.
func Plan(body string, maxSMS, maxMMS int) (smsmcp.Plan, error) {
	switch n := len(body); {
	case n <= maxSMS:
		return smsmcp.Plan{Kind: smsmcp.SMS, Segments: Count(body)}, nil
	case n <= maxMMS:
		return smsmcp.Plan{Kind: smsmcp.MMS, Segments: 1}, nil
	}
	return smsmcp.Plan{}, smsmcp.ErrTooLong
}
