// Package line is a call's leg on an Asterisk: it answers the calls that enter the Stasis application, and gives each to a handler as a voice.Leg.
//
// A call is a caller's channel, a bridge, and a channel of external media that carries the bridge's sound to a UDP port of ours as µ-law in RTP. Bridge
// and media channel have one name, readback-<application>-<26 letters and digits>, so that a sweep knows what is ours; callers' channels never have such a one.
//
// What it promises to the yes on a call (invariant 10): only packets from the address that Asterisk itself named are heard, and that address is never learnt from
// packets; keys come from Asterisk's signalling alone, and a key that was on its way for long is told as one that went down that long ago.
//
// Whatever way a call ends, on either side or half-way through its beginning, its media channel, bridge, port and goroutines end, and the caller's channel is hung up.
// What a crash of this program leaves in Asterisk is found and ended at the next connect, as are calls that ended while no connection stood. Nothing
// that a caller chose is logged or put into an error: codes and our own names alone (invariant 13).
//
// Floor 3: imports voice, voice/media, voice/media/ear, voip/ari, smsmcp.
package line
