package lang

// What the guard says, a sentence for each rule.
var (
	GuardNotAContact = Message{
		"No contact is called exactly that. Only the owner can add contacts.",
		"Aucun contact ne porte exactement ce nom. Seul le propriétaire peut ajouter des contacts.",
	}
	GuardContactChanged = Message{
		"The contact was changed after this text was drafted. Draft it again.",
		"Le contact a été modifié après la rédaction de ce texto. Rédigez-le de nouveau.",
	}
	GuardFrozen = Message{
		"The owner has frozen all sends. Only the owner can lift that.",
		"Le propriétaire a gelé tous les envois. Lui seul peut lever le gel.",
	}
	GuardBodyEmpty = Message{"The body is empty.", "Le texto est vide."}
	GuardBodyUTF8  = Message{"The body is not valid UTF-8.", "Le texto n'est pas de l'UTF-8 valide."}
	GuardBody      = Message{
		"The body holds hidden, reordering or control characters, so that what a person sees would not be what is sent. Write it without them.",
		"Le texto contient des caractères invisibles, de contrôle ou qui changent l'ordre de lecture : ce que l'on verrait ne serait pas ce qui part. Écrivez-le sans eux.",
	}
	GuardTooLong   = Message{"The body is longer than the carrier can take. Shorten it.", "Le texto est plus long que ce que l'opérateur accepte. Raccourcissez-le."}
	GuardDuplicate = Message{
		"The same text went to this contact moments ago (send %s, %s). It is not repeated before %s.",
		"Le même texto vient d'être confié pour ce contact (envoi %s, %s). Il ne sera pas répété avant %s.",
	}
	GuardUnsettled = Message{
		"The same text to this contact may already have gone (send %s, %s). It is not sent again until that is settled.",
		"Le même texto est peut-être déjà parti vers ce contact (envoi %s, %s). Il ne repartira pas tant que ce n'est pas éclairci.",
	}
	GuardHour = Message{
		"%d texts went out within an hour; the limit is %d. The next may go at %s.",
		"%d textos sont partis en une heure ; la limite est de %d. Le prochain pourra partir à %s.",
	}
	GuardDay = Message{
		"%d texts went out within 24 hours; the limit is %d. The next may go at %s.",
		"%d textos sont partis en 24 heures ; la limite est de %d. Le prochain pourra partir à %s.",
	}
	GuardKept = Message{
		"%d texts went out within 24 hours; past %d, only texts that the owner confirms may go, until %s.",
		"%d textos sont partis en 24 heures ; au-delà de %d, seuls partent ceux que le propriétaire confirme, jusqu'à %s.",
	}
	GuardUnconfirmedHour = Message{
		"%d texts went out unconfirmed within an hour; past %d, each needs the owner's yes, until %s.",
		"%d textos sont partis sans confirmation en une heure ; au-delà de %d, chacun demande le oui du propriétaire, jusqu'à %s.",
	}
	GuardUnconfirmedDay = Message{
		"%d texts went out unconfirmed within 24 hours; past %d, each needs the owner's yes, until %s.",
		"%d textos sont partis sans confirmation en 24 heures ; au-delà de %d, chacun demande le oui du propriétaire, jusqu'à %s.",
	}
	GuardFanOut = Message{
		"The same text already went to %d other contacts within an hour; past %d in all, it needs the owner's yes.",
		"Le même texto est déjà parti vers %d autres contacts en une heure ; au-delà de %d en tout, il demande le oui du propriétaire.",
	}
	GuardHold = Message{
		"A stranger's words were shown a short while ago: until %s each text needs the owner's yes.",
		"Les mots d'un inconnu viennent d'être affichés : jusqu'à %s, chaque texto demande le oui du propriétaire.",
	}
	GuardAlarm = Message{
		"A text that was shown looks like an attempt to steer the assistant: until %s each text needs the owner's yes.",
		"Un texto affiché ressemble à une tentative de manipuler l'assistant : jusqu'à %s, chaque texto demande le oui du propriétaire.",
	}
	GuardNamed = Message{
		"Somebody else's text that was shown names this contact: until %s a text to this contact needs the owner's yes.",
		"Le texto affiché d'une autre personne nomme ce contact : jusqu'à %s, un texto à ce contact demande le oui du propriétaire.",
	}
	GuardRepeatsCode = Message{
		"The body repeats a one-time code from a received text.",
		"Le texto répète un code à usage unique tiré d'un texto reçu.",
	}
	GuardRepeatsWords = Message{
		"The body repeats a long run of words from somebody else's text.",
		"Le texto reprend une longue suite de mots du texto de quelqu'un d'autre.",
	}
	GuardHeard = Message{
		"More texts were shown lately than can be compared with this one.",
		"Trop de textos ont été affichés dernièrement pour être comparés à celui-ci.",
	}
	GuardNewHost = Message{
		"The body links to a site that was never sent before.",
		"Le texto contient un lien vers un site encore jamais envoyé.",
	}
	GuardStopped = Message{
		"This contact wrote STOP.",
		"Ce contact a écrit STOP.",
	}
	GuardReadBack = Message{
		"It was drafted on a call: it goes only once it was read back there and the owner said yes.",
		"Il a été rédigé pendant un appel : il ne part qu'une fois relu au propriétaire et confirmé de vive voix.",
	}
	GuardQuiet    = Message{"It is within the owner's quiet hours.", "Ce sont les heures calmes du propriétaire."}
	GuardAlways   = Message{"The owner wants to be asked for every text.", "Le propriétaire veut être consulté pour chaque texto."}
	GuardWaiting  = Message{"%d texts already wait for the owner's yes; the limit is %d.", "%d textos attendent déjà le oui du propriétaire ; la limite est de %d."}
	GuardAsks     = Message{"The owner was asked %d times within an hour; the limit is %d. Ask again after %s.", "Le propriétaire a été consulté %d fois en une heure ; la limite est de %d. Redemandez après %s."}
	GuardPause    = Message{"The owner said no twice in a row. Nothing is asked before %s.", "Le propriétaire a dit non deux fois de suite. Rien ne lui sera demandé avant %s."}
	GuardNoAsking = Message{
		"It needs the owner's yes, and no way of asking for it can be reached now.",
		"Il faut le oui du propriétaire, et aucun moyen de le lui demander n'est joignable en ce moment.",
	}
	GuardWeak  = Message{"It needs a yes by a stronger channel.", "Il faut un oui par un canal plus sûr."}
	GuardOther = Message{"Another rule refused it.", "Une autre règle l'a refusé."}
)

