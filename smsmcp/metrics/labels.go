package metrics

import (
	"slices"
	"sync"

	"readback/smsmcp"
)

const (
	other     = "other"
	mostCodes = 64 // of one metric: more than the program has, few enough for Prometheus
)

// labels says which values one label may have.
type labels struct {
	set   []string // nil for codes
	mu    sync.Mutex
	codes map[string]bool
}

// known gives a label as it may be shown.
func (l *labels) known(s string) string {
	if l.set != nil {
		if slices.Contains(l.set, s) {
			return s
		}
		return other
	}
	if !code(s) {
		return other
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.codes[s] {
		if len(l.codes) >= mostCodes {
			return other
		}
		l.codes[s] = true
	}
	return s
}

// code says whether this is a code already: [a-z_]{1,40}.
func code(s string) bool {
	return s == smsmcp.Reduce(s)
}

// The closed sets. Tests compare the carriers and the channels with those that there are.
var (
	carriers = []string{"phone", "sandbox", "sipmsg", "voipms"}
	verdicts = []string{"allow", "confirm", "deny"}
	states   = []string{
		string(smsmcp.Refused), string(smsmcp.Declined), string(smsmcp.Expired), string(smsmcp.Cancelled), string(smsmcp.Void),
		string(smsmcp.Done), string(smsmcp.Failed), string(smsmcp.Unknown),
	}
	holds   = []string{string(smsmcp.HoldStranger), string(smsmcp.HoldAlarm)}
	answers = []string{string(smsmcp.CommandLine), string(smsmcp.Phone), string(smsmcp.PageChannel), string(smsmcp.Voice), string(smsmcp.Elicitation), string(smsmcp.Card), string(smsmcp.Declined), string(smsmcp.Expired)}
	kinds   = []string{"text", "summary", "name"}
	callers = []string{"owner", "stranger"}
	endings = []string{"caller", "agent", "silence", "too_long", "fault", "shut_down"}
)
