package sipmsg_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/untrusted"
	"readback/voip/ari"
	"readback/voip/sipmsg"
)

// TestAFloodOfNoTextsIsALineAMinute of each kind, with how many there were; and at the end what was not told of yet.
func TestAFloodOfNoTextsIsALineAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, func(o *sipmsg.LineOptions) { o.List = true })
		other := message(func(m *ari.TextMessageReceived) { m.Endpoint = "peer" })
		empty := message(func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 0 })
		lost := message(func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 1100 })
		flood := func() {
			for range 300 {
				r.text(other)
				r.text(empty)
				r.text(lost)
				time.Sleep(100 * time.Millisecond)
			}
		}
		lines := func(code string) (all []string) {
			for line := range strings.Lines(r.log.String()) {
				if strings.Contains(line, "code="+code+" ") {
					_, n, _ := strings.Cut(strings.TrimSpace(line), "messages=")
					all = append(all, n)
				}
			}
			return all
		}
		flood()
		for code, level := range map[string]string{"not_trunk": "INFO", "no_text": "INFO", "body_lost": "WARN"} {
			if got := strings.Join(lines(code), " "); got != "1" || !strings.Contains(r.log.String(), "level="+level) {
				t.Errorf("within a minute, of %s: %s\n%s", code, got, r.log)
			}
		}
		time.Sleep(30 * time.Second)
		r.text(other)
		if got := strings.Join(lines("not_trunk"), " "); got != "1 300" {
			t.Errorf("after a minute: %s", got)
		}
		r.text(other)
		r.end()
		if got := strings.Join(lines("not_trunk"), " "); got != "1 300 1" {
			t.Errorf("at the end: %s", got)
		}
		if got := strings.Join(lines("body_lost"), " "); got != "1 299" {
			t.Errorf("at the end: %s", got)
		}
	})
}

// TestWhatIsDroppedAtTheEnd is said once, as a number, where no list has it.
func TestWhatIsDroppedAtTheEnd(t *testing.T) {
	for _, list := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := startLine(t, func(o *sipmsg.LineOptions) { o.List = list })
			r.tell(func(_ context.Context, l ari.Listener) { l.Dropped(7) })
			r.end()
			if strings.Contains(r.log.String(), "texts=7") == list {
				t.Errorf("with a list %v:\n%s", list, r.log)
			}
		})
	}
}

// TestALookThatPanicsBelievesNothing: it ends nothing, what the trunk was believed to be is not, and the next look is soon.
func TestALookThatPanicsBelievesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, nil)
		r.connect(t)
		claim := func(n int) bool {
			t.Helper()
			r.text(numbered(n))
			texts, _ := r.box.got()
			return texts[len(texts)-1].Unverified
		}
		if claim(1) {
			t.Fatal("the trunk is not believed")
		}
		r.set(func() { r.breaks = true })
		time.Sleep(11 * time.Minute)
		if !claim(2) {
			t.Error("the trunk is believed though nobody can look")
		}
		r.set(func() { r.breaks = false })
		time.Sleep(61 * time.Second)
		if claim(3) {
			t.Error("the trunk is not believed again")
		}
		r.tell(func(_ context.Context, l ari.Listener) { l.Broke("ari.read") })
		r.end()
		if log := r.log.String(); strings.Contains(log, "stranger") || strings.Count(log, "code=line_crashed") < 2 || !strings.Contains(log, "sipmsg.Trunk") || !strings.Contains(log, "ari.read") {
			t.Errorf("the log:\n%s", log)
		}
	})
}
