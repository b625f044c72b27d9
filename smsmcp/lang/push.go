package lang

// What the owner's phone says where a yes is asked for.
var (
	PushAsk      = Message{"Send to %s (%s)?", "Envoyer à %s (%s) ?"}
	PushTo       = Message{"Text to %s (%s)", "Texto à %s (%s)"}
	PushUntil    = Message{"Without an answer it is not sent. Until %s.", "Sans réponse, il ne part pas. Jusqu'à %s."}
	PushOnPage   = Message{"Too long, or of a kind, to be read here for certain: open the page to send it.", "Trop long, ou écrit de telle sorte qu'il ne se lit pas ici avec certitude : ouvrez la page pour l'envoyer."}
	PushCut      = Plural{Message{"(%d more character)", "(encore %d caractère)"}, Message{"(%d more characters)", "(encore %d caractères)"}}
	PushSegments = Message{"(%d segments)", "(%d segments)"}
	PushTerminal = Message{"Answer on the machine where Readback runs: readback approve %[1]s, or readback deny %[1]s.", "Répondez sur la machine où tourne Readback : readback approve %[1]s, ou readback deny %[1]s."}
	PushSend     = Message{"Send", "Envoyer"}
	PushDont     = Message{"Don't send", "Ne pas envoyer"}
	PushFreeze   = Message{"Freeze", "Tout geler"}
	PushOpen     = Message{"Open the page", "Ouvrir la page"}
)

// What somebody did at the page.
var (
	PushPage             = Message{"Your Readback page", "Votre page Readback"}
	PushPasskeyAdded     = Message{"A passkey was added. If that was not you, freeze all sends and remove it.", "Une clé d'accès a été ajoutée. Si ce n'était pas vous, gelez tous les envois et retirez-la."}
	PushPasskeyRemoved   = Message{"A passkey was removed. If that was not you, freeze all sends.", "Une clé d'accès a été retirée. Si ce n'était pas vous, gelez tous les envois."}
	PushWrongPassphrases = Plural{
		Message{"%d wrong passphrase was tried on the page in the last hour.", "%d phrase de passe fausse a été essayée sur la page en une heure."},
		Message{"%d wrong passphrases were tried on the page in the last hour.", "%d phrases de passe fausses ont été essayées sur la page en une heure."},
	}
)

// The receipts.
var (
	PushSent     = Message{"Sent.", "Envoyé."}
	PushHanded   = Message{"Handed over to your Asterisk. Nothing says whether it arrives.", "Remis à votre Asterisk. Rien ne dit s'il arrive."}
	PushWaits    = Message{"It still waits for your answer, until %s.", "Il attend encore votre réponse, jusqu'à %s."}
	PushOnItsWay = Message{"On its way.", "En route."}
	PushUnknown  = Message{"It may have gone: nobody knows yet. `readback settle %s` if you do.", "Il est peut-être parti : personne ne le sait encore. `readback settle %s` si vous le savez."}
	PushFailed   = Message{"Not sent. %s", "Pas envoyé. %s"}
	PushDeclined = Message{"Not sent: you said no.", "Pas envoyé : vous avez dit non."}
	PushExpired  = Message{"Not sent: nobody answered in time.", "Pas envoyé : personne n'a répondu à temps."}
	PushRefused  = Message{"Not sent:", "Pas envoyé :"}
	PushVoid     = Message{"Not sent: it was withdrawn or replaced.", "Pas envoyé : il a été retiré ou remplacé."}
	PushFrozen   = Message{"All sends are frozen. `readback thaw`, or the page, lifts it.", "Tous les envois sont gelés. `readback thaw`, ou la page, lève le gel."}
	PushUsed     = Message{"That button was pressed before: nothing more was done.", "Ce bouton a déjà servi : rien de plus n'a été fait."}
	PushBroken   = Message{"That could not be done; nothing was sent. Try again, or use the page.", "Cela n'a pas pu être fait ; rien n'a été envoyé. Réessayez, ou utilisez la page."}
	PushLate     = Message{"That button's time is past: nothing was done.", "Le délai de ce bouton est passé : rien n'a été fait."}
	PushNoTap    = Message{"That button is not known. Nothing was done.", "Ce bouton est inconnu. Rien n'a été fait."}
)
