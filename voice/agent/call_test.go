package agent_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
)

func TestTheWholeScene(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.model.then("Sure, ", "one moment.", prepares("Marie", "I will be late.")).then("You're welcome.")
		w.begins()
		w.hears("What can I do")
		w.ears.says("text marie that i will be late")
		w.hears("I will be late")
		w.hears("Shall I let it leave?")
		w.ears.says("yes, send it")
		w.hears("has left")
		if got := w.sent(); len(got) != 1 || got[0] != string(marie)+" I will be late." {
			t.Errorf("sent %q", got)
		}
		w.states(smsmcp.Done)
		w.ears.says("thanks")
		w.hears("welcome")
		w.ends()
		all, _ := w.store.Sends(t.Context(), 1)
		if s := all[0]; s.ConfirmedBy != smsmcp.Voice || s.Answer.RawForStore() != "yes, send it" || s.Only != smsmcp.Voice {
			t.Errorf("the audit has %v, %v", s.ConfirmedBy, s.Only)
		}
		last := w.model.requests()[1]
		var told []string
		for _, m := range last.Messages {
			told = append(told, m.Role.String()+": "+m.Text)
		}
		if len(told) != 4 || !strings.Contains(told[2], "was sent") {
			t.Errorf("the model was told %q", told)
		}
		time.Sleep(time.Second)
	})
}
