// Package finding is the part of the catalogue that readback doctor says: what was looked at, and what was found.
//
// Floor 1: imports lang.
package finding

import "readback/smsmcp/lang"

// What doctor says: the names of its checks, and for each what it found or what to do.
var (
	OK   = lang.Message{EN: "ok", FR: "bien"}
	Warn = lang.Message{EN: "note", FR: "avis"}
	Fail = lang.Message{EN: "FAIL", FR: "ÉCHEC"}

	Config       = lang.Message{EN: "configuration", FR: "configuration"}
	ConfigNone   = lang.Message{EN: "none: the defaults hold", FR: "aucune : réglages par défaut"}
	ConfigSecret = lang.Message{EN: "%s holds a password and others can read it: chmod 600 %s", FR: "%s contient un mot de passe et d'autres peuvent le lire : chmod 600 %s"}
	Data         = lang.Message{EN: "data folder", FR: "dossier de données"}
	DataNone     = lang.Message{EN: "%s is not there yet: readback serve makes it", FR: "%s n'existe pas encore : readback serve le crée"}
	DataFile     = lang.Message{EN: "others can read %s: chmod 600 %s", FR: "d'autres peuvent lire %s : chmod 600 %s"}
	Clock        = lang.Message{EN: "clock", FR: "horloge"}
	ClockOK      = lang.Message{EN: "%s, %s", FR: "%s, %s"}
	ClockWrong   = lang.Message{EN: "it says %s, which cannot be: set it", FR: "elle dit %s, ce qui ne peut pas être : réglez-la"}
	ClockBack    = lang.Message{EN: "it says %s, but a send was made at %s: it was set back; set it right", FR: "elle dit %s, mais un envoi date de %s : elle a été reculée ; réglez-la"}
	Store        = lang.Message{EN: "store", FR: "base"}
	StoreOK      = lang.Message{EN: "whole", FR: "entière"}
	Frozen       = lang.Message{EN: "whole; all sends are frozen (readback thaw lifts that)", FR: "entière ; tous les envois sont gelés (readback thaw lève le gel)"}
	Restored     = lang.Message{
		EN: "whole, and restored from a backup: all sends are frozen, because texts that went after it was made are not counted (readback thaw lifts that)",
		FR: "entière, et restaurée d'une sauvegarde : tous les envois sont gelés, car les textos partis après elle ne sont pas comptés (readback thaw lève le gel)",
	}
	Carrier       = lang.Message{EN: "carrier", FR: "opérateur"}
	Sandbox       = lang.Message{EN: "the built-in sandbox: no text leaves this machine", FR: "le bac à sable intégré : aucun texto ne quitte cette machine"}
	CarrierOK     = lang.Message{EN: "%s takes the credentials", FR: "%s accepte les identifiants"}
	Passphrase    = lang.Message{EN: "passphrase", FR: "phrase de passe"}
	PassphraseSet = lang.Message{EN: "set", FR: "choisie"}
	PassphraseNo  = lang.Message{
		EN: "none: with a real carrier serve does not start without one (readback passphrase)",
		FR: "aucune : avec un véritable opérateur, serve ne démarre pas sans elle (readback passphrase)",
	}
	PassphraseNone = lang.Message{EN: "none; the sandbox needs none", FR: "aucune ; le bac à sable n'en demande pas"}
	Contacts       = lang.Message{EN: "contacts", FR: "contacts"}
	ContactsSome   = lang.Plural{One: lang.Message{EN: "%d contact", FR: "%d contact"}, Many: lang.Message{EN: "%d contacts", FR: "%d contacts"}}
	ContactsNone   = lang.Message{EN: "none yet: readback contacts add NAME NUMBER", FR: "aucun encore : readback contacts add NOM NUMÉRO"}
	Address        = lang.Message{EN: "listening address", FR: "adresse d'écoute"}
	AddressOK      = lang.Message{EN: "%s, this machine alone", FR: "%s, cette machine seule"}
	AddressOpen    = lang.Message{
		EN: "%s can be reached from other machines, over plain HTTP: use 127.0.0.1, or put TLS before it",
		FR: "%s est joignable d'autres machines, en HTTP simple : employez 127.0.0.1, ou mettez TLS devant",
	}
	Proxy        = lang.Message{EN: "proxy", FR: "proxy"}
	Server       = lang.Message{EN: "server", FR: "serveur"}
	ServerOK     = lang.Message{EN: "answers at %s", FR: "répond à %s"}
	ServerNone   = lang.Message{EN: "does not run: readback serve", FR: "ne marche pas : readback serve"}
	ServerSilent = lang.Message{EN: "runs, but does not answer at %s: look at its log, and start it again", FR: "marche, mais ne répond pas à %s : voyez son journal, et relancez-le"}
	Client       = lang.Message{EN: "clients", FR: "clients"}
	ClientNone   = lang.Message{
		EN: "no claude, and no node or bun with a script of that name, runs as your user now; other clients are not looked for",
		FR: "ni claude, ni node ou bun avec un script de ce nom ne tourne sous votre utilisateur en ce moment ; les autres clients ne sont pas cherchés",
	}
	ClientSame = lang.Message{
		EN: "%s runs as the same user as Readback: it can read what Readback reads, so no wall holds against it; run Readback as another user",
		FR: "%s tourne sous le même utilisateur que Readback : ce que Readback lit, il peut le lire, et aucun rempart ne tient contre lui ; faites tourner Readback sous un autre utilisateur",
	}
	ClientUnknown = lang.Message{EN: "this system does not tell", FR: "ce système ne le dit pas"}
	Unchecked     = lang.Message{EN: "not looked at, because of the failure above", FR: "pas vérifié, à cause de l'échec ci-dessus"}
	AllWell       = lang.Message{EN: "All is well.", FR: "Tout va bien."}
	NotWell       = lang.Plural{
		One:  lang.Message{EN: "%d check failed.", FR: "%d vérification a échoué."},
		Many: lang.Message{EN: "%d checks failed.", FR: "%d vérifications ont échoué."},
	}
)

