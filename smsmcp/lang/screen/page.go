package screen

import "readback/smsmcp/lang"

// Page gives the words of the owner's page by their key; "" where there is none.
func Page(l lang.Lang, key string) string { return pageWords[key].In(l) }

// What the page counts.
var (
	PageSpaces     = lang.Plural{One: lang.Message{EN: "%d space", FR: "%d espace"}, Many: lang.Message{EN: "%d spaces", FR: "%d espaces"}}
	PageAreWaiting = lang.Plural{One: lang.Message{EN: "%d text waits for your yes.", FR: "%d texto attend votre oui."}, Many: lang.Message{EN: "%d texts wait for your yes.", FR: "%d textos attendent votre oui."}}
)

var pageWords = map[string]lang.Message{
	// What stands on every page.
	"skip":          {EN: "Skip to the content", FR: "Aller au contenu"},
	"nav":           {EN: "Pages", FR: "Pages"},
	"nav_waiting":   {EN: "Waiting", FR: "En attente"},
	"nav_history":   {EN: "History", FR: "Historique"},
	"nav_contacts":  {EN: "Contacts", FR: "Contacts"},
	"nav_tokens":    {EN: "Tokens", FR: "Jetons"},
	"nav_passkeys":  {EN: "Passkeys", FR: "Clés d'accès"},
	"language":      {EN: "Français", FR: "English"},
	"language_code": {EN: "fr", FR: "en"},
	"sign_out":      {EN: "Sign out", FR: "Se déconnecter"},
	"sign_out_all":  {EN: "Sign out everywhere", FR: "Se déconnecter partout"},
	"freeze":        {EN: "Freeze all sends", FR: "Geler tous les envois"},
	"frozen": {
		EN: "All sends are frozen: no text leaves, not even one with your yes.",
		FR: "Tous les envois sont gelés : aucun texto ne part, pas même avec votre oui.",
	},
	"nav_freeze": {EN: "Freeze", FR: "Gel"},
	"not_frozen": {EN: "Sends are not frozen: texts go out by the rules you set.", FR: "Les envois ne sont pas gelés : les textos partent selon vos règles."},
	"freeze_what": {
		EN: "Freezing stops every send at once, from any program. Only you can lift it. It asks for no passphrase.",
		FR: "Le gel arrête aussitôt tout envoi, de tout programme. Vous seul pouvez le lever. Il ne demande aucune phrase de passe.",
	},
	"thaw": {EN: "Lift the freeze", FR: "Lever le gel"},
	"thaw_what": {
		EN: "Once you lift it, texts can leave again, by the rules you set.",
		FR: "Une fois le gel levé, les textos pourront repartir, selon vos règles.",
	},
	"back":        {EN: "Back", FR: "Retour"},
	"empty_title": {EN: "Nothing is here", FR: "Il n'y a rien ici"},
	"error_title": {EN: "That did not work", FR: "Cela n'a pas marché"},

	// Signing in, and showing that it is the owner.
	"sign_in":         {EN: "Sign in", FR: "Se connecter"},
	"sign_in_what":    {EN: "This page is for the owner of this Readback.", FR: "Cette page est réservée au propriétaire de ce Readback."},
	"sign_in_passkey": {EN: "Sign in with a passkey", FR: "Se connecter avec une clé d'accès"},
	"or":              {EN: "or", FR: "ou"},
	"passphrase":      {EN: "Passphrase", FR: "Phrase de passe"},
	"opening":         {EN: "Opening…", FR: "Ouverture…"},
	"ask_title":       {EN: "Is it you?", FR: "C'est bien vous ?"},
	"ask_any": {
		EN: "Use a passkey or give your passphrase.",
		FR: "Utilisez une clé d'accès ou donnez votre phrase de passe.",
	},
	"ask_words":   {EN: "Give your passphrase.", FR: "Donnez votre phrase de passe."},
	"ask_while":   {EN: "It counts for two minutes.", FR: "Cela vaut deux minutes."},
	"ask_once":    {EN: "It counts for this alone.", FR: "Cela ne vaut que pour ceci."},
	"use_passkey": {EN: "Use a passkey", FR: "Utiliser une clé d'accès"},
	"wrong":       {EN: "That is not the passphrase, and nothing was done.", FR: "Ce n'est pas la phrase de passe, et rien n'a été fait."},
	"wait": {
		EN: "Too many tries. Wait a minute, then try again. Nothing was done.",
		FR: "Trop d'essais. Attendez une minute, puis réessayez. Rien n'a été fait.",
	},
	"no_passphrase": {
		EN: "No passphrase is set. Set one on the machine that runs Readback, with: readback passphrase",
		FR: "Aucune phrase de passe n'est définie. Choisissez-en une sur la machine où tourne Readback, avec : readback passphrase",
	},
	"no_words": {EN: "Give the passphrase.", FR: "Donnez la phrase de passe."},
	"passkey_refused": {
		EN: "That passkey was not accepted, and nothing was done. Try again, or use the passphrase.",
		FR: "Cette clé d'accès n'a pas été acceptée, et rien n'a été fait. Réessayez, ou utilisez la phrase de passe.",
	},
	"passkey_stopped": {
		EN: "No passkey was given. Try again, or use the passphrase.",
		FR: "Aucune clé d'accès n'a été donnée. Réessayez, ou utilisez la phrase de passe.",
	},
	"signed_out":   {EN: "You are not signed in any more. Load the page again.", FR: "Vous n'êtes plus connecté. Rechargez la page."},
	"bounce":       {EN: "Continue", FR: "Continuer"},
	"bounce_title": {EN: "One moment", FR: "Un instant"},

	// The sends.
	"waiting_title": {EN: "Waiting for your yes", FR: "En attente de votre oui"},
	"waiting_none":  {EN: "Nothing waits for your yes.", FR: "Rien n'attend votre oui."},
	"send_title":    {EN: "One text", FR: "Un texto"},
	"to":            {EN: "To", FR: "À"},
	"body":          {EN: "The text, word for word", FR: "Le texto, mot pour mot"},
	"why":           {EN: "Why you are asked", FR: "Pourquoi on vous le demande"},
	"reasons":       {EN: "Reasons", FR: "Raisons"},
	"send":          {EN: "Send", FR: "Envoyer"},
	"dont":          {EN: "Don't send", FR: "Ne pas envoyer"},
	"id":            {EN: "Identifier", FR: "Identifiant"},
	"by":            {EN: "Asked by", FR: "Demandé par"},
	"at":            {EN: "Asked at", FR: "Demandé à"},
	"until":         {EN: "Waits until", FR: "Attend jusqu'à"},
	"channel":       {EN: "Your yes came by", FR: "Votre oui est venu par"},
	"channel_page":  {EN: "this page", FR: "cette page"},
	"channel_phone": {EN: "notification", FR: "notification"},
	"channel_voice": {EN: "voice", FR: "voix"},

	"channel_elicitation": {EN: "asked by the app", FR: "demandé par l'app"},
	"channel_card":        {EN: "card in the chat", FR: "carte dans la conversation"},
	"ended":               {EN: "Ended", FR: "Terminé"},
	"size":                {EN: "Size", FR: "Taille"},
	"strong": {
		EN: "A stranger's text raised an alarm: it needs a yes by a strong channel, such as this page.",
		FR: "Le texto d'un inconnu a déclenché une alarme : il faut un oui par un canal sûr, comme cette page.",
	},
	"hidden_body": {
		EN: "Some of its characters cannot be shown as they are, so it cannot be sent. Their codes stand in their places here.",
		FR: "Certains de ses caractères ne peuvent pas être montrés tels quels, il ne peut donc pas partir. Leurs codes sont à leur place ici.",
	},
	"other_waiting": {EN: "Other texts wait for your yes", FR: "D'autres textos attendent votre oui"},
	"history_title": {EN: "History", FR: "Historique"},
	"history_what":  {EN: "The last texts that were asked for, newest first.", FR: "Les derniers textos demandés, les plus récents d'abord."},
	"history_none":  {EN: "No text was asked for yet.", FR: "Aucun texto n'a encore été demandé."},
	"no_send":       {EN: "No send has that number.", FR: "Aucun envoi ne porte cet identifiant."},
	"over": {
		EN: "This text was over already, and nothing was changed. It stands as shown here.",
		FR: "Ce texto était déjà réglé, et rien n'a changé. Il en est là où on le montre ici.",
	},
	"late": {
		EN: "It was over before your answer came. It stands as shown here.",
		FR: "Il était réglé avant l'arrivée de votre réponse. Il en est là où on le montre ici.",
	},
	"altered": {
		EN: "The text that waits is not the one that you were shown, so nothing was sent. Look at it again: it is shown here as it is.",
		FR: "Le texto en attente n'est pas celui qui vous a été montré, rien n'est donc parti. Relisez-le : il est montré ici tel qu'il est.",
	},
	"too_weak": {EN: "This text needs a yes by a stronger channel than this page.", FR: "Ce texto demande un oui par un canal plus sûr que cette page."},
	"other_channel": {
		EN: "This text was drafted on a call, and takes its yes there alone.",
		FR: "Ce texto a été rédigé pendant un appel, et c'est là seulement qu'on peut y dire oui.",
	},
	"closed": {EN: "The server is shutting down, and nothing was sent.", FR: "Le serveur s'arrête, et rien n'est parti."},
	"not_recorded": {
		EN: "The text may have gone, but the log could not be written. Do not send it again before the history says what became of it.",
		FR: "Le texto est peut-être parti, mais le journal n'a pas pu être écrit. Ne le renvoyez pas avant que l'historique dise ce qu'il en est.",
	},
	"channel_shut": {EN: "This page takes no answers now.", FR: "Cette page ne prend pas de réponse en ce moment."},
	"unknown_what": {
		EN: "It may have gone. If the carrier's own list does not tell, settle it on the machine that runs Readback, with: readback settle",
		FR: "Il est peut-être parti. Si la liste de l'opérateur ne le dit pas, tranchez sur la machine où tourne Readback, avec : readback settle",
	},

	// Contacts, tokens and passkeys.
	"contacts_title": {EN: "Contacts", FR: "Contacts"},
	"contacts_what": {
		EN: "Claude can text these people and nobody else. To change them: readback contacts",
		FR: "Claude peut écrire à ces personnes et à personne d'autre. Pour les changer : readback contacts",
	},
	"contacts_none": {
		EN: "There are no contacts yet. Add one with: readback contacts add",
		FR: "Il n'y a pas encore de contact. Ajoutez-en un avec : readback contacts add",
	},
	"texts_go_to":  {EN: "Texts go to", FR: "Les textos vont au"},
	"also_from":    {EN: "Also theirs", FR: "Aussi à cette personne"},
	"also_called":  {EN: "Also called", FR: "Aussi appelé"},
	"tokens_title": {EN: "Tokens", FR: "Jetons"},
	"tokens_what": {
		EN: "Each MCP client has a token of its own. A revoked one ends at once and for good. To make one: readback token new",
		FR: "Chaque client MCP a son jeton. Un jeton révoqué cesse aussitôt et pour de bon. Pour en créer un : readback token new",
	},
	"tokens_none":    {EN: "There are no tokens.", FR: "Il n'y a pas de jeton."},
	"made":           {EN: "Made", FR: "Créé"},
	"revoked":        {EN: "Revoked", FR: "Révoqué"},
	"revoke":         {EN: "Revoke", FR: "Révoquer"},
	"revoke_ask":     {EN: "The client with this token will not get in any more:", FR: "Le client qui a ce jeton n'entrera plus :"},
	"no_token":       {EN: "No token that works has that name.", FR: "Aucun jeton en vigueur ne porte ce nom."},
	"passkeys_title": {EN: "Passkeys", FR: "Clés d'accès"},
	"passkeys_what": {
		EN: "A passkey is kept by your phone, computer or security key, and opened by your finger, face or PIN. It signs you in here, and confirms a send.",
		FR: "Une clé d'accès est gardée par votre téléphone, votre ordinateur ou une clé de sécurité, et s'ouvre par votre doigt, votre visage ou un code. Elle vous connecte ici, et confirme un envoi.",
	},
	"passkeys_none": {EN: "There are no passkeys yet.", FR: "Il n'y a pas encore de clé d'accès."},
	"passkeys_off": {
		EN: "Passkeys need this page's own name. On this machine, open it as http://localhost; elsewhere, set its public address.",
		FR: "Les clés d'accès demandent que cette page ait son nom. Sur cette machine, ouvrez-la par http://localhost ; ailleurs, configurez son adresse publique.",
	},
	"passkeys_no_script": {
		EN: "Passkeys need JavaScript, and a browser that knows them.",
		FR: "Les clés d'accès demandent JavaScript, et un navigateur qui les connaît.",
	},
	"used":   {EN: "Last used", FR: "Dernier emploi"},
	"never":  {EN: "never", FR: "jamais"},
	"remove": {EN: "Remove", FR: "Retirer"},
	"remove_ask": {
		EN: "This passkey will open nothing any more, and all other browsers are signed out:",
		FR: "Cette clé d'accès n'ouvrira plus rien, et tous les autres navigateurs seront déconnectés :",
	},
	"no_passkey":   {EN: "That passkey is not here any more.", FR: "Cette clé d'accès n'est plus ici."},
	"add_title":    {EN: "Add a passkey", FR: "Ajouter une clé d'accès"},
	"add_what":     {EN: "It asks for your passphrase first.", FR: "Votre phrase de passe est demandée d'abord."},
	"add_name":     {EN: "A name for it, such as “phone”", FR: "Un nom pour elle, par exemple « téléphone »"},
	"add_bad_name": {EN: "Give it a name of 1 to 40 characters.", FR: "Donnez-lui un nom de 1 à 40 caractères."},
	"add_full":     {EN: "There are 20 passkeys, the most there can be. Remove one first.", FR: "Il y a 20 clés d'accès, le plus possible. Retirez-en une d'abord."},
	"add_late": {
		EN: "The passphrase was given more than two minutes ago. Load the page again and give it once more.",
		FR: "La phrase de passe a été donnée il y a plus de deux minutes. Rechargez la page et donnez-la de nouveau.",
	},
	"add_refused": {EN: "That passkey could not be added.", FR: "Cette clé d'accès n'a pas pu être ajoutée."},

	// What is refused.
	"not_found": {EN: "Nothing is here.", FR: "Il n'y a rien ici."},
	"cross_site": {
		EN: "That did not come from this page, so nothing was done. If you followed a link to a button, go back and press the button here.",
		FR: "Cela ne venait pas de cette page, rien n'a donc été fait. Si un lien vous a mené à un bouton, revenez et appuyez ici même.",
	},
	"bad_host": {
		EN: "This page is not known by that host name. Its owner sets its public address in the configuration.",
		FR: "Cette page n'est pas connue sous ce nom d'hôte. Son propriétaire règle son adresse publique dans la configuration.",
	},
	"stale": {
		EN: "This form is from an earlier visit, so nothing was done. Go back, load the page again, and try once more.",
		FR: "Ce formulaire vient d'une visite antérieure, rien n'a donc été fait. Revenez, rechargez la page, et réessayez.",
	},
	"bad_request":     {EN: "That request could not be read, and nothing was done.", FR: "Cette demande n'a pas pu être lue, et rien n'a été fait."},
	"broken":          {EN: "The server could not do that. Its log says why.", FR: "Le serveur n'a pas pu le faire. Son journal dit pourquoi."},
	"store_full":      {EN: "The disk is full, and nothing was changed.", FR: "Le disque est plein, et rien n'a changé."},
	"store_read_only": {EN: "The store cannot be written, and nothing was changed.", FR: "La base ne peut pas être écrite, et rien n'a changé."},
	"store_busy":      {EN: "Another program holds the store. Try again.", FR: "Un autre programme occupe la base. Réessayez."},
}
