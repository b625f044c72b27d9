package listen

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/media"
)

// utterance is one on its way: its sound on the way to the engine, and what is told of it once those before are settled.
type utterance struct {
	u *voice.Utterance

	// Guarded by the ears' mutex.
	later   []voice.Heard
	done    bool
	outcome result

	mu     sync.Mutex
	frames [][]int16
	over   bool
	stir   chan struct{} // holds a value when there is something new
	ended  chan struct{} // closed at the end
	gone   chan struct{} // closed when it is given up
	why    error
}

// result is what an engine made of an utterance.
type result struct {
	words untrusted.Text
	err   error
}

func newUtterance(u *voice.Utterance, frames [][]int16) *utterance {
	return &utterance{u: u, frames: frames, stir: make(chan struct{}, 1), ended: make(chan struct{}), gone: make(chan struct{})}
}

func (u *utterance) write(f []int16) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.frames = append(u.frames, f)
	u.wake()
}

func (u *utterance) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.over {
		u.over = true
		close(u.ended)
	}
	u.wake()
}

func (u *utterance) wake() {
	select {
	case u.stir <- struct{}{}:
	default:
	}
}

// cancel gives it up.
func (u *utterance) cancel(why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	select {
	case <-u.gone:
	default:
		u.why = why
		close(u.gone)
	}
}

// next waits for more sound, or the end.
func (u *utterance) next(ctx context.Context) (frames [][]int16, over bool, err error) {
	for {
		u.mu.Lock()
		frames, u.frames, over = u.frames, nil, u.over
		u.mu.Unlock()
		if len(frames) > 0 || over {
			return frames, over, nil
		}
		select {
		case <-u.stir:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
}

// recognise brings an utterance through the engine and settles it, whatever the engine does. It settles no utterance before that has ended: a caller who still speaks
// has not been dropped.
func (e *Ears) recognise(call context.Context, u *utterance, l lang.Lang) {
	// The call's end does not stop what has ended: Run gives it the grace, and then up.
	ctx, stop := context.WithCancelCause(context.WithoutCancel(call))
	defer stop(nil)
	answer := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if recover() != nil {
				r = result{err: ErrCrashed} // what it panicked with may be anything
			}
			answer <- r
		}()
		r = e.ask(ctx, u, l)
	}()
	var r result
	answered := false
	for ended := false; !ended || !answered; {
		over := u.ended
		if ended {
			over = nil
		}
		select {
		case r = <-answer:
			answered, answer = true, nil
		case <-over:
			ended = true
			if !answered {
				patience := time.AfterFunc(e.o.Patience, func() { u.cancel(ErrSlow) })
				defer patience.Stop()
			}
		case <-u.gone:
			stop(u.why) // an engine that does not mind is left to itself
			e.settle(u, result{err: u.why})
			return
		}
	}
	e.settle(u, r)
}

// ask is the engine's part.
func (e *Ears) ask(ctx context.Context, u *utterance, l lang.Lang) result {
	if e.o.STT == nil {
		return result{err: ErrNoEngine}
	}
	hearing, err := e.o.STT.Listen(ctx, l, media.Rate)
	if err != nil {
		return result{err: failed(err)}
	}
	finished := false
	defer func() {
		if !finished {
			hearing.Cancel()
		}
	}()
	go interims(ctx, hearing, u.u)
	for {
		frames, over, err := u.next(ctx)
		if err != nil {
			return result{err: err}
		}
		for _, f := range frames {
			if err := hearing.Write(voice.Frame{Rate: media.Rate, Samples: append([]int16(nil), f...)}); err != nil {
				return result{err: failed(err)}
			}
		}
		if over {
			finished = true
			words, err := hearing.Finish(ctx)
			if err != nil {
				return result{err: failed(err)}
			}
			return result{words: words}
		}
	}
}

// interims keeps what the engine believes so far.
func interims(ctx context.Context, h voice.Hearing, u *voice.Utterance) {
	defer func() { _ = recover() }() // the engine's own channel: whatever it does with it, the call goes on
	ch := h.Interim()
	for {
		select {
		case words, ok := <-ch:
			if !ok {
				return
			}
			u.Interim(words)
		case <-ctx.Done():
			return
		}
	}
}

// engineError is an engine's error. What it says may hold anything, and is not printed.
type engineError struct{ err error }

func (e engineError) Error() string   { return ErrEngine.Error() }
func (e engineError) Unwrap() []error { return []error{ErrEngine, e.err} }

func failed(err error) error { return engineError{err} }

// settle keeps what became of an utterance, the first time, and tells what is due.
func (e *Ears) settle(u *utterance, r result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if u.done {
		return
	}
	u.done, u.outcome = true, r
	e.flush()
	select {
	case e.settled <- struct{}{}:
	default:
	}
}

// flush tells what is due, in the order of the utterances: of the first that is not settled, what is known so far; of those behind it, nothing but that
// there is more. Their turns are made here, so that the transcript has them in this order too. e.mu is held.
func (e *Ears) flush() {
	for len(e.queue) > 0 {
		u := e.queue[0]
		for _, h := range u.later {
			e.tell(h)
		}
		u.later = nil
		if !u.done {
			return
		}
		e.queue[0] = nil
		e.queue = e.queue[1:]
		e.last(u)
	}
}

// last makes an utterance's turn, or drops it.
func (e *Ears) last(u *utterance) {
	if u.outcome.err != nil {
		u.u.Drop()
		e.tell(voice.Dropped{Err: u.outcome.err})
		return
	}
	turn, err := u.u.Final(u.outcome.words)
	switch {
	case errors.Is(err, voice.ErrNoWords):
		e.tell(voice.Dropped{})
	case err != nil:
		e.tell(voice.Dropped{Err: err})
	default:
		e.tell(voice.Said{Turn: turn, More: len(e.queue) > 0})
	}
}
