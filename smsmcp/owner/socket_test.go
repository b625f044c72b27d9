package owner

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

// shortDir is a folder whose path leaves room for a socket, whatever the test is called.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestSocketIsTheOwnersAlone(t *testing.T) {
	w := newWorld(t, false)
	dir := shortDir(t)
	for range 2 { // the second finds a socket that nobody listens on
		l, err := Listen(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(socket(dir))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
		srv := &http.Server{Handler: w.handler, ReadHeaderTimeout: time.Second}
		go func() { _ = srv.Serve(l) }()
		if st, err := GetState.Do(t.Context(), Dial(dir, lang.EN), None{}, ""); err != nil || st.Carrier != "fake" {
			t.Errorf("%+v %v", st, err)
		}
		_ = srv.Close()
		if err := os.WriteFile(socket(dir), nil, 0o600); err != nil { // as one that was left behind
			t.Fatal(err)
		}
	}
	if _, err := GetState.Do(t.Context(), Dial(dir, lang.EN), None{}, ""); err == nil {
		t.Error("nobody answers, and no error")
	}
}

func TestSocketPathTooLong(t *testing.T) {
	dir := filepath.Join(shortDir(t), strings.Repeat("x", 100))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), dir); !errors.Is(err, ErrLongPath) {
		t.Errorf("%v", err)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	dir := shortDir(t)
	l, err := Listen(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := GetState.Do(ctx, Dial(dir, lang.EN), None{}, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAConnectionNamesItsProcess(t *testing.T) {
	dir := shortDir(t)
	if Running(t.Context(), dir) {
		t.Error("nobody listens, and a server runs")
	}
	l, err := Listen(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make(chan string, 2)
	srv := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { names <- r.RemoteAddr })}
	go func() { _ = srv.Serve(l) }()
	_, _ = GetState.Do(t.Context(), Dial(dir, lang.EN), None{}, "")
	if name, want := <-names, strconv.Itoa(os.Getpid()); name != want {
		t.Errorf("the caller is %q, want %q", name, want)
	}
	if !Running(t.Context(), dir) {
		t.Error("a server runs, and none seems to")
	}
	_ = srv.Close()
	if err := os.WriteFile(socket(dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if Running(t.Context(), dir) {
		t.Error("a socket that was left behind passes for a server")
	}
}
