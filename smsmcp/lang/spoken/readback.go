package spoken

import "readback/smsmcp/lang"

// What is spoken around a read-back. None of it holds a word that would be a yes, if the line brought it back.
var (
	To       = lang.Message{EN: "This is the text to %s.", FR: "Voici le texto pour %s."}
	EndsIn   = lang.Message{EN: "Text to %s, whose number ends in %s.", FR: "Texto pour %s, dont le numéro finit par %s."}
	Whole    = lang.Message{EN: "Text to %s, whose number is %s.", FR: "Texto pour %s, dont le numéro est le %s."} // where the last digits are another's too
	Ask      = lang.Message{EN: "Shall I let it leave?", FR: "Est-ce que je le laisse partir ?"}
	Keypad   = lang.Message{EN: "I need a plain answer. Press 1 and the text leaves, press 2 and it is dropped.", FR: "Il me faut une réponse claire. Appuyez sur le 1 et le texto part, sur le 2 et il est abandonné."}
	Again    = lang.Message{EN: "I'll read it from the start.", FR: "Je le relis depuis le début."}
	Dropped  = lang.Message{EN: "Dropped. Nothing has left.", FR: "Abandonné. Rien n'est parti."}
	NoAnswer = lang.Message{EN: "I had no plain answer: nothing has left.", FR: "Je n'ai pas eu de réponse claire : rien n'est parti."}
)
