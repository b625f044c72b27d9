package owner

import (
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/untrusted"
)

// TestADraftOfACallIsOnTheRecordAndAnsweredThereAlone: it is no question at the terminal, a yes there changes nothing, and the log says in which words the yes came.
func TestADraftOfACallIsOnTheRecordAndAnsweredThereAlone(t *testing.T) {
	w := newWorld(t, false)
	w.wait("the other")
	a, err := w.door.Send(t.Context(), dispatch.Request{To: "Marie", Body: "hi", By: "phone", Scope: smsmcp.CallScope + "1", Only: smsmcp.Voice})
	if err != nil || a.Send.State != smsmcp.Waiting {
		t.Fatal(a, err)
	}
	if all, err := ListWaiting.Do(t.Context(), w.client, None{}, ""); err != nil || len(all) != 1 || all[0].Body != "the other" {
		t.Errorf("%+v %v", all, err)
	}
	s, err := GetSend.Do(t.Context(), w.client, Answer{ID: a.Send.ID}, "")
	if err != nil || s.Only != smsmcp.Voice || s.Answer != "" {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := Approve.Do(t.Context(), w.client, Answer{ID: s.ID, Digest: s.Digest}, ""); !is(err, CodeOtherChannel) {
		t.Error(err)
	}
	if _, err := w.door.Spoken(t.Context(), s.ID, a.Send.Draft.Digest(), untrusted.New("yes»\n\x1b[2Jsend «it")); err != nil {
		t.Fatal(err)
	}
	all, err := ListSends.Do(t.Context(), w.client, Limit{Limit: 1}, "")
	if err != nil || len(all) != 1 || all[0].State != smsmcp.Done || all[0].ConfirmedBy != smsmcp.Voice || all[0].Answer != `yes" [2Jsend "it` {
		t.Errorf("%+v %v", all, err)
	}
}
