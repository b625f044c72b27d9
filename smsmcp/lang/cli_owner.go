package lang

// What the owner's calls answer when they cannot do what was asked.
var (
	OwnerBadRequest = Message{
		"the running server does not understand this command: both must be the same version of Readback",
		"le serveur en marche ne comprend pas cette commande : les deux doivent être de la même version de Readback",
	}
	OwnerInternal = Message{
		"the server could not do that: its log says why",
		"le serveur n'a pas pu le faire : son journal dit pourquoi",
	}
	OwnerNoSend        = Message{"no send has that number: see readback pending and readback sends", "aucun envoi ne porte cet identifiant : voyez readback pending et readback sends"}
	OwnerNoContact     = Message{"no contact is called exactly that: see readback contacts list", "aucun contact ne porte exactement ce nom : voyez readback contacts list"}
	OwnerNoContactNear = Message{
		"no contact is called exactly that; near it: %s",
		"aucun contact ne porte exactement ce nom ; proches : %s",
	}
	OwnerTokenName = Message{
		"a token's name is 1 to 40 of a–z, 0–9, dot, hyphen and underscore, and starts with a letter or a digit",
		"le nom d'un jeton compte de 1 à 40 signes parmi a–z, 0–9, point, trait d'union et tiret bas, et commence par une lettre ou un chiffre",
	}
	OwnerTokenTaken  = Message{"a token has that name already: choose another name", "un jeton porte déjà ce nom : choisissez-en un autre"}
	OwnerNoToken     = Message{"no token has that name: see readback token list", "aucun jeton ne porte ce nom : voyez readback token list"}
	OwnerSandboxOnly = Message{
		"this server has a real carrier: texts arrive there by themselves, and only the sandbox can make one up",
		"ce serveur a un véritable opérateur : les textos y arrivent d'eux-mêmes, et seul le bac à sable peut en inventer",
	}
	OwnerTooLong = Message{
		"that text is longer than the sandbox takes",
		"ce texto est plus long que ce que le bac à sable accepte",
	}
	OwnerAltered = Message{
		"the text that waits is not the one that you were shown, so nothing was sent: look at it again with readback pending",
		"le texto en attente n'est pas celui qui vous a été montré, rien n'est donc parti : revoyez-le avec readback pending",
	}
	OwnerTooWeak = Message{
		"this text needs a yes by a stronger channel than this one",
		"ce texto demande un oui par un canal plus sûr que celui-ci",
	}
	OwnerOtherChannel = Message{
		"this text was drafted on a call, and takes its yes there alone",
		"ce texto a été rédigé pendant un appel, et c'est là seulement qu'on peut y dire oui",
	}
	OwnerClosing = Message{
		"the server is shutting down, and nothing was sent",
		"le serveur s'arrête, et rien n'est parti",
	}
	OwnerNotRecorded = Message{
		"the text may have gone, but the log could not be written: do not send it again before readback sends says what became of it",
		"le texto est peut-être parti, mais le journal n'a pas pu être écrit : ne le renvoyez pas avant que readback sends dise ce qu'il en est",
	}
	OwnerInFlight = Message{
		"that text is on its way right now, and nothing was changed: look again in two minutes",
		"ce texto est en route à l'instant, et rien n'a changé : revoyez dans deux minutes",
	}
	OwnerSettled = Message{
		"what became of that text is known, and nothing was changed: see readback sends",
		"on sait ce qu'est devenu ce texto, et rien n'a changé : voyez readback sends",
	}
	OwnerNeedsPassphrase = Message{"this needs the owner's passphrase", "ceci demande la phrase de passe du propriétaire"}
	OwnerWrongPassphrase = Message{
		"that is not the passphrase, and nothing was done",
		"ce n'est pas la phrase de passe, et rien n'a été fait",
	}
	OwnerNoPassphrase = Message{
		"with a real carrier this needs a passphrase: set one with readback passphrase",
		"avec un véritable opérateur, ceci demande une phrase de passe : choisissez-en une avec readback passphrase",
	}
	OwnerWeakPassphrase = Message{
		"a passphrase has at least %d characters: a few words that come to your mind and to nobody else's",
		"une phrase de passe compte au moins %d signes : quelques mots qui ne viennent qu'à vous",
	}
	OwnerFilePath   = Message{"name the file by its whole path", "donnez le chemin complet du fichier"}
	OwnerFileThere  = Message{"that file is there already, and is not overwritten", "ce fichier existe déjà, et n'est pas écrasé"}
	OwnerFileFolder = Message{"there is no folder %s", "il n'y a pas de dossier %s"}

	OwnerStoreFull = Message{"the disk is full, and nothing was changed", "le disque est plein, et rien n'a changé"}
	OwnerReadOnly  = Message{
		"the store cannot be written: its folder is read-only or belongs to someone else",
		"la base ne peut pas être écrite : son dossier est en lecture seule ou appartient à quelqu'un d'autre",
	}
	OwnerBusy         = Message{"another program holds the store: try again", "un autre programme occupe la base : réessayez"}
	OwnerStoreDamaged = Message{
		"the store is damaged: stop the server, then go back to a backup with readback restore FILE",
		"la base est endommagée : arrêtez le serveur, puis revenez à une sauvegarde avec readback restore FICHIER",
	}
	OwnerCarrierDown = Message{"the carrier cannot be reached", "l'opérateur est injoignable"}
	OwnerCarrierSays = Message{"the carrier answers: %s", "l'opérateur répond : %s"}
)
