package spoken

import "readback/smsmcp/lang"

// What is spoken to a caller who has no keys to press, as in a browser, in place of what names them.
var (
	OneWord          = lang.Message{EN: "I need a plain answer, in a word. Shall it leave?", FR: "Il me faut une réponse claire, en un mot. Est-ce que je le laisse partir ?"} // in place of Keypad
	HardToHear       = lang.Message{EN: "I have trouble hearing you.", FR: "J'ai du mal à vous entendre."}
	GreetingPlain    = lang.Message{EN: "Nobody can take your call now. Leave a message after the tone.", FR: "Personne ne peut prendre votre appel. Laissez un message après le signal."}
	GreetingPlainFor = lang.Message{EN: "This is the voicemail of %s. Leave a message after the tone.", FR: "Ici la boîte vocale de %s. Laissez un message après le signal."}
)

// Overheard is spoken to the owner when somebody else is connected.
var Overheard = lang.Message{
	EN: "Someone else is connected. They may hear you, and only your own voice counts.",
	FR: "Quelqu'un d'autre est connecté. On peut vous entendre, et seule votre propre voix compte.",
}
