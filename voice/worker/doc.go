// Package worker takes calls from a LiveKit server: it registers as an agent's worker, is offered jobs, and has each handled in a goroutine of its own. Where a server has nobody
// dispatched, its signed webhooks begin jobs as well. A job is a room in which somebody calls; what is done there is the handler's.
//
// The protocol is LiveKit's own (protobuf on a websocket, livekit_agent.proto), by hand, since its Go SDK has no worker. How the server takes it was read in its source (v1.13.5):
// it gives a job to a worker that it believes free, by chance, weighted by load; it asks first, and a yes is followed by the assignment at once; what nobody takes it does not offer again; and
// it forgets a worker's jobs with the connection. A worker at its target load (0.7, agents.target_load) counts as one that has no room, so load grows to there and no further.
//
// Floor 3: imports smsmcp, github.com/livekit/protocol, github.com/coder/websocket and google.golang.org/protobuf. Nothing that a server or a webhook says is logged or put into an
// error, but for codes (invariant 13); no token is (invariant 11).
package worker
