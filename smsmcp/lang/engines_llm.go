package lang

// What can go wrong with the model that leads a conversation on the phone, and what it is told besides. The codes are those of voice/llm.

// LLMSays gives the sentence for the code of an engine's error: what is wrong, and what a person can do about it. A code that it does not know is named as it is: codes
// are [a-z_]{1,40}.
func LLMSays(l Lang, code string) string {
	if m, ok := llmCodes[code]; ok {
		return m.In(l)
	}
	return LLMOther.In(l, code)
}

// LLMKnows says whether a code has a sentence of its own.
func LLMKnows(code string) bool {
	_, ok := llmCodes[code]
	return ok
}

// What the model is told in the caller's place, since a conversation with it has to begin and end on that side.
var (
	LLMBegins = Message{EN: "(The call begins.)", FR: "(L'appel commence.)"}
	LLMGoOn   = Message{EN: "(The caller waits.)", FR: "(La personne attend.)"}
)

// LLMOther is for a code without a sentence.
var LLMOther = Message{
	EN: "The model's service failed with %s, which Readback does not know.",
	FR: "Le service du modèle a échoué avec %s, que Readback ne connaît pas.",
}

var llmCodes = map[string]Message{
	"llm_unreachable": {EN: "No connection to the model's service could be made: check this machine's network, the configured address, and its certificate.",
		FR: "Aucune connexion au service du modèle n'a pu être établie : vérifiez le réseau de cette machine, l'adresse configurée et son certificat."},
	"llm_unauthorized": {EN: "The model's service does not accept the API key: check its file, and in the service's console that the key is active and may use this model.",
		FR: "Le service du modèle n'accepte pas la clé d'API : vérifiez son fichier, et dans la console du service que la clé est active et peut utiliser ce modèle."},
	"llm_no_key": {EN: "The API key of the model's service cannot be read: check that its file exists, holds the key alone, and that Readback may read it.",
		FR: "La clé d'API du service du modèle ne peut pas être lue : vérifiez que son fichier existe, ne contient que la clé, et que Readback peut le lire."},
	"llm_no_model": {EN: "The model's service knows no model of the configured name: look its names up in its documents, and check the configured address.",
		FR: "Le service ne connaît aucun modèle du nom configuré : cherchez ses noms dans sa documentation, et vérifiez l'adresse configurée."},
	"llm_no_credit": {EN: "The account of the model's service has no credit left: top it up in its console.",
		FR: "Le compte du service du modèle n'a plus de crédit : ajoutez-en dans sa console."},
	"llm_refused": {EN: "The model, or a filter of its service, declined to answer.",
		FR: "Le modèle, ou un filtre de son service, n'a pas voulu répondre."},
	"llm_bad_request": {EN: "The model's service does not take the request: the configured model may know no tools, or the conversation is too long for it.",
		FR: "Le service du modèle n'accepte pas la requête : le modèle configuré ne connaît peut-être pas les outils, ou la conversation est trop longue pour lui."},
	"llm_rate_limited": {EN: "The model's service had too many requests from this account: wait a minute, or raise the limit in its console.",
		FR: "Le service du modèle a reçu trop de requêtes de ce compte : attendez une minute, ou relevez la limite dans sa console."},
	"llm_overloaded": {EN: "The model's service is too busy: try again later.",
		FR: "Le service du modèle est surchargé : réessayez plus tard."},
	"llm_server": {EN: "Something failed inside the model's service: try again later.",
		FR: "Quelque chose a échoué dans le service du modèle : réessayez plus tard."},
	"llm_timed_out": {EN: "The model took too long to answer. Its service may be slow; a smaller model answers sooner.",
		FR: "Le modèle a mis trop de temps à répondre. Son service est peut-être lent ; un plus petit modèle répond plus vite."},
	"llm_bad_answer": {EN: "What answers at the configured address does not speak as a model's service does: check the address.",
		FR: "Ce qui répond à l'adresse configurée ne parle pas comme le service d'un modèle : vérifiez l'adresse."},
	"llm_too_big": {EN: "The model's answer was too big and was given up.",
		FR: "La réponse du modèle était trop grosse et a été abandonnée."},
	"llm_cut": {EN: "The model's answer was cut off before its end: the connection broke, or the answer was longer than it may be.",
		FR: "La réponse du modèle a été coupée avant sa fin : la connexion s'est rompue, ou la réponse dépassait la longueur permise."},
	"llm_cancelled": {EN: "The request to the model was given up before it ended, as when the caller speaks or hangs up.",
		FR: "La requête au modèle a été abandonnée avant sa fin, comme lorsque la personne parle ou raccroche."},
	"llm_address": {EN: "The address of the model's service cannot be used: it begins with https://, or with http:// for this machine, or for a private address without a key.",
		FR: "L'adresse du service du modèle ne peut pas servir : elle commence par https://, ou par http:// pour cette machine, ou pour une adresse privée sans clé."},
}
