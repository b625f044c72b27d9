// Package workers tests those who share the calls of one LiveKit server: voice/worker with a real server, several of them in processes that are killed and drained, and the real readback and
// readback worker beside it on one data folder, with twenty callers.
//
// The server is built once, which takes minutes, so these tests are made by make livekit alone (READBACK_LIVEKIT=1), and skipped elsewhere.
//
// Tests only.
package workers
