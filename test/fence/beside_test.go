package fence

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
)

// stepwise is a carrier that says where it is, and waits there to be told to go on.
type stepwise struct {
	smsmcp.Carrier
	in   *bufio.Reader
	stop string
}

func (s stepwise) at(where string) {
	if s.stop == where {
		fmt.Println(where)
		_, _ = s.in.ReadString('\n')
	}
}

func (s stepwise) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	s.at("before")
	r, err := s.Carrier.Send(ctx, to, body)
	s.at("after")
	return r, err
}

// work is a child that works beside the server: it sends one text, where it is told to stop somewhere, and else texts to the limit.
func work(ctx context.Context, o order) error {
	o.Beside = true
	p, err := start(ctx, o)
	if err != nil {
		return err
	}
	d := p.door.Options
	d.Timeout = time.Minute
	d.Carrier = stepwise{p.carrier, bufio.NewReader(os.Stdin), o.Stop}
	p.door = dispatch.New(d)
	fmt.Println("ready")
	for n := 0; ; n++ {
		s, err := p.send(ctx, people[n%len(people)], fmt.Sprint(o.Name, ", text ", n))
		if err != nil {
			return err
		}
		fmt.Println("ended", s.State)
		if o.Stop != "" || s.State != smsmcp.Done {
			return p.close()
		}
	}
}

// older is well above what a child's hand-over may take, were it alive.
const older = 2 * time.Minute

// server is what runs beside the children.
func server(t *testing.T, dir string, ahead time.Duration) *program {
	t.Helper()
	p, err := start(t.Context(), order{Dir: dir, Confirm: guard.ConfirmNever, Ahead: ahead})
	must(t, err)
	return p
}

// gone has the server look for what a process left that is gone, twice, with the time between that it takes to say so.
func (p *program) gone(t *testing.T) (all []smsmcp.Send) {
	t.Helper()
	for _, now := range []time.Time{p.now(), p.now().Add(older)} {
		found, err := p.store.RecoverStale(t.Context(), now, older)
		must(t, err)
		all = append(all, found...)
	}
	return all
}

func (p *program) state(t *testing.T, body string) smsmcp.Send {
	t.Helper()
	all, err := p.store.Sends(t.Context(), 1000)
	must(t, err)
	for _, s := range all {
		if s.Draft.Body() == body {
			return s
		}
	}
	return smsmcp.Send{}
}

// TestInvariant07AServerThatStartsBesideALiveWorker takes what that hands over for cut short. The worker's own word of it is taken all the same, and meanwhile nobody sends the words anew.
func TestInvariant07AServerThatStartsBesideALiveWorker(t *testing.T) {
	for _, stop := range []string{"before", "after"} {
		dir := newFolder(t)
		c := spawn(t, order{Do: "work", Dir: dir, Confirm: guard.ConfirmNever, Name: "worker", Stop: stop})
		c.hear(t, stop)
		p := server(t, dir, 0)
		body := "worker, text 0"
		if n, err := p.store.Recover(t.Context(), p.now()); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if s := p.state(t, body); s.State != smsmcp.Unknown || s.Failure != smsmcp.Interrupted {
			t.Errorf("%s: %s, %s", stop, s.State, s.Failure)
		}
		must(t, p.box.Sync(t.Context()))
		if s := p.state(t, body); s.State != map[string]smsmcp.SendState{"before": smsmcp.Unknown, "after": smsmcp.Done}[stop] {
			t.Errorf("%s: once the carrier was asked it is %s", stop, s.State)
		}
		if stop == "before" {
			if s, err := p.send(t.Context(), people[0], body); err != nil || s.State != smsmcp.Refused {
				t.Errorf("the words go again: %s, %v", s.State, err)
			}
		}
		_, err := c.in.Write([]byte("go on\n"))
		must(t, err)
		if said := c.hear(t, "ended"); said != string(smsmcp.Done) {
			t.Errorf("%s: the worker says %s", stop, said)
		}
		c.finish(t)
		all, err := p.store.Sends(t.Context(), 10)
		must(t, err)
		if s := all[len(all)-1]; s.State != smsmcp.Done || s.Key.ID == "" || s.Failure != "" {
			t.Errorf("%s: the log says %s, %q, %s", stop, s.State, s.Key.ID, s.Failure)
		}
		if out := wentOut(t, dir); len(out) != 1 {
			t.Errorf("%s: %d texts", stop, len(out))
		}
		must(t, p.close())
	}
}

