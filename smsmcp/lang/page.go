package lang

// Page gives the words of the owner's page by their key; "" where there is none.
func Page(l Lang, key string) string { return pageWords[key].In(l) }

// What the page counts.
var (
	PageSpaces     = Plural{Message{"%d space", "%d espace"}, Message{"%d spaces", "%d espaces"}}
	PageAreWaiting = Plural{Message{"%d text waits for your yes.", "%d texto attend votre oui."}, Message{"%d texts wait for your yes.", "%d textos attendent votre oui."}}
)

var pageWords = map[string]Message{
	// What stands on every page.
	"skip":          {"Skip to the content", "Aller au contenu"},
	"nav":           {"Pages", "Pages"},
	"nav_waiting":   {"Waiting", "En attente"},
	"nav_history":   {"History", "Historique"},
	"nav_contacts":  {"Contacts", "Contacts"},
	"nav_tokens":    {"Tokens", "Jetons"},
	"nav_passkeys":  {"Passkeys", "Clés d'accès"},
	"language":      {"Français", "English"},
	"language_code": {"fr", "en"},
	"sign_out":      {"Sign out", "Se déconnecter"},
	"sign_out_all":  {"Sign out everywhere", "Se déconnecter partout"},
	"freeze":        {"Freeze all sends", "Geler tous les envois"},
	"frozen": {
		"All sends are frozen: no text leaves, not even one with your yes.",
		"Tous les envois sont gelés : aucun texto ne part, pas même avec votre oui.",
	},
	"nav_freeze": {"Freeze", "Gel"},
	"not_frozen": {"Sends are not frozen: texts go out by the rules you set.", "Les envois ne sont pas gelés : les textos partent selon vos règles."},
	"freeze_what": {
		"Freezing stops every send at once, from any program. Only you can lift it. It asks for no passphrase.",
		"Le gel arrête aussitôt tout envoi, de tout programme. Vous seul pouvez le lever. Il ne demande aucune phrase de passe.",
	},
	"thaw": {"Lift the freeze", "Lever le gel"},
	"thaw_what": {
		"Once you lift it, texts can leave again, by the rules you set.",
		"Une fois le gel levé, les textos pourront repartir, selon vos règles.",
	},
	"back":        {"Back", "Retour"},
	"empty_title": {"Nothing is here", "Il n'y a rien ici"},
	"error_title": {"That did not work", "Cela n'a pas marché"},

	// Signing in, and showing that it is the owner.
	"sign_in":         {"Sign in", "Se connecter"},
	"sign_in_what":    {"This page is for the owner of this Readback.", "Cette page est réservée au propriétaire de ce Readback."},
	"sign_in_passkey": {"Sign in with a passkey", "Se connecter avec une clé d'accès"},
	"or":              {"or", "ou"},
	"passphrase":      {"Passphrase", "Phrase de passe"},
	"opening":         {"Opening…", "Ouverture…"},
	"ask_title":       {"Is it you?", "C'est bien vous ?"},
	"ask_any": {
		"Use a passkey or give your passphrase. It counts for two minutes.",
		"Utilisez une clé d'accès ou donnez votre phrase de passe. Cela vaut deux minutes.",
	},
	"ask_words":   {"Give your passphrase. It counts for two minutes.", "Donnez votre phrase de passe. Cela vaut deux minutes."},
	"use_passkey": {"Use a passkey", "Utiliser une clé d'accès"},
	"wrong":       {"That is not the passphrase, and nothing was done.", "Ce n'est pas la phrase de passe, et rien n'a été fait."},
	"wait": {
		"Too many tries. Wait a minute, then try again. Nothing was done.",
		"Trop d'essais. Attendez une minute, puis réessayez. Rien n'a été fait.",
	},
	"no_passphrase": {
		"No passphrase is set. Set one on the machine that runs Readback, with: readback passphrase",
		"Aucune phrase de passe n'est définie. Choisissez-en une sur la machine où tourne Readback, avec : readback passphrase",
	},
	"no_words": {"Give the passphrase.", "Donnez la phrase de passe."},
	"passkey_refused": {
		"That passkey was not accepted, and nothing was done. Try again, or use the passphrase.",
		"Cette clé d'accès n'a pas été acceptée, et rien n'a été fait. Réessayez, ou utilisez la phrase de passe.",
	},
	"passkey_stopped": {
		"No passkey was given. Try again, or use the passphrase.",
		"Aucune clé d'accès n'a été donnée. Réessayez, ou utilisez la phrase de passe.",
	},
	"signed_out":   {"You are not signed in any more. Load the page again.", "Vous n'êtes plus connecté. Rechargez la page."},
	"bounce":       {"Continue", "Continuer"},
	"bounce_title": {"One moment", "Un instant"},

	// The sends.
	"waiting_title": {"Waiting for your yes", "En attente de votre oui"},
	"waiting_none":  {"Nothing waits for your yes.", "Rien n'attend votre oui."},
	"send_title":    {"One text", "Un texto"},
	"to":            {"To", "À"},
	"body":          {"The text, word for word", "Le texto, mot pour mot"},
	"why":           {"Why you are asked", "Pourquoi on vous le demande"},
	"reasons":       {"Reasons", "Raisons"},
	"send":          {"Send", "Envoyer"},
	"dont":          {"Don't send", "Ne pas envoyer"},
	"id":            {"Identifier", "Identifiant"},
	"by":            {"Asked by", "Demandé par"},
	"at":            {"Asked at", "Demandé à"},
	"until":         {"Waits until", "Attend jusqu'à"},
	"channel":       {"Your yes came by", "Votre oui est venu par"},
	"channel_page":  {"this page", "cette page"},
	"channel_phone": {"notification", "notification"},
	"channel_voice": {"voice", "voix"},
	"ended":         {"Ended", "Terminé"},
	"size":          {"Size", "Taille"},
	"strong": {
		"A stranger's text raised an alarm: it needs a yes by a strong channel, such as this page.",
		"Le texto d'un inconnu a déclenché une alarme : il faut un oui par un canal sûr, comme cette page.",
	},
	"hidden_body": {
		"Some of its characters cannot be shown as they are, so it cannot be sent. Their codes stand in their places here.",
		"Certains de ses caractères ne peuvent pas être montrés tels quels, il ne peut donc pas partir. Leurs codes sont à leur place ici.",
	},
	"other_waiting": {"Other texts wait for your yes", "D'autres textos attendent votre oui"},
	"history_title": {"History", "Historique"},
	"history_what":  {"The last texts that were asked for, newest first.", "Les derniers textos demandés, les plus récents d'abord."},
	"history_none":  {"No text was asked for yet.", "Aucun texto n'a encore été demandé."},
	"no_send":       {"No send has that number.", "Aucun envoi ne porte cet identifiant."},
	"over": {
		"This text was over already, and nothing was changed. It stands as shown here.",
		"Ce texto était déjà réglé, et rien n'a changé. Il en est là où on le montre ici.",
	},
	"late": {
		"It was over before your answer came. It stands as shown here.",
		"Il était réglé avant l'arrivée de votre réponse. Il en est là où on le montre ici.",
	},
	"altered": {
		"The text that waits is not the one that you were shown, so nothing was sent. Look at it again: it is shown here as it is.",
		"Le texto en attente n'est pas celui qui vous a été montré, rien n'est donc parti. Relisez-le : il est montré ici tel qu'il est.",
	},
	"too_weak": {"This text needs a yes by a stronger channel than this page.", "Ce texto demande un oui par un canal plus sûr que cette page."},
	"other_channel": {
		"This text was drafted on a call, and takes its yes there alone.",
		"Ce texto a été rédigé pendant un appel, et c'est là seulement qu'on peut y dire oui.",
	},
	"closed": {"The server is shutting down, and nothing was sent.", "Le serveur s'arrête, et rien n'est parti."},
	"not_recorded": {
		"The text may have gone, but the log could not be written. Do not send it again before the history says what became of it.",
		"Le texto est peut-être parti, mais le journal n'a pas pu être écrit. Ne le renvoyez pas avant que l'historique dise ce qu'il en est.",
	},
	"channel_shut": {"This page takes no answers now.", "Cette page ne prend pas de réponse en ce moment."},
	"unknown_what": {
		"It may have gone. If the carrier's own list does not tell, settle it on the machine that runs Readback, with: readback settle",
		"Il est peut-être parti. Si la liste de l'opérateur ne le dit pas, tranchez sur la machine où tourne Readback, avec : readback settle",
	},

	// Contacts, tokens and passkeys.
	"contacts_title": {"Contacts", "Contacts"},
	"contacts_what": {
		"Claude can text these people and nobody else. To change them: readback contacts",
		"Claude peut écrire à ces personnes et à personne d'autre. Pour les changer : readback contacts",
	},
	"contacts_none": {
		"There are no contacts yet. Add one with: readback contacts add",
		"Il n'y a pas encore de contact. Ajoutez-en un avec : readback contacts add",
	},
	"texts_go_to":  {"Texts go to", "Les textos vont au"},
	"also_from":    {"Also theirs", "Aussi à cette personne"},
	"also_called":  {"Also called", "Aussi appelé"},
	"tokens_title": {"Tokens", "Jetons"},
	"tokens_what": {
		"Each MCP client has a token of its own. A revoked one ends at once and for good. To make one: readback token new",
		"Chaque client MCP a son jeton. Un jeton révoqué cesse aussitôt et pour de bon. Pour en créer un : readback token new",
	},
	"tokens_none":    {"There are no tokens.", "Il n'y a pas de jeton."},
	"made":           {"Made", "Créé"},
	"revoked":        {"Revoked", "Révoqué"},
	"revoke":         {"Revoke", "Révoquer"},
	"revoke_ask":     {"The client with this token will not get in any more:", "Le client qui a ce jeton n'entrera plus :"},
	"no_token":       {"No token that works has that name.", "Aucun jeton en vigueur ne porte ce nom."},
	"passkeys_title": {"Passkeys", "Clés d'accès"},
	"passkeys_what": {
		"A passkey is kept by your phone, computer or security key, and opened by your finger, face or PIN. It signs you in here, and confirms a send.",
		"Une clé d'accès est gardée par votre téléphone, votre ordinateur ou une clé de sécurité, et s'ouvre par votre doigt, votre visage ou un code. Elle vous connecte ici, et confirme un envoi.",
	},
	"passkeys_none": {"There are no passkeys yet.", "Il n'y a pas encore de clé d'accès."},
	"passkeys_off": {
		"Passkeys need this page's own name. On this machine, open it as http://localhost; elsewhere, set its public address.",
		"Les clés d'accès demandent que cette page ait son nom. Sur cette machine, ouvrez-la par http://localhost ; ailleurs, configurez son adresse publique.",
	},
	"passkeys_no_script": {
		"Passkeys need JavaScript, and a browser that knows them.",
		"Les clés d'accès demandent JavaScript, et un navigateur qui les connaît.",
	},
	"used":   {"Last used", "Dernier emploi"},
	"never":  {"never", "jamais"},
	"remove": {"Remove", "Retirer"},
	"remove_ask": {
		"This passkey will open nothing any more, and all other browsers are signed out:",
		"Cette clé d'accès n'ouvrira plus rien, et tous les autres navigateurs seront déconnectés :",
	},
	"no_passkey":   {"That passkey is not here any more.", "Cette clé d'accès n'est plus ici."},
	"add_title":    {"Add a passkey", "Ajouter une clé d'accès"},
	"add_what":     {"It asks for your passphrase first.", "Votre phrase de passe est demandée d'abord."},
	"add_name":     {"A name for it, such as “phone”", "Un nom pour elle, par exemple « téléphone »"},
	"add_bad_name": {"Give it a name of 1 to 40 characters.", "Donnez-lui un nom de 1 à 40 caractères."},
	"add_full":     {"There are 20 passkeys, the most there can be. Remove one first.", "Il y a 20 clés d'accès, le plus possible. Retirez-en une d'abord."},
	"add_late": {
		"The passphrase was given more than two minutes ago. Load the page again and give it once more.",
		"La phrase de passe a été donnée il y a plus de deux minutes. Rechargez la page et donnez-la de nouveau.",
	},
	"add_refused": {"That passkey could not be added.", "Cette clé d'accès n'a pas pu être ajoutée."},

	// What is refused.
	"not_found": {"Nothing is here.", "Il n'y a rien ici."},
	"cross_site": {
		"That did not come from this page, so nothing was done. If you followed a link to a button, go back and press the button here.",
		"Cela ne venait pas de cette page, rien n'a donc été fait. Si un lien vous a mené à un bouton, revenez et appuyez ici même.",
	},
	"bad_host": {
		"This page is not known by that host name. Its owner sets its public address in the configuration.",
		"Cette page n'est pas connue sous ce nom d'hôte. Son propriétaire règle son adresse publique dans la configuration.",
	},
	"stale": {
		"This form is from an earlier visit, so nothing was done. Go back, load the page again, and try once more.",
		"Ce formulaire vient d'une visite antérieure, rien n'a donc été fait. Revenez, rechargez la page, et réessayez.",
	},
	"bad_request":     {"That request could not be read, and nothing was done.", "Cette demande n'a pas pu être lue, et rien n'a été fait."},
	"broken":          {"The server could not do that. Its log says why.", "Le serveur n'a pas pu le faire. Son journal dit pourquoi."},
	"store_full":      {"The disk is full, and nothing was changed.", "Le disque est plein, et rien n'a changé."},
	"store_read_only": {"The store cannot be written, and nothing was changed.", "La base ne peut pas être écrite, et rien n'a changé."},
	"store_busy":      {"Another program holds the store. Try again.", "Un autre programme occupe la base. Réessayez."},
}
