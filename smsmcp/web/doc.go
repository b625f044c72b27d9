// Package web is what stands between the network and the MCP handler: TLS, bearer tokens, Host and Origin checks, a body bounded in size and
// shape, what a client was let in for, limits of rate and of how much is read and answered at once for each token and in all, time-outs and a shutdown that ends. Other handlers stand
// beside it as routes, behind the same checks but for the token.
//
// It holds its part of invariant 11 (no token reaches a log or an answer) and of invariant 13 (nothing that a client sent is
// echoed). What a request says of where it came from counts only where a trusted proxy wrote it.
//
// Floor 4: imports lower floors only; in fact smsmcp, smsmcp/lang and smsmcp/oauth alone. It knows no MCP library: the MCP handler comes as an http.Handler.
package web
