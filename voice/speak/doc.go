// Package speak is the mouth of a call: it has sentences spoken by an engine, one after the other, adds the program's own sounds and pauses, and gives it all to a leg.
//
// What was said counts as played only if the engine gave all of it without an error, every sample of it was given to the leg, and the leg's marks answer for each
// part, from one before the first sample to one behind the last, that it left and none of it was cleared. All else, a stop at the last moment as well, is not played:
// the yes on a call stands on it (invariant 10). Half a speech is never finished by another engine.
//
// Floor 3: imports smsmcp/lang, voice, voice/media/rate. Clocks are passed in; it waits by timers. It logs nothing.
package speak
