// Package talk is a call that is typed: a terminal's ears and mouth, for who has no telephone at hand. The conversation is the phone's own.
//
// What is typed is the caller's word, and dated when it was entered: a line that was typed ahead of a read-back's end counts for nothing, as on the phone (invariant 10).
// What is quoted stands in rows with a bar before each (invariant 14).
//
// Floor 2: imports voice, smsmcp/lang, smsmcp/untrusted and cmd/readback/draw.
package talk

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"readback/cmd/readback/draw"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// maxLine bounds what is typed at once, in bytes; maxAhead how many lines may wait to be heard.
const (
	maxLine  = 4 << 10
	maxAhead = 200
)

// Options are what a Terminal is made of. All are needed.
type Options struct {
	In    io.Reader
	Out   io.Writer
	Ear   *voice.Ear
	Width func() int // of the terminal, in columns
	Now   func() time.Time
}

// Terminal is both sides of a typed call: voice.Ears and voice.Mouth. A line of one key of a telephone is that key.
type Terminal struct {
	o     Options
	heard chan voice.Heard
	over  chan struct{}
	end   sync.Once

	mu    sync.Mutex // what is written comes out whole
	queue []voice.Heard
	some  chan struct{}
	shut  bool // nothing more is heard
}

// New makes a terminal. Run reads it.
func New(o Options) *Terminal {
	return &Terminal{o: o, heard: make(chan voice.Heard), over: make(chan struct{}), some: make(chan struct{}, 1)}
}

// Run hears what is typed until the input ends, somebody hangs up, or ctx ends. A read that waits for a line then is left behind.
func (t *Terminal) Run(ctx context.Context) {
	defer close(t.heard)
	go t.read()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.over:
			return
		case <-t.some:
		}
		for {
			h, ok, shut := t.take()
			if !ok {
				if shut {
					return
				}
				break
			}
			select {
			case t.heard <- h:
			case <-t.over:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}

// read takes lines as they are entered, whether anybody hears them yet or not: so each is dated right.
func (t *Terminal) read() {
	lines := bufio.NewScanner(t.o.In)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		if !t.add(t.hear(line)...) {
			break
		}
	}
	t.mu.Lock()
	t.shut = true
	t.mu.Unlock()
	t.tell()
}

// hear makes a line a turn.
func (t *Terminal) hear(line string) []voice.Heard {
	if len(line) == 1 && strings.ContainsRune(voice.Keys, rune(line[0])) {
		turn, err := t.o.Ear.Key(rune(line[0]), 0)
		if err != nil {
			return nil
		}
		return []voice.Heard{voice.Said{Turn: turn}}
	}
	u, err := t.o.Ear.Begin(0)
	if err != nil {
		return nil
	}
	turn, err := u.Final(untrusted.New(line))
	if err != nil {
		return []voice.Heard{voice.Begun{}, voice.Dropped{Err: err}}
	}
	return []voice.Heard{voice.Begun{}, voice.Barged{}, voice.Said{Turn: turn}}
}

// add queues what was heard. It says no once too much waits.
func (t *Terminal) add(all ...voice.Heard) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) > 3*maxAhead {
		return false
	}
	t.queue = append(t.queue, all...)
	t.tell()
	return true
}

func (t *Terminal) take() (h voice.Heard, ok, shut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return nil, false, t.shut
	}
	h, t.queue = t.queue[0], t.queue[1:]
	return h, true, t.shut
}

func (t *Terminal) tell() {
	select {
	case t.some <- struct{}{}:
	default:
	}
}

// Heard implements voice.Ears.
func (t *Terminal) Heard() <-chan voice.Heard { return t.heard }

// Speak implements voice.Ears: a terminal takes every language.
func (t *Terminal) Speak(lang.Lang) {}

// Deaf implements voice.Ears: no PIN is asked for in a terminal.
func (t *Terminal) Deaf(bool) {}

// Record implements voice.Ears: there is no sound to keep.
func (t *Terminal) Record(time.Duration) voice.Recording { return silence{} }

type silence struct{}

func (silence) Full() <-chan struct{} { return nil }
func (silence) Stop() voice.Frame     { return voice.Frame{} }

// HangUp ends the call. It may be done again.
func (t *Terminal) HangUp(context.Context) error {
	t.end.Do(func() { close(t.over) })
	return nil
}

// Stop implements voice.Mouth: what is written stands there.
func (t *Terminal) Stop() {}

// Say implements voice.Mouth: it writes all of it at once.
func (t *Terminal) Say(l lang.Lang, what ...voice.Part) voice.Speech {
	s := &speech{started: make(chan struct{}), done: make(chan voice.Outcome, 1)}
	var b strings.Builder
	for _, p := range what {
		switch {
		case p.Sound == voice.Thinking:
			b.WriteString("…\n")
		case p.Sound != voice.NoSound || p.Pause > 0 || p.Text == "":
		case p.Voice == voice.QuoteVoice:
			b.WriteString(draw.Body(l, exact(p), t.o.Width()))
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		default:
			b.WriteString(draw.Hung("", draw.Line(p.Text), t.o.Width()))
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
	t.mu.Lock()
	_, err := io.WriteString(t.o.Out, b.String())
	t.mu.Unlock()
	out := voice.Outcome{Played: err == nil, At: t.o.Now(), Whole: len(what), Err: err}
	if err != nil {
		out.Whole = 0
		out.Err = errors.New("the terminal cannot be written to")
	}
	close(s.started)
	s.done <- out
	return s
}

// exact are the words as they are written: on a screen nothing is spelt out.
func exact(p voice.Part) string {
	if p.Exact != "" {
		return p.Exact
	}
	return p.Text
}

type speech struct {
	started chan struct{}
	done    chan voice.Outcome
}

func (s *speech) Started() <-chan struct{}   { return s.started }
func (s *speech) Done() <-chan voice.Outcome { return s.done }
