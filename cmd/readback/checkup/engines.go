package checkup

import (
	"context"
	"errors"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
)

// Engine is one of what hears, speaks and thinks on a call.
type Engine struct {
	Check lang.Message                              // what it is for
	Ask   func(ctx context.Context) (string, error) // who answers there, in a known form, may be empty; or why nobody does
	Say   func(l lang.Lang, err error) string       // what is wrong, in a sentence; "" where it does not know
}

// Engines asks each of the phone's engines whether it is there.
func Engines(ctx context.Context, all []Engine) []Finding {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e := &examination{}
	for _, one := range all {
		who, err := one.Ask(ctx)
		switch {
		case err != nil:
			e.found = append(e.found, Finding{Fail, one.Check, func(l lang.Lang) string { return broken(l, one, err) }})
		case who == "":
			e.add(OK, one.Check, finding.EngineOK)
		default:
			e.add(OK, one.Check, finding.EngineIs, who)
		}
	}
	return e.found
}

func broken(l lang.Lang, e Engine, err error) string {
	if said := e.Say(l, err); said != "" {
		return said
	}
	var coded smsmcp.Coded
	if errors.As(err, &coded) {
		return finding.EngineCode.In(l, smsmcp.Reduce(coded.Code()))
	}
	return finding.EngineCode.In(l, "no_clear_answer")
}
