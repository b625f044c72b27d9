package lang

// What stands beside a text that is drawn for the owner.
var (
	CLIBlankLines = Plural{
		Message{"%d empty line", "%d ligne vide"},
		Message{"%d empty lines", "%d lignes vides"},
	}
	CLIBodyLines = Plural{Message{"%d line", "%d ligne"}, Message{"%d lines", "%d lignes"}}
	CLIBodyChars = Plural{Message{"%d character", "%d caractère"}, Message{"%d characters", "%d caractères"}}
	// What stands above the question, below the body: the body cannot have pushed it away.
	CLIBodyTo = Message{"to %s, %s: %s, %s", "à %s, %s : %s, %s"}
)
