package finding

import "readback/smsmcp/lang"

// How the parts of a server stand.
var (
	Line      = lang.Message{EN: "Asterisk line", FR: "ligne Asterisk"}
	LineOK    = lang.Message{EN: "stands: texts come in at once", FR: "établie : les textos arrivent aussitôt"}
	Bridge    = lang.Message{EN: "notifications", FR: "notifications"}
	BridgeOK  = lang.Message{EN: "nothing keeps them from going", FR: "rien ne les empêche de partir"}
	Push      = lang.Message{EN: "your yes by phone", FR: "votre oui par téléphone"}
	PushOK    = lang.Message{EN: "questions reach your phone", FR: "les questions atteignent votre téléphone"}
	List      = lang.Message{EN: "carrier's list", FR: "liste de l'opérateur"}
	Part      = lang.Message{EN: "part of the server", FR: "partie du serveur"}
	PartSince = lang.Message{EN: "since %s: %s", FR: "depuis %s : %s"}
)

// What is found of the phone.
var (
	Hears  = lang.Message{EN: "what hears", FR: "ce qui écoute"}
	Speaks = lang.Message{EN: "what speaks", FR: "ce qui parle"}
	Thinks = lang.Message{EN: "model", FR: "modèle"}
	PIN    = lang.Message{EN: "PIN", FR: "NIP"}

	EngineOK   = lang.Message{EN: "it answers", FR: "il répond"}
	EngineIs   = lang.Message{EN: "%s answers", FR: "%s répond"}
	EngineCode = lang.Message{EN: "it cannot be used (%s)", FR: "inutilisable (%s)"}

	HearsNone = lang.Message{
		EN: "none: on a call only keys are understood; set speech.hears to be understood when you speak",
		FR: "rien\u00a0: pendant un appel, seules les touches sont comprises\u202f; réglez speech.hears pour être compris en parlant",
	}
	Scripted  = lang.Message{EN: "none: a few fixed phrases are understood", FR: "aucun\u00a0: quelques phrases fixes sont comprises"}
	PINSet    = lang.Message{EN: "set", FR: "choisi"}
	PINNone   = lang.Message{EN: "none: nobody who calls is taken for you; set one with readback pin", FR: "aucun\u00a0: personne qui appelle n'est pris pour vous\u202f; choisissez-en un avec readback pin"}
	PINNobody = lang.Message{EN: "phone.owners names none of your numbers: nobody who calls is taken for you", FR: "phone.owners ne nomme aucun de vos numéros\u00a0: personne qui appelle n'est pris pour vous"}
)
