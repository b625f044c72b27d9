package lang

// The card in the chat: what it says to the owner, around the text that waits.
var (
	CardName  = Message{"The card of a text that waits for the owner's yes", "La carte d'un texto qui attend le oui du propriétaire"}
	CardTitle = Message{"A text waits for your yes", "Un texto attend votre oui"}
	CardPlain = Message{"Your Readback", "Votre Readback"}
	CardTo    = Message{"To", "À"}
	CardBody  = Message{"The text, word for word", "Le texto, mot pour mot"}
	CardWhy   = Message{"Why you are asked", "Pourquoi on vous le demande"}
	CardUntil = Message{"Without an answer it is not sent. Until %s.", "Sans réponse, il ne part pas. Jusqu'à %s."}
	CardBy    = Message{"Asked by %s, send %s.", "Demandé par %s, envoi %s."}

	CardSend   = Message{"Send", "Envoyer"}
	CardDont   = Message{"Don't send", "Ne pas envoyer"}
	CardFreeze = Message{"Freeze all sends", "Geler tous les envois"}

	CardWait   = Message{"One moment: this shows what became of the text.", "Un instant : on verra ici ce que devient le texto."}
	CardBusy   = Message{"Your answer is on its way…", "Votre réponse est en route…"}
	CardLost   = Message{"No word came back: your answer may have arrived or not. Press again; it counts once at most.", "Rien n'est revenu : votre réponse est peut-être arrivée, peut-être pas. Appuyez de nouveau ; elle compte une fois au plus."}
	CardLate   = Message{"The time to answer is over.", "Le délai de réponse est passé."}
	CardEnded  = Message{"The call was given up. If the text waits, answer it where Readback asks you: your phone, its page, or its command line.", "L'appel a été abandonné. Si le texto attend, répondez là où Readback vous le demande : votre téléphone, sa page ou sa ligne de commande."}
	CardNoCall = Message{"This program passes no answer on. Answer where Readback asks you: your phone, its page, or its command line.", "Ce programme ne transmet pas de réponse. Répondez là où Readback vous le demande : votre téléphone, sa page ou sa ligne de commande."}

	// Why the card has no button that sends.
	CardStrong  = Message{"A yes on this card is not enough for this text: a stranger's text raised an alarm. Give it on your phone, on Readback's page, or with: readback approve", "Un oui sur cette carte ne suffit pas pour ce texto : le texto d'un inconnu a déclenché une alarme. Donnez-le sur votre téléphone, sur la page de Readback, ou avec : readback approve"}
	CardMayNot  = Message{"A yes by this program does not count: its token is not marked for it. Give it on your phone, on Readback's page, or with: readback approve", "Un oui donné dans ce programme ne compte pas : son jeton n'y est pas autorisé. Donnez-le sur votre téléphone, sur la page de Readback, ou avec : readback approve"}
	CardAltered = Message{"The text that waits is not the one on this card, so nothing was sent.", "Le texto en attente n'est pas celui de cette carte, rien n'est donc parti."}
)

// The tool that the card's buttons call.
var (
	AnswerSendTitle = Message{"Answer a text that waits", "Répondre à un texto en attente"}
	AnswerSend      = Message{
		"For the card's buttons alone: it passes on what the owner pressed there. It does nothing without the card's own secret, which is in no answer that a model reads.",
		"Pour les seuls boutons de la carte : transmet ce que le propriétaire y a choisi. Ne fait rien sans le secret de la carte, qui n'est dans aucune réponse lue par un modèle.",
	}
	AnswerSendSecret = Message{"The card's secret.", "Le secret de la carte."}
	AnswerSendAnswer = Message{"What was pressed: send, dont or freeze.", "Ce qui a été choisi : send, dont ou freeze."}
	AnswerSendNone   = Message{
		"That answer does not count: only the card's own button gives one, once and in time. Nothing was done.",
		"Cette réponse ne compte pas : seul le bouton de la carte en donne une, une fois et à temps. Rien n'a été fait.",
	}
	AnswerSendFrozen = Message{"All sends are frozen: no text leaves until the owner lifts it, with readback thaw or on Readback's page.", "Tous les envois sont gelés : aucun texto ne part avant que le propriétaire lève le gel, avec readback thaw ou sur la page de Readback."}
)
