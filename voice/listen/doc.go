// Package listen is the ears of a call: it finds the caller's utterances in the sound of a leg, has them recognised, and adds them, and the keys that the caller presses,
// to the call's transcript. It alone is given the call's voice.Ear.
//
// No turn is made of a transcript without speech that was detected in the sound: an engine is asked about an utterance, never the other way round. Nothing that a recogniser is
// given of an utterance was heard before the utterance is said to have begun; so words from before the end of a read-back are in no turn that began after it. An engine
// that fails, panics or stalls costs the utterance, which is told of as Dropped, and nothing else (invariant 10).
//
// Floor 3: imports smsmcp/lang, smsmcp/untrusted, voice, voice/media, voice/media/ear, voice/media/rate. Clocks are passed in; it waits by timers. It logs nothing.
package listen
