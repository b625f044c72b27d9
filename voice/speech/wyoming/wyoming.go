// Package wyoming hears and speaks by servers that speak Wyoming, the wire of Home Assistant's engines (faster-whisper, Piper and others): JSON lines and PCM over TCP.
//
// What is heard is a stranger's words from the first moment (invariant 4). The server is told the language and given the sound, and nothing of what is expected
// (invariant 10). A transcript counts only if it came after the whole utterance was sent; a text was spoken only if the server said so at its end. A server that
// dies, stalls, floods or lies costs an error with a code, bounded memory and bounded time; of what it says, no error holds a word.
//
// The wire knows no encryption and no password: that the address is near is the configuration's care.
//
// Floor 3: imports smsmcp/lang, smsmcp/untrusted, voice, voice/media/rate, voice/speech/plain. It waits by timers, and is given the clock.
package wyoming

import (
	"context"
	"net"
	"net/url"
	"strings"
	"time"
)

// dialTime is the longest that a connection may take: the server is near.
const dialTime = 3 * time.Second

// server is where one listens.
type server struct {
	address string
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
}

// newServer reads tcp://HOST:PORT.
func newServer(address string, dial func(context.Context, string, string) (net.Conn, error)) (server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "tcp" || u.Hostname() == "" || u.Port() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return server{}, ErrAddress
	}
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTime}).DialContext
	}
	return server{u.Host, dial}, nil
}

// link is one connection. It is closed when its context ends, so nothing that reads or writes by it outlives that.
type link struct {
	net.Conn
	*reader
	release func() bool
}

func (s server) connect(ctx context.Context) (*link, error) {
	conn, err := s.dial(ctx, "tcp", s.address)
	if err != nil {
		return nil, ErrUnreachable
	}
	return &link{conn, newReader(conn), context.AfterFunc(ctx, func() { _ = conn.Close() })}, nil
}

func (l *link) close() {
	l.release()
	_ = l.Close()
}

// send writes one event.
func (l *link) send(kind string, data any, payload []byte) error {
	b, err := encode(kind, data, payload)
	if err != nil {
		return err
	}
	if _, err := l.Write(b); err != nil {
		return ErrGone
	}
	return nil
}
