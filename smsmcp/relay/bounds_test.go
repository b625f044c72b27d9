package relay

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// counted counts the lines that are read of it.
type counted struct {
	io.Reader
	lines atomic.Int32
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p[:min(len(p), 16)]) // small reads: what lies in a buffer is not what was taken
	c.lines.Add(int32(strings.Count(string(p[:n]), "\n")))
	return n, err
}

// held answers nothing until it is let go.
type held chan struct{}

func (h held) RoundTrip(*http.Request) (*http.Response, error) {
	<-h
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":7,"result":{}}`)),
	}, nil
}

// TestReadsNoMoreThanItCanHold: while the server answers nothing, the client is not read without end; once it does, all is answered.
func TestReadsNoMoreThanItCanHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const asked = mostTaken + 100
		line := `{"jsonrpc":"2.0","id":1,"method":"x","params":"` + strings.Repeat("y", 200) + `"}` + "\n"
		in, out, leave := &counted{Reader: strings.NewReader(strings.Repeat(line, asked))}, &lockedBuilder{}, make(held)
		r := newRelay(Options{In: in, Out: out, Err: io.Discard, Token: func() (string, error) { return "t", nil }}, nil)
		r.client.Transport = leave
		read := make(chan error, 1)
		go func() { read <- r.readAll(t.Context()) }()
		synctest.Wait()
		if n := in.lines.Load(); n != mostTaken+1 {
			t.Errorf("%d lines were read while nothing was answered", n)
		}
		close(leave)
		if err := <-read; err != nil {
			t.Fatal(err)
		}
		r.pending.Wait()
		if n := strings.Count(out.String(), `"result"`); n != asked {
			t.Errorf("%d of %d were answered", n, asked)
		}
	})
}

// TestServerMoves: a server that comes back at another address is found there, by the request that waits and by the next.
func TestServerMoves(t *testing.T) {
	up := server(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		answerJSON(w, 200, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	var asked atomic.Int32
	rig := start(t, "http://127.0.0.1:1/mcp", func(o *Options) {
		o.Patience = time.Minute
		o.Where = func() (string, error) {
			switch asked.Add(1) {
			case 1:
				return "http://127.0.0.1:1/mcp", nil // nothing is there any more
			case 2:
				return "", errors.New("the file is being written")
			}
			return up, nil
		}
	})
	for i := range 2 {
		rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if m := rig.hear(); m.Error != nil {
			t.Fatal(fmt.Sprint(i), m.Error)
		}
	}
	if n := asked.Load(); n != 4 {
		t.Errorf("the address was asked for %d times", n)
	}
}
