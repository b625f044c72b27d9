package push

import (
	"strings"
	"testing"

	"readback/smsmcp"
)

// TestADraftOfACallIsAskedAboutThereAlone: no question on the phone, whoever lists it, and no button that could answer it.
func TestADraftOfACallIsAskedAboutThereAlone(t *testing.T) {
	r := newRig(fixed, nil)
	s := waiting("abcdefghij", "ok", noon)
	s.Only = smsmcp.Voice
	r.desk.set(s)
	r.desk.set(waiting("bcdefghijk", "the other", noon))
	r.asker.Tell(s)
	r.step(t)
	got := r.phone.got()
	if len(got) != 1 || got[0].Sequence != "send-bcdefghijk" {
		t.Fatalf("%+v", got)
	}
	for _, tap := range r.desk.taps {
		if tap.Send == s.ID {
			t.Error("a button stands for a draft that it cannot answer")
		}
	}
}

// TestTheReceiptsOfACall: what the owner heard on the call is not told of again; what became of a text that was handed over is.
func TestTheReceiptsOfACall(t *testing.T) {
	for state, told := range map[smsmcp.SendState]string{
		smsmcp.Waiting: "", smsmcp.Refused: "", smsmcp.Declined: "", smsmcp.Expired: "", smsmcp.Cancelled: "", smsmcp.Void: "",
		smsmcp.Done: "Sent.", smsmcp.Failed: "Not sent.", smsmcp.Unknown: "may have gone",
	} {
		r := newRig(fixed, nil)
		s := waiting("abcdefghij", "ok", noon)
		s.Only, s.State = smsmcp.Voice, state
		r.desk.set(s)
		r.asker.Tell(s)
		r.step(t)
		got := r.phone.got()
		if told == "" != (len(got) == 0) || len(got) > 1 || len(got) == 1 && (!strings.Contains(got[0].Body, told) || len(got[0].Buttons) != 0) {
			t.Errorf("%s: %+v", state, got)
		}
	}
}
