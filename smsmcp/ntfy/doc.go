// Package ntfy tells the owner of each received text by a notification on their telephone, through an ntfy server (https://ntfy.sh), 2.16 or later.
//
// Nothing received goes untold (invariant 8): the store writes with each received text that it is owed (its outbox), and a [Bridge] takes what is owed in the order
// in which it came and marks it told once ntfy has it. What ntfy cannot take now waits. After an outage, and past a limit per sender and in all, one summary
// tells how many texts came from whom, in place of a storm. Where the program dies between ntfy's answer and the mark, the same
// notification is given once more, with the same sequence id, by which ntfy's apps put it in the place of the first.
//
// A text whose sender is only claimed is told of at once as a stranger's that may be anybody's. When the carrier's list has it too, and it is a contact's, the same notification is
// given anew without a sound, once everything that waits was told: its sequence id is of what stays of a text, so the name takes the claim's place on the telephone.
//
// While the topic can be read by anyone, which [Client.Check] asks before the first notification, after each failure and hourly, nothing is told, unless the owner said in so
// many words that it may be ([Config.AnyoneMayRead]); nor is anything while that cannot be asked. It all waits.
//
// A notification is built from a whitelist of fields: nothing that a text holds becomes a button, an attachment, a header or a markup. Its title is the
// sender as the server knows it, and the words stand within quotes that they cannot hold (smsmcp/frame, invariants 3 and 4). The token travels in a header
// alone, and no error holds it, nor anything that ntfy answered (invariants 11 and 13).
//
// A [Client] publishes what the program writes whole, a smsmcp.Note, too: with buttons, by whose tokens the owner answers. For these there is a topic of its own,
// [Approvals], which nobody without a token reads or writes to, whatever the owner said of the other (invariant 6).
//
// Usage: call the store's Outbox with the bridge's Nudge; refuse to start where [Client.Check] gives [ErrAnonymous]; then run [Bridge.Run]. One process alone may run a bridge on a store.
//
// Floor 3: imports smsmcp, smsmcp/frame and floor 0.
package ntfy
