package lang

// What can go wrong with engines that speak and hear on another address.
var (
	SpeechWyomingAddress = Message{
		EN: "This is not the address of a Wyoming server: write tcp://HOST:PORT, such as tcp://127.0.0.1:10300.",
		FR: "Ce n'est pas l'adresse d'un serveur Wyoming : écrivez tcp://HÔTE:PORT, par exemple tcp://127.0.0.1:10300.",
	}
	SpeechWyomingUnreachable = Message{
		EN: "The Wyoming server cannot be reached: see that it runs and that the address in the configuration is its own.",
		FR: "Le serveur Wyoming est injoignable : vérifiez qu'il est démarré et que l'adresse de la configuration est bien la sienne.",
	}
	SpeechWyomingBroken = Message{
		EN: "What answers at this address does not speak Wyoming: see that the address and the port are those of the server that you mean.",
		FR: "Ce qui répond à cette adresse ne parle pas Wyoming : vérifiez que l'adresse et le port sont ceux du serveur voulu.",
	}
	SpeechWyomingService = Message{
		EN: "The Wyoming server is there, but does not do this: one that hears and one that speaks have addresses of their own.",
		FR: "Le serveur Wyoming est là, mais ne fait pas cela : celui qui écoute et celui qui parle ont chacun leur adresse.",
	}
	SpeechWyomingVoice = Message{
		EN: "The Wyoming server does not list this voice: use the name of a voice that it has, or leave it out.",
		FR: "Le serveur Wyoming ne connaît pas cette voix : indiquez le nom d'une de ses voix, ou n'en mettez aucun.",
	}
	SpeechOpenAIAddress = Message{
		EN: "This is not an address for an OpenAI-compatible server: write https://HOST/v1, or http for a server of this machine, or without a key.",
		FR: "Ce n'est pas une adresse de serveur compatible OpenAI : écrivez https://HÔTE/v1, ou http pour un serveur de cette machine, ou sans clé.",
	}
	SpeechOpenAIUnreachable = Message{
		EN: "The server for speech cannot be reached: see that it runs and that the address in the configuration is its own.",
		FR: "Le serveur de parole est injoignable : vérifiez qu'il est démarré et que l'adresse de la configuration est bien la sienne.",
	}
	SpeechOpenAIBroken = Message{
		EN: "What the server for speech answers cannot be used: see that it is OpenAI-compatible and that the address ends as its own does (often /v1).",
		FR: "La réponse du serveur de parole est inutilisable : vérifiez qu'il est compatible OpenAI et que l'adresse finit comme la sienne (souvent /v1).",
	}
	SpeechOpenAIKey = Message{
		EN: "The server for speech does not take this key: write a valid one into the key file; no restart is needed.",
		FR: "Le serveur de parole refuse cette clé : écrivez-en une valable dans le fichier de clé ; aucun redémarrage n'est nécessaire.",
	}
	SpeechOpenAIModel = Message{
		EN: "The server for speech does not know this model or this voice: use names that it lists.",
		FR: "Le serveur de parole ne connaît pas ce modèle ou cette voix : indiquez des noms qu'il propose.",
	}
	SpeechEngineBusy = Message{
		EN: "The server for speech refuses more requests for now: its quota or its limit is used up.",
		FR: "Le serveur de parole refuse d'autres demandes pour l'instant : son quota ou sa limite est épuisé.",
	}
	SpeechEngineGone = Message{
		EN: "The server for speech ended the connection in the middle: see its own log.",
		FR: "Le serveur de parole a coupé la connexion en chemin : consultez son journal.",
	}
	SpeechEngineStalled = Message{
		EN: "The server for speech did not answer in time: it may be overloaded, or its model too large for its machine.",
		FR: "Le serveur de parole n'a pas répondu à temps : il est peut-être surchargé, ou son modèle trop gros pour sa machine.",
	}
	SpeechEngineFailed = Message{
		EN: "The server for speech failed: see its own log.",
		FR: "Le serveur de parole a échoué : consultez son journal.",
	}
	SpeechEngineBroken = Message{
		EN: "The sound of the call and the server for speech do not fit together.",
		FR: "Le son de l'appel et le serveur de parole ne vont pas ensemble.",
	}
	SpeechUtteranceTooLong = Message{
		EN: "This was too long to be understood at once.",
		FR: "C'était trop long pour être compris d'une traite.",
	}
)
