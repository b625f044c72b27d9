//go:build silero && cgo

package parts

import (
	"path/filepath"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/voice/media/silero"
)

// detects loads the Silero detector, where the configuration names its folder.
func (e *Engines) detects(c *config.Config, _ Options) error {
	folder := c.Speech.Silero
	if folder == "" {
		return nil
	}
	d, err := newDetectors(func() (detecting, error) {
		return silero.New(filepath.Join(folder, silero.Library), filepath.Join(folder, silero.Model))
	})
	if err != nil {
		return lang.Say(lang.CLISileroFiles, "speech.silero", silero.Library, silero.Model)
	}
	e.detectors, e.closing = d, append(e.closing, d)
	return nil
}
