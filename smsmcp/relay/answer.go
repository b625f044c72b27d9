package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"
)

var (
	errDown    = errors.New("the connection was refused")
	errNowhere = errors.New("the server's address cannot be read")
	errNotMCP  = errors.New("the answer is not MCP")
	errShort   = errors.New("the answer ended early")
)

// post sends a message, and again while nothing takes the connection (a server that restarts, maybe at another address), until patience
// ends.
func (r *relay) post(ctx context.Context, m message, token string) (*http.Response, error) {
	patience := time.NewTimer(r.Patience)
	defer patience.Stop()
	for {
		resp, err := r.try(ctx, m, token)
		var op *net.OpError
		if !errors.Is(err, errNowhere) && (err == nil || !errors.As(err, &op) || op.Op != "dial") {
			return resp, err
		}
		again := time.NewTimer(retryEvery)
		select {
		case <-again.C:
		case <-patience.C:
			again.Stop()
			return nil, errDown
		case <-ctx.Done():
			again.Stop()
			return nil, ctx.Err()
		}
	}
}

// try sends a message once, to where the server is now.
func (r *relay) try(ctx context.Context, m message, token string) (*http.Response, error) {
	url := r.URL
	if r.Where != nil {
		var err error
		if url, err = r.Where(); err != nil {
			return nil, fmt.Errorf("%w: %w", errNowhere, err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(m.line))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	settled, _ := r.version.Load().(string)
	m.headers(req.Header, settled)
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
	return r.client.Do(req)
}

// hand writes the server's messages as lines. An error means that the request has no answer yet.
func (r *relay) hand(m message, resp *http.Response) error {
	body := io.LimitReader(resp.Body, answerBytes+1)
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case m.id == nil && resp.StatusCode/100 == 2:
		return nil // a notification: accepted, and nothing to write
	case kind == "text/event-stream":
		return r.events(m, body)
	case kind == "application/json":
		b, err := io.ReadAll(body)
		if err != nil || len(b) > answerBytes {
			return errShort
		}
		_, err = r.pass(m, b)
		return err
	}
	return errNotMCP
}

// pass writes one message of the server, and says whether it answers m.
func (r *relay) pass(m message, b []byte) (answered bool, err error) {
	var a struct {
		Method string `json:"method"`
		Result *struct {
			Version string `json:"protocolVersion"`
		} `json:"result"`
		Error *struct{} `json:"error"`
	}
	line := compact(b)
	if line == nil || line[0] != '{' || json.Unmarshal(line, &a) != nil {
		return false, errNotMCP
	}
	if a.Method != "" {
		r.write(line)
		return false, nil
	}
	if a.Error == nil && a.Result == nil {
		return false, errNotMCP
	}
	if m.id == nil {
		return true, nil // nobody waits for what became of a notification
	}
	if m.method == "initialize" && a.Result != nil {
		r.version.Store(a.Result.Version)
		r.asked.settle(m.declares)
	}
	if m.bridged {
		if line, err = older(m.method, line); err != nil {
			return false, err
		}
	}
	if line, err = withID(line, m.id); err != nil {
		return false, err
	}
	r.write(line)
	return true, nil
}

// withID gives an answer its request's id. A connection carries one request, so it is that one's, and yet its id may be another: none where the request was refused before its id was
// read, and a long number rounded where the server reads numbers as floats.
func withID(line []byte, id json.RawMessage) ([]byte, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return nil, errNotMCP
	}
	if bytes.Equal(m["id"], id) {
		return line, nil
	}
	m["id"] = id
	return json.Marshal(m)
}

// events reads a stream of server-sent events, whose data are messages, until one answers m.
func (r *relay) events(m message, body io.Reader) error {
	in := bufio.NewReader(body)
	var data []byte
	for {
		line, err := in.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(rest, []byte(" "))...), '\n')
		}
		if len(line) == 0 && len(bytes.TrimSpace(data)) > 0 {
			answered, err := r.pass(m, data)
			if answered || err != nil {
				return err
			}
			data = nil
		}
		if err != nil {
			return errShort
		}
	}
}
