package ari

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestWhatWasReadIsPassedOn: the event that the reader holds when its connection ends, because as many as may wait do.
func TestWhatWasReadIsPassedOn(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		_ = conn.Write(context.Background(), websocket.MessageText, []byte(`{"type":"ApplicationReplaced"}`))
		_, _, _ = conn.Read(context.Background())
	}))
	t.Cleanup(s.Close)
	conn, _, err := websocket.Dial(t.Context(), s.URL, nil) //nolint:bodyclose // the library does
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	tell, hush := context.WithCancel(t.Context())
	defer hush()
	events := make(chan Event)
	var life pulse
	ended := make(chan error, 1)
	go func() {
		defer close(events)
		ended <- (&Client{decode: Decode}).read(ctx, tell, conn, events, nil, &life)
	}()
	for tick := time.NewTicker(time.Millisecond); !life.full.Load(); <-tick.C {
	}
	end()
	select {
	case err := <-ended:
		t.Fatal("it is lost:", err)
	case e := <-events:
		if _, ok := e.(ApplicationReplaced); !ok {
			t.Errorf("%T", e)
		}
	}
	if err := <-ended; code(err) != CodeLost {
		t.Error(err)
	}
}
