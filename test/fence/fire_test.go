package fence

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
)

const goroutines, each = 64, 2

// fire is a child that sends from many goroutines at once, as soon as it is told to.
func fire(ctx context.Context, o order) error {
	p, err := start(ctx, o)
	if err != nil {
		return err
	}
	// The log is read once before the others write to it: nobody may go on counting from what was read then.
	if _, err := p.door.Send(ctx, dispatch.Request{To: people[0], Body: o.Name + ", first", By: "test", Scope: smsmcp.MCP}); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.ReadFull(os.Stdin, make([]byte, 1)); err != nil {
		return err
	}
	errs := make(chan error, goroutines*each)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for n := range each {
				_, err := p.door.Send(ctx, dispatch.Request{
					To: people[(g+n)%len(people)], Body: fmt.Sprintf("%s, goroutine %d, text %d", o.Name, g, n), By: "test", Scope: smsmcp.MCP,
				})
				if err != nil {
					errs <- fmt.Errorf("goroutine %d: %w", g, err)
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		return err
	}
	return p.close()
}

func TestInvariant09TwoProcessesShareOneLimit(t *testing.T) {
	for confirm, want := range map[string]int{guard.ConfirmNever: perHour, guard.ConfirmAuto: unconfirmed, guard.ConfirmAlways: 0} {
		t.Run(confirm, func(t *testing.T) {
			dir := newFolder(t)
			one := spawn(t, order{Do: "fire", Dir: dir, Confirm: confirm, Name: "one"})
			two := spawn(t, order{Do: "fire", Dir: dir, Confirm: confirm, Name: "two"})
			one.hear(t, "ready")
			two.hear(t, "ready")
			for _, c := range []*child{one, two} {
				_, err := c.in.Write([]byte("!"))
				must(t, err)
			}
			one.finish(t)
			two.finish(t)

			out := wentOut(t, dir)
			if len(out) != want {
				t.Errorf("%d texts went out; the limit is %d", len(out), want)
			}
			by := map[string]int{}
			for _, s := range out {
				by[s.Body]++
				if by[s.Body] > 1 {
					t.Errorf("%q went out twice", s.Body)
				}
			}
			p, err := start(t.Context(), order{Dir: dir})
			must(t, err)
			defer p.close()
			sends, err := p.store.Sends(t.Context(), 10_000)
			must(t, err)
			states := map[smsmcp.SendState]int{}
			for _, s := range sends {
				states[s.State]++
				if s.State == smsmcp.Done && by[s.Draft.Body()] != 1 {
					t.Errorf("%q is logged as sent, and did not go out", s.Draft.Body())
				}
			}
			t.Logf("%d attempts: %v", len(sends), states)
			if states[smsmcp.Done] != want || len(sends) != 2*(goroutines*each+1) || states[smsmcp.Waiting] > 3 || states[smsmcp.Unknown]+states[smsmcp.Reserved]+states[smsmcp.Failed] > 0 {
				t.Errorf("the log holds %d attempts: %v", len(sends), states)
			}
		})
	}
}
