package dispatch

import (
	"context"
	"fmt"
	"time"

	"readback/smsmcp"
)

// look is how often Await looks. The log is asked, and not this door's memory: an answer may come by another process.
const look = 200 * time.Millisecond

// Await gives a send once it is over, or as it stands when ctx ends. It changes nothing.
func (d *Door) Await(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		s, err := d.Ledger.Send(context.WithoutCancel(ctx), id)
		if err != nil {
			return s, fmt.Errorf("look at the send: %w", err)
		}
		if s.State != smsmcp.Waiting && s.State != smsmcp.Reserved {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return s, nil
		case <-tick.C:
		}
	}
}
