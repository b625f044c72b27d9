// Package model stands for a model in the demonstration: it calls a tool of an MCP server, and shows what it called it with.
//
// Floor 1: imports the standard library alone.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Client is the little of an MCP client that calls a tool.
type Client struct {
	HTTP  *http.Client
	URL   string // of the MCP endpoint
	Token string
	last  int
}

const version = "2025-11-25"

// Call calls one tool and gives the text of its answer, an error's included: both are what a model reads.
func (c *Client) Call(ctx context.Context, tool string, args map[string]any) (string, error) {
	c.last++
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": c.last, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Authorization": "Bearer " + c.Token, "Mcp-Protocol-Version": version,
	} {
		req.Header.Set(k, v)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		return "", fmt.Errorf("HTTP status %d", resp.StatusCode)
	}
	if answer.Error != nil {
		return "", errors.New(answer.Error.Message)
	}
	var text []string
	for _, part := range answer.Result.Content {
		text = append(text, part.Text)
	}
	return strings.Join(text, "\n"), nil
}

// Written shows a call's arguments.
func Written(args map[string]any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(args); err != nil {
		return "{}"
	}
	return strings.TrimSpace(b.String())
}
