// Package voipms is the carrier voip.ms, over its REST API.
//
// Every call is one multipart POST to the bare host: the credentials are in its body, never in a URL, a log or an error (invariant 11). What
// comes back of a foreign kind is reduced to a code before it leaves the package (invariant 13): see [StatusError]. A text is
// handed over once (invariant 7): there is no retry, no redirect and no kept connection under a send, and an error wraps
// smsmcp.ErrNotSent only if no connection was ever had, smsmcp.ErrRefused only for a status that voip.ms gives before it sends.
//
// A list is read row by row, of bounded length and memory. What of it cannot be had is left out and told of (smsmcp.ErrPartial): one row or one
// day never costs the others (invariant 8).
//
// quirks.go undoes what voip.ms does to texts and senders, once; time.go reads its clock.
//
// Floor 3: imports smsmcp, voip/segments and floor 0.
package voipms
