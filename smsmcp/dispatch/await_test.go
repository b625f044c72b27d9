package dispatch_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
)

// log answers with one send, whose state a test changes.
type sendLog struct {
	dispatch.Ledger
	state func() smsmcp.SendState
	err   error
}

func (l *sendLog) Send(context.Context, smsmcp.SendID) (smsmcp.Send, error) {
	return smsmcp.Send{ID: "abcdefghij", State: l.state()}, l.err
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		l := &sendLog{state: func() smsmcp.SendState {
			switch d := time.Since(begin); {
			case d < 3*time.Second:
				return smsmcp.Waiting
			case d < 4*time.Second:
				return smsmcp.Reserved // with the carrier: not over
			}
			return smsmcp.Done
		}}
		d := dispatch.New(dispatch.Options{Ledger: l})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if s, err := d.Await(ctx, "abcdefghij"); err != nil || s.State != smsmcp.Waiting || time.Since(begin) != 2*time.Second {
			t.Errorf("%+v, %v after %s", s, err, time.Since(begin))
		}
		if s, err := d.Await(t.Context(), "abcdefghij"); err != nil || s.State != smsmcp.Done || time.Since(begin) > 4500*time.Millisecond {
			t.Errorf("%+v, %v after %s", s, err, time.Since(begin))
		}
		l.err = smsmcp.ErrNoSend
		if _, err := d.Await(t.Context(), "abcdefghij"); !errors.Is(err, smsmcp.ErrNoSend) {
			t.Error(err)
		}
	})
}
