package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/consent"
)

// counting are ears that hear nothing, and a mouth that counts.
type counting struct{ said int }

func (*counting) Heard() <-chan voice.Heard            { return nil }
func (*counting) Speak(lang.Lang)                      {}
func (*counting) Deaf(bool)                            {}
func (*counting) Record(time.Duration) voice.Recording { return nil }
func (*counting) Stop()                                {}
func (c *counting) Started() <-chan struct{}           { return nil }
func (c *counting) Done() <-chan voice.Outcome         { return nil }
func (c *counting) Say(lang.Lang, ...voice.Part) voice.Speech {
	c.said++
	return c
}

// TestInvariant10WhoeverSpeaksWhileADraftIsPendingIsNotHeard asks of what all else has to go through.
func TestInvariant10WhoeverSpeaksWhileADraftIsPendingIsNotHeard(t *testing.T) {
	mouth := &counting{}
	c := newConversation(context.Background(), Options{Lang: lang.EN, Now: time.Now, Log: slog.New(slog.DiscardHandler)}, Call{Ears: mouth, Mouth: mouth})
	t.Cleanup(c.helpers.Wait)
	t.Cleanup(func() { close(c.ended) })
	c.tell(spoken.Hello)
	c.machine, _ = c.machine.Step(c.o.Now(), consent.Owner{Known: true})
	c.machine, _ = c.machine.Step(c.o.Now(), consent.Prepared{Words: "words"})
	c.tell(spoken.Hello)
	c.hum()
	c.unsaid()
	if mouth.said != 1 {
		t.Errorf("%d utterances", mouth.said)
	}
	c.machine, _ = c.machine.Step(c.o.Now(), consent.Withdrawn{})
	if c.tell(spoken.Hello); mouth.said != 2 {
		t.Errorf("%d utterances", mouth.said)
	}
}

type coded struct{ error }

func (coded) Code() string { return "No such thing!" }

func TestInvariant13WhatIsLoggedOfAnErrorIsACode(t *testing.T) {
	stalled := errors.New("voice_stalled")
	for want, err := range map[string]error{
		"voice_stalled": stalled, "failed": fmt.Errorf("say Marie: %w", stalled), "no_such_thing_": fmt.Errorf("wrapped: %w", coded{stalled}),
	} {
		if got := code(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
