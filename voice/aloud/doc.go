// Package aloud is what is said aloud of a draft before the owner is asked for a yes, and of a text that was received.
//
// Floor 2: imports smsmcp and what is below.
package aloud
