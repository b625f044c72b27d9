// Package spoken is the part of the catalogue that is said aloud on a call, in English and French. Its sentences are short: they are heard once, at the wheel of a car.
//
// None of them holds a word that the judge of a spoken answer would take for a yes, so that the line may bring them back (invariant 10); voice/consent's tests read them all.
//
// Floor 1: imports lang.
package spoken
