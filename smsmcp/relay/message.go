package relay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"
)

// JSON-RPC error codes.
const (
	codeParse    = -32700
	codeRequest  = -32600
	codeInternal = -32603
)

var errForm = errors.New("not a JSON-RPC message")

// message is a line from the client with what the relay must know of it.
type message struct {
	line    []byte
	id      json.RawMessage // compact; nil for a notification or a response
	method  string
	version string          // of the protocol, where the message itself says it: the modern era does
	name    string          // what the Mcp-Name header mirrors
	named   bool            // and whether the method has one
	cancels json.RawMessage // of notifications/cancelled: the request's id

	answers  json.RawMessage // of a response: the id of what it answers
	declares *declared       // of initialize
	bridged  bool            // it is of an older era and was put into the modern one
}

const versionKey = "io.modelcontextprotocol/protocolVersion"

func parse(line []byte) (message, error) {
	line = bytes.TrimSpace(line)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if len(line) == 0 || line[0] != '{' || !utf8.Valid(line) || json.Unmarshal(line, &m) != nil {
		return message{}, errForm
	}
	out := message{line: line, method: m.Method}
	if m.Method != "" && len(m.ID) > 0 && !bytes.Equal(m.ID, []byte("null")) {
		out.id = compact(m.ID)
	}
	if m.Method == "" {
		out.answers = compact(m.ID)
	}
	var p struct {
		Name      json.RawMessage            `json:"name"`
		URI       json.RawMessage            `json:"uri"`
		RequestID json.RawMessage            `json:"requestId"`
		Meta      map[string]json.RawMessage `json:"_meta"`
		declared
	}
	_ = json.Unmarshal(m.Params, &p) // params may be absent, or of a form that the server will refuse
	_ = json.Unmarshal(p.Meta[versionKey], &out.version)
	out.cancels = compact(p.RequestID)
	switch m.Method {
	case "tools/call", "prompts/get":
		out.named = json.Unmarshal(p.Name, &out.name) == nil
	case "resources/read":
		out.named = json.Unmarshal(p.URI, &out.name) == nil
	case "initialize":
		out.declares = &p.declared
	}
	return out, nil
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}

// headers sets what the transport asks of a client: in the modern era (2026-07-28) the version, method and name that the body holds
// (SEP-2243), and in the older ones, once initialize has settled it, the version.
func (m message) headers(h http.Header, settled string) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if m.version == "" {
		if settled != "" && m.method != "initialize" {
			h.Set("MCP-Protocol-Version", headerValue(settled))
		}
		return
	}
	h.Set("MCP-Protocol-Version", headerValue(m.version))
	h.Set("Mcp-Method", headerValue(m.method))
	if m.named {
		h.Set("Mcp-Name", headerValue(m.name))
	}
}

// headerValue encodes what a header cannot hold as it is, as SEP-2243 says: =?base64?…?=.
func headerValue(s string) string {
	plain := s == strings.TrimSpace(s) && !strings.HasPrefix(s, "=?base64?")
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] <= '~'
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

func (r *relay) answerError(id json.RawMessage, code int, sentence string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	type detail struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	line, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   detail          `json:"error"`
	}{"2.0", id, detail{code, sentence}})
	if err == nil { // it cannot fail: id was parsed from JSON
		r.write(line)
	}
}
