package lang

// What the typed conversation and the phone's part of serve say.
var (
	CLITalk     = Message{"talk as on the phone, by typing", "parler comme au téléphone, en tapant"}
	CLITalkLong = Message{
		"Talk to Readback as on the phone, by typing: what you would say, and 1 or 2 as a key. The program itself shows the text that it\nhas prepared, and sends it only after your clear yes.\nThe model and the language are those of [model] and [phone] in the configuration; with none it knows a few phrases.",
		"Parlez à Readback comme au téléphone, en tapant\u00a0: ce que vous diriez, et 1 ou 2 comme touche. Le programme montre lui-même le\ntexto qu'il a préparé, et ne l'envoie qu'après votre oui bien clair.\nLe modèle et la langue sont ceux de [model] et [phone] dans la configuration\u00a0; sans rien, il connaît quelques phrases.",
	}
	CLITalkServed = Message{
		"a server runs on the data folder %s: stop it first, or talk to another folder with --data",
		"un serveur marche sur le dossier de données %s\u00a0: arrêtez-le d'abord, ou parlez à un autre dossier avec --data",
	}
	CLITalkHow = Message{
		"Type what you would say, as in: text Marie that I am on my way. An empty line says nothing; Ctrl+D hangs up.",
		"Tapez ce que vous diriez, par exemple\u00a0: texte à Marie que je suis en route. Une ligne vide ne dit rien\u00a0; Ctrl+D raccroche.",
	}
	CLIGreetPhone   = Message{"  Phone", "  Téléphone"}
	CLIGreetAnswers = Message{"answers calls; yours with your PIN", "répond aux appels ; aux vôtres avec votre NIP"}
	CLIGreetNoOwner = Message{
		"takes messages; for your own calls set phone.owners and readback pin",
		"prend les messages ; pour vos propres appels, réglez phone.owners et readback pin",
	}
	CLISileroBuild = Message{
		"%s is set, and this program was built without the Silero detector: build it with CGO_ENABLED=1 go build -tags silero ./cmd/readback, or leave the key empty",
		"%s est défini, et ce programme a été construit sans le détecteur Silero\u00a0: construisez-le par CGO_ENABLED=1 go build -tags silero ./cmd/readback, ou laissez la clé vide",
	}
	CLISileroFiles = Message{
		"%s must be a folder with %s (ONNX Runtime 1.24 or later) and %s (version 5), as voice/media/silero/install.sh makes it",
		"%s doit être un dossier avec %s (ONNX Runtime 1.24 ou plus récent) et %s (version 5), comme voice/media/silero/install.sh le fait",
	}
	CLIEngine = Message{
		"%s in the configuration cannot be used for %s: see its line in deploy/readback.toml",
		"%s, dans la configuration, ne convient pas à %s\u00a0: voyez sa ligne dans deploy/readback.toml",
	}
)
