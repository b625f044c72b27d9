package lang

// CarrierSays gives the sentence for the code of a carrier's error: what is wrong, and what a person can do about it. It says nothing of
// whether a text went; the state of the send does. A code that it does not know is named as it is: codes are [a-z_]{1,40}.
func CarrierSays(l Lang, code string) string {
	if m, ok := carrierCodes[code]; ok {
		return m.In(l)
	}
	return CarrierOther.In(l, code)
}

// CarrierKnows says whether a code has a sentence of its own.
func CarrierKnows(code string) bool {
	_, ok := carrierCodes[code]
	return ok
}

// CarrierOther is for a code without a sentence.
var CarrierOther = Message{
	"The carrier answered %s, which Readback does not know: look it up in the carrier's documents, or ask its support.",
	"L'opérateur a répondu %s, que Readback ne connaît pas : cherchez ce mot dans sa documentation ou demandez à son assistance.",
}

// The sentences that several codes share.
var (
	carrierCredentials = Message{
		"voip.ms does not accept the API user name and password: the password is the one set for the API in its portal, not the one to sign in.",
		"voip.ms n'accepte pas le nom d'utilisateur et le mot de passe de l'API : ce mot de passe est celui de l'API, choisi dans son portail, et non celui de la connexion.",
	}
	carrierNoCredentials = Message{
		"No API user name and password reached voip.ms: check them in the configuration, and that the password's file can be read.",
		"Aucun nom d'utilisateur ni mot de passe de l'API n'est parvenu à voip.ms : vérifiez-les dans la configuration, et que le fichier du mot de passe est lisible.",
	}
	carrierDID = Message{
		"voip.ms does not know your number as one of your DIDs: check it in the configuration, and in its portal that SMS is on for it.",
		"voip.ms ne reconnaît pas votre numéro parmi vos DID : vérifiez-le dans la configuration, et dans son portail que les SMS y sont activés.",
	}
	carrierDst = Message{
		"voip.ms does not accept the contact's number: it takes whole numbers of the United States and Canada. Check the contact.",
		"voip.ms n'accepte pas le numéro du contact : il faut un numéro complet des États-Unis ou du Canada. Vérifiez le contact.",
	}
	carrierLength = Message{
		"The text is longer than the carrier takes. Shorten it.",
		"Le texto est plus long que ce que l'opérateur accepte. Raccourcissez-le.",
	}
	carrierEmpty = Message{
		"The text arrived empty at voip.ms. Write something in it.",
		"Le texto est arrivé vide chez voip.ms. Mettez-y quelque chose.",
	}
	carrierBody = Message{
		"The text is empty or holds characters that cannot be sent. Write it anew.",
		"Le texto est vide ou contient des caractères qui ne peuvent pas être envoyés. Réécrivez-le.",
	}
	carrierMethod = Message{
		"voip.ms did not understand the call: check that the configured address is https://voip.ms/api/v1/rest.php, without www.",
		"voip.ms n'a pas compris l'appel : vérifiez que l'adresse configurée est https://voip.ms/api/v1/rest.php, sans www.",
	}
	carrierDates = Message{
		"voip.ms does not accept the dates that were asked for: check this machine's clock.",
		"voip.ms n'accepte pas les dates demandées : vérifiez l'horloge de cette machine.",
	}
)

