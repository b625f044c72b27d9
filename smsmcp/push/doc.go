// Package push asks for the owner's yes on the owner's phone, and takes it from there.
//
// What it shows is the stored draft: to whom, by name and number, the exact words, and why it is asked (invariant 14). Its buttons post tokens of 128
// random bits, each good once, for one action on one draft; the store keeps their hashes alone, and no tool, log or address holds one (invariants 5 and 11). The button
// that sends is there only where the phone shows the whole of the words on one line as they are; else the owner goes to the page. Each tap is answered by a
// receipt at once, since some phones give no sign of one.
//
// Floor 3: imports smsmcp, smsmcp/guard and below. It knows the desk, the store and the messenger as small interfaces.
package push