// What the guard says to the owner, where it is not what it says to a model.
var (
	YourNotAContact     = Message{"No contact is called exactly that, and only you can add one.", "Aucun contact ne porte exactement ce nom, et vous seul pouvez en ajouter un."}
	YourFrozen          = Message{"All sends are frozen. Only you can lift that.", "Tous les envois sont gelés. Vous seul pouvez lever le gel."}
	YourKept            = Message{"%d texts went out within 24 hours; past %d, only texts that you confirm may go, until %s.", "%d textos sont partis en 24 heures ; au-delà de %d, seuls partent ceux que vous confirmez, jusqu'à %s."}
	YourUnconfirmedHour = Message{
		"%d texts went out unconfirmed within an hour; past %d, each needs your yes, until %s.",
		"%d textos sont partis sans confirmation en une heure ; au-delà de %d, chacun demande votre oui, jusqu'à %s.",
	}
	YourUnconfirmedDay = Message{
		"%d texts went out unconfirmed within 24 hours; past %d, each needs your yes, until %s.",
		"%d textos sont partis sans confirmation en 24 heures ; au-delà de %d, chacun demande votre oui, jusqu'à %s.",
	}
	YourFanOut = Message{
		"The same text already went to %d other contacts within an hour; past %d in all, it needs your yes.",
		"Le même texte est déjà parti vers %d autres contacts en une heure ; au-delà de %d en tout, il demande votre oui.",
	}
	YourHold = Message{
		"A stranger's words were shown to the assistant a short while ago: until %s each text needs your yes.",
		"Les mots d'un inconnu viennent d'être montrés à l'assistant : jusqu'à %s, chaque texto demande votre oui.",
	}
	YourAlarm = Message{
		"A text that the assistant was shown looks like an attempt to steer it: until %s each text needs your yes.",
		"Un texto montré à l'assistant ressemble à une tentative de le manipuler : jusqu'à %s, chaque texto demande votre oui.",
	}
	YourNamed = Message{
		"Somebody else's text that the assistant was shown names this contact: until %s a text to this contact needs your yes.",
		"Le texto d'une autre personne, montré à l'assistant, nomme ce contact : jusqu'à %s, un texto à ce contact demande votre oui.",
	}
	YourRepeatsCode = Message{"The text repeats a one-time code that you received.", "Le texto répète un code à usage unique que vous avez reçu."}
	YourHeard       = Message{"The assistant was shown more texts lately than can be compared with this one.", "L'assistant a vu dernièrement trop de textos pour les comparer à celui-ci."}
	YourNewHost     = Message{"The text links to a site that was never sent from here before.", "Le texto contient un lien vers un site qui n'a encore jamais été envoyé d'ici."}
	YourReadBack    = Message{"It was drafted on a call: it goes only once it was read back to you there and you said yes.", "Il a été rédigé pendant un appel : il ne part qu'une fois relu et confirmé par vous de vive voix."}
	YourQuiet       = Message{"It is within your quiet hours.", "Ce sont vos heures calmes."}
	YourAlways      = Message{"You have asked to confirm every text.", "Vous avez demandé à confirmer chaque texto."}
	YourWaiting     = Message{"%d texts already wait for your yes; the limit is %d.", "%d textos attendent déjà votre oui ; la limite est de %d."}
	YourAsks        = Message{"You were asked %d times within an hour; the limit is %d. Nothing more is asked before %s.", "On vous a demandé votre oui %d fois en une heure ; la limite est de %d. Plus rien ne vous sera demandé avant %s."}
	YourPause       = Message{"You said no twice in a row. Nothing is asked before %s.", "Vous avez dit non deux fois de suite. Rien ne vous sera demandé avant %s."}
	YourNoAsking    = Message{"It needs your yes, and no way of asking you can be reached now.", "Il faut votre oui, et aucun moyen de vous le demander n'est joignable en ce moment."}

	YourStateWaiting  = Message{"waiting for your yes", "en attente de votre oui"}
	YourStateDeclined = Message{"you said no", "vous avez dit non"}
)

// Where a send stands, in a few words.
var (
	StateRefused   = Message{"refused", "refusé"}
	StateWaiting   = Message{"waiting for the owner", "en attente du propriétaire"}
	StateDeclined  = Message{"the owner said no", "le propriétaire a dit non"}
	StateExpired   = Message{"nobody answered in time", "sans réponse à temps"}
	StateCancelled = Message{"cancelled", "annulé"}
	StateVoid      = Message{"void", "caduc"}
	StateReserved  = Message{"on its way", "en route"}
	StateSent      = Message{"sent", "envoyé"}
	StateFailed    = Message{"failed", "échoué"}
	StateUnknown   = Message{"unknown: it may have gone", "incertain : il est peut-être parti"}
)
