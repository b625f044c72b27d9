package guard

import (
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
)

// The codes of the rules on the body.
const (
	RuleBody    smsmcp.Rule = "body_not_drawable"
	RuleTooLong smsmcp.Rule = "body_too_long"
)

// body holds invariant 14: what cannot be drawn as it is, is not sent.
func body(_ Settings, a Attempt, _ State, _ time.Time) (out []smsmcp.Reason) {
	if err := clean.Drawable(a.Draft.Body()); err != nil {
		out = append(out, smsmcp.Reason{Rule: RuleBody, Code: clean.Why(err)})
	} else if a.Fits != nil {
		out = append(out, smsmcp.Reason{Rule: RuleTooLong})
	}
	return out
}
