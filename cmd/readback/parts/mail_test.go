package parts

import (
	"context"
	"errors"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/voicemail"
)

// full is a store that takes nothing.
type full struct{}

func (full) Receive(context.Context, smsmcp.Text) error { return errors.New("full") }

// TestInvariant08WhatAStoreDidNotTakeIsATextAtTheNextStart, with calls answered or not.
func TestInvariant08WhatAStoreDidNotTakeIsATextAtTheNextStart(t *testing.T) {
	a := open(t)
	before := voicemail.New(voicemail.Options{Inbox: full{}, Folder: machine.Folder(a.o.Config.Data).Path(machine.VoicemailFolder)})
	m := voicemail.Message{Call: "call-1", At: time.Now(), Sound: voice.Frame{Rate: 8000, Samples: make([]int16, 8000)}, Words: untrusted.New("call me back")}
	if err := before.Keep(t.Context(), m); !errors.Is(err, voicemail.ErrStore) {
		t.Fatal(err)
	}
	a.o.Config.Asterisk.URL = "http://127.0.0.1:1"
	if err := a.makeCalls(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a.Start(ctx)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		p, err := a.Store.Texts(t.Context(), smsmcp.Query{Strangers: true, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Rows) == 1 && p.Rows[0].Text.Key.ID == "call-1" && p.Rows[0].Text.Body.Equal(m.Words) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d texts", len(p.Rows))
		}
	}
	cancel()
	a.Wait(ctx)
}
