package screen

import "readback/smsmcp/lang"

// Talk gives the words of the page of calls by their key; "" where there is none. What begins with is_ says how the call stands, and may be read out by a screen reader while the microphone
// is open: before an answer was judged, none of it holds a yes. What begins with draft_ says how the draft stands, by its stage.
func Talk(l lang.Lang, key string) string { return talkWords[key].In(l) }

var talkWords = map[string]lang.Message{
	"nav":   {EN: "Talk", FR: "Parler"},
	"title": {EN: "Talk to Readback", FR: "Parler à Readback"},
	"what": {
		EN: "Ask aloud for a text, hear it read back word for word, and answer aloud. There is no button for that answer: only your voice gives it.",
		FR: "Demandez un texto de vive voix, écoutez-le relu mot pour mot, et répondez de vive voix. Aucun bouton ne donne cette réponse : seule votre voix la donne.",
	},
	"begin": {EN: "Start a call", FR: "Commencer un appel"},
	"again": {EN: "Start a new call", FR: "Commencer un nouvel appel"},
	"away": {
		EN: "Readback cannot reach its LiveKit server now, so there can be no call. On the machine that runs it, this says why: readback doctor",
		FR: "Readback n'atteint pas son serveur LiveKit en ce moment, aucun appel n'est donc possible. Sur sa machine, ceci dit pourquoi : readback doctor",
	},
	"voice_only": {EN: "Only your voice answers: there is no button for it.", FR: "Seule votre voix répond : il n'y a pas de bouton pour cela."},
	"headphones": {
		EN: "With a screen reader, wear headphones: what it says aloud could be taken for your own words.",
		FR: "Avec un lecteur d'écran, mettez un casque : ce qu'il dit à voix haute pourrait être pris pour vos propres paroles.",
	},
	"no_script": {EN: "A call needs JavaScript, and a browser that can make calls.", FR: "Un appel demande JavaScript, et un navigateur qui sait en faire."},

	"call":      {EN: "Call", FR: "Appel"},
	"press":     {EN: "Talk", FR: "Parler"},
	"hang_up":   {EN: "Hang up", FR: "Raccrocher"},
	"sound":     {EN: "Turn the sound on", FR: "Activer le son"},
	"said":      {EN: "What was said", FR: "Ce qui a été dit"},
	"said_none": {EN: "Nothing yet.", FR: "Rien encore."},
	"caller":    {EN: "You", FR: "Vous"},
	"agent":     {EN: "Readback", FR: "Readback"},
	"cut":       {EN: "The rest is not shown.", FR: "La suite n'est pas montrée."},
	"missing":   {EN: "Something that was said is not shown here.", FR: "Une partie de ce qui a été dit n'est pas montrée ici."},
	"segment":   {EN: "1 segment", FR: "1 segment"},
	"segments":  {EN: "%d segments", FR: "%d segments"},
	"others": {
		EN: "Somebody else is in this call. Only your own microphone is listened to; if you did not expect them, hang up.",
		FR: "Quelqu'un d'autre est dans cet appel. Seul votre propre micro est écouté ; si vous n'attendiez personne, raccrochez.",
	},

	"is_ready":      {EN: "Press Talk, and let your browser use the microphone.", FR: "Appuyez sur Parler, et laissez votre navigateur utiliser le micro."},
	"is_asking":     {EN: "Your browser asks whether this page may use the microphone.", FR: "Votre navigateur demande si cette page peut utiliser le micro."},
	"is_connecting": {EN: "Connecting…", FR: "Connexion…"},
	"is_talk":       {EN: "You can talk.", FR: "Vous pouvez parler."},
	"is_reading": {
		EN: "Listen: the text is read back to you. An answer does not count before the end.",
		FR: "Écoutez : le texto vous est relu. Une réponse ne compte pas avant la fin.",
	},
	"is_listening": {EN: "Answer now.", FR: "Répondez maintenant."},
	"is_yes":       {EN: "That was a yes.", FR: "C'était un oui."},
	"is_no":        {EN: "That was a no.", FR: "C'était un non."},
	"is_unclear":   {EN: "The answer was not clear.", FR: "La réponse n'était pas claire."},
	"is_left":      {EN: "Sent.", FR: "Envoyé."},
	"is_handed":    {EN: "Handed to the carrier.", FR: "Remis à l'opérateur."},
	"is_not_left":  {EN: "Not sent.", FR: "Pas envoyé."},
	"is_not_known": {
		EN: "Whether it was sent is not known yet. History says what becomes of it.",
		FR: "On ne sait pas encore s'il est parti. L'historique dit ce qu'il en advient.",
	},
	"is_withdrawn":    {EN: "Dropped. Nothing was sent.", FR: "Abandonné. Rien n'est parti."},
	"is_reconnecting": {EN: "The connection broke. Trying to get it back…", FR: "La connexion est rompue. Tentative de rétablissement…"},
	"is_hung_up":      {EN: "You hung up.", FR: "Vous avez raccroché."},
	"is_ended": {
		EN: "Readback ended the call. If you did not expect that, its log says why.",
		FR: "Readback a mis fin à l'appel. Si vous ne vous y attendiez pas, son journal dit pourquoi.",
	},
	"is_lost":   {EN: "The connection was lost, and the call is over.", FR: "La connexion est perdue, et l'appel est terminé."},
	"is_nobody": {EN: "Nobody took the call. The log of Readback says why.", FR: "Personne n'a pris l'appel. Le journal de Readback dit pourquoi."},
	"is_refused": {
		EN: "The microphone was refused. Allow it for this page in the browser's settings, then start a new call.",
		FR: "Le micro a été refusé. Autorisez-le pour cette page dans les réglages du navigateur, puis commencez un nouvel appel.",
	},
	"is_no_microphone": {EN: "No microphone was found. Connect one, then start a new call.", FR: "Aucun micro n'a été trouvé. Branchez-en un, puis commencez un nouvel appel."},
	"is_insecure": {
		EN: "This browser gives no microphone to a page at this address. Open it by https, or on the machine itself by http://localhost.",
		FR: "Ce navigateur ne donne pas de micro à une page de cette adresse. Ouvrez-la par https, ou sur la machine même par http://localhost.",
	},
	"is_expired": {
		EN: "This invitation is over: it lasts two minutes, and lets one browser in. Start a new call.",
		FR: "Cette invitation est périmée : elle dure deux minutes, et laisse entrer un seul navigateur. Commencez un nouvel appel.",
	},
	"is_not_let_in": {
		EN: "The LiveKit server did not let this browser in. On the machine that runs Readback, this says why: readback doctor. If it finds nothing, public_url under [livekit] may lead to another server.",
		FR: "Le serveur LiveKit n'a pas laissé entrer ce navigateur. Sur la machine de Readback, ceci dit pourquoi : readback doctor. Si rien n'est trouvé, public_url sous [livekit] mène peut-être à un autre serveur.",
	},
	"is_unreachable": {
		EN: "This browser does not reach the LiveKit server. Where that stays so, see public_url under [livekit] in the configuration.",
		FR: "Ce navigateur n'atteint pas le serveur LiveKit. Si cela persiste, voyez public_url sous [livekit] dans la configuration.",
	},

	"draft_reading":   {EN: "Being read back", FR: "En cours de relecture"},
	"draft_listening": {EN: "Waiting for your voice", FR: "En attente de votre voix"},
	"draft_yes":       {EN: "Your answer: yes", FR: "Votre réponse : oui"},
	"draft_no":        {EN: "Your answer: no", FR: "Votre réponse : non"},
	"draft_unclear":   {EN: "Your answer was not clear", FR: "Votre réponse n'était pas claire"},
	"draft_left":      {EN: "Sent", FR: "Envoyé"},
	"draft_handed":    {EN: "Handed to the carrier", FR: "Remis à l'opérateur"},
	"draft_not_left":  {EN: "Not sent", FR: "Pas envoyé"},
	"draft_not_known": {EN: "May have been sent: see History", FR: "Peut-être envoyé : voir l'historique"},
	"draft_broken_off": {
		EN: "The call ended while it was read back: see History",
		FR: "L'appel a pris fin pendant la relecture : voir l'historique",
	},
	"draft_withdrawn": {EN: "Dropped, not sent", FR: "Abandonné, pas envoyé"},
}
