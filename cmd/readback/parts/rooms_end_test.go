package parts

import (
	"context"
	"errors"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/store/talks"
	"readback/voice"
	"readback/voice/room"
	"readback/voice/worker"
)

// TestSigningOutEndsTheCallsOfTheBrowser: those that go on, one that has taken its pass and is not led yet, and none that comes by telephone; and no pass from before is good any more.
func TestSigningOutEndsTheCallsOfTheBrowser(t *testing.T) {
	a := inRooms(t, nil)
	add := func(name string) {
		t.Helper()
		if err := a.rooms.passes.Add(t.Context(), time.Now(), name, "owner-of-"+name); err != nil {
			t.Fatal(err)
		}
	}
	type call struct {
		owner bool
		ended chan error
	}
	begun := make(chan call)
	joining(t, a.rooms, voice.CallerID{Line: "livekit"})
	a.rooms.lead = func(ctx context.Context, _ roomLeg, owner bool) {
		c := call{owner, make(chan error, 1)}
		begun <- c
		<-ctx.Done()
		c.ended <- context.Cause(ctx)
	}
	whole, stop := context.WithCancel(t.Context())
	defer stop()
	leads := func(name string) call {
		go func() {
			_ = a.rooms.take(whole, worker.Job{ID: "readback-x", SID: "RM_" + name, Room: name, Token: "x"})
		}()
		select {
		case c := <-begun:
			return c
		case <-time.After(time.Minute):
			t.Fatal("no call")
		}
		return call{}
	}
	ends := func(c call) {
		t.Helper()
		select {
		case err := <-c.ended:
			if !errors.Is(err, errSignedOut) {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("the call goes on")
		}
	}
	add("talk-a")
	add("talk-b")
	browser, phone := leads("talk-a"), leads("call-1")
	if !browser.owner || phone.owner {
		t.Fatal(browser.owner, phone.owner)
	}
	if err := a.rooms.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	ends(browser)
	if _, err := a.rooms.passes.Take(t.Context(), time.Now(), "talk-b"); !errors.Is(err, talks.ErrNone) {
		t.Errorf("a pass from before is good: %v", err)
	}
	select {
	case <-phone.ended:
		t.Error("the call of a telephone ended")
	default:
	}

	// Signed out between the pass and the room.
	add("talk-c")
	join := a.rooms.join
	a.rooms.join = func(ctx context.Context, o room.Options) (roomLeg, error) {
		if err := a.rooms.End(ctx); err != nil {
			t.Error(err)
		}
		return join(ctx, o)
	}
	ends(leads("talk-c"))
	a.rooms.join = join

	// What is begun afterwards goes on until its own end.
	add("talk-d")
	next := leads("talk-d")
	stop()
	for _, c := range []call{next, phone} {
		select {
		case err := <-c.ended:
			if errors.Is(err, errSignedOut) {
				t.Error("a call ended that was begun after the sign-out, or by telephone")
			}
		case <-time.After(time.Minute):
			t.Fatal("a call goes on")
		}
	}
}

// TestAnotherPassphraseEndsTheCallsThatWorkersLead also where no page is served, as where a command sets it.
func TestAnotherPassphraseEndsTheCallsThatWorkersLead(t *testing.T) {
	a := inRooms(t, func(c *config.Config) { c.PublicURL = "https://texts.example.com" })
	table := talks.New(a.Store.DB())
	for i, served := range []bool{true, false} {
		if !served {
			a.page = nil
		}
		if a.signOut(); a.page != nil != served {
			t.Fatal(a.page)
		}
		if n, err := table.Ends(t.Context()); err != nil || n != int64(i+1) {
			t.Errorf("served: %v: %d, %v", served, n, err)
		}
	}
}
