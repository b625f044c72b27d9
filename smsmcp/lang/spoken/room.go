package spoken

import "readback/smsmcp/lang"

// What is spoken to a caller who has no keys to press, as in a browser, in place of what names them.
var (
	OneWord          = lang.Message{EN: "I need a plain answer, in a word. Shall it leave?", FR: "Il me faut une réponse claire, en un mot. Est-ce que je le laisse partir ?"} // in place of Keypad
	HardToHear       = lang.Message{EN: "I have trouble hearing you.", FR: "J'ai du mal à vous entendre."}
	GreetingPlain    = lang.Message{EN: "Nobody can take your call now. Leave a message after the tone.", FR: "Personne ne peut prendre votre appel. Laissez un message après le signal."}
	GreetingPlainFor = lang.Message{EN: "This is the voicemail of %s. Leave a message after the tone.", FR: "Ici la boîte vocale de %s. Laissez un message après le signal."}
)

// What is spoken when somebody else is connected: to the owner, and to a caller who may be the owner, of whom no code is taken then.
var (
	Overheard = lang.Message{
		EN: "Someone else is connected and may hear you. Only what your own microphone hears counts, whoever speaks into it.",
		FR: "Quelqu'un d'autre est connecté et peut vous entendre. Seul compte ce que votre propre micro entend, peu importe qui y parle.",
	}
	WasOverheard = lang.Message{
		EN: "Someone else was connected meanwhile and may have heard you.",
		FR: "Quelqu'un d'autre était connecté entre-temps et a pu vous entendre.",
	}
	NoPIN = lang.Message{
		EN: "Someone else is connected, so I do not ask for the code. You can call again later.",
		FR: "Quelqu'un d'autre est connecté, je ne demande donc pas le code. Vous pouvez rappeler plus tard.",
	}
)
