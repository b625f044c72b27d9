package lang

// What is said of a voicemail, around its words. The pieces follow one another on one line, as FORMAT of smsmcp/frame has them.
var (
	VoicemailOf = Plural{
		One:  Message{EN: "voicemail of %d second", FR: "message vocal de %d seconde"},
		Many: Message{EN: "voicemail of %d seconds", FR: "message vocal de %d secondes"},
	}
	VoicemailAlone   = Message{EN: "voicemail", FR: "message vocal"} // without a sound, so without a length
	VoicemailHeard   = Message{EN: ", as a program heard it", FR: ", tel qu'un programme l'a entendu"}
	VoicemailUnheard = Message{EN: ", not transcribed", FR: ", non transcrit"}
	VoicemailLost    = Message{EN: ", its sound could not be kept", FR: ", dont le son n'a pas pu être conservé"}

	VoicemailHidden = Message{
		EN: "A text has come: %s. Its words are not shown here.",
		FR: "Un texto est arrivé\u00a0: %s. Ses mots ne sont pas affichés ici.",
	}
	VoicemailTitle = Message{EN: "Voicemail: %s", FR: "Message vocal\u00a0: %s"} // from whom
)
