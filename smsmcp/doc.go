// Package smsmcp holds the domain's types: numbers, peers, contacts, texts, drafts and sends, and the small carrier interfaces
// that both sides of a floor share.
//
// Nothing here does I/O, reads a clock or knows a vendor. The words are those of ARCHITECTURE.md.
//
// Floor 1: imports floor 0 and the standard library.
package smsmcp
