package guard

import (
	"time"

	"readback/smsmcp"
)

// The codes of the rules on asking, and of those that ask always.
const (
	RuleReadBack  smsmcp.Rule = "read_back"
	RuleAlways    smsmcp.Rule = "always_ask"
	RuleNewHost   smsmcp.Rule = "new_host"
	RuleQuiet     smsmcp.Rule = "quiet_hours"
	RuleWaiting   smsmcp.Rule = "too_many_waiting"
	RuleAsks      smsmcp.Rule = "too_many_asks"
	RulePause     smsmcp.Rule = "paused_after_no"
	RuleNoChannel smsmcp.Rule = "no_channel"
	RuleWeak      smsmcp.Rule = "channel_too_weak"
)

// Ask says whether the owner may be asked now, once the verdict is Confirm: nil if so, else why not. It is not for drafts with an Attempt.Only. waiting is how many sends wait already,
// those that this one replaces left out. It keeps a fooled model from wearing the owner down until a yes comes by habit.
func (g Settings) Ask(s State, waiting int, now time.Time) (out []smsmcp.Reason) {
	if waiting >= g.MaxWaiting {
		out = append(out, smsmcp.Reason{Rule: RuleWaiting, Count: waiting, Limit: g.MaxWaiting})
	}
	asked := make([]Past, len(s.Asked))
	for i, at := range s.Asked {
		asked[i].At = at
	}
	if r, is := over(asked, g.AsksPerHour, hour, now, every); is {
		r.Rule = RuleAsks
		out = append(out, r)
	}
	if len(s.Answers) >= 2 && !s.Answers[0].Yes && !s.Answers[1].Yes && within(s.Answers[0].At, g.PauseAfterNo, now) {
		out = append(out, smsmcp.Reason{Rule: RulePause, Until: s.Answers[0].At.Add(g.PauseAfterNo)})
	}
	return out
}

// readBack asks for every text that was drafted on a call, also where nobody is asked otherwise: who speaks there is heard through a model, and what it understood is
// read back before it goes (invariant 10).
func readBack(_ Settings, a Attempt, _ State, _ time.Time) []smsmcp.Reason {
	if a.Only == smsmcp.NoChannel {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleReadBack})
}

// always asks for every text, where the owner chose that.
func always(g Settings, _ Attempt, _ State, _ time.Time) []smsmcp.Reason {
	if g.Confirm != ConfirmAlways {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleAlways})
}

// newHost asks before a link to a host that no sent text ever held: that is how words leave by a URL.
func newHost(g Settings, _ Attempt, s State, _ time.Time) []smsmcp.Reason {
	if !g.NewHosts || len(s.NewHosts) == 0 {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleNewHost})
}

// quiet asks in the quiet hours, by the owner's wall clock; a span may cross midnight.
func quiet(g Settings, _ Attempt, _ State, now time.Time) []smsmcp.Reason {
	if g.QuietFrom == g.QuietTo {
		return nil
	}
	at := now.In(g.Zone).Format("15:04")
	inside := at >= g.QuietFrom && at < g.QuietTo
	if g.QuietFrom > g.QuietTo {
		inside = at >= g.QuietFrom || at < g.QuietTo
	}
	if !inside {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleQuiet})
}
