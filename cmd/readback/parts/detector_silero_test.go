//go:build silero && cgo

package parts

import (
	"os"
	"path/filepath"
	"testing"

	"readback/cmd/readback/config"
	"readback/voice/media/silero"
)

// TestTheSileroDetectorOfTheConfiguration hears a call, and what is no library is told of at the start. `make silero` has fetched the files.
func TestTheSileroDetectorOfTheConfiguration(t *testing.T) {
	folder, err := filepath.Abs("../../../.cache/silero")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, silero.Library)); err != nil {
		t.Skip("the library is not here: voice/media/silero/install.sh")
	}
	c := config.Config{}
	c.Speech.Silero = folder
	e := &Engines{}
	if err := e.detects(&c, Options{}); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	v, done := e.detectors.get()
	if _, ok := v.(*silero.VAD); !ok {
		t.Errorf("%T", v)
	}
	done()
	c.Speech.Silero = t.TempDir()
	if err := new(Engines).detects(&c, Options{}); err == nil {
		t.Error("an empty folder is taken")
	}
}
