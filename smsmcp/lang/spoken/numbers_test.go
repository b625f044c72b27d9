package spoken

import (
	"testing"
	"time"

	"readback/smsmcp/lang"
)

func TestUntil(t *testing.T) {
	zone, err := time.LoadLocation("America/Toronto")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 30, 23, 50, 0, 0, zone) // a Friday; on Sunday the clocks go back
	for _, c := range []struct {
		in     time.Duration
		en, fr string
	}{
		{5 * time.Minute, "11 55 pm", "23 heures 55"},
		{-time.Hour, "10 50 pm", "22 heures 50"},
		{15 * time.Minute, "tomorrow at 12 oh 5 am", "demain à 0 heure 5"},
		{49 * time.Hour, "Sunday at 11 50 pm", "dimanche à 23 heures 50"},
		{6*24*time.Hour + time.Hour, "Thursday at 11 50 pm", "jeudi à 23 heures 50"},
		{7*24*time.Hour + time.Hour, "Friday, November 6, at 11 50 pm", "vendredi 6 novembre à 23 heures 50"},
	} {
		if en, fr := Until(lang.EN, now.Add(c.in), now), Until(lang.FR, now.Add(c.in), now); en != c.en || fr != c.fr {
			t.Errorf("in %v: %q, %q", c.in, en, fr)
		}
	}
}
