package spoken

import "readback/smsmcp/lang"

// What is spoken before a text that is read aloud. The last argument is when it came: one of the forms below.
var (
	FromName    = lang.Message{EN: "Text from %s, %s.", FR: "Texto de %s, %s."}
	FromNumber  = lang.Message{EN: "Text from the number %s, not in your contacts, %s.", FR: "Texto du numéro %s, absent de vos contacts, %s."}
	FromCode    = lang.Message{EN: "Text from the short code %s, not in your contacts, %s.", FR: "Texto du numéro abrégé %s, absent de vos contacts, %s."}
	FromNone    = lang.Message{EN: "Text from a sender without a number, not in your contacts, %s.", FR: "Texto d'un expéditeur sans numéro, absent de vos contacts, %s."}
	ClaimNumber = lang.Message{EN: "Text that claims to be from the number %s. It is not verified and may be anybody's. It came %s.", FR: "Texto qui se dit du numéro %s. Il n'est pas vérifié et peut être de n'importe qui. Arrivé %s."}
	ClaimCode   = lang.Message{EN: "Text that claims to be from the short code %s. It is not verified and may be anybody's. It came %s.", FR: "Texto qui se dit du numéro abrégé %s. Il n'est pas vérifié et peut être de n'importe qui. Arrivé %s."}
	ClaimNone   = lang.Message{EN: "Text from a sender without a number. It is not verified and may be anybody's. It came %s.", FR: "Texto d'un expéditeur sans numéro. Il n'est pas vérifié et peut être de n'importe qui. Arrivé %s."}
	WroteName   = lang.Message{EN: "You wrote to %s, %s.", FR: "Vous avez écrit à %s, %s."}
	WroteNumber = lang.Message{EN: "You wrote to the number %s, not in your contacts, %s.", FR: "Vous avez écrit au numéro %s, absent de vos contacts, %s."}
	WroteCode   = lang.Message{EN: "You wrote to the short code %s, %s.", FR: "Vous avez écrit au numéro abrégé %s, %s."}
	WroteNone   = lang.Message{EN: "You wrote to somebody without a number, %s.", FR: "Vous avez écrit à quelqu'un sans numéro, %s."}
	GoesBy      = lang.Message{EN: "The sender goes by this name.", FR: "L'expéditeur se donne ce nom."}
	Writes      = lang.Message{EN: "And these are the words.", FR: "Et voici ses mots."}
	OddName     = lang.Message{EN: "The sender goes by a name that I cannot say.", FR: "L'expéditeur se donne un nom que je ne peux pas dire."}
	Nameless    = lang.Message{EN: "a contact whose name I cannot say, with the number %s", FR: "un contact dont je ne peux pas dire le nom, au numéro %s"}
)

// What is spoken behind it.
var (
	Wordless    = lang.Message{EN: "It came without words.", FR: "Il est arrivé sans mots."}
	BodyLost    = lang.Message{EN: "Its words were lost on the way.", FR: "Ses mots se sont perdus en route."}
	Images      = lang.Plural{One: lang.Message{EN: "There is %d picture with it.", FR: "Il y a %d image avec."}, Many: lang.Message{EN: "There are %d pictures with it.", FR: "Il y a %d images avec."}}
	CutShort    = lang.Plural{One: lang.Message{EN: "It goes on for %d more character.", FR: "Il continue encore sur %d caractère."}, Many: lang.Message{EN: "It goes on for %d more characters.", FR: "Il continue encore sur %d caractères."}}
	CodesLeft   = lang.Plural{One: lang.Message{EN: "I left out %d one-time code.", FR: "J'ai omis %d code à usage unique."}, Many: lang.Message{EN: "I left out %d one-time codes.", FR: "J'ai omis %d codes à usage unique."}}
	ScriptLeft  = lang.Message{EN: "There are words in another script, which I cannot read aloud.", FR: "Il y a des mots dans une autre écriture, que je ne peux pas lire à voix haute."}
	SignsLeft   = lang.Message{EN: "There are signs that I cannot name.", FR: "Il y a des signes que je ne peux pas nommer."}
	EmojiLeft   = lang.Message{EN: "There are more emoji, which I left out.", FR: "Il y a d'autres émojis, que j'ai omis."}
	LinksLeft   = lang.Message{EN: "There is more to a link than I read.", FR: "Un lien est plus long que ce que j'ai lu."}
	HiddenLeft  = lang.Message{EN: "Hidden characters were taken out of it.", FR: "Des caractères invisibles en ont été retirés."}
	Imitates    = lang.Message{EN: "Careful: this text imitates other messages.", FR: "Attention : ce texto imite d'autres messages."}
	ToAssistant = lang.Message{EN: "Careful: this text speaks to an assistant.", FR: "Attention : ce texto s'adresse à un assistant."}
	AsksSecrecy = lang.Message{EN: "Careful: this text asks for secrecy.", FR: "Attention : ce texto demande le secret."}
	SaysIgnore  = lang.Message{EN: "Careful: this text says to ignore instructions.", FR: "Attention : ce texto dit d'ignorer des consignes."}
)