var carrierCodes = map[string]Message{
	"invalid_credentials": carrierCredentials,
	"invalid_username":    carrierCredentials,
	"invalid_password":    carrierCredentials,
	"missing_credentials": carrierNoCredentials,
	"missing_username":    carrierNoCredentials,
	"no_credentials":      carrierNoCredentials,
	"ip_not_enabled": {"voip.ms does not let this machine use the API: add its public address to the allowed ones in the portal's API settings.",
		"voip.ms n'autorise pas cette machine à utiliser l'API : ajoutez son adresse publique aux adresses permises, dans les réglages de l'API du portail."},
	"api_not_enabled": {"The API is off for your voip.ms account: switch it on in the portal's API settings.",
		"L'API est désactivée pour votre compte voip.ms : activez-la dans les réglages de l'API du portail."},
	"api_limit_exceeded": {"voip.ms had too many calls from this account in a minute: wait a minute. Other programs that use the account count too.",
		"voip.ms a reçu trop d'appels de ce compte en une minute : attendez une minute. Les autres programmes qui utilisent le compte comptent aussi."},
	"method_maintenance": {"voip.ms is at work on this part of its API: try again later.",
		"voip.ms travaille sur cette partie de son API : réessayez plus tard."},
	"missing_method": carrierMethod,
	"invalid_method": carrierMethod,
	"redirected":     carrierMethod,
	"non_sufficient_funds": {"There is not enough money in the voip.ms account: top it up.",
		"Le compte voip.ms n'est pas assez approvisionné : ajoutez-y des fonds."},
	"limit_reached": {"voip.ms takes no more texts from its API today: wait until tomorrow, US Eastern time, or ask its support for a higher limit.",
		"voip.ms n'accepte plus de textos par son API aujourd'hui : attendez demain, heure de l'Est, ou demandez une limite plus haute à son assistance."},
	"invalid_did":     carrierDID,
	"missing_did":     carrierDID,
	"invalid_dst":     carrierDst,
	"invalid_contact": carrierDst,
	"not_us_or_canada": {"voip.ms carries texts to the United States and Canada alone, and the contact's number is of neither.",
		"voip.ms n'achemine de textos que vers les États-Unis et le Canada, et le numéro du contact est d'ailleurs."},
	"sms_toolong":   carrierLength,
	"message_empty": carrierEmpty,
	"missing_sms":   carrierEmpty,
	"bad_body":      carrierBody,
	"invalid_sms": {"voip.ms does not accept the text as it is. Write it in other words or characters.",
		"voip.ms n'accepte pas le texto tel quel. Écrivez-le avec d'autres mots ou caractères."},
	"sms_failed": {"voip.ms says that the text failed, but texts have arrived after that answer. If it keeps coming, check in the portal that SMS is on for your DID.",
		"voip.ms dit que le texto a échoué, mais des textos sont arrivés après cette réponse. Si elle se répète, vérifiez dans le portail que les SMS sont activés pour votre DID."},
	"no_sms": {"voip.ms holds no texts for these days.",
		"voip.ms n'a aucun texto pour ces jours-là."},
	"invalid_date":      carrierDates,
	"invalid_date_from": carrierDates,
	"invalid_daterange": carrierDates,
	"invalid_timezone":  carrierDates,
	"bad_window":        carrierDates,

	"unreachable": {"No connection to the carrier could be made: check this machine's network, its name service and any proxy or firewall.",
		"Aucune connexion à l'opérateur n'a pu être établie : vérifiez le réseau de cette machine, son service de noms et tout proxy ou pare-feu."},
	"timed_out": {"The carrier did not answer in time. It may be slow or down: wait a few minutes.",
		"L'opérateur n'a pas répondu à temps. Il est peut-être lent ou en panne : attendez quelques minutes."},
	"cancelled": {"The call to the carrier was given up before it ended, as when Readback shuts down.",
		"L'appel à l'opérateur a été abandonné avant sa fin, comme à l'arrêt de Readback."},
	"connection_lost": {"The connection to the carrier broke before its answer was whole. If it keeps happening, check this machine's network.",
		"La connexion à l'opérateur a été coupée avant la fin de sa réponse. Si cela se répète, vérifiez le réseau de cette machine."},
	"http_error": {"The carrier's web server answered with an error. It is likely down, or turns this machine away: try again later.",
		"Le serveur web de l'opérateur a répondu par une erreur. Il est sans doute en panne ou rejette cette machine : réessayez plus tard."},
	"web_page": {"A web page came where the carrier's answer should be: a proxy, a network sign-in page, or an outage. Check this machine's network.",
		"Une page web est arrivée à la place de la réponse de l'opérateur : un proxy, une page de connexion du réseau ou une panne. Vérifiez le réseau de cette machine."},
	"bad_answer": {"The carrier's answer has a form that Readback does not know. If it keeps coming, report it to the project.",
		"La réponse de l'opérateur a une forme que Readback ne connaît pas. Si cela se répète, signalez-le au projet."},
	"answer_too_big": {"The carrier's answer is too big to be right. If it keeps coming, ask its support.",
		"La réponse de l'opérateur est trop grosse pour être juste. Si cela se répète, demandez à son assistance."},
	"list_full": {"The carrier holds more texts than can be read at once; the newest were taken. Delete some in its portal.",
		"L'opérateur a plus de textos que ce qui peut être lu d'un coup ; les plus récents ont été pris. Supprimez-en dans son portail."},
	"bad_row": {"Some texts in the carrier's list have a form that Readback cannot read; all others were taken. See its portal for them, and report it to the project.",
		"Des textos de la liste de l'opérateur ont une forme que Readback ne sait pas lire ; tous les autres ont été pris. Voyez-les dans son portail et signalez-le au projet."},
	"sandbox_file": {"The sandbox's file in the data folder cannot be read or written: check the disk's free space and the folder's rights.",
		"Le fichier du bac à sable, dans le dossier de données, ne peut être lu ou écrit : vérifiez l'espace libre du disque et les droits du dossier."},
}
