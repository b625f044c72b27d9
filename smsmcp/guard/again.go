package guard

import (
	"slices"
	"time"

	"readback/smsmcp"
)

// The codes of the rules against sending twice (invariant 7).
const (
	RuleDuplicate smsmcp.Rule = "duplicate"
	RuleUnsettled smsmcp.Rule = "unsettled"
)

// duplicate answers with the first send's state. One that failed for certain is no duplicate.
func duplicate(g Settings, a Attempt, s State, now time.Time) []smsmcp.Reason {
	digest := smsmcp.BodyDigest(a.Draft.Body())
	for _, p := range slices.Backward(recent(s.Log, g.Duplicate, now)) {
		if (p.Contact == a.Draft.Contact() || p.To == a.Draft.To()) && p.Body == digest && p.State != smsmcp.Failed {
			return one(smsmcp.Reason{Rule: RuleDuplicate, Send: p.ID, State: p.State, Until: p.At.Add(g.Duplicate)})
		}
	}
	return nil
}

// unsettled refuses a body that may already have gone, for as long as nobody knows.
func unsettled(_ Settings, _ Attempt, s State, _ time.Time) []smsmcp.Reason {
	if len(s.Unsettled) == 0 {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleUnsettled, Send: s.Unsettled[0].ID, State: s.Unsettled[0].State})
}

// within says whether at lies in the window of length d that ends now. The future is inside: a clock that was set back
// must not open a limit (invariant 12).
func within(at time.Time, d time.Duration, now time.Time) bool { return at.After(now.Add(-d)) }
