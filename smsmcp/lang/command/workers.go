// Package command is the part of the catalogue that single commands say: talk, worker, and the demonstration.
//
// Floor 1: imports lang.
package command

import "readback/smsmcp/lang"

// What is said where several processes work on one data folder.
var (
	Worker     = lang.Message{EN: "take calls in LiveKit rooms, beside the server", FR: "prendre des appels dans les salles LiveKit, à côté du serveur"}
	WorkerLong = lang.Message{
		EN: `Takes calls in the rooms of your LiveKit server, as readback serve does, and does nothing else: run one more where one process is
not enough for your calls, or to change the program under them. It works on the data folder of a server, on the same machine, and
has the server's configuration. Ctrl+C, or SIGTERM, has it take no more calls and wait for those that go on, for livekit.drain at
most; a second one ends it at once.`,
		FR: `Prend des appels dans les salles de votre serveur LiveKit, comme readback serve, et ne fait rien d'autre : lancez-en un de plus là où
un seul processus ne suffit pas à vos appels, ou pour changer de version sans les couper. Il travaille sur le dossier de données d'un
serveur, sur la même machine, avec la configuration de ce serveur. Ctrl+C, ou SIGTERM, lui fait refuser tout nouvel appel et attendre
la fin de ceux en cours, pendant livekit.drain au plus ; un second l'arrête aussitôt.`,
	}
	WorkerNoLiveKit = lang.Message{
		EN: "there are no rooms to take calls in: set livekit.url, livekit.key and livekit.secret_file in the configuration",
		FR: "il n'y a pas de salles où prendre des appels : réglez livekit.url, livekit.key et livekit.secret_file dans la configuration",
	}
	WorkerWebhook = lang.Message{
		EN: "with livekit.dispatch = \"webhook\" calls come to readback serve alone: say \"agent\" to have workers beside it",
		FR: "avec livekit.dispatch = \"webhook\", les appels n'arrivent qu'à readback serve : dites \"agent\" pour avoir d'autres processus à côté",
	}
	WorkerRuns = lang.Message{
		EN: "This worker takes calls in the rooms of %s as the agent %s, up to %d at once, beside the server of %s. Ctrl+C ends it once its calls are over.",
		FR: "Ce processus prend des appels dans les salles de %s comme agent %s, jusqu'à %d à la fois, à côté du serveur de %s. Ctrl+C l'arrête une fois ses appels finis.",
	}
	StoreUnready = lang.Message{
		EN: "the store in the data folder was not yet opened by a server of this version: start readback serve of this version first",
		FR: "la base du dossier de données n'a pas encore été ouverte par un serveur de cette version : lancez d'abord readback serve de cette version",
	}
	WorkerAlone = lang.Message{
		EN: "another Readback brings the store of the data folder %s up to date or puts a backup in its place: try again in a moment",
		FR: "un autre Readback met à jour la base du dossier de données %s ou y restaure une sauvegarde : réessayez dans un instant",
	}
	WorkersOld = lang.Message{
		EN: "workers of an older version run on the data folder %s, whose store is to be brought up to date: stop each readback worker first, and start them again after readback serve",
		FR: "des processus readback worker d'une version plus ancienne marchent sur le dossier de données %s, dont la base doit être mise à jour : arrêtez-les tous d'abord, et relancez-les après readback serve",
	}
	RestoreWorkers = lang.Message{
		EN: "workers run on the data folder %s: stop each readback worker first",
		FR: "des processus readback worker marchent sur le dossier de données %s : arrêtez-les tous d'abord",
	}
)
