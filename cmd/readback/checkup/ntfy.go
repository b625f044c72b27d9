package checkup

import (
	"context"
	"errors"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
	"readback/smsmcp/ntfy"
)

// ntfy looks whether ntfy answers, whether it knows the token, and whether the topic is closed to all who have none.
func (e *examination) ntfy(ctx context.Context) {
	check := finding.Ntfy
	open, err := e.asks(ctx, false)
	if open {
		if !e.o.AnyoneCanRead {
			e.failedNtfy(err)
			return
		}
		_, err = e.asks(ctx, true)
	}
	switch {
	case err != nil:
		e.failedNtfy(err)
	case open:
		e.add(Warn, check, finding.NtfyOpen, e.o.Ntfy.Topic)
	case e.writable(ctx):
		e.add(Warn, check, finding.NtfyWritable, e.o.Ntfy.Topic)
	default:
		e.add(OK, check, finding.NtfyOK, e.o.Ntfy.Topic)
	}
}

// writable says whether anyone is known to be able to write to the topic of texts. Where that cannot be asked, the rest was.
func (e *examination) writable(ctx context.Context) bool {
	client, err := ntfy.NewClient(*e.o.Ntfy)
	if err != nil {
		return false
	}
	defer client.Close()
	open, err := client.AnyoneMayWrite(ctx)
	return err == nil && open
}

// approvals looks whether the topic for approvals is closed to all who have no token.
func (e *examination) approvals(ctx context.Context) {
	check := finding.Approvals
	topic, err := ntfy.NewApprovals(*e.o.Approvals)
	if err != nil {
		e.add(Fail, check, finding.NtfyConfig)
		return
	}
	defer topic.Close()
	if err := topic.Check(ctx); err != nil {
		e.say(Fail, check, code(err), lang.Ntfy)
		return
	}
	if reads, err := topic.TokenReads(ctx); err == nil && reads {
		e.add(Warn, check, finding.ApprovalsReads, e.o.Approvals.Topic)
		return
	}
	e.add(OK, check, finding.ApprovalsOK, e.o.Approvals.Topic)
}

// asks checks, and says whether anyone can read the topic.
func (e *examination) asks(ctx context.Context, openIsFine bool) (open bool, err error) {
	c := *e.o.Ntfy
	c.AnyoneMayRead = openIsFine
	client, err := ntfy.NewClient(c)
	if err != nil {
		return false, errConfig
	}
	defer client.Close()
	err = client.Check(ctx)
	return errors.Is(err, ntfy.ErrAnonymous), err
}

var errConfig = errors.New("the configuration is not right")

func (e *examination) failedNtfy(err error) {
	if errors.Is(err, errConfig) {
		e.add(Fail, finding.Ntfy, finding.NtfyConfig)
		return
	}
	e.say(Fail, finding.Ntfy, code(err), lang.Ntfy)
}
