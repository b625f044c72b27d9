package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
	"readback/store"
)

// TestTheAuditSaysInWhichWordsASpokenYesCame: drawn as what they are, whatever they are. What waits on a call waits at no terminal.
func TestTheAuditSaysInWhichWordsASpokenYesCame(t *testing.T) {
	h := newHome(t)
	h.ok("contacts", "add", "Marie Tremblay", "418-555-0123")
	s, err := store.Open(t.Context(), filepath.Join(h.data, machine.StoreFile))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, id := range []smsmcp.SendID{"aaaaaaaaaa", "bbbbbbbbbb"} {
		err = s.Begin(t.Context(), now, smsmcp.Recipient{Name: "Marie Tremblay"}, guard.Need{}, func(st guard.State) smsmcp.Ruling {
			return smsmcp.Ruling{Insert: &smsmcp.Send{
				ID: id, Draft: smsmcp.NewDraft(st.Contact, "On my way, "+string(id)), Name: st.Contact.Name, State: smsmcp.Waiting, Only: smsmcp.Voice, By: "phone",
				Scope: smsmcp.CallScope + "1", Strong: true, Reasons: []smsmcp.Reason{{Rule: guard.RuleReadBack}}, Kind: smsmcp.SMS, Segments: 1, Created: now, Expires: now.Add(time.Hour),
			}}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.Answer(t.Context(), now, "aaaaaaaaaa", func(smsmcp.Send) guard.Need { return guard.Need{} }, func(x smsmcp.Send, _ guard.State) smsmcp.Send {
		x.State, x.Answered, x.Reserved, x.ConfirmedBy, x.Answer = smsmcp.Reserved, now, now, smsmcp.Voice, untrusted.New("yes»\n\x1b[2J\u202esend «it")
		return x
	})
	if err == nil {
		_, err = s.Record(t.Context(), "aaaaaaaaaa", smsmcp.Outcome{State: smsmcp.Done, At: now, Reached: true})
	}
	if err != nil || s.Close() != nil {
		t.Fatal(err)
	}
	out := h.ok("sends")
	if !strings.Contains(out, `voice, «yes" [2Jsend "it»`) || !strings.Contains(out, "read back to you on a call") || strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("%q", out)
	}
	out = h.ok("sends", "--json")
	if !strings.Contains(out, `"outcome":"sent","reasons":["read_back"],"confirmed_by":"voice","answer":"yes\" [2Jsend \"it"}`) || !strings.Contains(out, `"confirmed_by":"","answer":""}`) {
		t.Errorf("%q", out)
	}
	if out := h.ok("pending"); strings.Contains(out, "bbbbbbbbbb") {
		t.Error(out)
	}
	h.refused("drafted on a call", "approve", "bbbbbbbbbb")
	if out := h.ok("deny", "bbbbbbbbbb"); !strings.Contains(out, "not sent") { // a no is anybody's to give
		t.Error(out)
	}
}
