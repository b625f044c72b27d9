// Package ari is a thin client of Asterisk's REST interface: the events of one application, and the few calls that Readback makes.
//
// Calls go through github.com/CyCoreSystems/ari/v5, never connected, over a transport of this package that bounds each in time and size, sends
// credentials in a header alone, and keeps every foreign word out of errors (invariants 11 and 13). Its event bus is not used: it cuts its own
// connection at every text, panics on an event that it does not know, and forgets its subscriptions. [Client.Run] reads events instead. It subscribes
// anew on every connection, since Asterisk forgets subscriptions when it restarts, and then calls a hook in which the caller catches up.
//
// An event is a fast path and no more: what happens while no connection stands is lost (invariant 8 is held by polling the carrier). What somebody else
// chose in it (a body, a sender, a caller's name) is an untrusted.Text (invariant 4).
//
// Floor 2: imports floor 0. The only importer of ari/v5 and of the websocket library.
package ari
