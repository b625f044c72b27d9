// Package frame shows texts to a model: the server's words outside, the writer's inside, and no way across (invariant 3).
//
// [Render] is injective: from its answer alone an independent parser reads the number of texts, and of each the sender, the time and the
// sanitised body. No body, no sender's label and no contact's name can hold a delimiter, a line break or the tag. The parser of
// frametest is written from the FORMAT below and shares no code with the renderer.
//
// # FORMAT
//
// An answer is a head line, a line for each text, oldest first, and a foot line, each ended by a line feed (the last one not). Lines begin with the
// same tag: 10 characters of a-z and 2-7, random for each answer, which occurs nowhere else but once more in the head. « (U+00AB) and » (U+00BB) stand around
// foreign words, called a quoted field, and nowhere else but in the head's explanation. In English:
//
//	head   = TAG " " COUNT (" text" | " texts") [" with " SUBJECT [CLAIMED]] [" holding " QUOTED] [" since " STAMP] ", oldest first, " …
//	text   = TAG " " STAMP PARTY ": " QUOTED [" [" REMARK {"; " REMARK} "]"]
//	foot   = TAG " End: " COUNT (" text" | " texts") " shown." [CLAIMS] [OLDER] [FOLDED] [CARRIER]
//
//	REMARK    = VOICEMAIL | words of the server's that begin with a letter
//	VOICEMAIL = ("voicemail" | "voicemail of " N (" second" | " seconds")) (", as a program heard it" | ", not transcribed") [", its sound could not be kept"]
//	STAMP     = three letters of the weekday, " 2006-01-02 15:04", in the zone named in the head; if the answer's texts have more
//	            than one offset from UTC (the clocks changed), then " -07:00" as well
//	PARTY     = (" received from " | " sent to ") (CONTACT | NUMBER MARK)
//	          | (" received from the short code " | " sent to the short code ") DIGITS MARK
//	          | (" received from a sender without a number" | " sent to a recipient without a number") MARK [LABEL]
//	SUBJECT   = QUOTED [", contact no. " ID]
//	CONTACT   = NAME [" (a contact)"] | QUOTED ", contact no. " ID
//	NAME      = letters and marks, space - ' ’ . and , with a letter first, at most 40 of them: no digit, no bracket, no quote, no colon
//	NUMBER    = "+" and 7 to 15 digits
//	MARK      = " (not in your contacts)" | " (unverified, may be anybody)"
//	LABEL     = ", calling itself " QUOTED [", no. " 26 characters of a-z and 2-7]
//	QUOTED    = "«" words "»"
//	CLAIMED   = " or unverified", if the answer shows a text that is
//	CLAIMS    = " What is unverified can be from anybody, whatever number stands there.", if the answer shows such a text
//	OLDER     = " Older ones exist: ask again with before " '"' CURSOR '".'
//	CURSOR    = the oldest shown text's time, in unix seconds, "-", its id
//	FOLDED    = " Not shown: " COUNT (" text" | " texts") " from " COUNT (" sender" | " senders") " not in your contacts or unverified; ask again with strangers true."
//	CARRIER   = " The carrier cannot be reached (" CODE "): this is what it held at " STAMP "." [PARTIAL] | PARTIAL
//	          | " The carrier could not be reached yet (" CODE "): texts may be missing."
//	PARTIAL   = " The carrier was asked at " STAMP ", and some of its texts could not be read."
//	CODE      = at most 40 of a-z and _
//
// In French the same pieces stand in the same order:
//
//	head      = TAG " " COUNT (" texto" | " textos") [" avec " SUBJECT [CLAIMED]] [" contenant " QUOTED] [" depuis le " STAMP] ", du plus ancien " …
//	text      = TAG " " STAMP PARTY " : " QUOTED [" [" REMARK {" ; " REMARK} "]"]
//	foot      = TAG " Fin : " COUNT (" texto montré." | " textos montrés.") [CLAIMS] [OLDER] [FOLDED] [CARRIER]
//	VOICEMAIL = ("message vocal" | "message vocal de " N (" seconde" | " secondes")) (", tel qu'un programme l'a entendu" | ", non transcrit")
//	            [", dont le son n'a pas pu être conservé"]
//	STAMP     = "lun." to "dim." for the weekday
//	PARTY     = (" reçu de " | " envoyé à ") (CONTACT | NUMBER MARK)
//	          | (" reçu du numéro abrégé " | " envoyé au numéro abrégé ") DIGITS MARK
//	          | (" reçu d'un expéditeur sans numéro" | " envoyé à un destinataire sans numéro") MARK [LABEL]
//	SUBJECT   = QUOTED [", contact nº " ID]
//	CONTACT   = NAME [" (un contact)"] | QUOTED ", contact nº " ID
//	MARK      = " (absent de vos contacts)" | " (non vérifié, peut être n'importe qui)"
//	LABEL     = ", qui se nomme " QUOTED [", nº " …]
//	CLAIMED   = " ou non vérifiés"
//	CLAIMS    = " Ce qui est non vérifié peut venir de n'importe qui, quel que soit le numéro indiqué."
//	OLDER     = " Il y en a de plus anciens : demandez-les avec before " '"' CURSOR '".'
//	FOLDED    = (" Non montré : " | " Non montrés : ") COUNT (" texto" | " textos") " de " COUNT
//	            (" expéditeur absent de vos contacts ou non vérifié" | " expéditeurs absents de vos contacts ou non vérifiés") " ; demandez avec strangers true."
//	CARRIER   = " L'opérateur ne répond pas (" CODE ") : voici ce qu'il avait le " STAMP "." [PARTIAL] | PARTIAL
//	          | " L'opérateur n'a pas encore pu être joint (" CODE ") : il peut manquer des textos."
//	PARTIAL   = " L'opérateur a été interrogé le " STAMP ", et certains de ses textos n'ont pas pu être lus."
//
// The words of a quoted field are what clean.UpTo gives of the foreign ones: they hold no «, no », no line break. In bodies each digit or letter of a one-time
// code may stand as •. A contact is shown by name alone if the name is a NAME as clean leaves it; else by id too, so that two are never
// shown alike. In the head, where other words follow it, a name stands in quotes always. A stranger's label is followed by a number of its own (128 bits of the SHA-256 of its bytes) unless it is plain
// ASCII that clean leaves as it is; so two labels that look alike are not shown alike. A text that is unverified, because nothing but a datagram or a caller's number says who it is from, never has a
// contact's name: it has the number or code that it claims, with a MARK that no other text has. Remarks are the server's and hold no foreign word. A
// text that a caller left has a VOICEMAIL as its first remark, and no other text has one.
//
// Words that are written from right to left are drawn where they stand, and no other piece is drawn among them: a line begins from the left, and
// between any two foreign words, and after the last, comes a word of the server's that begins with a letter before any digit. So every
// REMARK begins with a letter; a name with a letter of a right-to-left script has " (a contact)" after it; and a label with one
// has its number. (Unicode's algorithm, UAX 9, gives signs and digits that follow such words to them, until a Latin letter ends it.)
//
// Floor 2: imports smsmcp, smsmcp/signs and floor 0.
package frame
