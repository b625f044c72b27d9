package lang

// What doctor says: the names of its checks, and for each what it found or what to do.
var (
	DoctorOK   = Message{"ok", "bien"}
	DoctorWarn = Message{"note", "avis"}
	DoctorFail = Message{"FAIL", "ÉCHEC"}

	DoctorConfig       = Message{"configuration", "configuration"}
	DoctorConfigNone   = Message{"none: the defaults hold", "aucune : réglages par défaut"}
	DoctorConfigSecret = Message{"%s holds a password and others can read it: chmod 600 %s", "%s contient un mot de passe et d'autres peuvent le lire : chmod 600 %s"}
	DoctorData         = Message{"data folder", "dossier de données"}
	DoctorDataNone     = Message{"%s is not there yet: readback serve makes it", "%s n'existe pas encore : readback serve le crée"}
	DoctorDataFile     = Message{"others can read %s: chmod 600 %s", "d'autres peuvent lire %s : chmod 600 %s"}
	DoctorClock        = Message{"clock", "horloge"}
	DoctorClockOK      = Message{"%s, %s", "%s, %s"}
	DoctorClockWrong   = Message{"it says %s, which cannot be: set it", "elle dit %s, ce qui ne peut pas être : réglez-la"}
	DoctorClockBack    = Message{"it says %s, but a send was made at %s: it was set back; set it right", "elle dit %s, mais un envoi date de %s : elle a été reculée ; réglez-la"}
	DoctorStore        = Message{"store", "base"}
	DoctorStoreOK      = Message{"whole", "entière"}
	DoctorFrozen       = Message{"whole; all sends are frozen (readback thaw lifts that)", "entière ; tous les envois sont gelés (readback thaw lève le gel)"}
	DoctorRestored     = Message{
		"whole, and restored from a backup: all sends are frozen, because texts that went after it was made are not counted (readback thaw lifts that)",
		"entière, et restaurée d'une sauvegarde : tous les envois sont gelés, car les textos partis après elle ne sont pas comptés (readback thaw lève le gel)",
	}
	DoctorCarrier       = Message{"carrier", "opérateur"}
	DoctorSandbox       = Message{"the built-in sandbox: no text leaves this machine", "le bac à sable intégré : aucun texto ne quitte cette machine"}
	DoctorCarrierOK     = Message{"%s takes the credentials", "%s accepte les identifiants"}
	DoctorPassphrase    = Message{"passphrase", "phrase de passe"}
	DoctorPassphraseSet = Message{"set", "choisie"}
	DoctorPassphraseNo  = Message{
		"none: with a real carrier serve does not start without one (readback passphrase)",
		"aucune : avec un véritable opérateur, serve ne démarre pas sans elle (readback passphrase)",
	}
	DoctorPassphraseNone = Message{"none; the sandbox needs none", "aucune ; le bac à sable n'en demande pas"}
	DoctorContacts       = Message{"contacts", "contacts"}
	DoctorContactsSome   = Plural{Message{"%d contact", "%d contact"}, Message{"%d contacts", "%d contacts"}}
	DoctorContactsNone   = Message{"none yet: readback contacts add NAME NUMBER", "aucun encore : readback contacts add NOM NUMÉRO"}
	DoctorAddress        = Message{"listening address", "adresse d'écoute"}
	DoctorAddressOK      = Message{"%s, this machine alone", "%s, cette machine seule"}
	DoctorAddressOpen    = Message{
		"%s can be reached from other machines, over plain HTTP: use 127.0.0.1, or put TLS before it",
		"%s est joignable d'autres machines, en HTTP simple : employez 127.0.0.1, ou mettez TLS devant",
	}
	DoctorServer       = Message{"server", "serveur"}
	DoctorServerOK     = Message{"answers at %s", "répond à %s"}
	DoctorServerNone   = Message{"does not run: readback serve", "ne marche pas : readback serve"}
	DoctorServerSilent = Message{"runs, but does not answer at %s: look at its log, and start it again", "marche, mais ne répond pas à %s : voyez son journal, et relancez-le"}
	DoctorClient       = Message{"clients", "clients"}
	DoctorClientNone   = Message{
		"no claude, and no node or bun with a script of that name, runs as your user now; other clients are not looked for",
		"ni claude, ni node ou bun avec un script de ce nom ne tourne sous votre utilisateur en ce moment ; les autres clients ne sont pas cherchés",
	}
	DoctorClientSame = Message{
		"%s runs as the same user as Readback: it can read what Readback reads, so no wall holds against it; run Readback as another user",
		"%s tourne sous le même utilisateur que Readback : ce que Readback lit, il peut le lire, et aucun rempart ne tient contre lui ; faites tourner Readback sous un autre utilisateur",
	}
	DoctorClientUnknown = Message{"this system does not tell", "ce système ne le dit pas"}
	DoctorUnchecked     = Message{"not looked at, because of the failure above", "pas vérifié, à cause de l'échec ci-dessus"}
	DoctorAllWell       = Message{"All is well.", "Tout va bien."}
	DoctorNotWell       = Plural{
		Message{"%d check failed.", "%d vérification a échoué."},
		Message{"%d checks failed.", "%d vérifications ont échoué."},
	}
)
