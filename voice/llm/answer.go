package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"readback/voice"
)

// Limits bound one answer. What is zero is at its default.
type Limits struct {
	First   time.Duration // to the first piece of the answer, a retry included; 15 s
	Between time.Duration // from one piece to the next; 10 s
	Whole   time.Duration // the whole answer, with the time that its reader takes; 60 s
	Pause   time.Duration // before the one retry; 400 ms
	Bytes   int           // of text, names and arguments together; 64 KiB
	Calls   int           // of tools; 32
}

// patience is how long a service may ask to be left alone for a retry to be made at all.
const patience = 2 * time.Second

func (l Limits) filled() Limits {
	d := Limits{First: 15 * time.Second, Between: 10 * time.Second, Whole: time.Minute, Pause: 400 * time.Millisecond, Bytes: 64 << 10, Calls: 32}
	for _, p := range []struct {
		have *time.Duration
		want time.Duration
	}{{&l.First, d.First}, {&l.Between, d.Between}, {&l.Whole, d.Whole}, {&l.Pause, d.Pause}} {
		if *p.have <= 0 {
			*p.have = p.want
		}
	}
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Calls <= 0 {
		l.Calls = d.Calls
	}
	return l
}

// Answer is one answer on its way: what an engine gives its pieces to. Every method's error ends the answer and is to be handed back.
type Answer struct {
	limits Limits
	yield  func(voice.Delta, error) bool
	wait   *time.Timer // ends the request
	begun  bool
	gone   bool
	bytes  int
	calls  []*piled
	asked  int             // messages in the request
	taken  map[string]bool // ids of calls that the conversation has
}

// piled is a call of which pieces came.
type piled struct {
	key  int64
	call voice.ToolCall
	args strings.Builder
}

// errGone says that nobody listens any more.
var errGone = errors.New("llm: nobody listens")

// Run gives one answer within its bounds. try makes one request and gives what comes to the Answer; nil says that the answer is whole. It is made a second time, after a pause,
// if the first failed in a way that may pass and before its first event. What try leaves behind ends with its context. The error that is yielded is always an *Error.
func (l Limits) Run(ctx context.Context, r voice.Request, yield func(voice.Delta, error) bool, try func(context.Context, *Answer) error) {
	l = l.filled()
	ours, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	late := func() { stop(ErrTimedOut) }
	defer time.AfterFunc(l.Whole, late).Stop()
	a := &Answer{limits: l, yield: yield, wait: time.AfterFunc(l.First, late), asked: len(r.Messages), taken: map[string]bool{}}
	defer a.wait.Stop()
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			a.taken[c.ID] = true
		}
	}
	err := try(ours, a)
	if err != nil && !a.begun && l.again(ours, err) {
		err = try(ours, a)
	}
	if err == nil {
		err = a.give()
	}
	if err != nil && !a.gone {
		yield(voice.Delta{}, settled(ctx, ours, err))
	}
}

// again waits before a retry, and says whether there is to be one.
func (l Limits) again(ctx context.Context, err error) bool {
	var e *Error
	if ctx.Err() != nil || !errors.As(err, &e) || !e.again {
		return false
	}
	pause := l.Pause
	var held later
	if errors.As(err, &held) {
		if held.after > patience {
			return false
		}
		pause = max(pause, held.after)
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Event says that something of the answer came, be it empty: from now on nothing is tried again.
func (a *Answer) Event() { a.begun = true }

// Text gives words as they came.
func (a *Answer) Text(s string) error {
	if s == "" {
		return nil
	}
	if err := a.add(len(s)); err != nil {
		return err
	}
	a.wait.Stop()
	if !a.yield(voice.Delta{Text: s}, nil) {
		a.gone = true
		return errGone
	}
	a.wait.Reset(a.limits.Between)
	return nil
}

// Call gives a piece of a call: those of one key are one call, but for one that brings an id of another. The arguments are its pieces in the order in which they came.
func (a *Answer) Call(key int64, id, name, args string) error {
	if err := a.add(len(id) + len(name) + len(args)); err != nil {
		return err
	}
	a.wait.Reset(a.limits.Between)
	var p *piled
	for _, q := range a.calls {
		if q.key == key {
			p = q // the last one of the key
		}
	}
	if p == nil || id != "" && p.call.ID != "" && p.call.ID != id {
		if len(a.calls) == a.limits.Calls {
			return ErrTooBig
		}
		p = &piled{key: key}
		a.calls = append(a.calls, p)
	}
	if id != "" {
		p.call.ID = id
	}
	if p.call.Name == "" {
		p.call.Name = name
	}
	p.args.WriteString(args)
	return nil
}

func (a *Answer) add(n int) error {
	a.begun = true
	if a.bytes += n; a.bytes > a.limits.Bytes {
		return ErrTooBig
	}
	return nil
}

// give gives the calls of an answer that is whole.
func (a *Answer) give() error {
	a.wait.Stop()
	for i, p := range a.calls {
		if p.call.Args = []byte(p.args.String()); len(p.call.Args) == 0 {
			p.call.Args = []byte("{}") // services say so that there are none
		}
		p.call.ID = a.id(p.call.ID, i)
		if !a.yield(voice.Delta{Call: &p.call}, nil) {
			a.gone = true
			return errGone
		}
	}
	return nil
}

// id gives an id that can be answered by: the engine's, or one of ours if that is none, or was there before.
func (a *Answer) id(id string, i int) string {
	if id == "" || len(id) > 128 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) || a.taken[id] {
		id = fmt.Sprintf("call_%d_%d", a.asked, i)
	}
	for a.taken[id] {
		id += "_"
	}
	a.taken[id] = true
	return id
}

// Known says whether a model's name is in a list, for a check.
func Known(names []string, model string) error {
	if slices.Contains(names, model) {
		return nil
	}
	return ErrNoModel
}

// Check runs one short request for a check of a service: within First, tried once.
func (l Limits) Check(ctx context.Context, try func(context.Context) error) error {
	l = l.filled()
	ours, stop := context.WithTimeoutCause(ctx, l.First, ErrTimedOut)
	defer stop()
	if err := try(ours); err != nil {
		return settled(ctx, ours, err)
	}
	return nil
}
