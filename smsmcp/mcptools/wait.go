package mcptools

import (
	"context"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// progressEvery is how often a client that asked for it is told that a send still waits.
const progressEvery = 5 * time.Second

// await gives the owner a short time to answer, so that the model mostly hears in this very call what became of its send. What it says meanwhile holds nothing
// of the send but that it waits.
func (in *sending) await(ctx context.Context, s smsmcp.Send) smsmcp.Send {
	if in.wait <= 0 {
		return s
	}
	ctx, cancel := context.WithTimeout(ctx, in.wait)
	defer cancel()
	ended := make(chan smsmcp.Send, 1)
	go func() {
		later := s // it waits, as far as anybody knows
		defer func() {
			_ = recover() // a crash in a goroutine of its own would end the program
			ended <- later
		}()
		if now, err := in.door.Await(ctx, s.ID); err == nil {
			later = now
		}
	}()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	total := in.wait.Seconds()
	for told := 0.0; ; told++ {
		progress(ctx, min(told*progressEvery.Seconds(), total), total, lang.SendAsked.In(in.lang))
		select {
		case later := <-ended:
			return later
		case <-tick.C:
		}
	}
}

// progress tells the client of the request how far its call is, if it asked to be told.
func progress(ctx context.Context, done, total float64, sentence string) {
	if a, ok := ctx.Value(answerKey{}).(*answer); ok {
		a.progress(done, total, sentence)
	}
}
