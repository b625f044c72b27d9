package lang

// What the commands say when they have done something.
var (
	CLINoneWaiting = Message{"Nothing waits for your yes.", "Rien n'attend votre oui."}
	CLIWaiting     = Plural{
		Message{"%d text waits for your yes.", "%d texto attend votre oui."},
		Message{"%d texts wait for your yes.", "%d textos attendent votre oui."},
	}
	CLIIsFrozen = Message{
		"All sends are frozen: readback thaw lifts that.",
		"Tous les envois sont gelés : readback thaw lève le gel.",
	}
	CLIIsRestored = Message{
		"All sends are frozen, because a backup was restored: texts that went after it was made are not counted in any limit. readback thaw lifts that.",
		"Tous les envois sont gelés, car une sauvegarde a été restaurée : les textos partis après elle ne comptent dans aucune limite. readback thaw lève le gel.",
	}
	CLIAreUnknown = Plural{
		Message{
			"%d text may or may not have gone. The carrier's list may still tell; if you know, say it:",
			"%d texto est peut-être parti, peut-être pas. La liste de l'opérateur le dira peut-être ; si vous le savez, dites-le :",
		},
		Message{
			"%d texts may or may not have gone. The carrier's list may still tell; if you know, say it:",
			"%d textos sont peut-être partis, peut-être pas. La liste de l'opérateur le dira peut-être ; si vous le savez, dites-le :",
		},
	}
	CLISettleHint = Message{
		"Unknown: the carrier's list may still tell. If you know, say it: readback settle ID sent, or readback settle ID failed.",
		"Incertain : la liste de l'opérateur le dira peut-être. Si vous le savez, dites-le : readback settle ID sent (parti), ou readback settle ID failed (échoué).",
	}
	CLISettledSent   = Message{"Noted: the text to %s went.", "C'est noté : le texto pour %s est parti."}
	CLISettledFailed = Message{
		"Noted: the text to %s did not go. It may be asked for again.",
		"C'est noté : le texto pour %s n'est pas parti. Il peut être redemandé.",
	}
	CLITo       = Message{"to %s, %s", "à %s, %s"}
	CLIAskedBy  = Message{"%s, asked by %s, %s", "%s, demandé par %s, %s"}
	CLISegments = Plural{
		Message{"%d segment (%s)", "%d segment (%s)"},
		Message{"%d segments (%s)", "%d segments (%s)"},
	}
	CLIExpires    = Message{"it waits until %s", "il attend jusqu'à %s"}
	CLISent       = Message{"Sent to %s, %s.", "Envoyé à %s, %s."}
	CLIDeclined   = Message{"Noted: the text to %s is not sent.", "C'est noté : le texto pour %s ne part pas."}
	CLIUnknown    = Message{"It may have gone: readback sends will say what became of %s, or you do with readback settle. Do not send it again before.", "Il est peut-être parti : readback sends dira ce qu'est devenu %s, ou vous-même avec readback settle. Ne le renvoyez pas avant."}
	CLIFailed     = Message{"The carrier did not take it: %s.", "L'opérateur ne l'a pas pris : %s."}
	CLIRefusedNow = Message{"It is not sent:", "Il ne part pas :"}
	CLIWasSent    = Message{
		"It had gone to %s, %s already: nothing happened now, and nobody can take it back.",
		"Il était déjà parti vers %s, %s : rien ne s'est passé à l'instant, et personne ne peut le reprendre.",
	}
	CLIWasOver = Message{
		"It was over already (%s): nothing was sent and nothing changed now.",
		"C'était déjà réglé (%s) : rien n'est parti et rien n'a changé à l'instant.",
	}
	CLIFrozen  = Message{"All sends are frozen. readback thaw lifts that.", "Tous les envois sont gelés. readback thaw lève le gel."}
	CLIThawed  = Message{"Texts may go again.", "Les textos peuvent repartir."}
	CLINoSends = Message{"No text was ever asked for.", "Aucun texto n'a encore été demandé."}

	CLIColWhen      = Message{"WHEN", "QUAND"}
	CLIColID        = Message{"ID", "ID"}
	CLIColTo        = Message{"TO", "À"}
	CLIColOutcome   = Message{"OUTCOME", "ISSUE"}
	CLIColConfirmed = Message{"CONFIRMED", "CONFIRMÉ"}
	CLIColReasons   = Message{"REASONS", "RAISONS"}
	CLIColName      = Message{"NAME", "NOM"}
	CLIColNumber    = Message{"NUMBER", "NUMÉRO"}
	CLIColAlso      = Message{"ALSO FROM", "AUSSI DE"}
	CLIColAliases   = Message{"ALIASES", "SURNOMS"}
	CLIColMade      = Message{"MADE", "CRÉÉ"}
	CLIColRevoked   = Message{"REVOKED", "RÉVOQUÉ"}

	CLIChannelCommandLine = Message{"command line", "ligne de commande"}
	CLIChannelVoice       = Message{"voice, «%s»", "voix, «%s»"}
	CLIChannelElicitation = Message{"asked by the app", "demandé par l'app"}
	CLIChannelCard        = Message{"card in the chat", "carte dans la conversation"}

	CLIContactAdded   = Message{"Added %s, %s.", "Ajouté : %s, %s."}
	CLIContactRemoved = Message{"Removed %s.", "Retiré : %s."}
	CLIStopCleared    = Message{"%s can be texted again.", "On peut de nouveau écrire à %s."}
	CLINoContacts     = Message{"No contacts yet: readback contacts add NAME NUMBER", "Aucun contact encore : readback contacts add NOM NUMÉRO"}
	CLIImported       = Plural{
		Message{"%d contact added.", "%d contact ajouté."},
		Message{"%d contacts added.", "%d contacts ajoutés."},
	}
	CLIImportRefused = Plural{
		Message{"%d refused:", "%d refusé :"},
		Message{"%d refused:", "%d refusés :"},
	}
	CLIImportLine = Message{"line %d", "ligne %d"}
	CLIImportCard = Message{"card %d", "fiche %d"}

	CLITokenRevoked = Message{"The token %s does not work any more.", "Le jeton %s ne fonctionne plus."}
	CLIBackupDone   = Message{
		"Copied to %s. To go back to it one day: stop the server, then readback restore FILE.",
		"Copié dans %s. Pour y revenir un jour : arrêtez le serveur, puis readback restore FICHIER.",
	}
	CLIRestored               = Message{"The store is now the one of %s.", "La base est maintenant celle de %s."}
	CLIRestoredKept           = Message{"The one that was there is kept as %s.", "Celle qui était là est gardée sous le nom %s."}
	CLIRestoredKeptPassphrase = Message{
		"Your passphrase is the one that you had before this restore, whatever the backup's was.",
		"Votre phrase de passe est celle que vous aviez avant cette restauration, quelle que soit celle de la sauvegarde.",
	}
	CLIRestoredItsPassphrase = Message{
		"Your passphrase is now the one that you had when the backup was made.",
		"Votre phrase de passe est maintenant celle que vous aviez au moment de la sauvegarde.",
	}
	CLIRestoredNoPassphrase = Message{
		"There is no passphrase: readback passphrase sets one.",
		"Il n'y a pas de phrase de passe : readback passphrase en choisit une.",
	}
	CLIRestoredRevoked = Plural{
		Message{
			"%d token of the backup is revoked, because it did not work any more before this restore.",
			"%d jeton de la sauvegarde est révoqué, parce qu'il ne fonctionnait plus avant cette restauration.",
		},
		Message{
			"%d tokens of the backup are revoked, because they did not work any more before this restore.",
			"%d jetons de la sauvegarde sont révoqués, parce qu'ils ne fonctionnaient plus avant cette restauration.",
		},
	}
	CLIRestoredMissing = Plural{
		Message{
			"%d token that worked is not in the backup, and works no more: readback token new NAME makes another.",
			"%d jeton qui fonctionnait n'est pas dans la sauvegarde, et ne fonctionne plus : readback token new NOM en crée un autre.",
		},
		Message{
			"%d tokens that worked are not in the backup, and work no more: readback token new NAME makes others.",
			"%d jetons qui fonctionnaient ne sont pas dans la sauvegarde, et ne fonctionnent plus : readback token new NOM en crée d'autres.",
		},
	}
	CLIRestoredNoToken = Plural{
		Message{
			"No store was here that could tell which tokens still work, so the backup's %d token is revoked: readback token new NAME makes another.",
			"Aucune base n'était là pour dire quels jetons fonctionnent encore : le seul jeton de la sauvegarde (%d) est donc révoqué, et readback token new NOM en crée un autre.",
		},
		Message{
			"No store was here that could tell which tokens still work, so all of the backup's %d tokens are revoked: readback token new NAME makes others.",
			"Aucune base n'était là pour dire quels jetons fonctionnent encore : tous ceux de la sauvegarde (%d) sont donc révoqués, et readback token new NOM en crée d'autres.",
		},
	}
	CLIRestoredNoSecrets = Message{
		"No store was here that could tell which passkeys and which PIN are still yours, so those of the backup are gone: set them anew.",
		"Aucune base n'était là pour dire quelles clés d'accès et quel NIP sont encore les vôtres : ceux de la sauvegarde ont donc disparu, choisissez-les de nouveau.",
	}
	CLIRestoredContacts = Plural{
		Message{
			"%d contact is not as before this restore (back again, gone or changed): see readback contacts list.",
			"%d contact n'est pas comme avant cette restauration (revenu, disparu ou modifié) : voyez readback contacts list.",
		},
		Message{
			"%d contacts are not as before this restore (back again, gone or changed): see readback contacts list.",
			"%d contacts ne sont pas comme avant cette restauration (revenus, disparus ou modifiés) : voyez readback contacts list.",
		},
	}
	CLIRestoredThaw = Message{
		"All sends are frozen until readback thaw: texts that went after the backup are not counted in any limit. What waited for a yes is void.",
		"Tous les envois sont gelés jusqu'à readback thaw : les textos partis après la sauvegarde ne comptent dans aucune limite. Ce qui attendait un oui est caduc.",
	}
	CLIRestoreRunning = Message{
		"a server runs on the data folder %s: stop it first",
		"un serveur marche sur le dossier de données %s : arrêtez-le d'abord",
	}
	CLIRestoreForeign = Message{"%s is no store of Readback", "%s n'est pas une base de Readback"}
	CLIRestoreAltered = Message{
		"%s holds tables, indexes, views or triggers that no backup of Readback has, and was not put in place",
		"%s contient des tables, des index, des vues ou des déclencheurs qu'aucune sauvegarde de Readback n'a, et n'a pas été mis en place",
	}
	CLIRestoreRoom = Message{
		"the disk of the data folder %s has too little room for the copies that a restore makes",
		"le disque du dossier de données %s n'a pas assez de place pour les copies que fait une restauration",
	}
	CLIRestoreDamaged = Message{"%s is damaged, and was not put in place", "%s est endommagé, et n'a pas été mis en place"}
	CLIRestoreNewer   = Message{
		"%s was written by a newer version of Readback: restore it with that version",
		"%s vient d'une version plus récente de Readback : restaurez-le avec celle-là",
	}
	CLIRestoreInPlace = Message{"%s is the store itself: name a backup", "%s est la base elle-même : nommez une sauvegarde"}
	CLIReceived       = Message{"It arrived.", "Il est arrivé."}

	CLIPassphrase        = Message{"Passphrase: ", "Phrase de passe : "}
	CLIPassphraseOld     = Message{"Passphrase so far: ", "Phrase de passe actuelle : "}
	CLIPassphraseNew     = Message{"New passphrase: ", "Nouvelle phrase de passe : "}
	CLIPassphraseAgain   = Message{"Once more: ", "Encore une fois : "}
	CLIPassphraseDiffers = Message{"the two are not the same, and nothing was changed", "les deux diffèrent, et rien n'a changé"}
	CLIPassphraseSet     = Message{"The passphrase is set. It cannot be recovered: keep it.", "La phrase de passe est fixée. Elle ne se retrouve pas : gardez-la."}
	CLINoTerminal        = Message{
		"the passphrase is asked on the terminal itself, and there is none here",
		"la phrase de passe se demande sur le terminal lui-même, et il n'y en a pas ici",
	}
)

