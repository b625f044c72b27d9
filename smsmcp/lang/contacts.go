package lang

// Why a contact is not taken. The quoted arguments are safe to draw.
var (
	ContactRefused = Message{
		"This contact cannot be taken.",
		"Ce contact ne peut pas être accepté."}
	ContactBadName = Message{
		`The name "%s" cannot be used: %s`,
		"Le nom « %s » ne peut pas être utilisé : %s"}
	ContactBadNumber = Message{
		`"%s" is not a number that can be kept: %s`,
		"« %s » n'est pas un numéro utilisable : %s"}
	ContactNameTaken = Message{
		`The name "%s" already belongs to the contact "%s". Nothing was added or merged.`,
		"Le nom « %s » appartient déjà au contact « %s ». Rien n'a été ajouté ni fusionné."}
	ContactLooksLike = Message{
		`The name "%s" looks like the contact "%s": they could be taken for each other. Choose a name that differs more.`,
		"Le nom « %s » ressemble au contact « %s » : on pourrait les confondre. Choisissez un nom plus différent."}
	ContactNumberTaken = Message{
		`The number %s already belongs to the contact "%s". Nothing was added or merged.`,
		"Le numéro %s appartient déjà au contact « %s ». Rien n'a été ajouté ni fusionné."}
	ContactNoNumber = Message{
		`"%s" has no telephone number.`,
		"« %s » n'a pas de numéro de téléphone."}
	ContactTooMany = Message{
		`"%s" has more than %d numbers or aliases.`,
		"« %s » a plus de %d numéros ou surnoms."}
	ContactThere = Message{
		`"%s" is already in your contacts with the same number; nothing changed.`,
		"« %s » est déjà dans vos contacts avec le même numéro ; rien n'a changé."}
)

// Why a name is refused.
var (
	NameEmpty = Message{
		"it is empty.",
		"il est vide."}
	NameTooLong = Message{
		"it is longer than 40 characters.",
		"il dépasse 40 caractères."}
	NameNotUTF8 = Message{
		"it is not valid UTF-8. Save the file as UTF-8.",
		"il n'est pas en UTF-8 valide. Enregistrez le fichier en UTF-8."}
	NameDigit = Message{
		"it holds digits, or looks like a number.",
		"il contient des chiffres ou ressemble à un numéro."}
	NameHidden = Message{
		"it holds hidden characters, line breaks or characters that change the reading order.",
		"il contient des caractères cachés, des sauts de ligne ou des caractères qui changent l'ordre de lecture."}
	NameSign = Message{
		"a name is made of letters, with spaces, hyphens, apostrophes, full stops and commas between them, and nothing else.",
		"un nom est fait de lettres, avec des espaces, traits d'union, apostrophes, points et virgules entre elles, et rien d'autre."}
	NameMarks = Message{
		"its accents do not stand on letters, or too many are piled on one.",
		"ses accents ne sont pas posés sur des lettres, ou sont trop nombreux sur une même lettre."}
	NameStart = Message{
		"it must begin with a letter.",
		"il doit commencer par une lettre."}
	NamePunctuation = Message{
		"its punctuation does not stand between letters.",
		"sa ponctuation n'est pas placée entre des lettres."}
	NameScripts = Message{
		"it mixes alphabets, so that it could pass for another name. Use one for the name, and the other for an alias.",
		"il mélange des alphabets et pourrait passer pour un autre nom. Utilisez-en un pour le nom, et l'autre pour un surnom."}
	NameFrame = Message{
		"it says what Readback itself says of you or of people who are not in your contacts.",
		"il dit ce que Readback lui-même dit de vous ou de personnes qui ne sont pas dans vos contacts."}
)

// NameSpeech is why a name is refused that says something.
var NameSpeech = Message{
	"it reads like words of Readback or of an assistant, or like an instruction. Use the person's own name, with the family name if need be.",
	"il se lit comme des mots de Readback ou d'un assistant, ou comme une consigne. Utilisez le nom de la personne, avec son nom de famille s'il le faut."}

// Why a number is refused.
var (
	NumberForm = Message{
		"write digits, after a plus if you like, with spaces, hyphens, dots, slashes or parentheses between them.",
		"écrivez des chiffres, précédés d'un plus si vous voulez, avec des espaces, traits d'union, points, barres obliques ou parenthèses entre eux."}
	NumberLetters = Message{
		"letters, extensions and signs are not dialled; write the whole number in digits.",
		"les lettres, les postes et les signes ne se composent pas ; écrivez le numéro entier en chiffres."}
	NumberShort = Message{
		"it is too short; a short code cannot be a contact.",
		"il est trop court ; un numéro abrégé ne peut pas être un contact."}
	NumberTooLong = Message{
		"it is too long.",
		"il est trop long."}
	NumberNotValid = Message{
		"it is not a valid number from here. Write it with its country code, such as +1 514 555 0199.",
		"ce n'est pas un numéro valable d'ici. Écrivez-le avec son indicatif de pays, par exemple +1 514 555 0199."}
)

