package spoken

import "readback/smsmcp/lang"

// What the rules that stand in for a model say.
var (
	ScriptedHelp   = lang.Message{EN: "I can text a contact, read your texts, or hang up. For example: text Marie that I am late.", FR: "Je peux écrire à un contact, lire vos textos, ou raccrocher. Par exemple : texte à Marie que je suis en retard."}
	ScriptedLost   = lang.Message{EN: "I did not follow. I can text a contact, read your texts, or hang up.", FR: "Je n'ai pas compris. Je peux écrire à un contact, lire vos textos, ou raccrocher."}
	ScriptedNobody = lang.Message{EN: "I find no contact of that name.", FR: "Je ne trouve aucun contact de ce nom."}
	ScriptedWhich  = lang.Message{EN: "Which one: %s?", FR: "Lequel : %s ?"}
	ScriptedOr     = lang.Message{EN: " or ", FR: " ou "}
	ScriptedWords  = lang.Message{EN: "Tell me whom it is for and what it says, all at once.", FR: "Dites-moi pour qui et quoi écrire, d'un seul coup."}
)
