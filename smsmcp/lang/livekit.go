package lang

// LiveKitSays gives the sentence for a code of what takes calls in the rooms of a LiveKit server; "" for one that is not its own.
func LiveKitSays(l Lang, code string) string {
	m, ok := liveKitCodes[code]
	if !ok {
		return ""
	}
	return m.In(l)
}

var liveKitCodes = map[string]Message{
	"livekit_not_joined": {"Readback has not reached the LiveKit server yet.",
		"Readback n'a pas encore joint le serveur LiveKit."},
	"livekit_unreachable": {"The LiveKit server cannot be reached: see that it runs, and that livekit.url is its address.",
		"Le serveur LiveKit est injoignable : vérifiez qu'il marche, et que livekit.url est son adresse."},
	"livekit_untrusted": {"The certificate of the LiveKit server is not to be trusted: see its names, its dates and its authority.",
		"Le certificat du serveur LiveKit n'est pas digne de confiance : voyez ses noms, ses dates et son autorité."},
	"livekit_refused": {"The LiveKit server does not take the key: compare livekit.key and livekit.secret_file with its keys, and both machines' clocks. Or what answers at livekit.url is another program that asks for a password, as Readback itself does.",
		"Le serveur LiveKit n'accepte pas la clé : comparez livekit.key et livekit.secret_file à ses clés, et les horloges des deux machines. Ou bien c'est un autre programme qui répond à livekit.url et demande un mot de passe, comme Readback lui-même."},
	"livekit_not_found": {"What answers at livekit.url takes no agents: it is no LiveKit server, or an old one.",
		"Ce qui répond à livekit.url n'accepte pas d'agents : ce n'est pas un serveur LiveKit, ou il est ancien."},
	"livekit_bad_answer": {"What answers at livekit.url could not be understood: see that it is a LiveKit server, and its log.",
		"Ce qui répond à livekit.url n'a pas pu être compris : vérifiez que c'est un serveur LiveKit, et voyez son journal."},
	"livekit_not_registered": {"The LiveKit server did not take Readback as an agent: see its log.",
		"Le serveur LiveKit n'a pas accepté Readback comme agent : voyez son journal."},
	"livekit_lost": {"The connection to the LiveKit server broke; it is made again.",
		"La connexion au serveur LiveKit s'est rompue ; elle est rétablie."},
	"livekit_silent": {"Nothing comes from the LiveKit server any more; the connection is made again.",
		"Plus rien ne vient du serveur LiveKit ; la connexion est rétablie."},
	"livekit_too_big": {"The LiveKit server sent more than Readback takes: see that livekit.url is its address.",
		"Le serveur LiveKit a envoyé plus que Readback n'accepte : vérifiez que livekit.url est son adresse."},
	"livekit_crashed": {"Readback broke on what the LiveKit server sent: please report it to the project.",
		"Readback s'est heurté à ce que le serveur LiveKit a envoyé : merci de le signaler au projet."},
}
