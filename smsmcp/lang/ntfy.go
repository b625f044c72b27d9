package lang

// What the owner's own screen says of a received text, around its words.
var (
	PersonShortCode = Message{"Short code %s", "Numéro abrégé %s"}
	PersonNone      = Message{"Sender without a number", "Expéditeur sans numéro"}
	PersonCode      = Message{"Code: %s", "Code : %s"}
	PersonEmpty     = Message{"(no words)", "(aucun mot)"}
	PersonHidden    = Message{"A text has come. Its words are not shown here.", "Un texto est arrivé. Ses mots ne sont pas affichés ici."}
)

// The notification that tells of many texts at once.
var (
	NtfySummary = Plural{Message{"%d more text", "%d autre texto"}, Message{"%d more texts", "%d autres textos"}}
	NtfyStored  = Message{"They came too many at once, or while notifications could not be sent. All are stored:", "Ils sont arrivés trop nombreux d'un coup, ou pendant que les notifications ne pouvaient pas partir. Tous sont enregistrés :"}
	NtfyTally   = Plural{Message{"%d from %s", "%d de %s"}, Message{"%d from %s", "%d de %s"}}
	NtfyOthers  = Plural{Message{"%d other sender", "%d autre expéditeur"}, Message{"%d other senders", "%d autres expéditeurs"}}
)

// NtfyKnows says whether there is a sentence for a code of smsmcp/ntfy.
func NtfyKnows(code string) bool {
	_, ok := ntfyFaults[code]
	return ok
}

// Ntfy says what a code of smsmcp/ntfy means and what to do.
func Ntfy(l Lang, code string) string {
	if m, ok := ntfyFaults[code]; ok {
		return m.In(l)
	}
	return ntfyFaults["ntfy_bad_answer"].In(l)
}

var ntfyFaults = map[string]Message{
	"ntfy_anonymous":    {"Anyone who knows the name of the ntfy topic can read it, so no notification goes. Set auth-default-access: deny-all in ntfy's server.yml, and take away what access everyone has to the topic.", "Quiconque connaît le nom du sujet ntfy peut le lire : aucune notification ne part donc. Mettez auth-default-access: deny-all dans le server.yml de ntfy, et retirez à everyone tout accès à ce sujet."},
	"ntfy_writable":     {"Anyone who knows the name of the ntfy topic for approvals can write to it, and so show you questions and receipts that are not Readback's: nothing is asked there. Take away what access everyone has to the topic.", "Quiconque connaît le nom du sujet ntfy des approbations peut y écrire, et donc vous montrer des questions et des reçus qui ne sont pas de Readback : rien n'y est demandé. Retirez à everyone tout accès à ce sujet."},
	"ntfy_unauthorized": {"ntfy does not accept the token: check it, or make a new one with `ntfy token add`.", "ntfy n'accepte pas le jeton : vérifiez-le, ou créez-en un avec `ntfy token add`."},
	"ntfy_forbidden":    {"The token may not write to the ntfy topic: allow it with `ntfy access`.", "Le jeton ne permet pas d'écrire dans le sujet ntfy : autorisez-le avec `ntfy access`."},
	"ntfy_too_large":    {"ntfy found a notification too large: check message-size-limit in its server.yml; 4096 is its default.", "ntfy a jugé une notification trop longue : vérifiez message-size-limit dans son server.yml (4096 par défaut)."},
	"ntfy_too_many":     {"ntfy takes no more for now: it limits requests, or sign-ins that failed. Readback waits; raise its visitor limits if it lasts.", "ntfy n'en accepte pas plus pour l'instant : il limite les demandes, ou les connexions échouées. Readback attend ; relevez ses limites par visiteur si cela dure."},
	"ntfy_refused":      {"ntfy refused a notification: check that the configured address and topic are right, and that it is version 2.16 or later.", "ntfy a refusé une notification : vérifiez que l'adresse et le sujet configurés sont les bons, et que sa version est la 2.16 ou une plus récente."},
	"ntfy_server":       {"ntfy failed, or what stands before it: look at its log.", "ntfy est en panne, ou ce qui se trouve devant : consultez son journal."},
	"ntfy_unreachable":  {"ntfy does not answer: check that it runs, and that the configured address is right.", "ntfy ne répond pas : vérifiez qu'il fonctionne, et que l'adresse configurée est la bonne."},
	"ntfy_untrusted":    {"ntfy's certificate is not to be trusted: check its name and its date, or the configured address.", "Le certificat de ntfy n'est pas digne de confiance : vérifiez son nom et sa date, ou l'adresse configurée."},
	"ntfy_timed_out":    {"ntfy did not answer in time. What was sent may still have arrived; it is sent again.", "ntfy n'a pas répondu à temps. La notification est peut-être arrivée quand même ; elle sera renvoyée."},
	"ntfy_lost":         {"The connection to ntfy broke before it answered. What was sent may still have arrived; it is sent again.", "La connexion à ntfy a été coupée avant la réponse. La notification est peut-être arrivée quand même ; elle sera renvoyée."},
	"ntfy_cancelled":    {"The call to ntfy was given up before it ended, as when Readback shuts down.", "L'appel à ntfy a été abandonné avant la fin, par exemple parce que Readback s'arrête."},
	"ntfy_no_token":     {"The token for ntfy cannot be read: check that its file is there, that Readback may read it, and that it holds one line.", "Le jeton pour ntfy ne peut pas être lu : vérifiez que son fichier existe, que Readback peut le lire, et qu'il tient en une ligne."},
	"ntfy_bad_answer":   {"What answers at the configured address is not ntfy, or an unknown version of it.", "Ce qui répond à l'adresse configurée n'est pas ntfy, ou en est une version inconnue."},
	"ntfy_store":        {"The list of notifications to send could not be read or written. `readback doctor` says what is wrong.", "La liste des notifications à envoyer n'a pas pu être lue ou écrite. `readback doctor` dit ce qui ne va pas."},
}
