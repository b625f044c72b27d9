package mcptools

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"readback/smsmcp"
)

// needs says what a client must have been let in for to call a tool: to read texts where the answer carries a stranger's words; to send where it sends, and for what is about sends. To
// find a contact is part of both.
func (t tool) needs() (read, send bool) {
	return t.origin == strangersWords, t.reach == goesOut || t.name == "check_send" || t.name == "cancel_send"
}

// allowed says whether a principal may call a tool.
func (t tool) allowed(p smsmcp.Principal) bool {
	read, send := t.needs()
	return (p.Read || !read) && (p.Send || !send)
}

// Needs says what the body of a request to the handler asks for: web answers with HTTP's own refusal where the client was not let in for that. What is not of the table is
// the card's own tool, which answers for a send, or none. What mcp-go reads otherwise is judged again before the tool runs.
func Needs(body []byte) (read, send bool) {
	var head struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &head) != nil || head.Method != mcp.MethodToolsCall {
		return false, false
	}
	for _, t := range append(tools[:len(tools):len(tools)], showImages) {
		if t.name == head.Params.Name {
			return t.needs()
		}
	}
	return false, true
}