// Why a row or a file is refused on import.
var (
	ImportTooLarge = Message{
		"The file is larger than %d MiB; nothing was read.",
		"Le fichier dépasse %d Mio ; rien n'a été lu."}
	ImportTooMany = Message{
		"The file holds more than %d contacts; what follows was not read.",
		"Le fichier contient plus de %d contacts ; la suite n'a pas été lue."}
	ImportUnreadable = Message{
		"The file could not be read to its end; nothing was taken from it.",
		"Le fichier n'a pas pu être lu jusqu'au bout ; rien n'en a été retenu."}
	ImportNotUTF8 = Message{
		"This is not valid UTF-8. Save the file as UTF-8.",
		"Ce n'est pas de l'UTF-8 valide. Enregistrez le fichier en UTF-8."}
	ImportNoHeader = Message{
		"The first line must name the columns: name and number (and alias, if there are any).",
		"La première ligne doit nommer les colonnes : nom et numéro (et surnom, s'il y en a)."}
	ImportBadRow = Message{
		"The row is not well-formed CSV: its quotation marks do not close where a cell ends.",
		"La ligne n'est pas du CSV bien formé : ses guillemets ne se ferment pas à la fin d'une cellule."}
	ImportLongRow = Message{
		"The row or one of its cells is too long; a quotation mark may not have been closed.",
		"La ligne ou l'une de ses cellules est trop longue ; un guillemet n'a peut-être pas été fermé."}
	ImportColumns = Message{
		"The row has more cells than the first line names.",
		"La ligne a plus de cellules que la première ligne n'en nomme."}
	ImportNotVCard = Message{
		"This is not a vCard file: no card begins in it.",
		"Ce n'est pas un fichier vCard : aucune fiche n'y commence."}
	ImportBadCard = Message{
		"The card is not well-formed, or has no end.",
		"La fiche est mal formée ou n'a pas de fin."}
	ImportLongCard = Message{
		"The card holds a line or a number of lines that no contact needs.",
		"La fiche contient une ligne ou un nombre de lignes dont aucun contact n'a besoin."}
	ImportCharset = Message{
		"The card uses an encoding that is not read here. Export it as vCard 3.0 or 4.0.",
		"La fiche utilise un encodage qui n'est pas lu ici. Exportez-la en vCard 3.0 ou 4.0."}
	ImportTwice = Message{
		`The same name or number stands in the file before, for "%s"; the two were not merged.`,
		"Le même nom ou numéro figure plus haut dans le fichier, pour « %s » ; les deux n'ont pas été fusionnés."}
	ImportTwiceLike = Message{
		`The name looks like "%s", who stands in the file before.`,
		"Le nom ressemble à « %s », qui figure plus haut dans le fichier."}
)

// FrameWords are words by which the frame, in either language, speaks of somebody who is no contact. No contact may be called by
// one of them alone.
var FrameWords = []string{
	"you", "yourself", "me", "myself", "the owner", "owner", "readback", "unknown", "a stranger", "stranger", "strangers", "nobody",
	"sent", "received", "system", "assistant", "user", "human", "server", "sender", "unknown sender", "unknown number", "private number",
	"contact", "contacts", "a contact", "the carrier", "warning", "alert", "admin", "administrator",
	"vous", "toi", "moi", "moi-même", "vous-même", "propriétaire", "le propriétaire", "la propriétaire", "inconnu", "inconnue", "un inconnu",
	"une inconnue", "personne", "envoyé", "reçu", "système", "utilisateur", "utilisatrice", "serveur", "expéditeur", "expéditrice",
	"expéditeur inconnu", "numéro inconnu", "numéro masqué", "numéro privé",
	"un contact", "l'opérateur", "attention", "avertissement", "alerte", "administrateur", "administratrice",
}

// AssistantWords are what assistants are called. No contact may be called by one of them alone; with a family name it is a person's.
var AssistantWords = []string{"claude", "chatgpt", "gpt", "copilot", "gemini"}

// SpeechPhrases are words, one or several in a row, that a sentence holds and no name: with one of them a contact's name, where a
// sentence of Readback's holds it, could say what Readback does not.
var SpeechPhrases = []string{
	"readback", "the owner", "owner said", "owner says", "said yes", "says yes", "said no", "said so", "has said", "is approved", "was approved", "has approved",
	"has confirmed", "is confirmed", "is safe", "are safe", "all is", "below is", "above is", "this text", "these texts", "this message", "the texts", "oldest first",
	"times of", "each line", "is not a", "an instruction", "instructions",
	"le propriétaire", "la propriétaire", "a dit", "dit oui", "dit non", "dit que", "est approuvé", "a approuvé", "est confirmé", "a confirmé", "est sûr", "tout est",
	"est ci dessous", "est ci dessus", "ce texto", "ces textos", "ce message", "les textos", "du plus ancien", "au plus récent", "chaque ligne", "une consigne", "consignes",
}

// FramePhrases are phrases of the frame, in either language, that no contact's name may hold.
var FramePhrases = []string{
	"your contacts", "not in contacts", "without a number", "no number", "short code", "hidden characters", "one-time code", "received from",
	"sent to", "calling itself",
	"vos contacts", "hors contacts", "sans numéro", "numéro abrégé", "caractères invisibles", "code à usage unique", "reçu de", "reçu d'un",
	"envoyé à", "qui se nomme",
}
