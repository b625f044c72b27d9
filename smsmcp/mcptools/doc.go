// Package mcptools is the face that a model sees: the tools, what they say of themselves, and the HTTP handler of /mcp. It alone imports
// mcp-go.
//
// Every tool stands in one table with its origin (does its answer carry a stranger's words?) and its reach (does it send anything out?). The
// kind of function that serves it follows from both, and the compiler holds the rest: what carries a stranger's words returns a
// frame.Framed (invariant 3), what sends out is handed the door and no carrier (invariant 1), and nothing else is handed
// either. No tool has a parameter for a number (invariant 2) or for a yes (invariant 5), and no answer repeats an argument bare
// (invariant 13): arguments are checked here, because mcp-go's own checks quote what they refuse.
//
// What a client answers for its user comes by package code beside the table: as the answer to a question of the protocol (elicit.go), or from a card that the client draws
// (card.go). A secret comes with either that no model reads. Clients that draw cards are served by a server of their own, which has the card's document and the
// tool of its buttons; no other client is told of either, or handed a secret.
//
// Floor 4: imports lower floors only.
package mcptools
