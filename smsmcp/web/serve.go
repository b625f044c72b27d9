package web

import (
	"context"
	"errors"
	"fmt"
	stdlog "log"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 16 << 10
	finish        = time.Second            // for requests to end by themselves
	drain         = 500 * time.Millisecond // and then, for those that are told
	streams       = 64                     // requests at once on one HTTP/2 connection
	stuck         = 30 * time.Second       // until an HTTP/2 connection that takes no byte is given up
)

// Serve answers on ln until ctx ends. Then it takes nothing more, and what is being answered has 1 s to end by itself: the answer to a send in
// flight says what became of it, and a caller that never gets it may ask again. What is left, an open stream say, is told by its context, and
// has half a second. nil means that all of it ended. A connection on which nothing was asked yet, or whose TLS was not even agreed on, is no request.
//
// Over TLS, ln is of tls.NewListener: what its configuration offers, HTTP/2 too, is spoken.
func Serve(ctx context.Context, ln net.Listener, handler http.Handler, log *slog.Logger) error {
	base, tell := context.WithCancel(context.WithoutCancel(ctx))
	defer tell()
	fresh := &conns{}
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnState:         fresh.note,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streams, WriteByteTimeout: stuck},
		ErrorLog:          stdlog.New(quiet{log}, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- accept(srv, ln, log) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	err := shutdown(ctx, srv, finish)
	if err != nil {
		fresh.close()
		tell()
		err = shutdown(ctx, srv, drain)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were still being answered: %w", err), srv.Close())
	}
	if served := <-ended; err == nil && !errors.Is(served, http.ErrServerClosed) {
		err = fmt.Errorf("serving: %w", served)
	}
	return err
}

var errListener = errors.New("the listener broke")

// accept serves what ln accepts. A panic of its goroutine would end the program: only where it was is logged.
func accept(srv *http.Server, ln net.Listener, log *slog.Logger) (err error) {
	defer func() {
		if recover() != nil {
			log.Error("the listener broke", "stack", string(debug.Stack()))
			err = errListener
		}
	}()
	return srv.Serve(ln)
}

func shutdown(ctx context.Context, srv *http.Server, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	return srv.Shutdown(ctx)
}

// conns are the connections on which nothing was asked yet. net/http waits five seconds for each of them when it ends.
type conns struct {
	mu  sync.Mutex
	all map[net.Conn]bool
}

func (c *conns) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state != http.StateNew {
		delete(c.all, conn)
		return
	}
	if c.all == nil {
		c.all = map[net.Conn]bool{}
	}
	c.all[conn] = true
}

func (c *conns) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.all {
		_ = conn.Close()
	}
}

// quiet logs what net/http has to say. Why a TLS handshake failed may hold what the client sent: only that it failed is logged.
type quiet struct{ log *slog.Logger }

func (q quiet) Write(p []byte) (int, error) {
	said := strings.TrimSuffix(string(p), "\n")
	if strings.Contains(said, "TLS handshake error") {
		said = "a TLS handshake failed"
	}
	q.log.Debug(said)
	return len(p), nil
}
