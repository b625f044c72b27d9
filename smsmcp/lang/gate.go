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
