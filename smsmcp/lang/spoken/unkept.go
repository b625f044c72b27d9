package spoken

import "readback/smsmcp/lang"

// What is spoken where something could not be done for good.
var (
	NotKept = lang.Message{EN: "I am sorry, your message could not be kept. Call again later. Goodbye.", FR: "Désolé, votre message n'a pas pu être conservé. Rappelez plus tard. Au revoir."}
	Unread  = lang.Message{EN: "This text could not be read aloud.", FR: "Ce texto n'a pas pu être lu à voix haute."}
)
