//go:build !silero || !cgo

package parts

import (
	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
)

// detects refuses a detector that this program was not built with.
func (e *Engines) detects(c *config.Config, _ Options) error {
	if c.Speech.Silero != "" {
		return lang.Say(lang.CLISileroBuild, "speech.silero")
	}
	return nil
}
