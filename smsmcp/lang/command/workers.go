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
		EN: "workers run on the data folder %s, whose store is first to be made or brought up to date: stop each readback worker, and start them again after readback serve",
		FR: "des processus readback worker marchent sur le dossier de données %s, dont la base doit d'abord être créée ou mise à jour : arrêtez-les tous, et relancez-les après readback serve",
	}
	WorkerBounds = lang.Message{
		EN: "this worker does not have the configuration of readback serve on the data folder %s: [guard], phone.owners, the limits of a call, the carrier, read.mask_codes and time_zone must be the same. Give both one file, and start readback serve again after a change",
		FR: "ce processus n'a pas la configuration de readback serve sur le dossier de données %s : [guard], phone.owners, les limites d'un appel, l'opérateur, read.mask_codes et time_zone doivent être les mêmes. Donnez aux deux un même fichier, et relancez readback serve après un changement",
	}
	FolderLost = lang.Message{
		EN: "a lock file of the data folder %s was removed or replaced, and nothing keeps another Readback from working on the same store: this one has ended. Start it again, and leave the files in that folder where they are",
		FR: "un verrou du dossier de données %s a été supprimé ou remplacé, et rien n'empêche plus un autre Readback de travailler sur la même base : celui-ci s'est arrêté. Relancez-le, et laissez les fichiers de ce dossier où ils sont",
	}
	RestoreWorkers = lang.Message{
		EN: "workers run on the data folder %s: stop each readback worker first",
		FR: "des processus readback worker marchent sur le dossier de données %s : arrêtez-les tous d'abord",
	}
)
