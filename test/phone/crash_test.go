package phone

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/voip/voipms/voipmstest"
)

// restart kills the program as a crash does, and starts it again.
func (s *scene) restart() {
	s.t.Helper()
	s.program.Kill()
	s.program.Start()
}

// stands is what the log says of the send with this body, by the owner's own command.
func (s *scene) stands(body string) smsmcp.SendState {
	s.t.Helper()
	all, err := owner.ListSends.Do(s.t.Context(), s.program.Owner(), owner.Limit{Limit: 500}, "")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, x := range all {
		if x.Body == body {
			return x.State
		}
	}
	s.t.Fatalf("no send of %q in the log", body)
	return ""
}

// asked has a text asked for, and gives its question.
func (s *scene) asked(body string) testbed.Notification {
	s.t.Helper()
	seen := s.seen()
	if got := s.wait(s.send("Marie Tremblay", body)); !strings.Contains(got, "waits for the owner's yes") {
		s.t.Fatal(got)
	}
	return s.question(seen, body)
}

// TestKilledBetweenTheQuestionAndTheAnswer: it is asked anew, in the place of the first, and the buttons of both are good, for one text in all.
func TestKilledBetweenTheQuestionAndTheAnswer(t *testing.T) {
	s := newScene(t, newBed(t), always)
	for i, oldFirst := range []bool{true, false} {
		body := fmt.Sprint("text ", i)
		old := s.asked(body)
		seen := s.seen()
		s.restart()
		fresh := s.question(seen, body)
		if fresh.SequenceID != old.SequenceID || button(t, fresh, "Send").Body == button(t, old, "Send").Body {
			t.Errorf("%+v\n%+v", old, fresh)
		}
		first, second := old, fresh
		if !oldFirst {
			first, second = fresh, old
		}
		if status, said := s.press(button(t, first, "Send")); status != http.StatusOK || said != "Sent." {
			t.Errorf("%d %q", status, said)
		}
		if status, said := s.press(button(t, second, "Send")); status != http.StatusOK || said != "Sent." {
			t.Errorf("%d %q", status, said)
		}
		s.want(body, 1)
		s.restart()
		if status, said := s.press(button(t, first, "Send")); status != http.StatusConflict && status != http.StatusServiceUnavailable {
			t.Errorf("after a restart: %d %q", status, said)
		}
		s.want(body, 1)
	}
	s.noToken()
}

// TestInvariant07KilledAfterTheYes kills the program at any moment after the press: the text goes once or not at all, the log says which, and one that was
// not sent for certain waits for its answer still.
func TestInvariant07KilledAfterTheYes(t *testing.T) {
	s := newScene(t, newBed(t), always)
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, seed))
	t.Logf("seed %d", seed)
	states := map[string]int{}
	for round := range 12 {
		body := fmt.Sprint("round ", round)
		q := s.asked(body)
		pressed := make(chan string, 1)
		go func() {
			_, said, err := s.try(http.MethodPost, "/tap", nil, button(t, q, "Send").Body)
			if err != nil {
				said = ""
			}
			pressed <- said
		}()
		pause := time.NewTimer(time.Duration(chance.Int64N(int64(25 * time.Millisecond))))
		<-pause.C
		seen := s.seen()
		s.restart()
		said := <-pressed
		state := s.stands(body)
		states[string(state)]++
		switch n := s.sent(body); {
		case n > 1:
			t.Errorf("%s: sent %d times", body, n)
		case state == smsmcp.Done && n != 1, said == "Sent." && n != 1:
			t.Errorf("%s: %s and %q, but sent %d times", body, state, said, n)
		case state == smsmcp.Waiting && n != 0:
			t.Errorf("%s: it waits, and has gone", body)
		case state == smsmcp.Waiting:
			if status, said := s.press(button(t, s.question(seen, body), "Don't send")); status != http.StatusOK {
				t.Errorf("%d %q", status, said)
			}
			s.want(body, 0)
		}
	}
	t.Logf("%v", states)
}

// TestInvariant07KilledWhileVoipMSHasIt: whether it went is known to voip.ms alone, so the log says unknown until voip.ms's list says more, and no button sends it again.
func TestInvariant07KilledWhileVoipMSHasIt(t *testing.T) {
	s := newScene(t, newBed(t), always)
	for name, c := range map[string]struct {
		fault voipmstest.Fault
		sent  int
		state smsmcp.SendState
	}{
		"it went":     {voipmstest.Fault{Late: time.Minute}, 1, smsmcp.Done},
		"it did not":  {voipmstest.Fault{Hang: true}, 0, smsmcp.Unknown},
		"it answered": {voipmstest.Fault{Lost: true}, 1, smsmcp.Done},
	} {
		q := s.asked(name)
		s.api.Fail("sendSMS", c.fault)
		before := s.api.Calls("sendSMS")
		pressed := make(chan struct{})
		go func() {
			defer close(pressed)
			_, _, _ = s.try(http.MethodPost, "/tap", nil, button(t, q, "Send").Body)
		}()
		s.until("voip.ms has it", func() bool { return s.api.Calls("sendSMS") > before })
		s.restart()
		<-pressed
		s.until("the log says "+string(c.state), func() bool { return s.stands(name) == c.state })
		if out, _ := s.program.Command(t.Context(), "sends"); !strings.Contains(out, string(c.state)) {
			t.Errorf("%s: readback sends: %s", name, out)
		}
		if status, said := s.press(button(t, q, "Send")); status == http.StatusOK {
			t.Errorf("%s: pressed again: %d %q", name, status, said)
		}
		s.want(name, c.sent)
	}
}
