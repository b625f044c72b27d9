package screen

import "readback/smsmcp/lang"

// What the owner's phone is told of apps that come in.
var (
	PushClientIn = lang.Message{
		EN: "%s: %s was let in. If that was not you, freeze all sends and end it on the page Clients.",
		FR: "%s : %s a été laissé entrer. Si ce n'était pas vous, gelez tous les envois et retirez-lui l'accès à la page Clients.",
	}
	PushClientTwice = lang.Message{
		EN: "%s: %s was put out: two had its key. If you use it, let it in again.",
		FR: "%s : %s a été mis dehors : deux avaient sa clé. Si vous l'utilisez, laissez-le entrer de nouveau.",
	}
	PushClientNamed    = lang.Message{EN: "a program that calls itself “%s”", FR: "un programme qui se nomme « %s »"}
	PushClientNameless = lang.Message{EN: "a program without a name", FR: "un programme sans nom"}
)
