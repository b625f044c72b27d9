package spoken

import "readback/smsmcp/lang"

// What is said of signs and links inside a text. A name that is also a common word has another word beside it, so that a plus is not heard as French plus.
var (
	LinkTo     = lang.Message{EN: "link to", FR: "lien vers"}
	MailTo     = lang.Message{EN: "mail address", FR: "adresse de courriel"}
	Dot        = lang.Message{EN: "dot", FR: "point"}
	Comma      = lang.Message{EN: "comma", FR: "virgule"}
	Point      = lang.Message{EN: "point", FR: "point"}
	Dash       = lang.Message{EN: "dash", FR: "tiret"}
	Minus      = lang.Message{EN: "minus", FR: "moins"}
	Plus       = lang.Message{EN: "plus", FR: "plus"} // before a telephone number
	Slash      = lang.Message{EN: "slash", FR: "barre oblique"}
	Hours      = lang.Message{EN: "h", FR: "heures"}
	Hour       = lang.Message{EN: "h", FR: "heure"}
	Capital    = lang.Message{EN: "capital", FR: "majuscule"}
	AnEmoji    = lang.Message{EN: "emoji", FR: "émoji"}
	No         = lang.Message{EN: "number", FR: "numéro"}
	Of         = lang.Message{EN: "of", FR: "de"}                         // un million de dollars
	Apostrophe = lang.Message{EN: "apostrophe", FR: "apostrophe"}         // behind a number: feet, minutes
	QuoteMark  = lang.Message{EN: "quote mark", FR: "guillemet"}          // and inches
	InBrackets = lang.Message{EN: "in brackets", FR: "entre parenthèses"} // a number alone
	SomeLink   = lang.Message{EN: "a link", FR: "un lien"}
)

// Money are the currencies, one of them and several.
var Money = map[rune][2]lang.Message{
	'$': {{EN: "dollar", FR: "dollar"}, {EN: "dollars", FR: "dollars"}},
	'€': {{EN: "euro", FR: "euro"}, {EN: "euros", FR: "euros"}},
	'£': {{EN: "pound sterling", FR: "livre sterling"}, {EN: "pounds sterling", FR: "livres sterling"}},
}

// Signs are the names of signs.
var Signs = map[rune]lang.Message{
	'@':  {EN: "at sign", FR: "arobas"},
	'#':  {EN: "number sign", FR: "dièse"},
	'%':  {EN: "percent", FR: "pour cent"},
	'‰':  {EN: "per thousand", FR: "pour mille"},
	'&':  {EN: "ampersand", FR: "et commercial"},
	'+':  {EN: "plus sign", FR: "signe plus"},
	'=':  {EN: "equals sign", FR: "signe égal"},
	'/':  {EN: "slash", FR: "barre oblique"},
	'\\': {EN: "backslash", FR: "barre inverse"},
	'_':  {EN: "underscore", FR: "souligné"},
	'*':  {EN: "asterisk", FR: "astérisque"},
	'~':  {EN: "tilde", FR: "tilde"},
	'^':  {EN: "caret", FR: "accent circonflexe"},
	'`':  {EN: "backtick", FR: "accent grave"},
	'|':  {EN: "vertical bar", FR: "barre verticale"},
	'<':  {EN: "less-than sign", FR: "signe inférieur"},
	'>':  {EN: "greater-than sign", FR: "signe supérieur"},
	'$':  {EN: "dollar sign", FR: "signe de dollar"},
	'€':  {EN: "euro sign", FR: "signe de l'euro"},
	'£':  {EN: "pound sign", FR: "signe de livre"},
	'¥':  {EN: "yen sign", FR: "signe du yen"},
	'¢':  {EN: "cents", FR: "cents"},
	'°':  {EN: "degree sign", FR: "degré"},
	'º':  {EN: "raised o", FR: "petit o"},
	'ª':  {EN: "raised a", FR: "petit a"},
	'²':  {EN: "squared", FR: "au carré"},
	'³':  {EN: "cubed", FR: "au cube"},
	'½':  {EN: "one half", FR: "un demi"},
	'¼':  {EN: "one quarter", FR: "un quart"},
	'¾':  {EN: "three quarters", FR: "trois quarts"},
	'±':  {EN: "plus or minus sign", FR: "signe plus ou moins"},
	'×':  {EN: "times sign", FR: "signe de multiplication"},
	'÷':  {EN: "division sign", FR: "signe de division"},
	'≠':  {EN: "not-equal sign", FR: "signe différent"},
	'≈':  {EN: "almost-equal sign", FR: "signe environ"},
	'≤':  {EN: "at-most sign", FR: "signe au plus"},
	'≥':  {EN: "at-least sign", FR: "signe au moins"},
	'µ':  {EN: "micro sign", FR: "signe micro"},
	'§':  {EN: "section sign", FR: "signe de paragraphe"},
	'¶':  {EN: "pilcrow", FR: "pied-de-mouche"},
	'©':  {EN: "copyright sign", FR: "signe de copyright"},
	'®':  {EN: "registered sign", FR: "signe de marque déposée"},
	'™':  {EN: "trademark sign", FR: "signe de marque"},
	'→':  {EN: "arrow to the east", FR: "flèche vers l'est"},
	'←':  {EN: "arrow to the west", FR: "flèche vers l'ouest"},
	'↑':  {EN: "arrow up", FR: "flèche vers le haut"},
	'↓':  {EN: "arrow down", FR: "flèche vers le bas"},
}

// Stops are the names of what is heard as a pause, for a text that has nothing else.
var Stops = map[rune]lang.Message{
	'?': {EN: "question mark", FR: "point d'interrogation"},
	'!': {EN: "exclamation mark", FR: "point d'exclamation"},
	'.': {EN: "full stop", FR: "point final"},
	'…': {EN: "dots", FR: "points de suspension"},
	',': {EN: "comma", FR: "virgule"},
	':': {EN: "colon", FR: "deux-points"},
	';': {EN: "semicolon", FR: "point-virgule"},
	'-': {EN: "dash", FR: "tiret"},
}
