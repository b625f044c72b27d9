package agent

import (
	"slices"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
)

// freeze takes the words by which the owner stops all sends, and says whether they were that. The program takes them, and no model has a say in it. It only tightens, so it needs no
// more than the words: the owner lifts it elsewhere.
func (c *conversation) freeze(words untrusted.Text) bool {
	said := fold.Words(words.RawForModel())
	if !slices.ContainsFunc(spoken.SayFreeze, func(s string) bool { return slices.Equal(said, fold.Words(s)) }) {
		return false
	}
	c.drop()
	c.call.Mouth.Stop()
	c.help(func() func() {
		ctx, stop := c.lasting(logTime)
		defer stop()
		err := c.o.Desk.Freeze(ctx, smsmcp.Voice)
		return func() {
			if err != nil {
				c.log.Error("sends could not be frozen", "code", code(err))
				c.tell(spoken.NotFrozen)
				return
			}
			c.tell(spoken.Frozen)
		}
	})
	return true
}
