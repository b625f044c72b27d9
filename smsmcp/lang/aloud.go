package lang

// Why a text cannot be read back on a call: for the model that prepared it, and for the owner.
var (
	AloudTooLong  = Message{EN: "This text is too long to be read aloud on a call: at most %d characters, and signs and long numbers take more time than letters. Make it shorter.", FR: "Ce texto est trop long pour être lu à voix haute pendant un appel : au plus %d caractères, et les signes et les longs nombres prennent plus de temps que les lettres. Raccourcissez-le."}
	AloudDrawable = Message{EN: "This text is empty, or holds hidden or control characters: it cannot be read aloud. Write it with plain letters.", FR: "Ce texto est vide, ou contient des caractères invisibles ou de contrôle : il ne peut pas être lu à voix haute. Écrivez-le avec de simples lettres."}
	AloudScript   = Message{EN: "This text holds letters of another alphabet, or letters in a costume, which cannot be read aloud. Write it in plain Latin letters.", FR: "Ce texto contient des lettres d'un autre alphabet, ou des lettres déguisées, qui ne peuvent pas être lues à voix haute. Écrivez-le en simples lettres latines."}
	AloudEmoji    = Message{EN: "This text holds an emoji that has no name to be read aloud, or more than %d of them. Leave it out, or use a common one.", FR: "Ce texto contient un émoji qui n'a pas de nom à lire à voix haute, ou plus de %d émojis. Retirez-le, ou prenez-en un plus courant."}
	AloudSign     = Message{EN: "This text holds a sign that has no name to be read aloud. Write it in words.", FR: "Ce texto contient un signe qui n'a pas de nom à lire à voix haute. Écrivez-le en toutes lettres."}
	AloudLink     = Message{EN: "This text holds a link that nobody could tell from another by ear. Give the bare address of the site, such as example.com, or leave it out.", FR: "Ce texto contient un lien que personne ne distinguerait d'un autre à l'oreille. Donnez la seule adresse du site, comme example.com, ou retirez-le."}
	AloudLongLink = Message{EN: "This text holds a link or an address of mail whose name is too long to be spelled aloud: at most %d letters and digits. Leave it out.", FR: "Ce texto contient un lien ou une adresse de courriel dont le nom est trop long pour être épelé à voix haute : au plus %d lettres et chiffres. Retirez-le."}
	AloudWord     = Message{EN: "This text holds a run of letters that is too long to be a word read aloud. Put spaces into it, or leave it out.", FR: "Ce texto contient une suite de lettres trop longue pour être un mot lu à voix haute. Mettez-y des espaces, ou retirez-la."}
	AloudContact  = Message{EN: "The contact of this text has no number that could be said. Look the contact up again.", FR: "Le contact de ce texto n'a pas de numéro qui puisse être dit. Cherchez de nouveau le contact."}
)
