package checkup_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"readback/cmd/readback/checkup"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
)

type coded string

func (c coded) Error() string { return "the words of a stranger" }
func (c coded) Code() string  { return string(c) }

// TestEngines: each engine is one finding, and none repeats what an engine said.
func TestEngines(t *testing.T) {
	one := func(who string, err error, says string) checkup.Engine {
		return checkup.Engine{
			Check: finding.Hears, Ask: func(context.Context) (string, error) { return who, err },
			Say: func(lang.Lang, error) string { return says },
		}
	}
	for i, f := range checkup.Engines(t.Context(), []checkup.Engine{
		one("piper 1.6", nil, ""), one("", nil, ""), one("", coded("x"), "Look at it."), one("", coded("Bad Code!"), ""), one("", errors.New("the words of a stranger"), ""),
	}) {
		want := []struct {
			status checkup.Status
			said   string
		}{{checkup.OK, "piper 1.6"}, {checkup.OK, "answers"}, {checkup.Fail, "Look at it."}, {checkup.Fail, "bad_code_"}, {checkup.Fail, "no_clear_answer"}}[i]
		if got := f.In(lang.EN); f.Status != want.status || !strings.Contains(got, want.said) || strings.Contains(got, "stranger") {
			t.Errorf("%d: %v %q", i, f.Status, got)
		}
	}
}
