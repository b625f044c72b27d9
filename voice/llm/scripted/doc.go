// Package scripted answers a conversation by rules, with no model at all.
//
// Floor 3: imports smsmcp/fold, smsmcp/lang, smsmcp/lang/spoken, voice.
package scripted
