//go:build !silero || !cgo

package parts

import (
	"testing"

	"readback/cmd/readback/config"
)

// TestADetectorThatIsNotBuiltInIsRefused, and not left out in silence.
func TestADetectorThatIsNotBuiltInIsRefused(t *testing.T) {
	c := config.Config{}
	if err := new(Engines).detects(&c, Options{}); err != nil {
		t.Error(err)
	}
	c.Speech.Silero = "/usr/lib/silero"
	if err := new(Engines).detects(&c, Options{}); err == nil {
		t.Error("it is taken")
	}
}
