package lang

// What is said of what a client was let in for.
var (
	WebScope = Message{
		"This client was not let in for that. Its owner can let it in again, for more.",
		"Cette application n'a pas reçu l'accès pour cela. Son propriétaire peut la laisser entrer de nouveau, pour davantage.",
	}
)

// What is said of apps after a restore.
var (
	CLIRestoredEnded = Plural{
		Message{
			"%d app of the backup is not let in, because it was not any more before this restore.",
			"%d application de la sauvegarde n'a pas accès, parce qu'elle ne l'avait plus avant cette restauration.",
		},
		Message{
			"%d apps of the backup are not let in, because they were not any more before this restore.",
			"%d applications de la sauvegarde n'ont pas accès, parce qu'elles ne l'avaient plus avant cette restauration.",
		},
	}
	CLIRestoredOut = Plural{
		Message{
			"%d app that was let in is not in the backup: connect it anew.",
			"%d application qui avait accès n'est pas dans la sauvegarde : connectez-la de nouveau.",
		},
		Message{
			"%d apps that were let in are not in the backup: connect them anew.",
			"%d applications qui avaient accès ne sont pas dans la sauvegarde : connectez-les de nouveau.",
		},
	}
	CLIRestoredNoApp = Plural{
		Message{
			"No store was here that could tell which apps are still let in, so the backup's %d app is not: connect it anew.",
			"Aucune base n'était là pour dire quelles applications ont encore accès : la seule de la sauvegarde (%d) ne l'a donc plus, connectez-la de nouveau.",
		},
		Message{
			"No store was here that could tell which apps are still let in, so the backup's %d apps are not: connect them anew.",
			"Aucune base n'était là pour dire quelles applications ont encore accès : les %d de la sauvegarde ne l'ont donc plus, connectez-les de nouveau.",
		},
	}
)
