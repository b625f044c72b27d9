package dispatch

import (
	"readback/smsmcp"
	"readback/smsmcp/guard"
)

// What is counted is counted once it is committed, and by who committed it: an answer that changed nothing counts nothing.

func (d *Door) judged(v guard.Decision) {
	switch v {
	case guard.Allow:
		d.Observe.Count(smsmcp.SendJudged, "allow")
	case guard.Confirm:
		d.Observe.Count(smsmcp.SendJudged, "confirm")
	default:
		d.Observe.Count(smsmcp.SendJudged, "deny")
	}
}

// ended counts a send that stands in its last state, or in unknown.
func (d *Door) ended(s smsmcp.SendState) {
	if s == smsmcp.Waiting || s == smsmcp.Reserved {
		return
	}
	d.Observe.Count(smsmcp.SendEnded, string(s))
	if s == smsmcp.Expired || s == smsmcp.Declined {
		d.Observe.Count(smsmcp.Answered, string(s)) // instead of a yes
	}
}
