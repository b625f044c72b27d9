package smsmcp_test

import (
	"testing"
	"time"

	"readback/smsmcp"
)

func TestAVoicemailSaysHowLongItIs(t *testing.T) {
	left := func(delivery string) smsmcp.Text {
		return smsmcp.Text{Key: smsmcp.Key{Kind: smsmcp.Voicemail}, Delivery: delivery}
	}
	for long, want := range map[time.Duration]int{0: 0, -time.Second: 0, time.Millisecond: 1, time.Second: 1, 11900 * time.Millisecond: 12, 2 * time.Minute: 120, 1000 * time.Hour: 86400} {
		for _, kept := range []bool{true, false} {
			d := smsmcp.VoicemailDelivery(long, kept)
			if n, lost := left(d).Sound(); n != want || lost != (want > 0 && !kept) {
				t.Errorf("%v is %q: %d %v", long, d, n, lost)
			}
		}
	}
	for _, d := range []string{"", "seconds_", "seconds_0", "seconds_-1", "seconds_x", "seconds_86401", "seconds_1_lost_lost", "read", "1", "_lost", "seconds_lost", "body_lost"} {
		if n, lost := left(d).Sound(); n != 0 || lost {
			t.Errorf("%q: %d %v", d, n, lost)
		}
	}
	sms := left("seconds_12_lost")
	sms.Key.Kind = smsmcp.SMS
	if n, lost := sms.Sound(); n != 0 || lost {
		t.Errorf("a text of a carrier's: %d %v", n, lost)
	}
	if d := smsmcp.VoicemailDelivery(12*time.Second, true); smsmcp.Reduce(d) == d {
		t.Error("a carrier's word can look like it")
	}
}
