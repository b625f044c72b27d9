// Package consent decides whether the caller has said yes to a draft (invariant 10). It is code, and asks no model.
//
// [Judge] reads one turn. Its yes is narrow on purpose: a turn is a [Yes] only if all of it is yes words, politeness, fillers and forms of "send it", in
// French, as in Québec and in France, and in English. Anything else is a [No], if it holds a clear refusal, or [Unclear]. The lists are in words.go and refusals.go, one table each.
//
// [Machine] is what happens around it: a draft is read back, the caller is asked, and one transition, alone, sends. It is pure: events and their times come in, and what
// is to be done comes out.
//
// Floor 2: imports floors 0 and 1 (voice, untrusted, fold). Holds invariant 10.
package consent
