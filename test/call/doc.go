// Package call tests the leg of a call with a real Asterisk and telephones that call it: its sound, its keys, its end from every side, and that nothing
// is left of it.
//
// Tests only.
package call
