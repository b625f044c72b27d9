package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"readback/smsmcp/lang"
)

const (
	lineBytes   = 1 << 20 // of a message from the client; the server takes no more
	answerBytes = 8 << 20 // of an answer from the server
	atOnce      = 8       // requests that wait for the server at the same time
	mostTaken   = 32      // messages read from the client and not yet done with; past them nothing more is read until one is
	headerWait  = 90 * time.Second
	retryEvery  = 100 * time.Millisecond
)

// Options are what Run needs.
type Options struct {
	In       io.Reader
	Out, Err io.Writer
	URL      string                 // of the server's /mcp
	Where    func() (string, error) // if set, asked in place of URL for each try: a server that restarts may listen elsewhere
	Token    func() (string, error) // read for each message: a token may be renewed while the client runs
	Lang     lang.Lang
	Patience time.Duration // how long a refused connection is tried again; 0 for 2 s
}

// Run relays until In ends and everything asked is answered, or until ctx ends. It fails if Out cannot be written.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := newRelay(o, cancel)
	read := make(chan error, 1)
	go func() { read <- r.readAll(ctx) }() // a read of standard input cannot be interrupted: when ctx ends, this ends with the process
	select {
	case err := <-read:
		r.pending.Wait()
		if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
			return cause
		}
		return err
	case <-ctx.Done():
		if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
}

func newRelay(o Options, fail context.CancelCauseFunc) *relay {
	r := &relay{
		Options: o,
		fail:    fail,
		flight:  map[*message]context.CancelFunc{},
		slots:   make(chan struct{}, atOnce),
		taken:   make(chan struct{}, mostTaken),
		client:  newClient(),
	}
	if r.Patience == 0 {
		r.Patience = 2 * time.Second
	}
	return r
}

func newClient() *http.Client {
	return &http.Client{
		// A connection for each message, on this machine, costs less than doubt: on a kept one that the server closed while it
		// restarted, nobody could tell whether the message arrived.
		Transport:     &http.Transport{DisableKeepAlives: true, ResponseHeaderTimeout: headerWait, Proxy: nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type relay struct {
	Options
	client  *http.Client
	version atomic.Value // string: what a legacy initialize settled on
	down    atomic.Bool  // said already that the server is not there
	asked   asked
	slots   chan struct{}
	taken   chan struct{}
	pending sync.WaitGroup
	fail    context.CancelCauseFunc

	mu     sync.Mutex                      // of Out and flight
	flight map[*message]context.CancelFunc // by the request, not by its id: a client may use one for two
}

func (r *relay) readAll(ctx context.Context) error {
	defer r.asked.leave() // nobody is left to answer
	in := bufio.NewReaderSize(r.In, 64<<10)
	for ctx.Err() == nil {
		line, long, err := readLine(in)
		switch {
		case long:
			r.answerError(nil, codeRequest, lang.RelayLarge.In(r.Lang))
		case len(bytes.TrimSpace(line)) > 0:
			r.take(ctx, line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the client: %w", err)
		}
	}
	return nil
}

// readLine reads one line of its own memory, or says that it was too long after passing over it.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > lineBytes {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// take starts what a line asks for; it waits for the server only where so much has been taken in already.
func (r *relay) take(ctx context.Context, line []byte) {
	m, err := parse(line)
	if err != nil {
		r.answerError(nil, codeParse, lang.RelayForm.In(r.Lang))
		return
	}
	if m.method == "notifications/cancelled" {
		// Over HTTP a request is cancelled by ending its connection; the server takes no such notification, because without
		// sessions it could not tell whose request is meant.
		r.cancel(m.cancels)
		return
	}
	if m.answers != nil && r.asked.answer(m) {
		return
	}
	select {
	case r.taken <- struct{}{}:
	case <-ctx.Done():
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	r.flight[&m] = cancel
	r.mu.Unlock()
	r.pending.Go(func() {
		defer func() {
			cancel()
			r.mu.Lock()
			delete(r.flight, &m)
			r.mu.Unlock()
			<-r.taken
		}()
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
		case <-ctx.Done():
			return
		}
		r.relay(ctx, r.bridge(m))
	})
}

// cancel ends the requests that have this id.
func (r *relay) cancel(id json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for m, cancel := range r.flight { // mostTaken of them at most
		if m.id != nil && bytes.Equal(m.id, id) {
			cancel()
		}
	}
}

// relay posts one message and writes what comes back. A request gets an answer in every case but one: it was cancelled.
func (r *relay) relay(ctx context.Context, m message) {
	for rounds := 0; ; rounds++ {
		n := r.once(ctx, m)
		if n == nil {
			return
		}
		var err error
		if m, err = r.ask(ctx, m, *n, rounds); err != nil {
			r.answerError(m.id, codeInternal, lang.RelayAsks.In(r.Lang))
			return
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// once posts one message and writes what comes back, or gives what the server needs of the client first.
func (r *relay) once(ctx context.Context, m message) *needs {
	token, err := r.Token()
	if err != nil {
		r.trouble(m, lang.RelayTokenFile.In(r.Lang))
		return nil
	}
	resp, err := r.post(ctx, m, token)
	if ctx.Err() != nil {
		if err == nil {
			_ = resp.Body.Close()
		}
		return nil
	}
	if errors.Is(err, errDown) {
		r.trouble(m, lang.RelayDown.In(r.Lang))
		return nil
	}
	if err != nil {
		r.trouble(m, lang.RelayLost.In(r.Lang))
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusUnauthorized {
		r.trouble(m, lang.RelayToken.In(r.Lang))
		return nil
	}
	r.down.Store(false)
	err = r.hand(m, resp)
	var n *needs
	switch {
	case ctx.Err() != nil || m.id == nil:
	case errors.As(err, &n):
		return n
	case errors.Is(err, errNotMCP):
		r.answerError(m.id, codeInternal, lang.RelayAnswer.In(r.Lang, resp.StatusCode))
	case err != nil:
		r.answerError(m.id, codeInternal, lang.RelayLost.In(r.Lang))
	}
	return nil
}

// trouble answers a request with an error, and says so on Err once until a message comes through again.
func (r *relay) trouble(m message, sentence string) {
	if !r.down.Swap(true) {
		_, _ = fmt.Fprintln(r.Err, "readback mcp: "+sentence)
	}
	if m.id != nil {
		r.answerError(m.id, codeInternal, sentence)
	}
}

func (r *relay) write(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.Out.Write(append(line, '\n')); err != nil {
		r.fail(fmt.Errorf("writing to the client: %w", err))
	}
}
