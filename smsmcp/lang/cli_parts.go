package lang

// PartSays gives the sentence for the code of a part that is not well: the poller's, the line's, the bridge's, that of what takes calls in rooms, or of one that had to be begun again.
func PartSays(l Lang, code string) string {
	if m, ok := partCodes[code]; ok {
		return m.In(l)
	}
	if said := LiveKitSays(l, code); said != "" {
		return said
	}
	if NtfyKnows(code) {
		return Ntfy(l, code)
	}
	return CarrierSays(l, code)
}

// What a part can be down by that is neither a carrier's nor ntfy's word.
var partCodes = map[string]Message{
	"part_crashed": {"A part of Readback broke and was started again: please report what its log says.",
		"Une partie de Readback s'est arrêtée sur un défaut et a été relancée : merci de signaler ce que dit son journal."},
	"part_ended": {"A part of Readback stopped by itself and was started again: see its log.",
		"Une partie de Readback s'est arrêtée d'elle-même et a été relancée : voyez son journal."},
	"store_failed": InboxStore,
	"tls_expired": {"The server's certificate has expired: renew it.",
		"Le certificat du serveur a expiré : renouvelez-le."},
	"tls_not_yet_valid": {"The server's certificate is not good yet: check its dates, and this machine's clock.",
		"Le certificat du serveur n'est pas encore valable : vérifiez ses dates, et l'horloge de cette machine."},
	"tls_unreadable": {"The files of the server's certificate cannot be read any more; the last good ones are served.",
		"Les fichiers du certificat du serveur ne sont plus lisibles ; les derniers bons restent servis."},
	"tls_no_certificate": tlsBroken,
	"tls_no_key":         tlsBroken,
	"tls_pair_mismatch":  tlsBroken,
	"tls_not_renewed": {"The server's certificate was not renewed in time: see the log, and that its names lead to this server's port 443.",
		"Le certificat du serveur n'a pas été renouvelé à temps : voyez le journal, et que ses noms mènent au port 443 de ce serveur."},
	"tls_unreachable": {"The authority that gives certificates cannot be reached: check this machine's network.",
		"L'autorité qui donne les certificats est injoignable : vérifiez le réseau de cette machine."},
	"tls_challenge_failed": {"The authority that gives certificates did not reach this server by its name on port 443: check the name's address and the router.",
		"L'autorité qui donne les certificats n'a pas atteint ce serveur par son nom sur le port 443 : vérifiez l'adresse du nom et le routeur."},
	"tls_not_given":          tlsRefused,
	"tls_rejectedidentifier": tlsRefused,
	"tls_ratelimited": {"The authority that gives certificates was asked too often for these names: it will be asked again later.",
		"L'autorité qui donne les certificats a été trop souvent sollicitée pour ces noms : elle le sera de nouveau plus tard."},
	"hanging": {"An earlier question to the carrier has not come back. If that lasts, restart Readback.",
		"Une question antérieure à l'opérateur reste sans réponse. Si cela dure, relancez Readback."},
	"client_crashed": {"Readback broke on what the carrier answered: please report it to the project.",
		"Readback s'est heurté à une réponse de l'opérateur : merci de le signaler au projet."},
	"time_out": {"The carrier did not answer in time. It may be slow or down: wait a few minutes.",
		"L'opérateur n'a pas répondu à temps. Il est peut-être lent ou en panne : attendez quelques minutes."},
	"down": {"The carrier cannot be reached: check this machine's network.",
		"L'opérateur est injoignable : vérifiez le réseau de cette machine."},
	"partial": {"The carrier gave a part of its list alone; all that came was stored.",
		"L'opérateur n'a donné qu'une partie de sa liste ; tout ce qui est arrivé a été enregistré."},
	"no_clear_answer": {"What answered could not be understood: check the configured address.",
		"La réponse reçue n'a pas pu être comprise : vérifiez l'adresse configurée."},
}

var (
	tlsBroken = Message{
		"The new files of the server's certificate are no pair of a certificate and its key; the last good ones are served.",
		"Les nouveaux fichiers du certificat du serveur ne forment pas une paire certificat et clé ; les derniers bons restent servis.",
	}
	tlsRefused = Message{
		"The authority gave no certificate for a name of this server: check public_url and public_hosts; a name of the home network alone gets none.",
		"L'autorité n'a donné aucun certificat pour un nom de ce serveur : vérifiez public_url et public_hosts ; un nom du seul réseau domestique n'en reçoit pas.",
	}
)
