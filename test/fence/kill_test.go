package fence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
)

// serve is a child that lives as the server does: it recovers what an earlier one left, syncs all the time, and sends until the limit
// stops it. One goroutine's in two are drafts of a call, which go once their yes was spoken. It insists on what a model under an attacker's thumb would: texts of
// which nobody knows whether they went are tried again, and a yes is said again.
func serve(ctx context.Context, o order) error {
	p, err := start(ctx, o)
	if err != nil {
		return err
	}
	recovered, err := p.store.Recover(ctx, p.now())
	if err != nil {
		return err
	}
	fmt.Println("recovered", recovered)
	doubtful, err := p.store.Unsettled(ctx)
	if err != nil {
		return err
	}
	for _, s := range doubtful {
		a, err := p.send(ctx, s.Name, s.Draft.Body())
		if err != nil {
			return err
		}
		if a.State != smsmcp.Refused {
			return fmt.Errorf("%q is unknown, and was sent again: %s", s.Draft.Body(), a.State)
		}
		if again, err := p.say(ctx, s); err != nil || again.State != smsmcp.Unknown {
			return fmt.Errorf("the yes to %q was taken twice: %s, %w", s.Draft.Body(), again.State, err)
		}
	}
	if err := p.box.Sync(ctx); err != nil {
		return err
	}
	fmt.Println("ready")
	if err := p.again(ctx); err != nil {
		return err
	}
	var errs [9]error
	var all sync.WaitGroup
	done, stop := context.WithCancel(ctx)
	all.Go(func() { // lists while sends are in flight: a text may be listed before it is recorded
		for done.Err() == nil && errs[8] == nil {
			if err := p.box.Sync(done); err != nil && done.Err() == nil {
				errs[8] = err
			}
		}
	})
	var senders sync.WaitGroup
	for g := range 8 {
		senders.Go(func() {
			for n := 0; ; n++ {
				send := p.send
				if g%2 == 1 {
					send = p.speak
				}
				s, err := send(ctx, people[(g+n)%len(people)], fmt.Sprintf("%s, goroutine %d, text %d", o.Name, g, n))
				if err != nil || s.State != smsmcp.Done {
					errs[g] = err
					return
				}
			}
		})
	}
	senders.Wait()
	stop()
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	fmt.Println("idle")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent lets go
	return p.close()
}

func (p *program) send(ctx context.Context, to, body string) (smsmcp.Send, error) {
	a, err := p.door.Send(ctx, dispatch.Request{To: to, Body: body, By: "test", Scope: smsmcp.MCP})
	return a.Send, err
}

// speak drafts a text on a call of its own and says yes to it.
func (p *program) speak(ctx context.Context, to, body string) (smsmcp.Send, error) {
	for {
		a, err := p.door.Send(ctx, dispatch.Request{To: to, Body: body, By: "test", Scope: smsmcp.CallScope + smsmcp.Scope(body), Only: smsmcp.Voice})
		if err != nil || a.Send.State != smsmcp.Waiting {
			return a.Send, err
		}
		s, err := p.say(ctx, a.Send)
		if err != nil || s.State != smsmcp.Void { // else another goroutine's draft for that contact came in between
			return s, err
		}
	}
}

func (p *program) say(ctx context.Context, s smsmcp.Send) (smsmcp.Send, error) {
	return p.door.Spoken(ctx, s.ID, s.Draft.Digest(), untrusted.New("yes send it"))
}

