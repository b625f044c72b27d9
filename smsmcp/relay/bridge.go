package relay

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// A client of an older era says what it can do in initialize alone, and the server has no sessions to remember that in. The relay has one client, and knows. So where it matters it puts that
// client's requests into the modern era, in which each says what its client can do, and takes from the answers what only that era has.

const (
	modernVersion   = "2026-07-28"
	infoKey         = "io.modelcontextprotocol/clientInfo"
	capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
	serverKey       = "io.modelcontextprotocol/serverInfo"
	cardsExtension  = "io.modelcontextprotocol/ui" // MCP Apps

	codeParams     = -32602
	codeNoResource = -32002 // in the older eras; the modern one says codeParams
)

// declared is what a client says of itself in initialize.
type declared struct {
	Info         json.RawMessage `json:"clientInfo"`
	Capabilities struct {
		Elicitation json.RawMessage `json:"elicitation"`
		Extensions  json.RawMessage `json:"extensions"`
	} `json:"capabilities"`
}

// forms says whether a client can be asked by a form: one that names no mode can.
func (d *declared) forms() bool {
	var can *struct {
		Form, URL *struct{}
	}
	return d != nil && json.Unmarshal(d.Capabilities.Elicitation, &can) == nil && can != nil && (can.Form != nil || can.URL == nil)
}

// cards says whether a client declared the extension for cards: the server looks at how.
func (d *declared) cards() bool {
	var all map[string]json.RawMessage
	return d != nil && json.Unmarshal(d.Capabilities.Extensions, &all) == nil && all[cardsExtension] != nil
}

// modern says whether the answer to a request may depend on what its client declared.
func (d *declared) modern(m message) bool {
	switch m.method {
	case "tools/call":
		return m.named && (d.forms() || d.cards())
	case "resources/read":
		return m.named && d.cards()
	case "tools/list", "resources/list", "resources/templates/list":
		return d.cards()
	}
	return false
}

// bridge puts a request of an older era into the modern one, where its answer may depend on what the client declared. Any other message stays as it is.
func (r *relay) bridge(m message) message {
	who := r.asked.client()
	if m.id == nil || m.version != "" || !who.modern(m) {
		return m
	}
	capabilities := map[string]json.RawMessage{}
	if who.forms() {
		capabilities["elicitation"] = who.Capabilities.Elicitation
	}
	if len(who.Capabilities.Extensions) > 0 && who.Capabilities.Extensions[0] == '{' {
		capabilities["extensions"] = who.Capabilities.Extensions
	}
	line, err := within(m.line, func(params map[string]json.RawMessage) error {
		var meta map[string]json.RawMessage
		if raw := params["_meta"]; raw != nil {
			if err := json.Unmarshal(raw, &meta); err != nil {
				return fmt.Errorf("reading _meta: %w", err)
			}
		}
		if meta == nil {
			meta = map[string]json.RawMessage{}
		}
		meta[versionKey] = json.RawMessage(strconv.Quote(modernVersion))
		if len(who.Info) > 0 {
			meta[infoKey] = who.Info
		}
		var err error
		if meta[capabilitiesKey], err = json.Marshal(capabilities); err != nil {
			return fmt.Errorf("writing _meta: %w", err)
		}
		// A client of an older era has no answers to bring: it was never asked that way.
		maps.DeleteFunc(params, func(name string, _ json.RawMessage) bool {
			return strings.EqualFold(name, "requestState") || strings.EqualFold(name, "inputResponses")
		})
		params["_meta"], err = json.Marshal(meta)
		return err
	})
	if err != nil {
		return m // of a form that the server will refuse
	}
	m.line, m.version, m.bridged = line, modernVersion, true
	return m
}

// within changes the parameters of a message, which it may have none of. One that has them by another spelling too is of no form: who reads it may take either.
func within(line []byte, change func(params map[string]json.RawMessage) error) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	for name := range m {
		if name != "params" && strings.EqualFold(name, "params") {
			return nil, errForm
		}
	}
	params := map[string]json.RawMessage{}
	if raw := m["params"]; raw != nil && (json.Unmarshal(raw, &params) != nil || params == nil) {
		return nil, errForm
	}
	if err := change(params); err != nil {
		return nil, err
	}
	var err error
	if m["params"], err = json.Marshal(params); err != nil {
		return nil, fmt.Errorf("writing parameters: %w", err)
	}
	return json.Marshal(m)
}

// older takes from an answer what only the modern era has: measured, an answer of the older eras has all the rest. What the server needs before it answers comes as an error: [*needs].
func older(method string, line []byte) ([]byte, error) {
	var m, result, meta map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return nil, errNotMCP
	}
	if m["error"] != nil {
		return olderError(method, m)
	}
	if json.Unmarshal(m["result"], &result) != nil {
		return nil, errNotMCP
	}
	if n := new(needs); json.Unmarshal(m["result"], n) == nil && n.Type == inputRequired {
		return nil, n
	}
	for _, name := range []string{"resultType", "ttlMs", "cacheScope"} {
		delete(result, name)
	}
	var err error
	if json.Unmarshal(result["_meta"], &meta) == nil && meta[serverKey] != nil {
		delete(meta, serverKey)
		if result["_meta"], err = json.Marshal(meta); err != nil {
			return nil, fmt.Errorf("writing _meta: %w", err)
		}
		if len(meta) == 0 {
			delete(result, "_meta")
		}
	}
	if m["result"], err = json.Marshal(result); err != nil {
		return nil, fmt.Errorf("writing a result: %w", err)
	}
	return json.Marshal(m)
}

// olderError gives an error the code that clients of the older eras know it by.
func olderError(method string, m map[string]json.RawMessage) ([]byte, error) {
	var detail map[string]json.RawMessage
	if json.Unmarshal(m["error"], &detail) != nil {
		return nil, errNotMCP
	}
	if method == "resources/read" && string(detail["code"]) == strconv.Itoa(codeParams) { // with a URI, or it would not have been put into the modern era
		detail["code"] = json.RawMessage(strconv.Itoa(codeNoResource))
	}
	var err error
	if m["error"], err = json.Marshal(detail); err != nil {
		return nil, fmt.Errorf("writing an error: %w", err)
	}
	return json.Marshal(m)
}
