package main

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

// mcpClient is the little of an MCP client that the demonstration needs: it calls a tool.
type mcpClient struct {
	http  *http.Client
	url   string
	token string
	last  int
}

const mcpVersion = "2025-11-25"

// call calls one tool and gives the text of its answer, an error's included: both are what a model reads.
func (c *mcpClient) call(ctx context.Context, tool string, args map[string]any) (string, error) {
	c.last++
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": c.last, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Authorization": "Bearer " + c.token, "Mcp-Protocol-Version": mcpVersion,
	} {
		req.Header.Set(k, v)
	}
	resp, err := c.http.Do(req)
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

// written shows a call's arguments.
func written(args map[string]any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(args); err != nil {
		return "{}"
	}
	return strings.TrimSpace(b.String())
}
