package talk_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/cmd/readback/talk"
	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/consent"
)

type rig struct {
	*talk.Terminal
	in  *io.PipeWriter
	out *buffer
	tr  *voice.Transcript
}

type buffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	fail bool
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail {
		return 0, errors.New("the words of a stranger")
	}
	return b.b.Write(p)
}

func start(t *testing.T) *rig {
	t.Helper()
	r, w := io.Pipe()
	tr, ear := voice.NewTranscript(time.Now)
	out := &buffer{}
	x := talk.New(talk.Options{In: r, Out: out, Ear: ear, Width: func() int { return 40 }, Now: time.Now})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { x.Run(ctx) })
	t.Cleanup(func() { cancel(); _ = w.Close(); wg.Wait() })
	return &rig{x, w, out, tr}
}

func (r *rig) enter(t *testing.T, s string) {
	t.Helper()
	if _, err := io.WriteString(r.in, s); err != nil {
		t.Error(err)
	}
}

// said gives the next turn.
func (r *rig) said(t *testing.T) voice.Turn {
	t.Helper()
	for h := range r.Heard() {
		if s, ok := h.(voice.Said); ok {
			return s.Turn
		}
	}
	t.Fatal("the call is over")
	return voice.Turn{}
}

func TestALineIsATurnAndADigitIsAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		go r.enter(t, "  yes, send it \n\n1\n12\n*\n")
		if turn := r.said(t); turn.Key() != 0 || turn.Role() != voice.Caller || consent.Judge(turn) != consent.Yes {
			t.Errorf("%v: %v", turn.Role(), consent.Judge(turn))
		}
		if turn := r.said(t); turn.Key() != '1' {
			t.Errorf("%c", turn.Key())
		}
		if turn := r.said(t); turn.Key() != 0 {
			t.Errorf("two digits are the key %c", turn.Key())
		}
		if turn := r.said(t); turn.Key() != '*' {
			t.Errorf("%c", turn.Key())
		}
	})
}

// TestInvariant10WhatIsTypedAheadIsDatedWhenItWasEntered, and not when somebody comes to hear it: a yes that was pasted before the read-back is none.
func TestInvariant10WhatIsTypedAheadIsDatedWhenItWasEntered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		entered := time.Now()
		r.enter(t, "text Marie that I am late\nyes\n")
		synctest.Wait()
		time.Sleep(time.Minute) // of the bubble's clock: nobody hears meanwhile
		first, second := r.said(t), r.said(t)
		if !first.Began().Equal(entered) || !second.Began().Equal(entered) {
			t.Errorf("%v and %v after it was entered", first.Began().Sub(entered), second.Began().Sub(entered))
		}
	})
}

func TestTheInputsEndIsAHangUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.enter(t, "hello\n")
		_ = r.in.Close()
		r.said(t)
		if h, open := <-r.Heard(); open {
			t.Errorf("%T", h)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		_ = r.HangUp(t.Context())
		_ = r.HangUp(t.Context())
		if h, open := <-r.Heard(); open {
			t.Errorf("%T", h)
		}
	})
}

// TestWhoTypesWithoutEndIsCutOff: what waits is bounded.
func TestWhoTypesWithoutEndIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		go func() {
			for range 1000 {
				if _, err := io.WriteString(r.in, "yes\n"); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		n := 0
		for range r.Heard() {
			n++
		}
		if n == 0 || n > 610 {
			t.Errorf("%d events waited", n)
		}
		_ = r.in.CloseWithError(io.EOF)
	})
}

// TestInvariant14WhatIsQuotedCannotPassForTheProgram: each of its rows has a bar, and what a terminal obeys is escaped.
func TestInvariant14WhatIsQuotedCannotPassForTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		hostile := "hi\n\x1b[2JShall I let it leave?\r\nSent."
		s := r.Say(lang.EN, voice.Part{Text: "This is the text to Zoé."}, voice.Part{Sound: voice.Opening}, voice.Part{Voice: voice.QuoteVoice, Text: hostile}, voice.Part{Sound: voice.Closing})
		<-s.Started()
		if o := <-s.Done(); !o.Played || o.Whole != 4 || o.Err != nil {
			t.Errorf("%+v", o)
		}
		rows := strings.Split(strings.TrimRight(r.out.b.String(), "\n"), "\n")
		if rows[0] != "This is the text to Zoé." || len(rows) < 4 {
			t.Fatalf("%q", rows)
		}
		for _, row := range rows[1:] {
			if !strings.HasPrefix(strings.TrimLeft(row, " "), "│") || strings.ContainsAny(row, "\x1b\r") {
				t.Errorf("%q", row)
			}
		}
	})
}

// TestInvariant14TheDraftIsShownByteForByte, and not as a voice would say it.
func TestInvariant14TheDraftIsShownByteForByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		<-r.Say(lang.FR, voice.Part{Voice: voice.QuoteVoice, Text: "à 18 heures 30", Exact: "à 18 h 30"}).Done()
		if got := r.out.b.String(); !strings.Contains(got, "│ à 18 h 30\n") || strings.Contains(got, "heures") {
			t.Errorf("%q", got)
		}
	})
}

// TestWhatIsNotWrittenWasNotRead: a terminal that takes nothing has shown no read-back.
func TestWhatIsNotWrittenWasNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t)
		r.out.fail = true
		if o := <-r.Say(lang.FR, voice.Part{Text: "Voici."}).Done(); o.Played || o.Err == nil || strings.Contains(o.Err.Error(), "stranger") {
			t.Errorf("%+v", o)
		}
	})
}
