package mcptools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// maxProgressToken bounds what is repeated of a client's token, in bytes.
const maxProgressToken = 256

// progressToken gives the token as one line of JSON, or nil: it is a string or an integer (MCP, "Progress"), and short.
func progressToken(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || len(raw) > maxProgressToken {
		return nil
	}
	if text := ""; json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		return raw
	}
	if n := int64(0); json.Unmarshal(raw, &n) == nil && raw[0] != 'n' {
		return raw
	}
	return nil
}

// progress sends the client one notification of progress, if it wants them. The first turns the answer into a stream, whose last event is the result.
func (a *answer) progress(done, total float64, sentence string) {
	if a.wants == nil || a.sent {
		return
	}
	b, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "method": "notifications/progress",
		"params": map[string]any{"progressToken": a.wants, "progress": done, "total": total, "message": sentence},
	})
	if err != nil { // the token came out of JSON: it cannot fail
		return
	}
	if !a.open {
		a.open = true
		a.Header().Del("Content-Length")
		a.Header().Set("Content-Type", "text/event-stream")
		a.to.WriteHeader(http.StatusOK)
	}
	_ = a.event(b)
}

// event writes one event of a stream, and has it leave.
func (a *answer) event(b []byte) error {
	_, err := fmt.Fprintf(a.to, "event: message\ndata: %s\n\n", bytes.TrimSpace(b))
	_ = http.NewResponseController(a.to).Flush() // where it cannot, it leaves with the end
	return err
}
