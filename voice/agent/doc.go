// Package agent is the conversation of one call: who calls, what is asked, what is said, and the way to the owner's yes (invariant 10).
//
// A model leads the talk, and can do four things: look for a contact's name, prepare a text, have texts read aloud, end the call. It prepares, and never sends. Once a draft is
// prepared the model is silent, and [readback/voice/consent.Machine] leads alone: it has the draft read back, from what the log holds at that moment, hears the answer, and its
// one transition to Send is the only way from here to the desk that takes a yes.
//
// Everything of a call belongs to one goroutine, that of [Agent.Answer]: it takes what the ears heard and what helpers found out, one after the other, and nothing in it waits
// for anything else. A helper (the model's stream, a tool, a look into the log, a sound on its way) runs in a goroutine of its own, and gives what it found to that loop as a function to
// be called there. When the call ends its helpers end, but for a dispatch after a yes, which goes on until it is recorded.
//
// An owner's call may have a screen. What is shown on it has happened: the turns, the draft as it is spoken, and how far it is. Nothing comes back by it, and what becomes of it changes nothing. A
// caller without keys, as in a browser, is told of none, and waits for none. Who else is connected the owner is told, once; and while anybody else is, nobody is asked for a PIN, since who is in a room hears the keys that are
// pressed in it.
//
// A stranger who calls can leave a message, and nothing else: no model is asked, and no contact is looked up.
//
// Floor 4: imports the types of floors 0 to 3, and no face. Holds invariant 10, with voice/consent; keeps 4 (the caller's words go to the model alone), 5 and 13 (what a tool takes and
// what a refusal says).
package agent
