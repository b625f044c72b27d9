package lang

// What the phone's part of serve says.
var (
	CLIGreetPhone   = Message{"  Phone", "  Téléphone"}
	CLIGreetAnswers = Message{"answers calls; yours with your PIN", "répond aux appels ; aux vôtres avec votre NIP"}
	CLIGreetNoOwner = Message{
		"takes messages; for your own calls set phone.owners and readback pin",
		"prend les messages ; pour vos propres appels, réglez phone.owners et readback pin",
	}
	CLIGreetRooms   = Message{"  LiveKit", "  LiveKit"}
	CLIGreetRoomsOf = Message{"takes calls in the rooms of %s", "prend des appels dans les salles de %s"}
	CLIGreetTalk    = Message{"  Talk to it", "  Lui parler"}
	CLISileroBuild  = Message{
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