// TestInvariant07WhatAKilledWorkerHandedOverIsUnknownWithoutARestart of the server, and the list says what became of it.
func TestInvariant07WhatAKilledWorkerHandedOverIsUnknownWithoutARestart(t *testing.T) {
	for stop, want := range map[string]smsmcp.SendState{"before": smsmcp.Failed, "after": smsmcp.Done} {
		dir := newFolder(t)
		p := server(t, dir, 0)
		c := spawn(t, order{Do: "work", Dir: dir, Confirm: guard.ConfirmNever, Name: "worker", Stop: stop})
		c.hear(t, stop)
		must(t, c.cmd.Process.Kill())
		_ = c.cmd.Wait()
		body := "worker, text 0"
		if gone := p.gone(t); len(gone) != 1 || gone[0].Draft.Body() != body || gone[0].State != smsmcp.Unknown {
			t.Fatalf("%s: %+v", stop, gone)
		}
		if s, err := p.send(t.Context(), people[0], body); err != nil || s.State != smsmcp.Refused {
			t.Errorf("%s: the words go again: %s, %v", stop, s.State, err)
		}
		must(t, p.close())
		p = server(t, dir, 16*time.Minute) // once the list would have it
		must(t, p.box.Sync(t.Context()))
		all, err := p.store.Sends(t.Context(), 10)
		must(t, err)
		if s := all[len(all)-1]; s.State != want {
			t.Errorf("%s: the log says %s", stop, s.State)
		}
		if again, err := p.send(t.Context(), people[0], body+" again"); err != nil || again.State != smsmcp.Done {
			t.Errorf("%s: %s, %v", stop, again.State, err)
		}
		if out := wentOut(t, dir); len(out) != map[smsmcp.SendState]int{smsmcp.Failed: 1, smsmcp.Done: 2}[want] {
			t.Errorf("%s: %d texts", stop, len(out))
		}
		must(t, p.close())
	}
}

// TestInvariant07WorkersThatAreKilledBesideAServer leave nothing reserved, nothing twice and nothing that went and is not in the log, while the server syncs and sends.
func TestInvariant07WorkersThatAreKilledBesideAServer(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, seed))
	dir := newFolder(t)
	given := 0
	for round := range rounds {
		ahead := time.Duration(round/2) * 61 * time.Minute
		p := server(t, dir, ahead)
		c := spawn(t, order{Do: "work", Dir: dir, Confirm: guard.ConfirmNever, Name: fmt.Sprint("round ", round), Ahead: ahead})
		c.hear(t, "ready")
		stop, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			var err error
			for n := 0; err == nil; n++ {
				select {
				case <-stop:
					ended <- nil
					return
				default:
				}
				err = p.box.Sync(context.Background())
				if n%4 == 0 && err == nil {
					_, err = p.send(context.Background(), people[n%len(people)], fmt.Sprint("server ", round, ", text ", n))
				}
			}
			ended <- err
		}()
		pause := time.NewTimer(time.Duration(chance.Int64N(int64(40 * time.Millisecond))))
		<-pause.C
		must(t, c.cmd.Process.Kill())
		_ = c.cmd.Wait()
		if c.cmd.ProcessState.ExitCode() > 0 {
			t.Fatalf("round %d: %s", round, c.errors.String())
		}
		close(stop)
		must(t, <-ended)
		given += len(p.gone(t))
		if open, err := p.store.Unsettled(t.Context()); err != nil {
			t.Error(err)
		} else {
			for _, s := range open {
				if s.State == smsmcp.Reserved {
					t.Errorf("round %d: %s is still reserved", round, s.ID)
				}
			}
		}
		must(t, p.close())
	}
	p := server(t, dir, time.Duration(rounds)*61*time.Minute)
	must(t, p.box.Sync(t.Context()))
	sends, err := p.store.Sends(t.Context(), 1_000_000)
	must(t, err)
	logged := map[string]string{}
	for _, s := range sends {
		switch s.State {
		case smsmcp.Done:
			logged[s.Key.ID] = s.Draft.Body()
		case smsmcp.Reserved, smsmcp.Unknown, smsmcp.Waiting:
			t.Errorf("%s is still %s", s.ID, s.State)
		}
	}
	out := wentOut(t, dir)
	times := map[string]int{}
	for _, s := range out {
		if times[s.Body]++; times[s.Body] > 1 {
			t.Errorf("%q went out twice", s.Body)
		}
		if logged[s.ID] != s.Body {
			t.Errorf("%q went out and is not in the log", s.Body)
		}
	}
	t.Logf("%d kills; %d texts went out; %d sends were given up", rounds, len(out), given)
	if len(out) != len(logged) || len(out) == 0 {
		t.Errorf("%d texts went out, %d are logged as sent", len(out), len(logged))
	}
	must(t, p.close())
}