// What is spoken around a list of texts.
var (
	None      = lang.Message{EN: "There are no texts.", FR: "Il n'y a aucun texto."}
	Single    = lang.Message{EN: "One text.", FR: "Un texto."}
	List      = lang.Message{EN: "%d texts, the oldest first. Say next, repeat or stop.", FR: "%d textos, du plus ancien au plus récent. Dites suivant, répète ou arrête."}
	Last      = lang.Message{EN: "That was the last one.", FR: "C'était le dernier."}
	EarlierIs = lang.Message{EN: "There are older ones.", FR: "Il y en a de plus anciens."}
	Folded    = lang.Plural{One: lang.Message{EN: "I did not read %d text from %s.", FR: "Je n'ai pas lu %d texto de %s."}, Many: lang.Message{EN: "I did not read %d texts from %s.", FR: "Je n'ai pas lu %d textos de %s."}}
	Strangers = lang.Plural{One: lang.Message{EN: "%d sender who is not in your contacts or not verified", FR: "%d expéditeur absent de vos contacts ou non vérifié"}, Many: lang.Message{EN: "%d senders who are not in your contacts or not verified", FR: "%d expéditeurs absents de vos contacts ou non vérifiés"}}
)

// When a text came.
var (
	Today     = lang.Message{EN: "today at %s", FR: "aujourd'hui à %s"}
	Yesterday = lang.Message{EN: "yesterday at %s", FR: "hier à %s"}
	OnWeekday = lang.Message{EN: "on %s at %s", FR: "%s à %s"}                            // within the last six days
	OnDate    = lang.Message{EN: "on %[2]s %[1]d at %[3]s", FR: "le %[1]d %[2]s à %[3]s"} // this year
	OnOldDate = lang.Message{EN: "on %[2]s %[1]d, %[4]d, at %[3]s", FR: "le %[1]d %[2]s %[4]d à %[3]s"}
)

// When something will be, behind "until", "after" or "before".
var (
	Tomorrow    = lang.Message{EN: "tomorrow at %s", FR: "demain à %s"}
	NextWeekday = lang.Message{EN: "%s at %s", FR: "%s à %s"} // within six days
	NextDate    = lang.Message{EN: "%[1]s, %[3]s %[2]d, at %[4]s", FR: "%s %d %s à %s"}
)

// Weekdays are the names of the days, from Sunday on.
var Weekdays = [7]lang.Message{
	{EN: "Sunday", FR: "dimanche"}, {EN: "Monday", FR: "lundi"}, {EN: "Tuesday", FR: "mardi"}, {EN: "Wednesday", FR: "mercredi"}, {EN: "Thursday", FR: "jeudi"}, {EN: "Friday", FR: "vendredi"}, {EN: "Saturday", FR: "samedi"},
}

// Months are the names of the months.
var Months = [12]lang.Message{
	{EN: "January", FR: "janvier"}, {EN: "February", FR: "février"}, {EN: "March", FR: "mars"}, {EN: "April", FR: "avril"}, {EN: "May", FR: "mai"}, {EN: "June", FR: "juin"},
	{EN: "July", FR: "juillet"}, {EN: "August", FR: "août"}, {EN: "September", FR: "septembre"}, {EN: "October", FR: "octobre"}, {EN: "November", FR: "novembre"}, {EN: "December", FR: "décembre"},
}
