// Package owner is the owner's face: what the command line asks of a running server, as calls over HTTP and JSON on a unix socket in the
// data folder, and the client for it.
//
// There is one code path: where no server runs, the same handler answers in process ([Local]). The socket is open to the owner's
// user alone (0600 in a 0700 folder), and no MCP client's token means anything here. What a fooled model with a shell must not be able
// to do (approve, thaw, say what became of a send, change contacts or tokens, copy the store) asks for the owner's passphrase, which
// is checked here, on the server's side, one at a time; who was wrong waits, and keeps nobody else waiting (invariant 5: none of this is a tool).
//
// Floor 4: imports floors 0 to 3, and no other face.
package owner
