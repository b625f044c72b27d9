// Package llm is what the engines that think have in common: the bounds of an answer, the one retry, the errors, and the form in which a conversation is told.
//
// A model's service is foreign. Of what it says only the answer is kept; what went wrong is an [Error], a code, so neither its words nor the key are in any error (invariants
// 11 and 13). No redirect is followed, so the key goes to no other host. Nothing of a conversation is logged. An answer that was cut gives no call of a tool: all calls of
// an answer are given at its end, when they are known to be whole.
//
// Floor 2: imports smsmcp/lang, voice.
package llm
