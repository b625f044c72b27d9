package lang

// What serve and mcp say.
var (
	CLIFlagTokenFile = Message{"`FILE` with the token to show (usually token in the data folder)", "`FICHIER` du jeton à présenter (d'ordinaire token dans le dossier de données)"}

	CLIFlagURL = Message{"`URL` of a server that another user runs, as in http://127.0.0.1:8787/mcp", "`ADRESSE` d'un serveur qu'un autre utilisateur fait marcher, comme http://127.0.0.1:8787/mcp"}
	CLIMCPURL  = Message{
		"the address of --url must begin with https://, or with http:// and be on this machine, as in http://127.0.0.1:8787/mcp",
		"l'adresse de --url doit commencer par https://, ou par http:// et être sur cette machine, comme http://127.0.0.1:8787/mcp",
	}

	CLIServeTwice = Message{
		"another Readback holds the data folder %s: a server, or a command that waits for its passphrase",
		"un autre Readback occupe le dossier de données %s : un serveur, ou une commande qui attend sa phrase de passe",
	}
	CLIServePassphrase = Message{
		"with a real carrier your yes needs a passphrase: set one with readback passphrase, then start again",
		"avec un véritable opérateur, votre oui demande une phrase de passe : choisissez-en une avec readback passphrase, puis relancez",
	}
	CLIPortTaken = Message{
		"another program listens on %s already: choose another port with --listen",
		"un autre programme écoute déjà sur %s : choisissez un autre port avec --listen",
	}
	CLIPortForbidden = Message{
		"the system does not let you listen on %s: choose a port above 1023 with --listen",
		"le système ne vous laisse pas écouter sur %s : choisissez un port au-dessus de 1023 avec --listen",
	}
	CLIPortBad = Message{
		"this machine cannot listen on %s: choose one of its own addresses with --listen",
		"cette machine ne peut pas écouter sur %s : choisissez une de ses adresses avec --listen",
	}
	CLISecretFile = Message{
		"the file that %s names cannot be read: %s",
		"le fichier que nomme %s ne peut pas être lu : %s",
	}
	CLISecretEmpty   = Message{"the file that %s names is empty", "le fichier que nomme %s est vide"}
	CLINoCertificate = Message{
		"the file that %s names holds no certificate in PEM",
		"le fichier que nomme %s ne contient aucun certificat au format PEM",
	}
	CLIServeAnonymous = Message{
		"anyone who knows the name of your ntfy topic could read your texts there: close the topic (auth-default-access: deny-all in ntfy's server.yml, and no access for everyone), or say ntfy.anyone_can_read = true in the configuration",
		"quiconque connaît le nom de votre sujet ntfy pourrait y lire vos textos : fermez ce sujet (auth-default-access: deny-all dans le server.yml de ntfy, et aucun accès pour everyone), ou dites ntfy.anyone_can_read = true dans la configuration",
	}
	CLIServeApprovals = Message{"anyone who knows the name of the ntfy topic %s could read there what answers for you, or pass for Readback: close it to all who have no token (auth-default-access: deny-all in ntfy's server.yml, and no access for everyone), or leave ntfy.approvals_topic empty", "quiconque connaît le nom du sujet ntfy %s pourrait y lire de quoi répondre en votre nom, ou s'y faire passer pour Readback : fermez-le à qui n'a pas de jeton (auth-default-access: deny-all dans le server.yml de ntfy, et aucun accès pour everyone), ou laissez ntfy.approvals_topic vide"}
	CLIHookSecret     = Message{"the file that voipms.hook_secret_file names must hold 20 to 128 letters, digits, - and _, and nothing else", "le fichier que nomme voipms.hook_secret_file doit contenir de 20 à 128 lettres, chiffres, - et _, et rien d'autre"}
	CLIDIDForm        = Message{
		"voipms.did must be a number of Canada or the United States",
		"voipms.did doit être un numéro du Canada ou des États-Unis",
	}

	CLIGreetSandbox = Message{
		"Readback is running, with the built-in sandbox: no text leaves this machine.",
		"Readback est en marche, avec le bac à sable intégré : aucun texto ne quitte cette machine.",
	}
	CLIGreetReal      = Message{"Readback is running. Texts go to real people.", "Readback est en marche. Les textos vont à de vraies personnes."}
	CLIGreetAddress   = Message{"  MCP address", "  Adresse MCP"}
	CLIGreetTLS       = Message{"  Over TLS", "  Par TLS"}
	CLIGreetPage      = Message{"  Your page", "  Votre page"}
	CLIGreetToken     = Message{"  Token", "  Jeton"}
	CLIGreetTokenFile = Message{"in %s", "dans %s"}
	CLIGreetData      = Message{"  Data", "  Données"}
	CLIGreetConfig    = Message{"  Configuration", "  Configuration"}
	CLIGreetNoConfig  = Message{"none: the defaults hold", "aucune : réglages par défaut"}
	CLIGreetZone      = Message{"  Time zone", "  Fuseau horaire"}
	CLIGreetLine      = Message{"  Line", "  Ligne"}
	CLIGreetAsterisk  = Message{"texts come in by Asterisk at %s", "les textos arrivent par Asterisk, à %s"}
	CLIGreetBothWays  = Message{"texts come and go by Asterisk at %s", "les textos arrivent et partent par Asterisk, à %s"}
	CLIGreetBridge    = Message{"  Notifications", "  Notifications"}
	CLIGreetNtfy      = Message{"by ntfy at %s", "par ntfy, à %s"}
	CLIGreetPush      = Message{"  Your yes", "  Votre oui"}
	CLIGreetButtons   = Message{"asked for on your phone, by buttons", "demandé sur votre téléphone, par des boutons"}
	CLIGreetNoButtons = Message{"asked for on your phone; without public_url it has no buttons", "demandé sur votre téléphone ; sans public_url, il n'y a pas de boutons"}
	CLIGreetTrouble   = Message{"For now: %s Readback goes on trying.", "Pour l'instant : %s Readback continue d'essayer."}
	CLIGreetCode      = Message{"Add it to Claude Code:", "Pour l'ajouter à Claude Code :"}
	CLIGreetOther     = Message{
		"Other clients: that MCP address, and the header \"Authorization: Bearer\" with the token that is in that file.",
		"Autres clients : cette adresse MCP, et l'en-tête « Authorization: Bearer » suivi du jeton qui est dans ce fichier.",
	}
	CLIGreetDesktop = Message{"Add it to Claude Desktop, in claude_desktop_config.json:", "Pour l'ajouter à Claude Desktop, dans claude_desktop_config.json :"}
	CLIGreetBuild   = Message{
		"(build it first: go build -o bin/readback ./cmd/readback)",
		"(à compiler d'abord : go build -o bin/readback ./cmd/readback)",
	}
	CLIGreetTry        = Message{"To try, in another terminal:", "Pour essayer, dans un autre terminal :"}
	CLIGreetTryContact = Message{"contacts add \"Marie Tremblay\" 418-555-0123 --alias Marie", "contacts add \"Marie Tremblay\" 418-555-0123 --alias Marie"}
	CLIGreetTryReceive = Message{"sandbox receive --from +14185550123 \"Are we still on for tonight?\"", "sandbox receive --from +14185550123 \"C'est toujours bon pour ce soir ?\""}
	CLIGreetTryAsk     = Message{
		"Then ask Claude: \"What did Marie write? Tell her yes.\"",
		"Puis demandez à Claude : « Qu'a écrit Marie ? Réponds-lui oui. »",
	}
	CLIGreetStop = Message{"Ctrl+C stops it.", "Ctrl+C l'arrête."}
)
