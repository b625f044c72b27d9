package signs

import (
	"strings"
	"testing"

	"readback/smsmcp/clean"
	"readback/test/corpora"
)

// The rate of alarms on every set, attack and benign. Each benign set stays below 1%.
func TestAlarmRates(t *testing.T) {
	for _, prefix := range []string{"attack_", "sms_", "benign_", "unicode_"} {
		for _, set := range corpora.Sets(t, prefix) {
			benign := prefix == "benign_" || prefix == "sms_" && set != "sms_uci_spam"
			all := corpora.Texts(t, set)
			hit, kinds := 0, map[Alarm]int{}
			for _, s := range all {
				s = clean.Body(s).Text
				alarms := Alarms(s)
				if len(alarms) > 0 {
					hit++
				}
				if benign && len(alarms) > 0 {
					t.Logf("%s: %v: %.200s", set, alarms, strings.ToValidUTF8(s, "?"))
				}
				for _, a := range alarms {
					kinds[a]++
				}
			}
			rate := 100 * float64(hit) / float64(len(all))
			t.Logf("%-32s %5d texts  %5.1f%% ring  %v", set, len(all), rate, kinds)
			if benign && rate >= 1 {
				t.Errorf("%s: %.2f%% of benign texts ring", set, rate)
			}
		}
	}
}
