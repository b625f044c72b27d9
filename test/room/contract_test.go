package room

import (
	"testing"

	"readback/voice"
	"readback/voice/voicetest"
)

// TestLegContract: a call in a LiveKit room is a leg as every other is.
func TestLegContract(t *testing.T) {
	h := newHall(t)
	voicetest.Contract(t, func(t *testing.T) (voice.Leg, voicetest.Far) {
		name := h.room()
		far := h.enter(t, name, who{})
		return h.join(t, h.options(name)), far
	})
}
