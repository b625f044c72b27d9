package guard

import (
	"time"

	"readback/smsmcp"
)

// The codes of the rules after a read.
const (
	RuleHold  smsmcp.Rule = "hold"
	RuleAlarm smsmcp.Rule = "alarm"
	RuleHeard smsmcp.Rule = "heard_too_much"
)

// hold asks while a stranger's words are in the thread.
func hold(_ Settings, a Attempt, s State, now time.Time) []smsmcp.Reason {
	return held(a, s, now, smsmcp.HoldStranger, RuleHold)
}

// alarm asks, by a strong channel, while a text that tripped an alarm is in the thread.
func alarm(_ Settings, a Attempt, s State, now time.Time) []smsmcp.Reason {
	return held(a, s, now, smsmcp.HoldAlarm, RuleAlarm)
}

func held(a Attempt, s State, now time.Time, kind smsmcp.HoldKind, rule smsmcp.Rule) []smsmcp.Reason {
	var until time.Time
	for _, h := range s.Holds {
		if h.Kind == kind && h.Scope == a.Scope && h.Until.After(now) && h.Until.After(until) {
			until = h.Until
		}
	}
	if until.IsZero() {
		return nil
	}
	return one(smsmcp.Reason{Rule: rule, Until: until})
}

// heardMore asks where more was heard than the rules can look through.
func heardMore(_ Settings, _ Attempt, s State, _ time.Time) []smsmcp.Reason {
	if !s.HeardMore {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleHeard, Count: len(s.Heard)})
}
