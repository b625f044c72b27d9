package owner

import (
	"errors"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
)

// lost approves a text whose answer from the carrier is lost, and gives it.
func (w *world) lost(body string) Send {
	w.t.Helper()
	s := w.wait(body)
	w.carrier.fail = errors.New("the line broke")
	s, err := Approve.Do(w.t.Context(), w.client, Answer{ID: s.ID, Digest: s.Digest}, good)
	w.carrier.fail = nil
	if err != nil || s.State != smsmcp.Unknown {
		w.t.Fatalf("%+v %v", s, err)
	}
	return s
}

func TestInvariant07TheOwnerSettlesWhatNobodyKnows(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	ctx := t.Context()
	for _, sent := range []bool{false, true} {
		s := w.lost("See you at 6.")
		if _, err := Settle.Do(ctx, w.client, Settlement{ID: s.ID, Sent: sent}, ""); !is(err, CodePassphrase) {
			t.Errorf("without a passphrase: %v", err)
		}
		all, err := ListUnknown.Do(ctx, w.client, None{}, "")
		if err != nil || len(all) != 1 || all[0].ID != s.ID {
			t.Errorf("unknown: %+v %v", all, err)
		}
		want := smsmcp.Failed
		if sent {
			want = smsmcp.Done
		}
		got, err := Settle.Do(ctx, w.client, Settlement{ID: s.ID, Sent: sent}, good)
		if err != nil || got.State != want || got.Failure != smsmcp.OwnerSaid {
			t.Errorf("%+v %v", got, err)
		}
		if all, err := ListUnknown.Do(ctx, w.client, None{}, ""); err != nil || len(all) != 0 {
			t.Errorf("still unknown: %+v %v", all, err)
		}
		if _, err := Settle.Do(ctx, w.client, Settlement{ID: s.ID, Sent: !sent}, good); !is(err, CodeSettled) {
			t.Errorf("settled twice: %v", err)
		}
		// What failed by the owner's word may be asked for again, though it counts.
		w.pass(time.Minute)
	}
	p, err := w.store.Texts(ctx, smsmcp.Query{Limit: 10})
	if err != nil || len(p.Rows) != 1 {
		t.Errorf("%d texts, %v", len(p.Rows), err)
	}
	absent := w.lost("It may be late in the list.")
	if _, err := w.store.Record(ctx, absent.ID, smsmcp.Outcome{State: smsmcp.Failed, At: w.now(), Failure: smsmcp.NotListed}); err != nil {
		t.Fatal(err)
	}
	waits := w.wait("Another one.")
	for id, code := range map[smsmcp.SendID]Code{waits.ID: CodeSettled, absent.ID: CodeSettled, "aaaaaaaaaa": CodeNoSend} {
		if _, err := Settle.Do(ctx, w.client, Settlement{ID: id, Sent: true}, good); !is(err, code) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// TestSettleTakesTheListedText: a text that the carrier lists, and that was too doubtful to be taken for it, is not in the list twice.
func TestSettleTakesTheListedText(t *testing.T) {
	w := newWorld(t, false)
	s := w.lost("See you at 6.")
	text := func(id, body string, at time.Duration) smsmcp.Text {
		return smsmcp.Text{
			Key: smsmcp.Key{Carrier: "fake", Kind: smsmcp.SMS, ID: id}, Direction: smsmcp.Sent, Peer: smsmcp.NumberPeer(s.Number),
			Body: untrusted.New(body), At: w.now().Add(at), Delivery: "delivered",
		}
	}
	if _, err := w.store.StoreTexts(t.Context(), w.now(), []smsmcp.Text{
		text("1", "see you at 6", -5*time.Minute), text("2", "See you at 7.", time.Second), text("3", "See you at 6.", 3*time.Hour),
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := Settle.Do(t.Context(), w.client, Settlement{ID: s.ID, Sent: true}, ""); err != nil || got.Delivery != "delivered" {
		t.Errorf("%+v %v", got, err)
	}
	got, err := w.store.Send(t.Context(), s.ID)
	if err != nil || got.Key.ID != "1" {
		t.Errorf("%+v %v", got.Key, err)
	}
	if p, err := w.store.Texts(t.Context(), smsmcp.Query{Limit: 10}); err != nil || len(p.Rows) != 3 {
		t.Errorf("%d texts, %v", len(p.Rows), err)
	}
}

// TestInvariant07SettleLeavesAloneWhatIsOnItsWay: a send that is being handed over has its outcome in a moment, also where a server that was started meanwhile took it for cut short; one that
// never got it is left over.
func TestInvariant07SettleLeavesAloneWhatIsOnItsWay(t *testing.T) {
	for _, givenUp := range []bool{false, true} {
		w := newWorld(t, false)
		w.wait("makes the contact")
		all, err := w.store.Contacts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.store.Begin(t.Context(), w.now(), smsmcp.Recipient{ID: all[0].ID}, guard.Need{}, func(guard.State) smsmcp.Ruling {
			return smsmcp.Ruling{Insert: &smsmcp.Send{
				ID: "flies", Draft: smsmcp.NewDraft(all[0], "hi"), Name: "Marie", State: smsmcp.Reserved, Kind: smsmcp.SMS, Segments: 1, Created: w.now(), Reserved: w.now(),
			}}
		}); err != nil {
			t.Fatal(err)
		}
		if givenUp {
			if n, err := w.store.Recover(t.Context(), w.now()); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		for _, c := range []struct {
			pass time.Duration
			left bool
		}{{0, false}, {leftOver, false}, {time.Millisecond, true}} {
			w.pass(c.pass)
			list, err := ListUnknown.Do(t.Context(), w.client, None{}, "")
			if err != nil || (len(list) == 1) != (c.left || givenUp) {
				t.Errorf("given up %v, left over %v: %+v %v", givenUp, c.left, list, err)
			}
			for _, sent := range []bool{true, false} {
				if c.left && sent {
					continue
				}
				_, err = Settle.Do(t.Context(), w.client, Settlement{ID: "flies", Sent: sent}, "")
				if c.left != (err == nil) || !c.left && !is(err, CodeInFlight) {
					t.Errorf("given up %v, left over %v: %v", givenUp, c.left, err)
				}
			}
		}
	}
}
