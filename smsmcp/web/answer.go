package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// JSON-RPC error codes: those of the specification, and one of the range that it leaves to servers.
const (
	codeParse   = -32700
	codeRequest = -32600
	codeServer  = -32000
)

// refuse answers with an HTTP status and a body that an MCP client can read. The id is null: the request was not read.
func refuse(w http.ResponseWriter, status, code int, sentence string) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct {
		Version string    `json:"jsonrpc"`
		ID      *struct{} `json:"id"`
		Error   any       `json:"error"`
	}{"2.0", nil, struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{code, sentence}})
	guardHeaders(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// guardHeaders keeps a browser from reading an answer as anything but data, and everyone from keeping it.
func guardHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
}

// retryAfter writes a wait in whole seconds, rounded up, at least 1 (RFC 9110, 10.2.3).
func retryAfter(h http.Header, d time.Duration) {
	h.Set("Retry-After", strconv.FormatInt(max(1, int64((d+time.Second-1)/time.Second)), 10))
}
