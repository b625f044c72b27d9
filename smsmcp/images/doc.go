// Package images fetches what came with a text, when the owner asks for it, and keeps of it what is an image.
//
// A text's sender chose every byte of it, and may have chosen where the carrier says that it is. So it comes by package outside, of a bounded size; what it is, its content
// says; it is decoded within a bound of pixels and of time, one at a time; and what is kept was written by our own encoder: no metadata, no second
// file inside, no more pixels than a screen shows. It is kept under a name of ours that tells nothing, for its owner's eyes alone (0600), up to a bound, beyond which the
// oldest go: they can be fetched again for as long as the carrier has them.
//
// Nothing is fetched by itself: a sender would learn from it that a text arrived. The addresses are kept nowhere, and are in no error.
//
// Floor 3: imports smsmcp, smsmcp/outside and store/images. It alone imports golang.org/x/image.
package images
