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
	DoctorProxy        = Message{"proxy", "proxy"}
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

// What doctor says of the owner's Asterisk and ntfy.
var (
	DoctorAsterisk       = Message{"Asterisk", "Asterisk"}
	DoctorAsteriskOK     = Message{"version %s answers, and takes the user and password", "la version %s répond, et accepte l'utilisateur et le mot de passe"}
	DoctorAsteriskOld    = Message{"it says that it is version %q: use %d or later, which is still mended", "il dit être la version %q : employez la %d ou une plus récente, qui est encore corrigée"}
	DoctorAsteriskConfig = Message{
		"its address, user or application in the configuration cannot be used: see [asterisk] in deploy/readback.toml",
		"son adresse, son utilisateur ou son application ne sont pas utilisables : voyez [asterisk] dans deploy/readback.toml",
	}

	DoctorAsteriskPassword   = Message{"password of ARI", "mot de passe d'ARI"}
	DoctorAsteriskPasswordOK = Message{"long, and Asterisk takes none of those that everybody knows", "long, et Asterisk n'accepte aucun de ceux que tout le monde connaît"}
	DoctorAsteriskWeak       = Message{
		"it can be guessed: make one of at least %d characters with openssl rand -hex 24, for readback-ari.conf and Readback's file, and reload res_ari.so",
		"il peut être deviné : créez-en un d'au moins %d caractères avec openssl rand -hex 24, pour readback-ari.conf et le fichier de Readback, et rechargez res_ari.so",
	}
	DoctorAsteriskKnown = Message{
		"Asterisk lets the user %s in with a password that everybody knows: change it or remove that user in ari.conf, and reload res_ari.so",
		"Asterisk laisse entrer l'utilisateur %s avec un mot de passe que tout le monde connaît : changez-le ou retirez cet utilisateur d'ari.conf, et rechargez res_ari.so",
	}

	DoctorAsteriskAddress   = Message{"address of ARI", "adresse d'ARI"}
	DoctorAsteriskClosed    = Message{"%s, this machine alone", "%s, cette machine seule"}
	DoctorAsteriskElsewhere = Message{
		"%s is another machine: have its firewall let this one alone reach that port",
		"%s est une autre machine : que son pare-feu ne laisse que celle-ci joindre ce port",
	}
	DoctorAsteriskPlain = Message{
		"ARI answers at %s too, without TLS, so others can reach it and read along: set bindaddr = 127.0.0.1 in http.conf, and restart Asterisk",
		"ARI répond aussi à %s, sans TLS ; d'autres peuvent donc la joindre et lire ce qui passe : mettez bindaddr = 127.0.0.1 dans http.conf, et redémarrez Asterisk",
	}
	DoctorAsteriskOpen = Message{
		"ARI answers at %s too, where others can reach it: set tlsbindaddr to 127.0.0.1 in http.conf, or have a firewall close that port",
		"ARI répond aussi à %s, où d'autres peuvent la joindre : mettez tlsbindaddr à 127.0.0.1 dans http.conf, ou fermez ce port par un pare-feu",
	}
	DoctorAsteriskUnseen = Message{
		"this machine does not tell its addresses: see that bindaddr and tlsbindaddr in http.conf are 127.0.0.1",
		"cette machine ne dit pas ses adresses : vérifiez que bindaddr et tlsbindaddr valent 127.0.0.1 dans http.conf",
	}

	DoctorAsteriskModules   = Message{"modules of Asterisk", "modules d'Asterisk"}
	DoctorAsteriskModulesOK = Message{"all that texts and calls need are loaded", "tous ceux des textos et des appels sont chargés"}
	DoctorAsteriskNoTexts   = Message{
		"texts need modules that are not loaded: %s; add them to modules.conf, and restart Asterisk",
		"les textos demandent des modules qui ne sont pas chargés : %s ; ajoutez-les à modules.conf, et redémarrez Asterisk",
	}
	DoctorAsteriskNoCalls = Message{
		"texts have what they need; calls will want modules that are not loaded: %s",
		"les textos ont ce qu'il leur faut ; les appels voudront des modules qui ne sont pas chargés : %s",
	}

	DoctorAsteriskLive   = Message{"live_dangerously", "live_dangerously"}
	DoctorAsteriskSafe   = Message{"no: ARI reaches no shell and no file by a dialplan function", "no : aucune fonction du plan de numérotation ne mène ARI à un shell ou à un fichier"}
	DoctorAsteriskDanger = Message{
		"it is on: who has ARI's password reaches the shell of that machine; set live_dangerously = no in asterisk.conf, and restart Asterisk",
		"activé : qui a le mot de passe d'ARI atteint le shell de cette machine ; mettez live_dangerously = no dans asterisk.conf, et redémarrez Asterisk",
	}
	DoctorAsteriskUntold = Message{
		"cannot be told from here; no module that it opens is loaded, but ARI can load one: see that asterisk.conf says live_dangerously = no",
		"ne se voit pas d'ici ; aucun module qu'il ouvre n'est chargé, mais ARI peut en charger : vérifiez qu'asterisk.conf dit live_dangerously = no",
	}
	DoctorAsteriskUntoldNear = Message{
		"cannot be told from here while no call stands; modules that it opens are loaded (%s): see that asterisk.conf says live_dangerously = no",
		"ne se voit pas d'ici tant qu'aucun appel n'est en cours ; des modules qu'il ouvre sont chargés (%s) : vérifiez qu'asterisk.conf dit live_dangerously = no",
	}

	DoctorAsteriskTrunk   = Message{"trunk", "trunk"}
	DoctorAsteriskTrunkOK = Message{"%s, over TLS, verified, known by its address alone", "%s, par TLS, vérifié, reconnu à son adresse seule"}
	DoctorAsteriskContext = Message{
		"its texts run the dialplan of its calls: set message_context = texts in pjsip.conf, a context that is empty",
		"ses textos exécutent le plan de numérotation de ses appels : mettez message_context = texts dans pjsip.conf, un contexte qui est vide",
	}
	DoctorAsteriskTLSOnly = Message{
		"over TLS and verified, but its texts are a stranger's until you say asterisk.tls_only = true: see first that no other SIP transport is without TLS",
		"par TLS et vérifié, mais ses textos sont ceux d'un inconnu tant que vous ne dites pas asterisk.tls_only = true : voyez d'abord qu'aucun autre transport SIP n'est sans TLS",
	}

	DoctorAsteriskEvents   = Message{"texts by Asterisk", "textos par Asterisk"}
	DoctorAsteriskEventsOK = Message{"the server is told of each", "le serveur est prévenu de chacun"}
	DoctorAsteriskIdle     = Message{"nobody is told of them while no server runs", "personne n'en est prévenu tant que le serveur ne marche pas"}
	DoctorAsteriskNobody   = Message{
		"a server runs, but is not connected to Asterisk: look at its log, which says why",
		"un serveur marche, mais n'est pas connecté à Asterisk : son journal dit pourquoi",
	}
	DoctorAsteriskDeaf = Message{
		"a server is connected, but Asterisk tells it of no text of the trunk: compare asterisk.endpoint with pjsip.conf, and start the server again",
		"un serveur est connecté, mais Asterisk ne le prévient d'aucun texto du trunk : comparez asterisk.endpoint avec pjsip.conf, et relancez le serveur",
	}
	DoctorAsteriskOther = Message{
		"another program is connected to Asterisk as the application %s, and would be cut off by this Readback: stop it, or set another asterisk.app",
		"un autre programme est connecté à Asterisk sous l'application %s, et ce Readback le couperait : arrêtez-le, ou choisissez un autre asterisk.app",
	}

	DoctorNtfy     = Message{"ntfy", "ntfy"}
	DoctorNtfyOK   = Message{"knows the token, and shows the topic %s to nobody without one", "reconnaît le jeton, et ne montre le sujet %s à personne qui n'en a pas"}
	DoctorNtfyOpen = Message{
		"knows the token; anyone who knows the name of the topic %s can read your texts there, as ntfy.anyone_can_read allows",
		"reconnaît le jeton ; quiconque connaît le nom du sujet %s y lit vos textos, comme ntfy.anyone_can_read le permet",
	}
	DoctorNtfyWritable   = Message{"anyone who knows the name of the topic %s can write there, and so show you texts that nobody sent: take away what access everyone has to it", "quiconque connaît le nom du sujet %s peut y écrire, et donc vous montrer des textos que personne n'a envoyés : retirez à everyone tout accès à ce sujet"}
	DoctorApprovals      = Message{"ntfy, approvals", "ntfy, approbations"}
	DoctorApprovalsReads = Message{
		"Readback's token can read the topic %s: whoever got hold of it could answer for you. Give Readback a user of its own in ntfy that may only write there.",
		"Le jeton de Readback permet de lire le sujet %s : quiconque s'en emparerait pourrait répondre à votre place. Donnez à Readback un utilisateur ntfy à lui, qui ne peut qu'y écrire.",
	}
	DoctorApprovalsOK = Message{"the topic %s is read and written by nobody without a token", "personne ne lit le sujet %s ni n'y écrit sans jeton"}
	DoctorNtfyConfig  = Message{
		"its address or topic in the configuration cannot be used: http is for this machine alone, and everything else takes https",
		"son adresse ou son sujet ne sont pas utilisables : http est pour cette machine seule, tout le reste demande https",
	}
)
