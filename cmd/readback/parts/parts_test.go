package parts

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/supervise"
	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

func open(t *testing.T) *App {
	t.Helper()
	c := config.Defaults()
	c.Data, c.Zone = t.TempDir(), time.UTC
	a, err := Open(t.Context(), Options{Config: c, Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// face is a face that answers with its name; each listener that it opens goes to opened.
func face(name, address string, opened chan net.Listener, closed func()) Face {
	return Face{
		Name: name, Closed: closed,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, name) }),
		Open: func(ctx context.Context) (net.Listener, error) {
			var lc net.ListenConfig
			l, err := lc.Listen(ctx, "tcp", address)
			if err == nil {
				opened <- l
			}
			return l, err
		},
	}
}

func answer(t *testing.T, l net.Listener) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+"/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}

// next takes the next of what comes.
func next[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(10 * time.Second):
		t.Fatal("it never came")
	}
	return v
}

// TestAFaceWhoseListenerFailedIsOpenedAnew while the other answers; in between nobody is told that it is there.
func TestAFaceWhoseListenerFailedIsOpenedAnew(t *testing.T) {
	a := open(t)
	ctx, end := context.WithCancel(t.Context())
	one, two, closed := make(chan net.Listener, 4), make(chan net.Listener, 4), make(chan struct{}, 4)
	a.Start(ctx, face("one", "127.0.0.1:0", one, func() { closed <- struct{}{} }), face("two", "127.0.0.1:0", two, nil))
	first, other := next(t, one), next(t, two)
	if got := answer(t, first); got != "one" {
		t.Fatal(got)
	}
	_ = first.Close()
	next(t, closed)
	if got := answer(t, other); got != "two" {
		t.Error(got)
	}
	if i := slices.IndexFunc(a.Parts(), func(p smsmcp.Part) bool { return p.Name == "one" && p.Failure == "part_ended" }); i < 0 {
		t.Errorf("%+v", a.Parts())
	}
	if got := answer(t, next(t, one)); got != "one" {
		t.Error(got)
	}
	end()
	a.Wait(ctx)
	if err := a.Close(context.WithoutCancel(ctx)); err != nil {
		t.Error(err)
	}
}

// TestInvariant08WhatWasReadIsStoredBeforeTheEnd: a part that is told to end and still stores what it has read finds the store open.
func TestInvariant08WhatWasReadIsStoredBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := open(t)
		ctx, end := context.WithCancel(t.Context())
		running, stored := make(chan struct{}), make(chan error, 1)
		slow := Face{Name: "slow", Open: func(ctx context.Context) (net.Listener, error) {
			close(running)
			<-ctx.Done()
			synctest.Wait() // the end goes on meanwhile, as far as it can
			stored <- a.box.Receive(context.WithoutCancel(ctx), smsmcp.Text{
				Key: smsmcp.Key{Carrier: "sandbox", Kind: smsmcp.SMS, ID: "1"}, Direction: smsmcp.Received, Peer: smsmcp.NumberPeer("+15145550101"),
				Body: untrusted.New("late"), At: time.Now().UTC().Truncate(time.Second),
			})
			return nil, ctx.Err()
		}}
		a.Start(ctx, slow)
		<-running
		end()
		a.Wait(ctx)
		if err := a.Close(context.WithoutCancel(ctx)); err != nil {
			t.Error(err)
		}
		if err := <-stored; err != nil {
			t.Error(err)
		}
	})
}

// TestAQuestionThatPanicsIsAnAnswer: a part that cannot be asked at the start is down, and the others start.
func TestAQuestionThatPanicsIsAnAnswer(t *testing.T) {
	if got := codeOf(guarded(func() error { panic("the words of a stranger") })); got != supervise.Crashed {
		t.Error(got)
	}
	if got := codeOf(guarded(func() error { return io.EOF })); got != "no_clear_answer" {
		t.Error(got)
	}
}
