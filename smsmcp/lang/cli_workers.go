package lang

// What is said where several processes work on one data folder.
var (
	CLIStoreUnready = Message{
		"the store in the data folder was not yet opened by a server of this version: start readback serve of this version first",
		"la base du dossier de données n'a pas encore été ouverte par un serveur de cette version : lancez d'abord readback serve de cette version",
	}
	CLIWorkerAlone = Message{
		"another Readback brings the store of the data folder %s up to date or puts a backup in its place: try again in a moment",
		"un autre Readback met à jour la base du dossier de données %s ou y restaure une sauvegarde : réessayez dans un instant",
	}
	CLIWorkersOld = Message{
		"workers of an older version run on the data folder %s, whose store is to be brought up to date: stop each readback worker first, and start them again after readback serve",
		"des processus readback worker d'une version plus ancienne marchent sur le dossier de données %s, dont la base doit être mise à jour : arrêtez-les tous d'abord, et relancez-les après readback serve",
	}
	CLIRestoreWorkers = Message{
		"workers run on the data folder %s: stop each readback worker first",
		"des processus readback worker marchent sur le dossier de données %s : arrêtez-les tous d'abord",
	}
)
