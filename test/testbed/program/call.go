package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Base is where the server answers: http://127.0.0.1:PORT.
func (p *Program) Base() string { base, _ := p.at(); return base }

// Try is Call for a server that may end meanwhile.
func (p *Program) Try(ctx context.Context, tool string, args map[string]any) (string, error) {
	return p.call(ctx, tool, args)
}

func (p *Program) at() (base, token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.base, p.token
}

// Get gives the status and the body of one of the server's pages, such as /healthz.
func (p *Program) Get(ctx context.Context, path string) (int, string) {
	p.t.Helper()
	base, token := p.at()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// Call has a model call a tool, and gives the words that it reads, an error's included.
func (p *Program) Call(ctx context.Context, tool string, args map[string]any) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	out, err := p.call(ctx, tool, args)
	if err != nil {
		p.t.Fatalf("%s: %v", tool, err)
	}
	return out
}

func (p *Program) call(ctx context.Context, tool string, args map[string]any) (string, error) {
	if args == nil {
		args = map[string]any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
	if err != nil {
		return "", err
	}
	base, token := p.at()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/mcp", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + token, "Mcp-Protocol-Version": "2025-11-25",
	} {
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	if err != nil {
		return "", err
	}
	var answer struct {
		Result struct {
			Content []struct{ Text string }
		}
		Error *struct{ Message string }
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		return "", fmt.Errorf("%s: %.200q", resp.Status, b)
	}
	if answer.Error != nil {
		return answer.Error.Message, nil
	}
	var text []string
	for _, c := range answer.Result.Content {
		text = append(text, c.Text)
	}
	return strings.Join(text, "\n"), nil
}
