// Package sipmsg is the carrier that hands texts to the owner's Asterisk as SIP MESSAGEs, and reads those that come in.
//
// Out: Asterisk answers that it has the message, always, and nothing ever says whether the other side took it. So a text is "handed_over" and never
// delivered, and what may have gone is unknown for good (invariant 7): there is no list to settle it by.
//
// In: a SIP MESSAGE is one datagram's worth of words. The sender is the number in the From address and nothing else: a display name, an asserted identity or
// any other header names nobody. A message is taken from the trunk's endpoint alone, by which Asterisk has identified the address that it came from.
// One that arrives without the body that it said it has is [ErrLost]: the carrier's own list, where there is one, has it (invariant 8).
//
// Floor 3: imports smsmcp, voip/ari, voip/segments and floor 0.
package sipmsg
