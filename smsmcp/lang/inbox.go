package lang

// Why texts cannot be shown or fetched.
var (
	InboxUnread = Message{
		"The stored texts could not be read. Nothing is shown; `readback doctor` says what is wrong.",
		"Les textos enregistrés n'ont pas pu être lus. Rien n'est affiché ; `readback doctor` dit ce qui ne va pas.",
	}
	InboxNotHeld = Message{
		"The record that these texts were shown could not be written, so they are not shown. Free some disk space, or see `readback doctor`.",
		"La trace de l'affichage de ces textos n'a pas pu être écrite ; ils ne sont donc pas affichés. Libérez de l'espace disque, ou voyez `readback doctor`.",
	}
	InboxCarrier = Message{
		"The carrier could not be asked for new texts. Those already stored can still be read.",
		"L'opérateur n'a pas pu être interrogé sur les nouveaux textos. Ceux déjà enregistrés restent lisibles.",
	}
	InboxStore = Message{
		"New texts could not be stored. They are still at the carrier, and will be fetched again.",
		"Les nouveaux textos n'ont pas pu être enregistrés. Ils sont toujours chez l'opérateur et seront redemandés.",
	}
)
