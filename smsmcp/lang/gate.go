package lang

// What the owner's phone says of the PIN of calls.
var (
	GateTitle = Message{EN: "The PIN of your calls", FR: "Le NIP de vos appels"}
	GateTries = Plural{
		One: Message{
			EN: "%d wrong PIN was keyed in by somebody who called with your number, and a number is easily forged. If that was not you, nothing is lost: each further try waits, up to a minute. `readback pin` changes the PIN.",
			FR: "%d NIP faux a été composé par quelqu'un qui appelait avec votre numéro, et un numéro se falsifie facilement. Si ce n'était pas vous, rien n'est perdu : chaque nouvel essai attend, jusqu'à une minute. `readback pin` change le NIP.",
		},
		Many: Message{
			EN: "%d wrong PINs in a row were keyed in by somebody who called with your number, and a number is easily forged. If that was not you, nothing is lost: each further try waits, up to a minute. `readback pin` changes the PIN.",
			FR: "%d NIP faux de suite ont été composés par quelqu'un qui appelait avec votre numéro, et un numéro se falsifie facilement. Si ce n'était pas vous, rien n'est perdu : chaque nouvel essai attend, jusqu'à une minute. `readback pin` change le NIP.",
		},
	}
)

// How the PIN is set.
var (
	GateCommand = Message{EN: "set or change the PIN of your calls", FR: "choisir ou changer le NIP de vos appels"}
	GateLong    = Message{
		EN: `Sets the PIN that you key in when you call Readback from a telephone of yours: six digits, asked on the terminal itself. Without
one, whoever calls can leave a message and nothing else. It is yours alone: it cannot be shown again, only changed.`,
		FR: `Choisit le NIP que vous composez quand vous appelez Readback d'un téléphone à vous : six chiffres, demandés sur le terminal
lui-même. Sans NIP, qui appelle peut laisser un message, et rien d'autre. Il n'est qu'à vous : il ne peut pas être remontré, seulement changé.`,
	}
	GateFlagRemove = Message{EN: "take the PIN away: then nobody is known as the owner on a call", FR: "enlever le NIP : plus personne n'est alors reconnu comme le propriétaire au téléphone"}
	GateNew        = Message{EN: "New PIN, six digits: ", FR: "Nouveau NIP, six chiffres : "}
	GateSet        = Message{EN: "The PIN is set. Key it in when you call; never say it aloud.", FR: "Le NIP est fixé. Composez-le quand vous appelez ; ne le dites jamais à voix haute."}
	GateRemoved    = Message{EN: "There is no PIN any more: whoever calls can leave a message, and nothing else.", FR: "Il n'y a plus de NIP : qui appelle peut laisser un message, et rien d'autre."}
	GateForm       = Message{EN: "a PIN is six digits, and nothing was changed", FR: "un NIP compte six chiffres, et rien n'a changé"}
	GateTrivial    = Message{
		EN: "that PIN is among the first that somebody would guess, and nothing was changed: choose six digits that follow no pattern",
		FR: "ce NIP est parmi les premiers que l'on essaierait, et rien n'a changé : choisissez six chiffres sans motif",
	}
)
