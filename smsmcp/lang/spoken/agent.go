package spoken

import "readback/smsmcp/lang"

// What is spoken to the owner.
var (
	Hello      = lang.Message{EN: "Hello. What can I do for you?", FR: "Bonjour. Que puis-je faire pour vous ?"}
	StillThere = lang.Message{EN: "Are you still there?", FR: "Êtes-vous toujours là ?"}
	Goodbye    = lang.Message{EN: "Goodbye.", FR: "Au revoir."}
	Language   = lang.Message{EN: "We now speak English.", FR: "Nous parlons maintenant français."}
	Pardon     = lang.Message{EN: "Pardon? I did not catch that.", FR: "Pardon ? Je n'ai pas saisi."}
	NotHeard   = lang.Message{EN: "I have trouble hearing you. The keys of your telephone still work.", FR: "J'ai du mal à vous entendre. Les touches de votre téléphone fonctionnent toujours."}
)

// What is spoken when the model cannot go on.
var (
	NoModel      = lang.Message{EN: "I cannot think just now. Try again in a moment.", FR: "Je n'arrive pas à réfléchir en ce moment. Réessayez dans un instant."}
	NoWords      = lang.Message{EN: "I have no answer to that.", FR: "Je n'ai pas de réponse à cela."}
	TooSlow      = lang.Message{EN: "That takes too long: I gave up.", FR: "C'est trop long : j'abandonne."}
	TooMuch      = lang.Message{EN: "I'll stop here, that would be too long.", FR: "Je m'arrête ici, ce serait trop long."}
	TooManySteps = lang.Message{EN: "I got lost on the way. Say it in another way.", FR: "Je me suis perdu en chemin. Dites-le autrement."}
	VoiceFailed  = lang.Message{EN: "My voice failed for a moment.", FR: "Ma voix a eu un raté."}
	Link         = lang.Message{EN: "a link", FR: "un lien"}
)

// What is spoken of a draft that is no more, or of a text that has left.
var (
	TakenBack = lang.Message{EN: "Something has changed meanwhile: I drop this text. Nothing has left.", FR: "Quelque chose a changé entre-temps : j'abandonne ce texto. Rien n'est parti."}
	NotRead   = lang.Message{EN: "I could not read it to you whole: nothing has left.", FR: "Je n'ai pas pu vous le lire en entier : rien n'est parti."}
	Left      = lang.Message{EN: "The text to %s has left.", FR: "Le texto pour %s est parti."}
	Handed    = lang.Message{EN: "The text to %s was handed over. The carrier never tells whether it arrives.", FR: "Le texto pour %s a été remis. L'opérateur ne dit jamais s'il arrive."}
	NotLeft   = lang.Message{EN: "The text to %s could not leave. Nothing was sent out.", FR: "Le texto pour %s n'a pas pu partir. Rien n'est sorti."}
	Replaced  = lang.Message{EN: "Another text to %s took its place meanwhile: this one has not left.", FR: "Un autre texto pour %s a pris sa place entre-temps : celui-ci n'est pas parti."}
	NotKnown  = lang.Message{EN: "I do not know whether the text to %s has left. Look before you try again.", FR: "Je ne sais pas si le texto pour %s est parti. Vérifiez avant de réessayer."}
	Refused   = lang.Message{EN: "The text to %s may not leave. %s", FR: "Le texto pour %s ne peut pas partir. %s"}
)

// What is spoken around texts that are read aloud.
var (
	CannotRead = lang.Message{EN: "The texts cannot be read just now.", FR: "Les textos ne peuvent pas être lus en ce moment."}
	ReadNo     = lang.Message{EN: "I stop reading.", FR: "J'arrête la lecture."}
)

// What is spoken while it is not known who calls.
var (
	PIN       = lang.Message{EN: "Key in your code. The pound key leads to voicemail.", FR: "Composez votre code. Le carré mène à la boîte vocale."}
	PINWrong  = lang.Message{EN: "That is not the code.", FR: "Ce n'est pas le code."}
	PINFailed = lang.Message{EN: "The code cannot be checked just now.", FR: "Le code ne peut pas être vérifié en ce moment."}
)

// What is spoken to a stranger.
var (
	Greeting    = lang.Message{EN: "Nobody can take your call now. Leave a message after the tone, and press pound when you are done.", FR: "Personne ne peut prendre votre appel. Laissez un message après le signal, puis appuyez sur le carré."}
	GreetingFor = lang.Message{EN: "This is the voicemail of %s. Leave a message after the tone, and press pound when you are done.", FR: "Ici la boîte vocale de %s. Laissez un message après le signal, puis appuyez sur le carré."}
	Thanks      = lang.Message{EN: "Thank you. Goodbye.", FR: "Merci. Au revoir."}
)

// Words by which the owner leads a reading, each list in both languages: they are heard, not spoken.
var (
	SayNext   = []string{"next", "skip", "suivant", "suivante", "le suivant", "passe", "prochain"}
	SayRepeat = []string{"repeat", "again", "repeat that", "répète", "répétez", "encore", "répète ça"}
	SayStop   = []string{"stop", "stop reading", "arrête", "arrêtez", "stoppe", "arrête de lire"}
)