// again sends once more what failed for certain.
func (p *program) again(ctx context.Context) error {
	sends, err := p.store.Sends(ctx, 200)
	if err != nil {
		return err
	}
	tried := map[string]bool{}
	for _, s := range sends { // newest first
		if body := s.Draft.Body(); !tried[body] {
			tried[body] = true
			if s.State == smsmcp.Failed {
				if _, err := p.send(ctx, s.Name, body); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func TestInvariant07And09KilledTwoHundredTimes(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, seed))
	dir := newFolder(t)
	var ahead time.Duration
	recovered, midway := 0, 0
	for round := range rounds {
		if round%3 == 0 { // two restarts within an hour, then a new hour
			ahead += 61 * time.Minute
		}
		c := spawn(t, order{Do: "serve", Dir: dir, Confirm: guard.ConfirmNever, Name: fmt.Sprintf("round %d", round), Ahead: ahead})
		before := len(wentOut(t, dir))
		early := chance.IntN(8) == 0
		if !early {
			n := 0
			fmt.Sscan(c.hear(t, "recovered"), &n)
			recovered += n
			c.hear(t, "ready")
		}
		pause := time.NewTimer(time.Duration(chance.Int64N(int64(60 * time.Millisecond))))
		<-pause.C
		must(t, c.cmd.Process.Kill())
		err := c.cmd.Wait()
		if c.cmd.ProcessState.Exited() { // by itself, and not by the signal
			t.Fatalf("round %d: %v %s", round, err, c.errors.String())
		}
		if n := len(wentOut(t, dir)) - before; n > 0 && n < perHour {
			midway++
		}
	}

	// A last one is let live, in the same hour, and one more an hour later settles what is left.
	for _, name := range []string{"last", "later"} {
		c := spawn(t, order{Do: "serve", Dir: dir, Confirm: guard.ConfirmNever, Name: name, Ahead: ahead})
		c.hear(t, "idle")
		c.finish(t)
		ahead += 61 * time.Minute
	}
	p, err := start(t.Context(), order{Dir: dir, Ahead: ahead})
	must(t, err)
	defer p.close()
	must(t, p.box.Sync(t.Context()))

	out := wentOut(t, dir)
	sends, err := p.store.Sends(t.Context(), 1_000_000)
	must(t, err)
	logged := map[string]smsmcp.Send{}
	states := map[smsmcp.SendState]int{}
	var counted []time.Time // when what counts against the limit was reserved
	notListed, spoken := 0, 0
	for _, s := range sends {
		states[s.State]++
		switch s.State {
		case smsmcp.Done:
			logged[s.Key.ID] = s
		case smsmcp.Failed:
			if s.Failure != smsmcp.NotListed {
				t.Errorf("%s failed: %s", s.ID, s.Failure)
			}
			notListed++
		case smsmcp.Reserved, smsmcp.Unknown:
			t.Errorf("%s is still %s", s.ID, s.State)
		}
		if s.State == smsmcp.Done && s.Only == smsmcp.Voice {
			if spoken++; s.ConfirmedBy != smsmcp.Voice || s.Answer.Len() == 0 {
				t.Errorf("%s went without a spoken yes", s.ID)
			}
		}
		if !s.Reserved.IsZero() {
			counted = append(counted, s.Reserved)
		}
	}
	t.Logf("%d kills, %d of them in the middle of sends; %d texts went out; %d sends were recovered as unknown, %d of these had not gone; log: %v",
		rounds, midway, len(out), recovered, notListed, states)

	times := map[string]int{}
	for _, s := range out {
		if times[s.Body]++; times[s.Body] > 1 {
			t.Errorf("%q reached the carrier twice", s.Body)
		}
		if l, ok := logged[s.ID]; !ok || l.Draft.Body() != s.Body || string(l.Draft.To()) != s.Number {
			t.Errorf("%q went out and is not in the log", s.Body)
		}
	}
	if len(logged) != len(out) {
		t.Errorf("%d texts went out, %d are logged as sent", len(out), len(logged))
	}
	listed := 0
	for q := (smsmcp.Query{Limit: 500, Strangers: true}); ; {
		page, err := p.store.Texts(t.Context(), q)
		must(t, err)
		for _, r := range page.Rows {
			if _, ok := logged[r.Text.Key.ID]; ok && r.Text.Direction == smsmcp.Sent {
				listed++
			}
		}
		if !page.Older {
			break
		}
		q.Before = smsmcp.Cursor{At: page.Rows[0].Text.At, ID: page.Rows[0].Text.ID}
	}
	if listed != len(out) {
		t.Errorf("%d texts went out, %d are in the list of texts", len(out), listed)
	}
	slices.SortFunc(counted, time.Time.Compare)
	most := 0
	for i := range counted {
		n := 1
		for i+n < len(counted) && counted[i+n].Sub(counted[i]) < time.Hour {
			n++
		}
		most = max(most, n)
	}
	if most != perHour {
		t.Errorf("%d sends within an hour; the limit is %d", most, perHour)
	}
	if spoken == 0 || spoken == len(out) {
		t.Errorf("%d of %d texts went by a spoken yes", spoken, len(out))
	}
	if !testing.Short() && (recovered < 5 || midway < 5) {
		t.Errorf("the kills hit too little: %d sends recovered, %d kills in the middle of sends", recovered, midway)
	}
}
