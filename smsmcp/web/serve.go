package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 5 * time.Second
	idleTimeout   = 2 * time.Minute
	headerBytes   = 16 << 10
	finish        = time.Second            // for requests to end by themselves
	drain         = 500 * time.Millisecond // and then, for those that are told
)

// Serve answers on ln until ctx ends. Then it takes nothing more, and what is being answered has 1 s to end by itself: the answer to a send in
// flight says what became of it, and a caller that never gets it may ask again. What is left, an open stream say, is told by its context, and
// has half a second. nil means that all of it ended.
func Serve(ctx context.Context, ln net.Listener, handler http.Handler, log *slog.Logger) error {
	base, tell := context.WithCancel(context.WithoutCancel(ctx))
	defer tell()
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	err := shutdown(ctx, srv, finish)
	if err != nil {
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

func shutdown(ctx context.Context, srv *http.Server, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	return srv.Shutdown(ctx)
}
