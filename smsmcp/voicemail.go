package smsmcp

import (
	"strconv"
	"strings"
	"time"
)

// A voicemail has no delivery state of a carrier's: it stands for how long the sound is, and for whether it could be kept. No other text has one of this form, and
// nothing that a carrier says can look like it: Reduce leaves no digit.
const (
	soundOf   = "seconds_"
	soundLost = "_lost"
)

// mostSeconds bounds how long a voicemail says it is: a day.
const mostSeconds = 24 * 60 * 60

// VoicemailDelivery is the Delivery of a voicemail whose sound is so long, rounded up to whole seconds; kept says that the sound is. Empty for one without a sound.
func VoicemailDelivery(long time.Duration, kept bool) string {
	n := min((long+time.Second-1)/time.Second, mostSeconds)
	if n <= 0 {
		return ""
	}
	s := soundOf + strconv.Itoa(int(n))
	if !kept {
		s += soundLost
	}
	return s
}

// Sound says of a voicemail how many seconds its sound is long, 0 if there was none, and whether the sound was lost: it could not be kept. Of any other
// text it gives the zero values.
func (t Text) Sound() (seconds int, lost bool) {
	if t.Key.Kind != Voicemail {
		return 0, false
	}
	digits, ok := strings.CutPrefix(t.Delivery, soundOf)
	digits, lost = strings.CutSuffix(digits, soundLost)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || n > mostSeconds {
		return 0, false
	}
	return n, lost
}
