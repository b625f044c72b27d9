package spoken

import "readback/smsmcp/lang"

// What is spoken when the owner stops all sends.
var (
	Frozen    = lang.Message{EN: "All sends are frozen. Lift that on your page, or in the terminal.", FR: "Tout est gelé : plus aucun texto ne part. Levez ce gel sur votre page, ou dans le terminal."}
	NotFrozen = lang.Message{EN: "I could not freeze the sends. Try it on your page.", FR: "Je n'ai pas pu geler le départ des textos. Essayez sur votre page."}
)

// SayFreeze are the words by which the owner stops all sends.
var SayFreeze = []string{
	"freeze", "freeze it", "freeze everything", "freeze all", "freeze all sends", "freeze all texts", "stop all sends", "stop all texts", "block everything", "block all texts",
	"gèle", "gèle tout", "gelez tout", "gel", "geler", "geler tout", "gèle les envois", "gèle tous les envois", "geler les envois", "bloque tout", "bloque les envois", "arrête tous les envois",
}
