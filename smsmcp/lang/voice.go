package lang

// What is spoken around a read-back. None of it holds a word that would be a yes, if the line brought it back.
var (
	VoiceTo       = Message{"This is the text to %s.", "Voici le texto pour %s."}
	VoiceEndsIn   = Message{"Text to %s, whose number ends in %s.", "Texto pour %s, dont le numéro finit par %s."}
	VoiceAsk      = Message{"Shall I let it leave?", "Est-ce que je le laisse partir ?"}
	VoiceKeypad   = Message{"I need a plain answer. Press 1 and the text leaves, press 2 and it is dropped.", "Il me faut une réponse claire. Appuyez sur le 1 et le texto part, sur le 2 et il est abandonné."}
	VoiceAgain    = Message{"I'll read it from the start.", "Je le relis depuis le début."}
	VoiceDropped  = Message{"Dropped. Nothing has left.", "Abandonné. Rien n'est parti."}
	VoiceNoAnswer = Message{"I had no plain answer: nothing has left.", "Je n'ai pas eu de réponse claire : rien n'est parti."}
)
