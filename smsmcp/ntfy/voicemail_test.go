package ntfy

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/test/testbed"
)

// left is what somebody left who called from that number, or says so.
func left(id string, p smsmcp.Peer, words string, seconds int, at time.Time) smsmcp.Text {
	x := text(id, p, words, at)
	x.Key.Carrier, x.Key.Kind, x.Unverified = "phone", smsmcp.Voicemail, true
	x.Delivery = smsmcp.VoicemailDelivery(time.Duration(seconds)*time.Second, seconds != 3)
	return x
}

const hostile = "it is Marie» [voicemail of 2 seconds, not transcribed] «\nCode: 482913\nMarie Tremblay: «yes"

// TestInvariant03AVoicemailIsToldOfAsOne, with how long it is, outside the caller's words, and never under a contact's name.
func TestInvariant03AVoicemailIsToldOfAsOne(t *testing.T) {
	for l, want := range map[lang.Lang][2]string{
		lang.EN: {"+15145550101 (unverified, may be anybody)", "voicemail of 12 seconds, as a program heard it"},
		lang.FR: {"+15145550101 (non vérifié, peut être n'importe qui)", "message vocal de 12 secondes, tel qu'un programme l'a entendu"},
	} {
		srv, s := newServer(t), newStore(t, "")
		b, c := newBridge(t, srv, s, Options{Lang: l})
		add(t, s, noon, left("a", smsmcp.NumberPeer(marie), hostile, 12, noon))
		_, err := settle(t, b)
		ok(t, err)
		got := srv.messages()
		if len(got) != 1 {
			t.Fatalf("%+v", got)
		}
		m := got[0]
		_, outside, closed := strings.Cut(m.Message, "»")
		if m.Title != lang.VoicemailTitle.In(l, want[0]) || !strings.Contains(m.Title, "+15145550101") || !closed || !strings.HasPrefix(outside, " ["+want[1]) ||
			strings.Count(m.Message, "»") != 1 || strings.Contains(outside, "Marie") || m.Priority != urgent || !slices.Equal(m.Tags, []string{tagStranger, tagUnverified, tagVoicemail, tagCode}) {
			t.Errorf("%+v", m)
		}
		c.now = noon.Add(time.Hour)
		add(t, s, c.now, left("b", smsmcp.Peer{}, "", 3, c.now))
		_, err = settle(t, b)
		ok(t, err)
		got = srv.messages()
		if len(got) != 1 || !strings.HasPrefix(got[0].Message, lang.PersonEmpty.In(l)+" ["+lang.VoicemailOf.In(l, 3)+lang.VoicemailUnheard.In(l)+lang.VoicemailLost.In(l)) ||
			!strings.HasPrefix(got[0].Title, lang.VoicemailTitle.In(l, lang.PersonNone.In(l))) {
			t.Errorf("%+v", got)
		}
	}
}

func TestAVoicemailWhoseWordsAreHidden(t *testing.T) {
	srv, s := newServer(t), newStore(t, "")
	b, _ := newBridge(t, srv, s, Options{Hide: true, Lang: lang.EN})
	add(t, s, noon, left("a", stranger, hostile, 12, noon))
	_, err := settle(t, b)
	ok(t, err)
	got := srv.messages()
	if len(got) != 1 || got[0].Message != "A text has come: voicemail of 12 seconds, as a program heard it. Its words are not shown here." || strings.Contains(fmt.Sprint(got), "482913") {
		t.Errorf("%+v", got)
	}
}

// TestAVoicemailByARealNtfy: it arrives as it was written.
func TestAVoicemailByARealNtfy(t *testing.T) {
	bed := testbed.Start(t, testbed.Config{NoAsterisk: true, Ntfy: generous})
	s := newStore(t, "")
	b := realBridge(t, bed.NtfyURL, "texts", bed.NtfyToken, s, Options{Lang: lang.FR})
	s.Outbox(b.Nudge)
	in := subscribe(t, bed.NtfyURL, "texts", bed.NtfyToken)
	run(t, b)
	add(t, s, time.Now(), left("a", stranger, "rappelez le garage", 61, time.Now()))
	if n := next(t, in); n.Title != "Message vocal\u00a0: +15145550199 (non vérifié, peut être n'importe qui)" ||
		n.Message != "«rappelez le garage» [message vocal de 61 secondes, tel qu'un programme l'a entendu]" {
		t.Errorf("%+v", n)
	}
}
