package signs

import "regexp"

// The parts of a template, on the text as it stands.
const (
	clockRE  = `(?:[01]?\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?(?: ?[AaPp]\.?[Mm]\.?)?| ?[hH] ?[0-5]\d)`
	weekday  = `(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|[Ll]un|[Mm]ar|[Mm]er|[Jj]eu|[Vv]en|[Ss]am|[Dd]im)\.?`
	someDay  = `[Tt]oday|[Yy]esterday|[Aa]ujourd['’]hui|[Hh]ier|[Hh]oy|[Aa]yer`
	dayRE    = `(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|` + someDay + `|` + weekday + `)`
	whenRE   = `(?:` + dayRE + `,? (?:at |à |a las )?)*` + clockRE
	nameRE   = `(?:\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:\p{Lu}|de |du |la |von )[\p{L}\p{M}.'’-]*){0,3})`
	numberRE = `(?:\+\d[\d ().-]{6,17}\d)`
	whoRE    = `(?:` + nameRE + `|` + numberRE + `)`
	quoteRE  = `["“”„‟‛「『〝″]`
	opensRE  = `(?: ?: ?(?:['‘]|` + quoteRE + `|[\s\pL]|$)| ?[-–—>]? ?` + quoteRE + `)` // a colon before words, or a quote
	fromRE   = `(?:(?i:received|sent|reçu|envoyé|recibido|enviado) )?(?i:from|to|de|à|a|par|por) `
	movedRE  = `(?i:\b(?:received|sent|texts?|messages?|textos?|reçu|envoyé|recibido|enviado|mensajes?) (?:from|to|de|à|a|by|par|por)) `
	notYours = `(?i:not in your contacts|pas dans vos contacts|absente? de vos contacts|hors de vos contacts|no est[áa] en (?:tus|sus) contactos|unverified, may be anybody|non vérifié, peut être n['’]importe qui)`
	listEnds = `(?i:\b(?:end|fin) ?(?:of|des|de los|:) (?:\d+ )?(?:texts|textos?|messages|mensajes)\b)[^\pL]{0,3}(?:$|\p{Lu}|(?i:shown|montré))`
	tagRE    = `(?i:</?(?:system|assistant|user|human|tool|function|instructions?|untrusted|texts?|messages?|sms|documents?|context|prompt|admin|important|` +
		`information)(?:[ _:-][^<>]{0,40})?>)`
	roleRE = `(?:SYSTEM|System|ASSISTANT|Assistant|HUMAN|Human|USER|User|DEVELOPER|ADMIN|SYSTÈME|Système|UTILISATEUR|ASISTENTE|SISTEMA)`
)

// The words, folded, of which a template that needs them holds one.
const (
	receiveWords = `received sent text texts message messages texto textos recu envoye recibido enviado mensaje mensajes`
	contactWords = `contacts contactos end fin unverified verifie`
	roleWords    = `system assistant human user developer admin systeme utilisateur asistente sistema inst`
)

var opening = []sight{clockTime | colon, clockTime | doubleQuote}

// templates are what a list of texts, or of a program's turns, looks like.
var templates = []struct {
	needs []sight
	re    *regexp.Regexp
}{
	// Marie (14:05): …   Marie, 14:05: "…   +15145550123 [14:05] "…
	{opening, regexp.MustCompile(`(?:^|[^\pL\pN])` + whoRE + `,? ?[\[(,–—-] ?` + whenRE + ` ?[\])]?` + opensRE)},
	// [14:05] Marie: …   2026-11-30 14:05 - Marie: …
	{opening, regexp.MustCompile(`(?:^|[^\pL\pN:])(?:[\[(]` + whenRE + `[\])]|` + dayRE + `,? ` + clockRE + `) ?[-–—|,]? ?(?:` + fromRE + `)?` + whoRE +
		`(?: \([^)]{1,30}\))?` + opensRE)},
	// received from Marie: "…   message from Marie (14:05): …   reçu de +15145550123 (
	{[]sight{receiveWord | colon, receiveWord | doubleQuote, receiveWord | bracket}, regexp.MustCompile(movedRE + whoRE + `(?:,? ?[\[(]?` + whenRE + `[\])]?)?(?:` + opensRE + `| \()`)},
	// a quote is closed, and another text begins
	{[]sight{clockTime | doubleQuote}, regexp.MustCompile(quoteRE + ` ?[\]\)]?[;,.|]? (?:[\[(]?` + whenRE + `[\])]?,? )(?:` + whoRE + `|` + fromRE + `)`)},
	// the frame's own words
	{[]sight{contactWord}, regexp.MustCompile(notYours + `|` + listEnds)},
	// a program's turns and tags
	{[]sight{angle}, regexp.MustCompile(`<\|[a-z_]+\|>|<</?SYS>>|` + tagRE)},
	{[]sight{bracket | roleWord}, regexp.MustCompile(`\[/?INST\]`)},
	{[]sight{colon | roleWord}, regexp.MustCompile(`(?:^|[^\pL\pN] ?)` + roleRE + `(?: (?:MESSAGE|Message|NOTE|Note|PROMPT|OVERRIDE|Override|UPDATE|ALERT))? ?:(?:\s|"|$)`)},
	{[]sight{hash}, regexp.MustCompile(`(?:^|[^\pL\pN])#{2,} ?(?i:system|instructions?|assistant|user|human|response|consignes?|instrucciones)\b`)},
	// a program's data: {"to": …
	{[]sight{colon | doubleQuote}, regexp.MustCompile(`[{,\[]\s*["“”][\pL\pN_ -]{1,40}["“”]\s*:`)},
	{[]sight{colon | brace}, regexp.MustCompile(`\{\s*['‘’]?[\pL_]{1,40}['‘’]?\s*:\s*["'“”‘’\[{]`)},
}
