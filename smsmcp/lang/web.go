package lang

// What the web server answers to a request that it does not let through. Clients show these to a model or a person.
var (
	WebNoToken = Message{
		"This server needs a bearer token. A client that opens a browser gets one there; or make one with: readback token new NAME",
		"Ce serveur demande un jeton. Pour en créer un : readback token new NOM",
	}
	WebTooMany = Message{
		"Too many requests. Wait for the time in Retry-After, then try again.",
		"Trop de requêtes. Attendez le temps indiqué dans Retry-After, puis réessayez.",
	}
	WebBusy = Message{
		"The server is answering as many requests as it can. Try again in a second.",
		"Le serveur répond déjà à autant de requêtes qu'il le peut. Réessayez dans une seconde.",
	}
	WebBroken = Message{
		"The server could not answer because of an error of its own. Its log says more.",
		"Le serveur n'a pas pu répondre à cause d'une erreur interne. Son journal en dit plus.",
	}
	WebHost = Message{
		"This server is not known by that host name. Its owner can add the name to public_hosts in the configuration.",
		"Ce serveur n'est pas connu sous ce nom d'hôte. Son propriétaire peut ajouter le nom à public_hosts dans la configuration.",
	}
	WebOrigin = Message{
		"Pages from that origin may not call this server. Its owner can add the origin to allowed_origins in the configuration.",
		"Les pages de cette origine ne peuvent pas appeler ce serveur. Son propriétaire peut ajouter l'origine à allowed_origins dans la configuration.",
	}
	WebPostOnly = Message{
		"Only POST is answered here.",
		"Seule la méthode POST a une réponse ici.",
	}
	WebNotFound = Message{
		"Nothing is here. The MCP address ends in /mcp, and wants a token in the header Authorization.",
		"Il n'y a rien ici. L'adresse MCP se termine par /mcp, et demande un jeton dans l'en-tête Authorization.",
	}
	WebTooLarge = Message{
		"The request is too large: at most %d bytes.",
		"La requête est trop grande : %d octets au plus.",
	}
	WebTooMuch = Message{
		"The request holds too much: at most %d values, at most %d levels deep.",
		"La requête contient trop de choses : %d valeurs au plus, sur %d niveaux au plus.",
	}
	WebCut = Message{
		"The request did not arrive whole in time.",
		"La requête n'est pas arrivée entière à temps.",
	}
	WebUTF8 = Message{
		"The request is not valid UTF-8.",
		"La requête n'est pas de l'UTF-8 valide.",
	}
	WebStopping = Message{
		"The request was not answered: the server is stopping, or it took too long.",
		"La requête n'a pas eu de réponse : le serveur s'arrête, ou elle a pris trop de temps.",
	}
)

