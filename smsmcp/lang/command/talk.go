package command

import "readback/smsmcp/lang"

// The typed conversation.
var (
	Talk     = lang.Message{EN: "talk as on the phone, by typing", FR: "parler comme au téléphone, en tapant"}
	TalkLong = lang.Message{
		EN: "Talk to Readback as on the phone, by typing: what you would say, and 1 or 2 as a key. The program itself shows the text that it\nhas prepared, and sends it only after your clear yes.\nThe model and the language are those of [model] and [phone] in the configuration; with none it knows a few phrases.",
		FR: "Parlez à Readback comme au téléphone, en tapant\u00a0: ce que vous diriez, et 1 ou 2 comme touche. Le programme montre lui-même le\ntexto qu'il a préparé, et ne l'envoie qu'après votre oui bien clair.\nLe modèle et la langue sont ceux de [model] et [phone] dans la configuration\u00a0; sans rien, il connaît quelques phrases.",
	}
	TalkServed = lang.Message{
		EN: "a server runs on the data folder %s: stop it first, or talk to another folder with --data",
		FR: "un serveur marche sur le dossier de données %s\u00a0: arrêtez-le d'abord, ou parlez à un autre dossier avec --data",
	}
	TalkHow = lang.Message{
		EN: "Type what you would say, as in: text Marie that I am on my way. An empty line says nothing; Ctrl+D hangs up.",
		FR: "Tapez ce que vous diriez, par exemple\u00a0: texte à Marie que je suis en route. Une ligne vide ne dit rien\u00a0; Ctrl+D raccroche.",
	}
)
