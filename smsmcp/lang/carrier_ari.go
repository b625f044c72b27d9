package lang

import "maps"

// What can go wrong between Readback and the owner's Asterisk. The codes are those of voip/ari and voip/sipmsg.
var carrierARI = map[string]Message{
	"ari_unreachable": {
		"Asterisk does not answer: check that it runs, that its http.conf enables HTTP and TLS, and that the configured address is right.",
		"Asterisk ne répond pas : vérifiez qu'il fonctionne, que son http.conf active HTTP et TLS, et que l'adresse configurée est la bonne.",
	},
	"ari_untrusted": {
		"Asterisk's certificate is not the one to trust: name its certificate file in Readback's configuration, or make a new one as deploy/asterisk/README.md says.",
		"Le certificat d'Asterisk n'est pas celui attendu : indiquez son fichier dans la configuration de Readback, ou créez-en un comme l'explique deploy/asterisk/README.md.",
	},
	"ari_timed_out": {
		"Asterisk did not answer in time. It may be busy or stuck: look at its log, and restart it if it stays so.",
		"Asterisk n'a pas répondu à temps. Il est peut-être surchargé ou bloqué : consultez son journal, et redémarrez-le si cela persiste.",
	},
	"ari_cancelled": {
		"The call to Asterisk was given up before it ended, as when Readback shuts down.",
		"L'appel à Asterisk a été abandonné avant sa fin, comme à l'arrêt de Readback.",
	},
	"ari_lost": {
		"The connection to Asterisk broke, as when it restarts.",
		"La connexion à Asterisk a été coupée, comme lorsqu'il redémarre.",
	},
	"ari_silent": {
		"Asterisk stopped answering on an open connection. It may be stuck: look at its log.",
		"Asterisk a cessé de répondre sur une connexion ouverte. Il est peut-être bloqué : consultez son journal.",
	},
	"ari_replaced": {
		"Another program took over Readback's ARI application: only one Readback may use an application's name. Stop the other, or give it another name.",
		"Un autre programme a pris l'application ARI de Readback : un seul Readback peut utiliser un nom d'application. Arrêtez l'autre ou donnez-lui un autre nom.",
	},
	"ari_unauthorized": {
		"Asterisk does not accept the ARI user and password: compare Readback's configuration with readback-ari.conf.",
		"Asterisk n'accepte pas l'utilisateur et le mot de passe ARI : comparez la configuration de Readback avec readback-ari.conf.",
	},
	"ari_not_found": {
		"Asterisk does not know what was asked for: check that ARI is enabled in ari.conf, and that the trunk's endpoint has the configured name in pjsip.conf.",
		"Asterisk ne connaît pas ce qui est demandé : vérifiez que l'ARI est activée dans ari.conf, et que le point d'accès (endpoint) du trunk porte dans pjsip.conf le nom configuré.",
	},
	"ari_refused": {
		"Asterisk refused the call. Look at its log.",
		"Asterisk a refusé l'appel. Consultez son journal.",
	},
	"ari_server": {
		"Something failed inside Asterisk. Look at its log, and check that the modules of deploy/asterisk/modules.conf are loaded.",
		"Quelque chose a échoué dans Asterisk. Consultez son journal, et vérifiez que les modules de deploy/asterisk/modules.conf sont chargés.",
	},
	"ari_bad_answer": {
		"What answers at Asterisk's address does not speak ARI: check the configured address, which ends in /ari.",
		"Ce qui répond à l'adresse d'Asterisk ne parle pas ARI : vérifiez l'adresse configurée, qui se termine par /ari.",
	},
	"ari_too_big": {
		"A message to or from Asterisk is too big.",
		"Un message vers ou depuis Asterisk est trop gros.",
	},
	"ari_no_secret": {
		"The ARI password cannot be read: check that its file exists and that Readback may read it.",
		"Le mot de passe ARI ne peut pas être lu : vérifiez que son fichier existe et que Readback peut le lire.",
	},
	"ari_bad_value": {
		"The text holds characters that cannot go in a SIP message. Write it anew.",
		"Le texto contient des caractères qui ne peuvent pas passer dans un message SIP. Réécrivez-le.",
	},
	"ari_catch_up": {
		"Readback could not find out from Asterisk what happened while it was away; it connects again.",
		"Readback n'a pas pu apprendre d'Asterisk ce qui s'est passé en son absence ; il se reconnecte.",
	},
	"ari_crashed": {
		"Readback's own reading of Asterisk's events broke: that is a fault of Readback's. It connects again.",
		"La lecture des événements d'Asterisk par Readback a échoué : c'est un défaut de Readback. Il se reconnecte.",
	},
	"line_connecting": {
		"The line to Asterisk is being set up for the first time.",
		"La ligne vers Asterisk est en cours d'établissement pour la première fois.",
	},
	"line_store": {
		"Texts that Asterisk passed on cannot be stored; Readback keeps trying, and the texts behind them wait. Free some disk space, or see `readback doctor`.",
		"Des textos transmis par Asterisk ne peuvent pas être enregistrés ; Readback réessaie sans cesse, et les textos suivants attendent. Libérez de l'espace disque, ou voyez `readback doctor`.",
	},
	"line_crashed": {
		"A message from Asterisk could not be handled: that is a fault of Readback's. The line goes on.",
		"Un message d'Asterisk n'a pas pu être traité : c'est un défaut de Readback. La ligne continue.",
	},
	"trunk_no_endpoint": {
		"Asterisk has no endpoint of the configured name: check asterisk.endpoint in Readback's configuration against pjsip.conf.",
		"Asterisk n'a pas de point d'accès (endpoint) du nom configuré : comparez asterisk.endpoint dans la configuration de Readback avec pjsip.conf.",
	},
	"trunk_identified_by_more": {
		"The trunk's endpoint is not identified by address alone, so a message can name it: set identify_by = ip in pjsip.conf. Until then its texts are a stranger's.",
		"Le point d'accès (endpoint) du trunk n'est pas identifié par l'adresse seule, si bien qu'un message peut le nommer : mettez identify_by = ip dans pjsip.conf. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"trunk_no_transport": {
		"The trunk's endpoint names no transport that Asterisk has: set transport = trunk-tls in pjsip.conf. Until then its texts are a stranger's.",
		"Le point d'accès (endpoint) du trunk ne nomme aucun transport qu'Asterisk possède : mettez transport = trunk-tls dans pjsip.conf. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"trunk_not_tls": {
		"The trunk does not use TLS, so anyone who can write its address can write its texts: use a transport with protocol = tls. Until then its texts are a stranger's.",
		"Le trunk n'utilise pas TLS ; quiconque sait écrire son adresse peut donc écrire ses textos : utilisez un transport avec protocol = tls. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"trunk_not_verified": {
		"Asterisk does not verify the trunk's certificate: set verify_server = yes on its transport. Until then its texts are a stranger's.",
		"Asterisk ne vérifie pas le certificat du trunk : mettez verify_server = yes sur son transport. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"trunk_old_tls": {
		"The trunk's transport allows an old TLS: set method = tlsv1_2 or tlsv1_3. Until then its texts are a stranger's.",
		"Le transport du trunk admet un TLS ancien : mettez method = tlsv1_2 ou tlsv1_3. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"trunk_other_transport": {
		"Asterisk also takes SIP without TLS, where a text's address can be made up: remove its UDP, TCP and WebSocket transports. Until then the trunk's texts are a stranger's.",
		"Asterisk accepte aussi le SIP sans TLS, où l'adresse d'un texto peut être inventée : retirez ses transports UDP, TCP et WebSocket. D'ici là, les textos du trunk sont ceux d'un inconnu.",
	},
	"trunk_wide_match": {
		"Asterisk takes more than the trunk's server for the trunk: its identify in pjsip.conf matches a header, which anyone can write, or nearly any address. Set match to the server's name or addresses, and nothing else. Until then its texts are a stranger's.",
		"Asterisk prend pour le trunk davantage que son serveur : dans pjsip.conf, son identify reconnaît un en-tête, que n'importe qui peut écrire, ou presque n'importe quelle adresse. Mettez dans match le nom ou les adresses du serveur, et rien d'autre. D'ici là, ses textos sont ceux d'un inconnu.",
	},
	"no_messaging_module": {
		"Asterisk has not loaded its module for texts: add res_pjsip_messaging.so to modules.conf, and restart it.",
		"Asterisk n'a pas chargé son module de messagerie : ajoutez res_pjsip_messaging.so à modules.conf et redémarrez-le.",
	},
	"no_randomness": {
		"This machine gave no random numbers. Restart Readback.",
		"Cette machine n'a pas fourni de nombres aléatoires. Redémarrez Readback.",
	},
}

func init() { maps.Copy(carrierCodes, carrierARI) }
