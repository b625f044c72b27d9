package lang

// What is said of what a client was let in for.
var (
	WebScope = Message{
		"This client was not let in for that. Its owner can let it in again, for more.",
		"Ce client n'a pas été laissé entrer pour cela. Son propriétaire peut le laisser entrer de nouveau, pour davantage.",
	}
)

// What is said of programs after a restore.
var (
	CLIRestoredEnded = Plural{
		Message{
			"%d program of the backup is not let in, because it was not any more before this restore.",
			"%d programme de la sauvegarde n'est pas laissé entrer, parce qu'il ne l'était plus avant cette restauration.",
		},
		Message{
			"%d programs of the backup are not let in, because they were not any more before this restore.",
			"%d programmes de la sauvegarde ne sont pas laissés entrer, parce qu'ils ne l'étaient plus avant cette restauration.",
		},
	}
	CLIRestoredOut = Plural{
		Message{
			"%d program that was let in is not in the backup: connect it anew.",
			"%d programme entré n'est pas dans la sauvegarde : connectez-le de nouveau.",
		},
		Message{
			"%d programs that were let in are not in the backup: connect them anew.",
			"%d programmes entrés ne sont pas dans la sauvegarde : connectez-les de nouveau.",
		},
	}
	CLIRestoredNoApp = Plural{
		Message{
			"No store was here that could tell which programs are still let in, so the backup's %d program is not: connect it anew.",
			"Aucune base n'était là pour dire quels programmes sont encore laissés entrer : le seul de la sauvegarde (%d) ne l'est donc plus, connectez-le de nouveau.",
		},
		Message{
			"No store was here that could tell which programs are still let in, so the backup's %d programs are not: connect them anew.",
			"Aucune base n'était là pour dire quels programmes sont encore laissés entrer : les %d de la sauvegarde ne le sont donc plus, connectez-les de nouveau.",
		},
	}
)

// The mark of a token whose yes counts.
var (
	CLITokenMark     = Message{"say whether a yes in a client counts", "dire si un oui donné dans un client compte"}
	CLITokenMarkLong = Message{
		`With yes, the client that shows this token may ask you by itself whether a text goes, and your answer there counts. Such a yes is weak: the
client, or a model that drives it, could give it by itself. It never counts once a text has raised an alarm. No token has it at first.`,
		`Avec yes, le client qui présente ce jeton peut vous demander lui-même si un texto part, et votre réponse y compte. Un tel oui est
faible : le client, ou un modèle qui le pilote, pourrait le donner de lui-même. Il ne compte jamais après l'alarme d'un texto. Aucun jeton ne
l'a au départ.`,
	}
	CLITokenMarkWord = Message{"after the name stands yes or no", "après le nom vient yes (oui) ou no (non)"}
	CLITokenMarked   = Message{"A yes given in the client with the token %s counts, but against an alarm.", "Un oui donné dans le client du jeton %s compte, sauf contre une alarme."}
	CLITokenUnmarked = Message{"A yes given in the client with the token %s does not count.", "Un oui donné dans le client du jeton %s ne compte pas."}
	CLIColMayConfirm = Message{"YES COUNTS", "OUI COMPTE"}
	CLIYes           = Message{"yes", "oui"}
)

// CLIGreetApp is what serve says of the Claude app, before the address.
var CLIGreetApp = Message{
	"Add it to the Claude app, in Settings, Connectors, Add custom connector:",
	"Pour l'ajouter à l'app Claude, dans Paramètres, Connecteurs, Ajouter un connecteur personnalisé :",
}
