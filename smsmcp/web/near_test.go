package web

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
)

// calls is a listener whose connections are made up.
type calls struct {
	net.Listener

	left []call
}

type call struct {
	net.Conn

	from, to string
	closed   *bool
}

type spelled string

func (s spelled) Network() string { return "tcp" }
func (s spelled) String() string  { return string(s) }

func (c call) RemoteAddr() net.Addr { return spelled(c.from) }
func (c call) LocalAddr() net.Addr  { return spelled(c.to) }
func (c call) Close() error         { *c.closed = true; return nil }

func (c *calls) Accept() (net.Conn, error) {
	if len(c.left) == 0 {
		return nil, io.EOF
	}
	one := c.left[0]
	c.left = c.left[1:]
	return one, nil
}

// TestPlainHTTPIsForThisMachineAndTheProxies: whoever else connects is closed, before it has said a word.
func TestPlainHTTPIsForThisMachineAndTheProxies(t *testing.T) {
	var log lockedBuffer
	want := map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "[::ffff:127.0.0.1]:1": true, "10.0.0.5:1": true, "[::ffff:10.0.0.5]:1": true, "[2001:db8:1::5]:1": true,
		"192.0.2.1:1": true, // this machine, by the address that it calls
		"10.0.0.6:1":  false, "192.0.2.2:1": false, "[2001:db8:2::5]:1": false, "[fe80::1%eth0]:1": false, "@": false, "": false,
	}
	for from, good := range want {
		closed := false
		ln := Near(&calls{left: []call{{from: from, to: "192.0.2.1:8787", closed: &closed}}}, trusted(t, "10.0.0.5", "2001:db8:1::/48"),
			slog.New(slog.NewTextHandler(&log, nil)))
		c, err := ln.Accept()
		if good != (err == nil) || good != (c != nil) || closed == good || !good && !errors.Is(err, io.EOF) {
			t.Errorf("%q: %v, closed %v", from, err, closed)
		}
	}
	if got := log.String(); !strings.Contains(got, "from=192.0.2.2") || strings.Contains(got, "from=10.0.0.5") {
		t.Error(got)
	}
}

// TestAFloodOfStrangersIsNotAFloodOfTheLog: one line for each address, and of few.
func TestAFloodOfStrangersIsNotAFloodOfTheLog(t *testing.T) {
	var log lockedBuffer
	closed := false
	in := &calls{}
	for i := range 1000 {
		in.left = append(in.left, call{from: net.JoinHostPort(net.IPv4(198, 51, byte(i/256), byte(i)).String(), "1"), closed: &closed})
		in.left = append(in.left, call{from: "192.0.2.7:1", closed: &closed})
	}
	if _, err := Near(in, nil, slog.New(slog.NewTextHandler(&log, nil))).Accept(); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "\n"); n != mostTold {
		t.Errorf("%d lines", n)
	}
}
