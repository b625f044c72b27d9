// Package room tests a call in a LiveKit room with a real server, and participants that are made with the SDK and nothing of the project's.
//
// The server is built once, which takes minutes, so these tests are made by make livekit alone (READBACK_LIVEKIT=1), and skipped elsewhere.
//
// Tests only.
package room
