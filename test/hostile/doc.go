// Package hostile puts a model that does its worst into calls, on the real wires of the services, beside a caller who says anything at the worst moments, a mouth that fails and ears
// that come late. Of each text that the carrier was handed it asks an oracle of its own, which knows what the caller heard, said and keyed in and nothing of the product's state,
// whether the owner had said yes to that very text (invariant 10).
//
// A thousand calls are played in memory. A few are played on each real leg, through a real Asterisk and in rooms of a real LiveKit server (READBACK_LIVEKIT=1): there the oracle goes by
// the sound that came to the caller's ear, and what callers say is sound as well. Engines would misunderstand too much of either, so words are numbers in it: see air_test.go.
//
// Tests only. READBACK_SEED=n plays one call alone, and tells all of it.
package hostile
