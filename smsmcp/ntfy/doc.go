// Package ntfy tells the owner of each received text by a notification on their telephone, through an ntfy server (https://ntfy.sh), 2.16 or later.
//
// Nothing received goes untold (invariant 8): the store writes with each received text that it is owed (its outbox), and a [Bridge] takes what is owed in the order
// in which it came and marks it told once ntfy has it. What ntfy cannot take now waits. After an outage, and past a limit per sender and in all, one summary
// tells how many texts came from whom, in place of a storm. Where the program dies between ntfy's answer and the mark, the same
// notification is given once more, with the same sequence id, by which ntfy's apps put it in the place of the first.
//
// A notification is built from a whitelist of fields: nothing that a text holds becomes an action, an attachment, a header or a markup. Its title is the
// sender as the server knows it, and the words stand within quotes that they cannot hold (smsmcp/frame, invariants 3 and 4). The token travels in a header
// alone, and no error holds it, nor anything that ntfy answered (invariants 11 and 13).
//
// Usage: call the store's Outbox with the bridge's Nudge; refuse to start where [Client.Check] gives [ErrAnonymous], unless the owner said in so many words that the topic may
// be read by anyone; then run [Bridge.Run]. One process alone may run a bridge on a store.
//
// Floor 3: imports smsmcp, smsmcp/frame and floor 0.
package ntfy
