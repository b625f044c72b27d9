package mcptools

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
)

// origin says whose words a tool's answer carries. The zero value declares nothing.
type origin uint8

const (
	serversWords   origin = iota + 1 // the server's own sentences, names of contacts, and what this model passed in
	strangersWords                   // what somebody else wrote
)

// reach says whether a tool sends anything out. The zero value declares nothing.
type reach uint8

const (
	staysIn reach = iota + 1
	goesOut
)

// tool is a row of the table.
type tool struct {
	name   string
	title  lang.Message
	about  lang.Message
	params []param
	origin origin
	reach  reach
	hints  hints
	cards  bool // it is for the card's buttons alone, and in no list that a model is given
	serve  handler
}

// hints are the MCP annotations, by which clients decide what to ask their user.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// reply is what a tool says.
type reply struct {
	text  string
	waits smsmcp.Send // of a send that waits for the owner's yes, in place of the text
	again bool        // and waited before this call

	result *mcp.CallToolResult // in place of both: the whole answer, to the card or with images
}

// handler is one of framed, pictured, plain, outward and pressed.
type handler interface {
	run(ctx context.Context, s *server, a args) (reply, error)
}

// framed serves a tool whose answer carries a stranger's words: only the frame's own renderer makes what it returns.
type framed func(ctx context.Context, in *reading, a args) (frame.Framed, error)

// plain serves a tool that neither carries a stranger's words nor sends.
type plain func(ctx context.Context, in *looking, a args) (string, error)

// outward serves a tool that sends: the door is all it has to send by.
type outward func(ctx context.Context, in *sending, a args) (reply, error)

func (f framed) run(ctx context.Context, s *server, a args) (reply, error) {
	out, err := f(ctx, &s.reading, a)
	return reply{text: out.Text}, err
}
func (f plain) run(ctx context.Context, s *server, a args) (reply, error) {
	out, err := f(ctx, &s.looking, a)
	return reply{text: out}, err
}
func (f outward) run(ctx context.Context, s *server, a args) (reply, error) {
	return f(ctx, &s.sending, a)
}

var errUndeclared = errors.New("a tool must declare its origin and its reach, and be served accordingly")

// declared holds the table to its word: a tool that declares neither, or is served by a function of another kind, is not registered.
func (t tool) declared() error {
	ok := false
	switch t.serve.(type) {
	case framed:
		ok = t.origin == strangersWords && t.reach == staysIn
	case pictured:
		ok = t.origin == strangersWords && t.reach == staysIn
	case plain:
		ok = t.origin == serversWords && t.reach == staysIn
	case outward:
		ok = t.origin == serversWords && t.reach == goesOut
	case pressed:
		ok = t.origin == serversWords && t.reach == goesOut && t.cards
	}
	if _, button := t.serve.(pressed); t.cards != button {
		ok = false
	}
	if !ok || t.hints.readOnly && (t.reach == goesOut || t.hints.destructive) {
		return fmt.Errorf("%w: %s", errUndeclared, t.name)
	}
	return nil
}

// refusal is an error whose sentence is written for the model: the server's words alone.
type refusal string

func (r refusal) Error() string { return string(r) }
