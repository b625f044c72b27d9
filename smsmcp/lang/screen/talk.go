package screen

import "readback/smsmcp/lang"

// Talk gives the words of the page of calls by their key; "" where there is none.
func Talk(l lang.Lang, key string) string { return talkWords[key].In(l) }

var talkWords = map[string]lang.Message{
	"nav":   {EN: "Talk", FR: "Parler"},
	"title": {EN: "Talk to Readback", FR: "Parler à Readback"},
	"what": {
		EN: "Ask aloud for a text, hear it read back word for word, and answer aloud. There is no button for that answer: only your voice gives it.",
		FR: "Demandez un texto de vive voix, écoutez-le relu mot pour mot, et répondez de vive voix. Aucun bouton ne donne cette réponse : seule votre voix la donne.",
	},
	"begin": {EN: "Start a call", FR: "Commencer un appel"},
	"away": {
		EN: "Readback cannot reach its LiveKit server now, so there can be no call. On the machine that runs it, this says why: readback doctor",
		FR: "Readback n'atteint pas son serveur LiveKit en ce moment, aucun appel n'est donc possible. Sur sa machine, ceci dit pourquoi : readback doctor",
	},
}
