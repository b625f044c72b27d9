package checkup

import (
	"context"
	"errors"

	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
)

// ntfy looks whether ntfy answers, whether it knows the token, and whether the topic is closed to all who have none.
func (e *examination) ntfy(ctx context.Context) {
	check := lang.DoctorNtfy
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
		e.add(Warn, check, lang.DoctorNtfyOpen, e.o.Ntfy.Topic)
	default:
		e.add(OK, check, lang.DoctorNtfyOK, e.o.Ntfy.Topic)
	}
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
		e.add(Fail, lang.DoctorNtfy, lang.DoctorNtfyConfig)
		return
	}
	e.say(Fail, lang.DoctorNtfy, code(err), lang.Ntfy)
}
