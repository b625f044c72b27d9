package lang

// What a client asks its user for us, about a send that waits: the contact's name and number, the body as a JSON string, why, the id, the segments and until when.
var (
	ElicitAsk = Message{
		"Send this text to %s, %s?\n\n%s\n\nWhy you are asked: %s\n\nSend %s, %s. It waits until %s.",
		"Envoyer ce texto à %s, %s\u202f?\n\n%s\n\nPourquoi la question\u00a0: %s\n\nEnvoi %s, %s. Il attend jusqu'à %s.",
	}
	ElicitAnswer = Message{"Your answer", "Votre réponse"}
	ElicitSend   = Message{"Send it", "L'envoyer"}
	ElicitDont   = Message{"Do not send it", "Ne pas l'envoyer"}
)

// What a model is told of an answer that came by its client and changed nothing.
var (
	ElicitNoQuestion = Message{
		"Refused: that answer belongs to no question that is still open, and did nothing now. read_texts shows what has gone. To ask for a text anew, call send_text without an answer.",
		"Refusé : cette réponse ne correspond à aucune question encore ouverte et n'a rien fait maintenant. read_texts montre ce qui est parti. Pour redemander un texto, appelez send_text sans réponse.",
	}
	ElicitMayNot = Message{
		"The yes did not count: the owner does not take a yes by this client, or this text now needs it by another way. ",
		"Le oui n'a pas compté\u00a0: le propriétaire n'accepte pas de oui par ce client, ou ce texto le demande maintenant d'une autre façon. ",
	}
)
