// Package relay speaks MCP over standard input and output for a client that starts its servers as children, and passes every message to
// the running server's /mcp over HTTP, with the client's token. It opens no store and knows no tool. What it holds in memory is bounded: when
// the server does not keep up, it reads no more from the client. An answer has the id of the request on whose connection it came.
//
// What a client of an older era declared in initialize, the relay says again in each of its requests on which that bears (bridge.go): it has one client, where the
// server has many with one token.
//
// It holds its part of invariant 7: a message is posted again only when the connection was refused, so that it cannot have arrived.
// And of invariant 11: the token goes to that one address, through no proxy and along no redirect.
//
// Floor 4: imports smsmcp/lang alone.
package relay
