package ntfy

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/inbox"
	"readback/store"
)

// besideFile names the store that this test's binary joins where it is started again, to store a voicemail.
const besideFile = "READBACK_TEST_NTFY_BESIDE"

func beside(file string) error {
	ctx := context.Background()
	s, err := store.Join(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	s.Outbox(func() {}) // there is no bridge here to nudge; but without an outbox nothing would be owed
	b := inbox.New(inbox.Options{Store: s, Name: "test", Now: func() time.Time { return noon }, Hold: time.Hour, Alarm: time.Hour})
	return b.Receive(ctx, left("worker", smsmcp.NumberPeer(marie), "call me", 12, noon))
}

// TestInvariant08WhatAnotherProcessStoresIsToldOf by the server's bridge, which nobody nudges: it looks by itself.
func TestInvariant08WhatAnotherProcessStoresIsToldOf(t *testing.T) {
	srv := newServer(t)
	file := filepath.Join(t.TempDir(), "readback.db")
	s := newStore(t, file)
	b, _ := newBridge(t, srv, s, Options{Every: 20 * time.Millisecond})
	run(t, b)
	until(t, "a look at nothing", func() bool { return srv.asksAgain() > 0 })
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), besideFile+"="+file)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w: %s", err, out))
	}
	var got []message
	until(t, "the notification", func() bool {
		got = append(got, srv.messages()...)
		o, err := s.Owed(t.Context())
		ok(t, err)
		return len(got) > 0 && o.Waiting == 0
	})
	if p, err := s.Texts(t.Context(), smsmcp.Query{Strangers: true, Limit: 5}); err != nil || len(p.Rows) != 1 || len(got) != 1 {
		t.Errorf("%d texts, %d notifications, %v", len(p.Rows), len(got), err)
	}
}
