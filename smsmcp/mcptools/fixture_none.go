//go:build !conformance

package mcptools

import mcpserver "github.com/mark3labs/mcp-go/server"

// fixture registers nothing: the conformance suite's tools are in programs for it alone.
func (*server) fixture(*mcpserver.MCPServer) {}
