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
	drain         = 1500 * time.Millisecond
)

// Serve answers on ln until ctx ends. Then it tells every request first, by its context: an open stream would hold a plain shutdown to its
// deadline. What is still being answered has 1.5 s to end. nil means that all of it did.
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
	tell()
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	err := srv.Shutdown(wait)
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were still being answered: %w", err), srv.Close())
	}
	<-ended
	return err
}
