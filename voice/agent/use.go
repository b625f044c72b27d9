package agent

import (
	"context"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice/consent"
)

// notAsked is why a draft is no more of which the caller was told nothing.
const notAsked consent.Reason = "not_asked"

// use calls the tools of an answer, one after the other from i on, and then asks the model anew. answers are their entries.
func (c *conversation) use(t *turn, answers []*entry, i int) {
	if i == len(t.calls) {
		c.round(t)
		return
	}
	call, answer := t.calls[i], answers[i]
	found, ok := named(call.Name)
	if !ok {
		answer.Text = lang.AgentNoTool.In(c.lang, toolNames())
		c.use(t, answers, i+1)
		return
	}
	given, refusal := check(c.lang, found.params, call.Args)
	if refusal != "" {
		answer.Text = refusal
		c.use(t, answers, i+1)
		return
	}
	c.run(t.ctx, found, given, func(r result) {
		if c.turn != t { // the caller spoke meanwhile
			c.discard(r)
			return
		}
		c.fill(answer, r)
		switch {
		case r.draft != nil:
			c.propose(r.draft)
		case len(r.texts) > 0:
			c.drop()
			c.readAloud(r)
		case r.ends:
			c.drop()
			if t.spoken == 0 { // the model took no leave
				c.tell(spoken.Goodbye)
			}
			c.close(byAgent)
		default:
			c.use(t, answers, i+1)
		}
	})
}

// run runs an errand, and has what came of it taken in the loop. If the call is over, a draft of it is withdrawn.
func (c *conversation) run(ctx context.Context, t tool, given args, took func(result)) {
	e := &errand{o: c.o, ctx: ctx, scope: smsmcp.Scope(smsmcp.CallScope + c.call.ID), lang: c.lang, args: given}
	c.help(func() func() {
		lasting, stop := c.lasting(logTime)
		defer stop()
		e.lasting = lasting
		r := t.work(e)
		if !c.post(func() { took(r) }) && r.draft != nil {
			c.withdraw(lasting, r.draft, consent.CallEnded)
		}
		return nil
	})
}

// fill writes down what a tool answered.
func (c *conversation) fill(answer *entry, r result) {
	answer.Failed = r.failed
	if r.draft != nil {
		r.draft.answer = answer // written when it is known what became of it
		return
	}
	answer.Text = r.text
	c.call.Transcript.Tool(untrusted.New(r.text))
}

// discard throws away what nobody waits for any more.
func (c *conversation) discard(r result) {
	if r.draft == nil {
		return
	}
	c.help(func() func() {
		ctx, stop := c.lasting(logTime)
		defer stop()
		c.withdraw(ctx, r.draft, notAsked)
		return nil
	})
}
