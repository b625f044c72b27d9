package confirm_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
)

// TestTheVoiceTakesItsYesBySpokenAlone: it makes no channel for other drafts (invariant 6), and answers them by no other way.
func TestTheVoiceTakesItsYesBySpokenAlone(t *testing.T) {
	d, on := &door{}, false
	desk := confirm.New(open(t), time.Now, slog.New(slog.DiscardHandler))
	desk.Bind(d)
	ctx, words := t.Context(), untrusted.New("yes send it")
	if _, err := desk.Spoken(ctx, "a", [32]byte{}, words); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a spoken yes where no line is open: %v", err)
	}
	if _, err := desk.No(ctx, "a", smsmcp.Voice); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a spoken no where no line is open: %v", err)
	}
	desk.Open(confirm.Channel{Name: smsmcp.Voice, Strong: true, Reachable: func() bool { return on }})
	if _, err := desk.Spoken(ctx, "b", [32]byte{}, words); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a spoken yes while the line is down: %v", err)
	}
	on = true
	if desk.Reachable(false) || desk.Reachable(true) {
		t.Error("a draft that is no call's would wait for a call")
	}
	if _, err := desk.Yes(ctx, "c", [32]byte{}, smsmcp.Voice); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a yes by voice without its words: %v", err)
	}
	if err := desk.Thaw(ctx, smsmcp.Voice); !errors.Is(err, confirm.ErrNoChannel) {
		t.Errorf("a call lifts a freeze: %v", err)
	}
	if _, err := desk.Spoken(ctx, "d", [32]byte{}, words); err != nil {
		t.Error(err)
	}
	on = false
	if _, err := desk.No(ctx, "e", smsmcp.Voice); err != nil { // it only tightens
		t.Error(err)
	}
	if err := desk.Freeze(ctx, smsmcp.Voice); err != nil {
		t.Error(err)
	}
	if want := []string{"spoken d yes send it", "no e voice"}; !slices.Equal(d.got, want) {
		t.Errorf("the door got %q, want %q", d.got, want)
	}
}

// TestADraftOfACallWaitsOnNoOtherDesk: it is listed nowhere, and it ends with its time all the same.
func TestADraftOfACallWaitsOnNoOtherDesk(t *testing.T) {
	s := open(t)
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	now := noon
	desk := confirm.New(s, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	var told []smsmcp.SendID
	desk.Tell(func(x smsmcp.Send) { told = append(told, x.ID) })
	c, err := s.AddContact(t.Context(), smsmcp.Contact{Name: "Marie", Numbers: []smsmcp.Number{"+15145550101"}, To: "+15145550101"}, func([]smsmcp.Contact) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for id, only := range map[smsmcp.SendID]smsmcp.Channel{"call": smsmcp.Voice, "other": smsmcp.NoChannel} {
		err := s.Begin(context.Background(), now, smsmcp.Recipient{ID: c.ID}, guard.Need{}, func(guard.State) smsmcp.Ruling {
			return smsmcp.Ruling{Insert: &smsmcp.Send{
				ID: id, Draft: smsmcp.NewDraft(c, "hi"), State: smsmcp.Waiting, Only: only, Created: now, Expires: now.Add(10 * time.Minute),
			}}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := desk.Waiting(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != "other" {
		t.Fatal(list, err)
	}
	now = noon.Add(10 * time.Minute)
	if list, err = desk.Waiting(t.Context()); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	if slices.Sort(told); !slices.Equal(told, []smsmcp.SendID{"call", "other"}) {
		t.Error(told)
	}
}
