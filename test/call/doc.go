// Package call tests calls with a real Asterisk and telephones that call it. First the leg of a call: its sound, its keys, its end from every side, and that nothing is left of it.
// Then whole calls to the real program: what callers say is spoken by flite and heard by pocketsphinx, what they hear is recognised from the sound that came, and what the
// carrier got is compared with the log. A scene in which a recogniser was wrong, as the engines' own words prove, is begun anew, three times in all; one in which something went without
// a yes, or not as it was read back, never is. French has a recogniser that is fake, as the test's name says. READBACK_CALL_WAV names a file that keeps one call, both directions mixed.
//
// Tests only.
package call