// What is wrong with what the owner configured for TLS and for proxies.
var (
	WebExposed = Message{
		"listening on %s would let anyone on the network read your texts and tokens on their way: set TLS in the configuration (tls.cert_file and tls.key_file, or tls.acme), or trusted_proxies where a proxy does TLS, or listen on 127.0.0.1",
		"à l'écoute sur %s, n'importe qui sur le réseau pourrait lire vos textos et vos jetons en chemin : réglez TLS dans la configuration (tls.cert_file et tls.key_file, ou tls.acme), ou trusted_proxies si un proxy se charge de TLS, ou écoutez sur 127.0.0.1",
	}
	WebExposedHere = Message{
		"listening on %s would let anyone on the network read your texts and tokens on their way, and all of trusted_proxies are on this machine: they reach 127.0.0.1 too, so listen there",
		"à l'écoute sur %s, n'importe qui sur le réseau pourrait lire vos textos et vos jetons en chemin, et tous les trusted_proxies sont sur cette machine : ils joignent aussi 127.0.0.1, écoutez donc là",
	}
	WebAlike = Message{
		"Browsers reach public_url by a proxy that trusted_proxies does not name, so all of them seem to come from one address: five wrong passphrases by anybody keep you from signing in. Set trusted_proxies to the proxy's address, as in [\"127.0.0.1\"].",
		"Les navigateurs joignent public_url par un proxy que trusted_proxies ne nomme pas, et tous semblent donc venir d'une seule adresse : cinq mauvaises phrases de passe de n'importe qui vous empêchent de vous connecter. Mettez dans trusted_proxies l'adresse de ce proxy, par exemple [\"127.0.0.1\"].",
	}
	WebProxyForm = Message{
		"entry %d of trusted_proxies is neither an address nor a range such as 10.0.0.0/8",
		"l'élément %d de trusted_proxies n'est ni une adresse ni une plage comme 10.0.0.0/8",
	}
	WebProxyAll = Message{
		"entry %d of trusted_proxies is every address there is: anyone could pass for anyone; name your proxy's own",
		"l'élément %d de trusted_proxies couvre toutes les adresses : chacun pourrait se faire passer pour un autre ; nommez celle de votre proxy",
	}
	WebTLSHalf = Message{
		"tls.cert_file and tls.key_file go together: set both, or neither",
		"tls.cert_file et tls.key_file vont ensemble : réglez les deux, ou aucun",
	}
	WebTLSNoKey = Message{
		"the file that tls.key_file names holds no private key in PEM that opens without a passphrase",
		"le fichier que nomme tls.key_file ne contient aucune clé privée au format PEM qui s'ouvre sans phrase de passe",
	}
	WebTLSMismatch = Message{
		"the key in tls.key_file does not belong to the first certificate in tls.cert_file",
		"la clé de tls.key_file n'est pas celle du premier certificat de tls.cert_file",
	}
	WebTLSExpired = Message{
		"The certificate in tls.cert_file expired on %s: browsers and the phone refuse it until there is a new one.",
		"Le certificat de tls.cert_file a expiré le %s : les navigateurs et le téléphone le refusent jusqu'à ce qu'il y en ait un nouveau.",
	}
	WebTLSEarly = Message{
		"The certificate in tls.cert_file is good from %s on only: browsers and the phone refuse it until then. Is this machine's clock right?",
		"Le certificat de tls.cert_file n'est valable qu'à partir du %s : d'ici là, les navigateurs et le téléphone le refusent. L'horloge de cette machine est-elle à l'heure ?",
	}
	WebTLSNoHost = Message{
		"tls.acme needs the name that others call this server by: put it into public_hosts, as in \"texts.example.com\" (an address gets no certificate)",
		"tls.acme a besoin du nom par lequel on appelle ce serveur : mettez-le dans public_hosts, comme « texts.example.com » (une adresse n'obtient pas de certificat)",
	}
	WebTLSDirectory = Message{
		"tls.acme_directory must be the address of an ACME directory, and begin with https://",
		"tls.acme_directory doit être l'adresse d'un répertoire ACME, et commencer par https://",
	}
	WebTLSFolder = Message{
		"the folder for certificates, %s, cannot be used: %s",
		"le dossier des certificats, %s, n'est pas utilisable : %s",
	}
)

// What readback mcp says when it cannot relay a request.
var (
	RelayDown = Message{
		"Readback is not running: start it with \"readback serve\", then try again. Nothing was sent.",
		"Readback n'est pas démarré : lancez « readback serve », puis réessayez. Rien n'a été envoyé.",
	}
	RelayLost = Message{
		"The connection to Readback broke before its answer. If this was send_text, use check_send or read_texts before sending again.",
		"La connexion à Readback s'est rompue avant sa réponse. S'il s'agissait de send_text, utilisez check_send ou read_texts avant tout nouvel envoi.",
	}
	RelayToken = Message{
		"Readback did not accept the token of this client. Its owner can make a new one with: readback token new NAME",
		"Readback n'a pas accepté le jeton de ce client. Son propriétaire peut en créer un : readback token new NOM",
	}
	RelayTokenFile = Message{
		"The token's file cannot be read. \"readback serve\" makes it; --data must name the same folder for both.",
		"Le fichier du jeton est illisible. « readback serve » le crée ; --data doit désigner le même dossier pour les deux.",
	}
	RelayAsks = Message{
		"Readback asked this client for something that it cannot give. If this was send_text, use check_send or read_texts before sending again.",
		"Readback a demandé à ce client ce qu'il ne peut donner. S'il s'agissait de send_text, utilisez check_send ou read_texts avant tout nouvel envoi.",
	}
	RelayForm = Message{
		"That line is not a JSON-RPC message.",
		"Cette ligne n'est pas un message JSON-RPC.",
	}
	RelayLarge = Message{
		"The message is too large.",
		"Le message est trop grand.",
	}
	RelayAnswer = Message{
		"Readback answered with something that is not MCP (HTTP status %d). Is another program at that address?",
		"Readback a répondu par autre chose que du MCP (statut HTTP %d). Un autre programme est-il à cette adresse ?",
	}
)
