package screen

import "readback/smsmcp/lang"

// What the owner's phone is told of apps that come in.
var (
	PushClientIn = lang.Message{
		EN: "%s (%s) was let in. If that was not you, freeze all sends and take its access away.",
		FR: "%s (%s) a reçu l'accès. Si ce n'était pas vous, gelez tous les envois et retirez-lui l'accès.",
	}
	PushClientTwice = lang.Message{
		EN: "%s (%s) was put out: two had its key. If you use it, let it in again.",
		FR: "%s (%s) n'a plus accès : deux avaient sa clé. Si vous l'utilisez, laissez-la entrer de nouveau.",
	}
	PushClientNameless = lang.Message{EN: "An app without a name", FR: "Une application sans nom"}
)
