package mcptools

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
)

// cardOptions are what the card needs of the server: the extension it declares, and the filter of what clients are told.
func (s *server) cardOptions() []mcpserver.ServerOption { return nil }

// cards registers the card's resource and the tool that its buttons call.
func (s *server) cards(*mcpserver.MCPServer) error { return nil }

// draws says whether the client that asks now draws a card for a send that waits: it is answered at once then.
func (s *server) draws(context.Context, smsmcp.Send) bool { return false }

// card adds to the answer about a send that waits what its card needs, once the text of the answer is there. call is the digest of the tool call.
func (s *server) card(context.Context, *mcp.CallToolResult, smsmcp.Send, [32]byte) {}