// What doctor says of the owner's Asterisk and ntfy.
var (
	Asterisk       = lang.Message{EN: "Asterisk", FR: "Asterisk"}
	AsteriskOK     = lang.Message{EN: "version %s answers, and takes the user and password", FR: "la version %s répond, et accepte l'utilisateur et le mot de passe"}
	AsteriskOld    = lang.Message{EN: "it says that it is version %q: use %d or later, which is still mended", FR: "il dit être la version %q : employez la %d ou une plus récente, qui est encore corrigée"}
	AsteriskConfig = lang.Message{
		EN: "its address, user or application in the configuration cannot be used: see [asterisk] in deploy/readback.toml",
		FR: "son adresse, son utilisateur ou son application ne sont pas utilisables : voyez [asterisk] dans deploy/readback.toml",
	}

	AsteriskPassword   = lang.Message{EN: "password of ARI", FR: "mot de passe d'ARI"}
	AsteriskPasswordOK = lang.Message{EN: "long, and Asterisk takes none of those that everybody knows", FR: "long, et Asterisk n'accepte aucun de ceux que tout le monde connaît"}
	AsteriskWeak       = lang.Message{
		EN: "it can be guessed: make one of at least %d characters with openssl rand -hex 24, for readback-ari.conf and Readback's file, and reload res_ari.so",
		FR: "il peut être deviné : créez-en un d'au moins %d caractères avec openssl rand -hex 24, pour readback-ari.conf et le fichier de Readback, et rechargez res_ari.so",
	}
	AsteriskKnown = lang.Message{
		EN: "Asterisk lets the user %s in with a password that everybody knows: change it or remove that user in ari.conf, and reload res_ari.so",
		FR: "Asterisk laisse entrer l'utilisateur %s avec un mot de passe que tout le monde connaît : changez-le ou retirez cet utilisateur d'ari.conf, et rechargez res_ari.so",
	}

	AsteriskAddress   = lang.Message{EN: "address of ARI", FR: "adresse d'ARI"}
	AsteriskClosed    = lang.Message{EN: "%s, this machine alone", FR: "%s, cette machine seule"}
	AsteriskElsewhere = lang.Message{
		EN: "%s is another machine: have its firewall let this one alone reach that port",
		FR: "%s est une autre machine : que son pare-feu ne laisse que celle-ci joindre ce port",
	}
	AsteriskPlain = lang.Message{
		EN: "ARI answers at %s too, without TLS, so others can reach it and read along: set bindaddr = 127.0.0.1 in http.conf, and restart Asterisk",
		FR: "ARI répond aussi à %s, sans TLS ; d'autres peuvent donc la joindre et lire ce qui passe : mettez bindaddr = 127.0.0.1 dans http.conf, et redémarrez Asterisk",
	}
	AsteriskOpen = lang.Message{
		EN: "ARI answers at %s too, where others can reach it: set tlsbindaddr to 127.0.0.1 in http.conf, or have a firewall close that port",
		FR: "ARI répond aussi à %s, où d'autres peuvent la joindre : mettez tlsbindaddr à 127.0.0.1 dans http.conf, ou fermez ce port par un pare-feu",
	}
	AsteriskUnseen = lang.Message{
		EN: "this machine does not tell its addresses: see that bindaddr and tlsbindaddr in http.conf are 127.0.0.1",
		FR: "cette machine ne dit pas ses adresses : vérifiez que bindaddr et tlsbindaddr valent 127.0.0.1 dans http.conf",
	}

	AsteriskModules   = lang.Message{EN: "modules of Asterisk", FR: "modules d'Asterisk"}
	AsteriskModulesOK = lang.Message{EN: "all that texts and calls need are loaded", FR: "tous ceux des textos et des appels sont chargés"}
	AsteriskNoTexts   = lang.Message{
		EN: "texts need modules that are not loaded: %s; add them to modules.conf, and restart Asterisk",
		FR: "les textos demandent des modules qui ne sont pas chargés : %s ; ajoutez-les à modules.conf, et redémarrez Asterisk",
	}
	AsteriskNoCalls = lang.Message{
		EN: "texts have what they need; calls will want modules that are not loaded: %s",
		FR: "les textos ont ce qu'il leur faut ; les appels voudront des modules qui ne sont pas chargés : %s",
	}

	AsteriskLive   = lang.Message{EN: "live_dangerously", FR: "live_dangerously"}
	AsteriskSafe   = lang.Message{EN: "no: ARI reaches no shell and no file by a dialplan function", FR: "no : aucune fonction du plan de numérotation ne mène ARI à un shell ou à un fichier"}
	AsteriskDanger = lang.Message{
		EN: "it is on: who has ARI's password reaches the shell of that machine; set live_dangerously = no in asterisk.conf, and restart Asterisk",
		FR: "activé : qui a le mot de passe d'ARI atteint le shell de cette machine ; mettez live_dangerously = no dans asterisk.conf, et redémarrez Asterisk",
	}
	AsteriskUntold = lang.Message{
		EN: "cannot be told from here; no module that it opens is loaded, but ARI can load one: see that asterisk.conf says live_dangerously = no",
		FR: "ne se voit pas d'ici ; aucun module qu'il ouvre n'est chargé, mais ARI peut en charger : vérifiez qu'asterisk.conf dit live_dangerously = no",
	}
	AsteriskUntoldNear = lang.Message{
		EN: "cannot be told from here while no call stands; modules that it opens are loaded (%s): see that asterisk.conf says live_dangerously = no",
		FR: "ne se voit pas d'ici tant qu'aucun appel n'est en cours ; des modules qu'il ouvre sont chargés (%s) : vérifiez qu'asterisk.conf dit live_dangerously = no",
	}

	AsteriskTrunk   = lang.Message{EN: "trunk", FR: "trunk"}
	AsteriskTrunkOK = lang.Message{EN: "%s, over TLS, verified, known by its address alone", FR: "%s, par TLS, vérifié, reconnu à son adresse seule"}
	AsteriskContext = lang.Message{
		EN: "its texts run the dialplan of its calls: set message_context = texts in pjsip.conf, a context that is empty",
		FR: "ses textos exécutent le plan de numérotation de ses appels : mettez message_context = texts dans pjsip.conf, un contexte qui est vide",
	}
	AsteriskTLSOnly = lang.Message{
		EN: "over TLS and verified, but its texts are a stranger's until you say asterisk.tls_only = true: see first that no other SIP transport is without TLS",
		FR: "par TLS et vérifié, mais ses textos sont ceux d'un inconnu tant que vous ne dites pas asterisk.tls_only = true : voyez d'abord qu'aucun autre transport SIP n'est sans TLS",
	}

	AsteriskEvents   = lang.Message{EN: "texts by Asterisk", FR: "textos par Asterisk"}
	AsteriskEventsOK = lang.Message{EN: "the server is told of each", FR: "le serveur est prévenu de chacun"}
	AsteriskIdle     = lang.Message{EN: "nobody is told of them while no server runs", FR: "personne n'en est prévenu tant que le serveur ne marche pas"}
	AsteriskNobody   = lang.Message{
		EN: "a server runs, but is not connected to Asterisk: look at its log, which says why",
		FR: "un serveur marche, mais n'est pas connecté à Asterisk : son journal dit pourquoi",
	}
	AsteriskDeaf = lang.Message{
		EN: "a server is connected, but Asterisk tells it of no text of the trunk: compare asterisk.endpoint with pjsip.conf, and start the server again",
		FR: "un serveur est connecté, mais Asterisk ne le prévient d'aucun texto du trunk : comparez asterisk.endpoint avec pjsip.conf, et relancez le serveur",
	}
	AsteriskOther = lang.Message{
		EN: "another program is connected to Asterisk as the application %s, and would be cut off by this Readback: stop it, or set another asterisk.app",
		FR: "un autre programme est connecté à Asterisk sous l'application %s, et ce Readback le couperait : arrêtez-le, ou choisissez un autre asterisk.app",
	}

	Ntfy     = lang.Message{EN: "ntfy", FR: "ntfy"}
	NtfyOK   = lang.Message{EN: "knows the token, and shows the topic %s to nobody without one", FR: "reconnaît le jeton, et ne montre le sujet %s à personne qui n'en a pas"}
	NtfyOpen = lang.Message{
		EN: "knows the token; anyone who knows the name of the topic %s can read your texts there, as ntfy.anyone_can_read allows",
		FR: "reconnaît le jeton ; quiconque connaît le nom du sujet %s y lit vos textos, comme ntfy.anyone_can_read le permet",
	}
	NtfyWritable   = lang.Message{EN: "anyone who knows the name of the topic %s can write there, and so show you texts that nobody sent: take away what access everyone has to it", FR: "quiconque connaît le nom du sujet %s peut y écrire, et donc vous montrer des textos que personne n'a envoyés : retirez à everyone tout accès à ce sujet"}
	Approvals      = lang.Message{EN: "ntfy, approvals", FR: "ntfy, approbations"}
	ApprovalsReads = lang.Message{
		EN: "Readback's token can read the topic %s: whoever got hold of it could answer for you. Give Readback a user of its own in ntfy that may only write there.",
		FR: "Le jeton de Readback permet de lire le sujet %s : quiconque s'en emparerait pourrait répondre à votre place. Donnez à Readback un utilisateur ntfy à lui, qui ne peut qu'y écrire.",
	}
	ApprovalsOK = lang.Message{EN: "the topic %s is read and written by nobody without a token", FR: "personne ne lit le sujet %s ni n'y écrit sans jeton"}
	NtfyConfig  = lang.Message{
		EN: "its address or topic in the configuration cannot be used: http is for this machine alone, and everything else takes https",
		FR: "son adresse ou son sujet ne sont pas utilisables : http est pour cette machine seule, tout le reste demande https",
	}
)
