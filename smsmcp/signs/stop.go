package signs

import (
	"strings"

	"readback/smsmcp/fold"
)

// stops are the words that, as a whole text, ask to be left alone: those of the CTIA's messaging principles and of the FCC (47 CFR
// 64.1200(a)(10)), and their French and Spanish kin.
var stops = map[string]bool{
	"stop": true, "stopall": true, "stop all": true, "unsubscribe": true, "cancel": true, "end": true, "quit": true, "revoke": true,
	"opt out": true, "optout": true, "remove me": true, "stop texting me": true,
	"arret": true, "arrete": true, "arretez": true, "arreter": true, "desabonner": true, "desabonnement": true, "desinscrire": true, "desinscription": true,
	"alto": true, "parar": true, "baja": true, "darse de baja": true, "cancelar": true,
}

// Stop says whether a text, as a whole, asks to be left alone: STOP, ARRÊT, UNSUBSCRIBE and the like.
func Stop(s string) bool {
	if len(s) > 64 {
		return false
	}
	return stops[strings.Join(fold.Words(s), " ")]
}
