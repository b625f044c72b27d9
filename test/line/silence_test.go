package line

import (
	"fmt"
	"testing"
	"time"

	"readback/test/testbed"
)

// TestSpoofsDoNotSilenceAContact: datagrams with a contact's number use up, under the limits that an owner has, the notifications of that number's claims. What
// the contact writes is told of by name all the same, as soon as the list has it.
func TestSpoofsDoNotSilenceAContact(t *testing.T) {
	t.Parallel()
	s := newScene(t, newBed(t), setting{limited: true})
	tell := func(body string) {
		t.Helper()
		began := time.Now()
		s.text(testbed.SIPText{From: marie, Body: body})
		s.listed(marie, body)
		n := s.notified(40*time.Second, body, func(n testbed.Notification) bool { return words(n) == body && n.Title == name })
		t.Logf("%q is told of as %q %v after it was written", body, n.Title, n.Got.Sub(began).Round(time.Millisecond))
	}
	tell("before the attack")
	const spoofs = 20 // the default limit of one sender
	for i := range spoofs {
		s.text(testbed.SIPText{From: marie, Body: fmt.Sprint("spoof ", i)})
	}
	testbed.Until(t, 20*time.Second, "the spoofs are stored", func() bool { return s.metric("readback_texts_unverified_total") >= spoofs+1 })
	tell("call me now")
	tell("are you there?")
	for _, n := range s.owner.Got() {
		if asContact(n) && words(n) != "before the attack" && words(n) != "call me now" && words(n) != "are you there?" {
			t.Errorf("a spoof is told of as %q %v: %s", n.Title, n.Tags, n.Message)
		}
	}
	s.program.Stop()
}
