// Package outside fetches what an address holds that somebody else chose: the document of a client that wants in, the image of a text.
//
// Such an address may be meant to make this server speak to what only it can reach: itself, its neighbours, the host's metadata service. So it is https alone, by a
// name or a public address, at one port; every address that the name has must be public, or none is used; the connection is made to the very address that
// was judged, and its certificate must be the name's; and each redirect, where any is allowed, is judged as the first was. How long it takes and how much comes are
// bounded. Nothing of ours goes along: no cookie, no credential, no proxy of the environment.
//
// What cannot be known from here: whether a public address leads inside by the network's own doing (a NAT64 prefix of its own, a router that turns packets
// back). A firewall is for that.
//
// Errors are codes: nothing of the address, the answer or the name is in them (invariant 13).
//
// Floor 2: imports no package of ours.
package outside
