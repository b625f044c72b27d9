// Package oauth lets clients in that the owner agreed to in a browser: a small authorization server with one owner, and what the MCP endpoint asks of the tokens
// that it gave (OAuth 2.1, with RFC 7009, 7591, 7636, 8414, 8707, 9207, 9728 and client ID metadata documents).
//
// Clients are public: none has a secret, and each proves with PKCE (S256, nothing else) that who exchanges a code is who asked for it. A client is known by registering
// itself, or by the address of a document about it; either way it is sent back only to hosts that the configuration names, or to the machine that its
// browser runs on. What is wrong with a client or with where it wants its answer is told to the browser and is never a redirect.
//
// Only [Server.Grant] makes a code, and it takes a [Consent], which only [Server.Authorize] makes: who calls it has shown that Consent to the owner, who proved who they are.
//
// # Refresh tokens
//
// An answer that gets lost must not sign a client out, however long it is silent afterwards; and a token that was stolen must not serve two for long. So a refresh token
// stays good until what it was exchanged for was used: the refresh token that came for it, or the access token beside that. Until then it gives another pair, each time. Of the
// pairs that one token gave, one goes on: the first whose refresh token is used. From then on a token that came before, or beside it, is one that two have, and ends all
// of the grant; but for 10 s, in which requests that overtake each other are one client's. See [Rotation].
//
// Nothing is opened by a clock that is set back (invariant 12): a code or an access token from the future is refused, which a client mends by
// itself; a grant that had ended has ended; and an access token that is told to be over is dropped before that is said, and so is what else is over then.
//
// What strangers fail at is counted against them, and takes no turn of the store's one writer; a client that shows what was given to it is told what became of that, whatever
// strangers do.
//
// Tokens are kept hashed, and no log or error holds one (invariant 11). Answers hold codes, never what a stranger wrote (invariant 13): a client's name
// is kept only in a known form.
//
// Floor 3: imports smsmcp/outside.
package oauth
