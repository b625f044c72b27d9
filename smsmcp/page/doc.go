// Package page is the owner's page: what waits for a yes, word for word, with Send, Don't send and Freeze; and beside it history, contacts,
// tokens and passkeys.
//
// A yes from here is the owner's own: a session alone does not give it, a passkey or the passphrase does, given within two minutes before and not
// before there was anything to say yes to, and it names the digest of what was shown (invariants 5 and 14). A no and a freeze need the session alone.
// A GET changes nothing. A POST counts only where it comes from this very page (Sec-Fetch-Site or Origin) and, in a session, carries the session's token. Nothing on the page
// comes from elsewhere, no script or style stands in it, and no text becomes a link. A stranger's words are nowhere on it but the name that a sender
// without a number gives itself, between « and »; what stands in an image is fetched when it is asked for, and served where nothing in it can act.
//
// Another passkey takes the passphrase itself, each one anew, and the owner is told of it elsewhere.
//
// Nothing is kept for somebody who is not signed in: the challenge for a passkey goes out sealed, in a cookie of its own.
//
// Floor 4: imports floors 0 to 3, and no other face. It alone imports the library for WebAuthn.
package page