// What keeps a command from its work.
var (
	CLIStopped        = Message{"stopped", "interrompu"}
	CLIUnexpected     = Message{"something unexpected: %s", "un imprévu : %s"}
	CLIFileUnreadable = Message{"%s cannot be read: %s", "%s ne peut pas être lu : %s"}
	CLIFileMissing    = Message{"there is no such file or folder", "ce fichier ou ce dossier n'existe pas"}
	CLIFileForbidden  = Message{"you may not", "vous n'en avez pas le droit"}
	CLIFileIsFolder   = Message{"it is a folder", "c'est un dossier"}
	CLIFileNoFolder   = Message{"a part of its path is no folder", "une partie de son chemin n'est pas un dossier"}
	CLIFileReadOnly   = Message{"the disk is read-only", "le disque est en lecture seule"}
	CLIFileFull       = Message{"the disk is full", "le disque est plein"}
	CLIFileIrregular  = Message{"it is no regular file", "ce n'est pas un fichier ordinaire"}
	CLIFileTooBig     = Message{"it is too big", "il est trop gros"}
	CLIFileOther      = Message{"the system does not let it", "le système ne le permet pas"}

	CLIDataUnwritable = Message{"the data folder %s cannot be used: %s", "le dossier de données %s est inutilisable : %s"}
	CLIDataForeign    = Message{"the data folder %s belongs to another user: choose one of your own with --data", "le dossier de données %s appartient à quelqu'un d'autre : choisissez-en un à vous avec --data"}
	CLIDataOpen       = Message{
		"other users can look into the data folder %s: close it with chmod 700 %s, or choose an empty one with --data",
		"d'autres utilisateurs peuvent voir le dossier de données %s : fermez-le avec chmod 700 %s, ou choisissez-en un vide avec --data",
	}
	CLIDataInUse = Message{
		"another Readback holds the data folder %s and does not answer: end it, or try again in a moment",
		"un autre Readback occupe le dossier de données %s et ne répond pas : arrêtez-le, ou réessayez dans un instant",
	}
	CLILongPath = Message{
		"the data folder's path is too long: a path of at most 90 characters is needed (choose one with --data)",
		"le chemin du dossier de données est trop long : il en faut un de 90 signes au plus (choisissez-en un avec --data)",
	}
	CLIStoreNewer = Message{
		"the store was written by a newer version of Readback: use that version, or go back to a backup of this one with readback restore FILE",
		"la base vient d'une version plus récente de Readback : utilisez celle-là, ou revenez à une sauvegarde de celle-ci avec readback restore FICHIER",
	}
	CLIStoreForeign = Message{
		"readback.db in the data folder is another program's: choose another folder with --data",
		"readback.db dans le dossier de données est celui d'un autre programme : choisissez un autre dossier avec --data",
	}
)
