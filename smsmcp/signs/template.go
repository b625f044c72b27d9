package signs

import "regexp"

// The parts of a template, on the text as it stands.
const (
	clockRE  = `(?:[01]?\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?(?: ?[AaPp]\.?[Mm]\.?)?| ?[hH] ?[0-5]\d)`
	dayRE    = `(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|[Tt]oday|[Yy]esterday|[Aa]ujourd['’]hui|[Hh]ier|[Hh]oy|[Aa]yer|(?:[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|[Ll]un|[Mm]ar|[Mm]er|[Jj]eu|[Vv]en|[Ss]am|[Dd]im)\.?)`
	whenRE   = `(?:` + dayRE + `,? (?:at |à |a las )?)*` + clockRE
	nameRE   = `(?:\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:\p{Lu}|de |du |la |von )[\p{L}\p{M}.'’-]*){0,3})`
	numberRE = `(?:\+\d[\d ().-]{6,17}\d)`
	whoRE    = `(?:` + nameRE + `|` + numberRE + `)`
	quoteRE  = `["“”„‟'‘’‚‛「『〝″]`
	opensRE  = `(?: ?: ?| ?[-–—>] ?)?` + quoteRE
)

// templates are what a list of texts, or of a program's turns, looks like.
var templates = []*regexp.Regexp{
	// Marie (14:05): …   Marie, 14:05: "…   +15145550123 [14:05] "…
	regexp.MustCompile(`(?:^|[^\pL\pN])` + whoRE + `,? ?[\[(,–—-] ?` + whenRE + ` ?[\])]?(?: ?:(?:[^\d]|$)|` + opensRE + `)`),
	// [14:05] Marie: …   2026-11-30 14:05 - Marie: …
	regexp.MustCompile(`(?:^|[^\pL\pN:])(?:[\[(]` + whenRE + `[\])]|` + dayRE + `,? ` + clockRE + `) ?[-–—|,]? ?(?:(?i:from|to|de|à|a|received|sent|reçu|envoyé)(?i: from| to| de| à)? )?` + whoRE + `(?: \([^)]{1,30}\))?(?: ?:(?:[^\d]|$)|` + opensRE + `)`),
	// received from Marie: "…   reçu de +1514…   message from Marie (not in
	regexp.MustCompile(`(?i:\b(?:received|sent|new text|new message|text message|incoming text|incoming message|reçu|envoyé|nouveau texto|nouveau message|texto reçu|message reçu|recibido|enviado|nuevo mensaje|mensaje) (?:from|to|de|à|a|by|par|por)) ` + whoRE + `(?:,? ?[\[(]?` + whenRE + `[\])]?)?(?: ?:(?:[^\d]|$)|` + opensRE + `| \()`),
	// a quote is closed, and another text begins
	regexp.MustCompile(quoteRE + ` ?[\]\)]?[;,.|]? (?:[\[(]?` + whenRE + `[\])]?,? )(?:` + whoRE + `|(?i:received|sent|reçu|envoyé|from|de) )`),
	// the frame's own words
	regexp.MustCompile(`(?i:\(?(?:not in your contacts|pas dans vos contacts|absente? de vos contacts|hors de vos contacts|no est[áa] en (?:tus|sus) contactos)\)?|\b(?:end|fin) ?(?:of|des|de los|:) (?:\d+ )?(?:texts|textos|messages|mensajes)\b[^\pL]{0,3}(?:$|\p{Lu}))`),
	// a program's turns and tags
	regexp.MustCompile(`<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|(?i:</?(?:system|assistant|user|human|tool|tool_result|tool_use|tool_call|function_results?|function_calls?|instructions?|untrusted|text|texts|message|messages|sms|document|context|prompt|admin|important|information)(?:[ _-][^<>]{0,40})?>)`),
	regexp.MustCompile(`(?:^|[^\pL\pN] ?)(?:SYSTEM|System|ASSISTANT|Assistant|HUMAN|Human|USER|User|DEVELOPER|ADMIN|SYSTÈME|Système|UTILISATEUR|ASISTENTE|SISTEMA|INST)(?: (?:MESSAGE|Message|NOTE|Note|PROMPT|OVERRIDE|Override|UPDATE|ALERT))? ?:(?: |"|$)`),
	regexp.MustCompile(`(?:^|[^\pL\pN])#{2,} ?(?:(?i)system|instructions?|assistant|user|human|response|consignes?|instrucciones)\b`),
	// a program's data: {"to": …
	regexp.MustCompile(`[{,\[]\s*["“”][\pL\pN_ -]{1,40}["“”]\s*:`),
	regexp.MustCompile(`\{\s*['‘’]?[\pL_]{1,40}['‘’]?\s*:\s*["'“”‘’\[{]`),
}
