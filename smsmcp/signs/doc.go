// Package signs finds what a text gives away: one-time codes, hosts of links, a STOP, and the marks of a disguise.
//
// All of it is pure and linear in the text. An [Alarm] is only an alarm, never the defence: the frame holds whether or not it rings, and a text
// that rings none may still be an attack. What it costs is measured: less than one benign text in a hundred rings.
//
// Floor 1: imports smsmcp/fold and smsmcp/clean.
package signs
