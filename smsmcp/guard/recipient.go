package guard

import (
	"time"

	"readback/smsmcp"
)

// The codes of the rules on the recipient.
const (
	RuleRecipient smsmcp.Rule = "not_a_contact"
	RuleChanged   smsmcp.Rule = "contact_changed"
	RuleFrozen    smsmcp.Rule = "frozen"
	RuleStopped   smsmcp.Rule = "wrote_stop"
)

// recipient holds invariant 2: only a contact, and only as it was when the draft was made.
func recipient(_ Settings, a Attempt, s State, _ time.Time) (out []smsmcp.Reason) {
	switch {
	case !s.Known:
		out = append(out, smsmcp.Reason{Rule: RuleRecipient})
	case a.Draft.Contact() != s.Contact.ID || a.Draft.Revision() != s.Contact.Revision || a.Draft.To() != s.Contact.To:
		out = append(out, smsmcp.Reason{Rule: RuleChanged})
	}
	if s.Frozen {
		out = append(out, smsmcp.Reason{Rule: RuleFrozen})
	}
	return out
}

// stopped asks before a text to somebody who wrote STOP.
func stopped(_ Settings, _ Attempt, s State, _ time.Time) []smsmcp.Reason {
	if !s.Stopped {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleStopped})
}
