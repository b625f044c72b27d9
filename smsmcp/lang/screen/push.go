package screen

import "readback/smsmcp/lang"

// What the owner's phone says where a yes is asked for.
var (
	PushAsk      = lang.Message{EN: "Send to %s (%s)?", FR: "Envoyer à %s (%s) ?"}
	PushTo       = lang.Message{EN: "Text to %s (%s)", FR: "Texto à %s (%s)"}
	PushUntil    = lang.Message{EN: "Without an answer it is not sent. Until %s.", FR: "Sans réponse, il ne part pas. Jusqu'à %s."}
	PushOnPage   = lang.Message{EN: "Too long, or of a kind, to be read here for certain: open the page to send it.", FR: "Trop long, ou écrit de telle sorte qu'il ne se lit pas ici avec certitude : ouvrez la page pour l'envoyer."}
	PushCut      = lang.Plural{One: lang.Message{EN: "(%d more character)", FR: "(encore %d caractère)"}, Many: lang.Message{EN: "(%d more characters)", FR: "(encore %d caractères)"}}
	PushSegments = lang.Message{EN: "(%d segments)", FR: "(%d segments)"}
	PushTerminal = lang.Message{EN: "Answer on the machine where Readback runs: readback approve %[1]s, or readback deny %[1]s.", FR: "Répondez sur la machine où tourne Readback : readback approve %[1]s, ou readback deny %[1]s."}
	PushSend     = lang.Message{EN: "Send", FR: "Envoyer"}
	PushDont     = lang.Message{EN: "Don't send", FR: "Ne pas envoyer"}
	PushFreeze   = lang.Message{EN: "Freeze", FR: "Tout geler"}
	PushOpen     = lang.Message{EN: "Open the page", FR: "Ouvrir la page"}
)

// What somebody did at the page.
var (
	PushPage             = lang.Message{EN: "Your Readback page", FR: "Votre page Readback"}
	PushPasskeyAdded     = lang.Message{EN: "A passkey was added. If that was not you, freeze all sends and remove it.", FR: "Une clé d'accès a été ajoutée. Si ce n'était pas vous, gelez tous les envois et retirez-la."}
	PushPasskeyRemoved   = lang.Message{EN: "A passkey was removed. If that was not you, freeze all sends.", FR: "Une clé d'accès a été retirée. Si ce n'était pas vous, gelez tous les envois."}
	PushWrongPassphrases = lang.Plural{
		One:  lang.Message{EN: "%d wrong passphrase was tried on the page in the last hour.", FR: "%d phrase de passe fausse a été essayée sur la page en une heure."},
		Many: lang.Message{EN: "%d wrong passphrases were tried on the page in the last hour.", FR: "%d phrases de passe fausses ont été essayées sur la page en une heure."},
	}
)

// The receipts.
var (
	PushSent     = lang.Message{EN: "Sent.", FR: "Envoyé."}
	PushHanded   = lang.Message{EN: "Handed over to your Asterisk. Nothing says whether it arrives.", FR: "Remis à votre Asterisk. Rien ne dit s'il arrive."}
	PushWaits    = lang.Message{EN: "It still waits for your answer, until %s.", FR: "Il attend encore votre réponse, jusqu'à %s."}
	PushOnItsWay = lang.Message{EN: "On its way.", FR: "En route."}
	PushUnknown  = lang.Message{EN: "It may have gone: nobody knows yet. `readback settle %s` if you do.", FR: "Il est peut-être parti : personne ne le sait encore. `readback settle %s` si vous le savez."}
	PushFailed   = lang.Message{EN: "Not sent. %s", FR: "Pas envoyé. %s"}
	PushDeclined = lang.Message{EN: "Not sent: you said no.", FR: "Pas envoyé : vous avez dit non."}
	PushExpired  = lang.Message{EN: "Not sent: nobody answered in time.", FR: "Pas envoyé : personne n'a répondu à temps."}
	PushRefused  = lang.Message{EN: "Not sent:", FR: "Pas envoyé :"}
	PushVoid     = lang.Message{EN: "Not sent: it was withdrawn or replaced.", FR: "Pas envoyé : il a été retiré ou remplacé."}
	PushFrozen   = lang.Message{EN: "All sends are frozen. `readback thaw`, or the page, lifts it.", FR: "Tous les envois sont gelés. `readback thaw`, ou la page, lève le gel."}
	PushUsed     = lang.Message{EN: "That button was pressed before: nothing more was done.", FR: "Ce bouton a déjà servi : rien de plus n'a été fait."}
	PushBroken   = lang.Message{EN: "That could not be done; nothing was sent. Try again, or use the page.", FR: "Cela n'a pas pu être fait ; rien n'a été envoyé. Réessayez, ou utilisez la page."}
	PushLate     = lang.Message{EN: "That button's time is past: nothing was done.", FR: "Le délai de ce bouton est passé : rien n'a été fait."}
	PushNoTap    = lang.Message{EN: "That button is not known. Nothing was done.", FR: "Ce bouton est inconnu. Rien n'a été fait."}
)
