package lang

// What can go wrong with the engines that speak and hear.
var (
	SpeechEspeakMissing = Message{"espeak-ng, the program that speaks on the phone, is not installed: install the package espeak-ng, or name another voice in the configuration.",
		"espeak-ng, le programme qui parle au téléphone, n'est pas installé : installez le paquet espeak-ng, ou indiquez une autre voix dans la configuration."}
	SpeechEspeakFailed = Message{"espeak-ng, the program that speaks on the phone, fails: try it by hand (espeak-ng hello) and install it anew if it stays silent.",
		"espeak-ng, le programme qui parle au téléphone, échoue : essayez-le à la main (espeak-ng bonjour) et réinstallez-le s'il reste muet."}
	SpeechEspeakStalled = Message{"espeak-ng, the program that speaks on the phone, stopped in the middle: the machine may be overloaded.",
		"espeak-ng, le programme qui parle au téléphone, s'est arrêté en chemin : la machine est peut-être surchargée."}
	SpeechEspeakVoice = Message{"This is not the name of a voice of espeak-ng: espeak-ng --voices lists them.",
		"Ce n'est pas le nom d'une voix d'espeak-ng : espeak-ng --voices en donne la liste."}
	SpeechTooLong = Message{"This is too long to be spoken at once.", "C'est trop long pour être lu d'une traite."}
)
