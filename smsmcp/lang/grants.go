package lang

// What is said of what a client was let in for.
var (
	WebScope = Message{
		"This client was not let in for that. Its owner can let it in again, for more.",
		"Cette application n'a pas reçu l'accès pour cela. Son propriétaire peut la laisser entrer de nouveau, pour davantage.",
	}
)
