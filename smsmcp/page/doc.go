// Package page is the owner's page: what waits for a yes, word for word, with Send, Don't send and Freeze; and beside it history, contacts,
// tokens and passkeys; and where there is OAuth, the question whether a program is let in, and those that are.
//
// A yes from here is the owner's own: a session alone does not give it, a passkey or the passphrase does, given within two minutes before and not
// before there was anything to say yes to, and it names the digest of what was shown (invariants 5 and 14). Such a proof counts for two minutes, so for several texts that wait; one
// that the clock was set back since counts no more. A no and a freeze need the session alone.
// A GET changes nothing. A POST counts only where it comes from this very page (Sec-Fetch-Site or Origin) and, in a session, carries the session's token. Nothing on the page
// comes from elsewhere, no script or style stands in it, and no text becomes a link. A stranger's words are nowhere on it but the name that a sender
// without a number gives itself, between « and », and the one that a program does, in a form that may stand anywhere; what stands in an image is fetched when it is asked for, and served where nothing in it can act.
//
// Another passkey takes the passphrase itself, each one anew, and the owner is told of it elsewhere.
//
// Nothing is kept for somebody who is not signed in: the challenge for a passkey goes out sealed, in a cookie of its own. Nor is anything judged or fetched for them that a program asks.
//
// A program is let in by a yes as to a text: it names the digest of the question. Its proof is for that showing of that question, which the form says, sealed, and for nothing else: the passphrase in that very
// form, or a passkey whose challenge was made for it; the yes uses it up. So it is where a program's own yes is made to count. One yes gives one
// code. What is wrong with a program is said here and leads nowhere. The way back to it is in a header of an answer (Refresh), not in a redirect: see lead.
//
// Floor 4: imports floors 0 to 3, and no other face. It alone imports the library for WebAuthn.
package page
