package screen

import "readback/smsmcp/lang"

// Consent gives the words of the page on which the owner lets a client in, and of the list of those that are in, by their key; "" where there is none. Keys that begin with problem_, scope_ or
// why_ end with a code of smsmcp/oauth, in which a colon is written as "_".
func Consent(l lang.Lang, key string) string { return consentWords[key].In(l) }

// What names a client, or where it is. A client's name is in a form that may stand anywhere.
var (
	ConsentNamed = lang.Message{
		EN: "It calls itself “%s”. Any program can choose any name.",
		FR: "Il se nomme « %s ». Tout programme peut choisir n'importe quel nom.",
	}
	ConsentTo = lang.Message{
		EN: "It is let in by way of %s. If you do not know that site, or did not come from there just now, do not let it in.",
		FR: "Il entre par %s. Si vous ne connaissez pas ce site, ou si vous n'en venez pas à l'instant, ne le laissez pas entrer.",
	}
	ConsentHere = lang.Message{
		EN: "It is let in by way of a program on the device that shows this page (%s). If you did not start one there just now, do not let it in.",
		FR: "Il entre par un programme de l'appareil qui affiche cette page (%s). Si vous n'en avez lancé aucun à l'instant, ne le laissez pas entrer.",
	}
	ConsentFrom = lang.Message{EN: "Who it is, it says at %s.", FR: "Ce qu'il est, il le dit sur %s."}
	ClientSays  = lang.Message{EN: "%s, which calls itself “%s”", FR: "%s, qui se nomme « %s »"}
	ConsentBack = lang.Message{
		EN: "You are on your way back to %s. If nothing happens, begin again there.",
		FR: "Vous retournez à %s. Si rien ne se passe, recommencez là-bas.",
	}
)

var consentWords = map[string]lang.Message{
	"title":   {EN: "Let a program in?", FR: "Laisser entrer un programme ?"},
	"unnamed": {EN: "It gives no name that can be shown.", FR: "Il ne donne aucun nom qui puisse être affiché."},
	"self":    {EN: "It registered itself: no site says who it is.", FR: "Il s'est inscrit lui-même : aucun site ne dit qui il est."},
	"may":     {EN: "Once it is in, it can:", FR: "Une fois entré, il peut :"},
	"scope_texts_read": {
		EN: "read the texts that you received and sent, and find the names of your contacts",
		FR: "lire les textos que vous avez reçus et envoyés, et trouver les noms de vos contacts",
	},
	"scope_texts_send": {
		EN: "send texts to your contacts, by the rules you set; what needs your yes still needs it",
		FR: "envoyer des textos à vos contacts, selon vos règles ; ce qui demande votre oui le demande toujours",
	},
	"until": {
		EN: "It stays in until you end that, on the page Clients, or until it has not come for 180 days.",
		FR: "Il reste jusqu'à ce que vous y mettiez fin, à la page Clients, ou jusqu'à 180 jours sans venir.",
	},
	"allow":        {EN: "Let it in", FR: "Le laisser entrer"},
	"deny":         {EN: "Don't let it in", FR: "Ne pas le laisser entrer"},
	"changed":      {EN: "What the program says of itself has changed since this page was shown. Look again.", FR: "Ce que le programme dit de lui-même a changé depuis l'affichage de cette page. Regardez à nouveau."},
	"again":        {EN: "This page was shown to another visit, or was answered already. Look again.", FR: "Cette page a été affichée lors d'une autre visite, ou a déjà reçu sa réponse. Regardez à nouveau."},
	"gone":         {EN: "No program that is in has that number.", FR: "Aucun programme entré ne porte cet identifiant."},
	"notice_in":    {EN: "A program was let in.", FR: "Un programme a été laissé entrer."},
	"notice_ended": {EN: "A program is no longer let in.", FR: "Un programme n'est plus laissé entrer."},

	"problem_title":        {EN: "This program cannot be let in", FR: "Ce programme ne peut pas entrer"},
	"problem_bad_request":  {EN: "What it asks cannot be read.", FR: "Ce qu'il demande est illisible."},
	"problem_bad_client":   {EN: "It is not known here. In the program, remove Readback and add it again.", FR: "Il n'est pas connu ici. Dans le programme, retirez Readback et ajoutez-le de nouveau."},
	"problem_bad_redirect": {EN: "It wants the answer sent to where it may not be.", FR: "Il veut que la réponse aille là où elle ne peut pas aller."},
	"problem_try_later":    {EN: "Its description cannot be had now. Try again in a minute.", FR: "Sa description est introuvable pour l'instant. Réessayez dans une minute."},
	"problem_broken":       {EN: "Something is wrong here. The log says what.", FR: "Quelque chose ne va pas ici. Le journal dit quoi."},

	"nav_clients": {EN: "Clients", FR: "Clients"},
	"none":        {EN: "No program was let in on this page.", FR: "Aucun programme n'a été laissé entrer par cette page."},
	"let_in":      {EN: "Let in", FR: "Entré"},
	"last_used":   {EN: "Last came", FR: "Dernière venue"},
	"ended":       {EN: "Ended", FR: "Fin"},
	"may_confirm": {EN: "A yes given in this program counts", FR: "Un oui donné dans ce programme compte"},
	"may_confirm_what": {
		EN: "A yes given in this program is weak: the program, or a model that drives it, could give it by itself. It never counts once a text has raised an alarm.",
		FR: "Un oui donné dans ce programme est faible : le programme, ou un modèle qui le pilote, pourrait le donner de lui-même. Il ne compte jamais après l'alarme d'un texto.",
	},
	"yes":             {EN: "yes", FR: "oui"},
	"no":              {EN: "no", FR: "non"},
	"may_confirm_on":  {EN: "Let its yes count", FR: "Laisser compter son oui"},
	"may_confirm_off": {EN: "Don't let its yes count", FR: "Ne plus laisser compter son oui"},
	"revoke":          {EN: "Let it in no longer", FR: "Ne plus le laisser entrer"},
	"revoke_ask":      {EN: "The program loses its access at once. To come back it has to ask again.", FR: "Le programme perd aussitôt son accès. Pour revenir, il devra redemander."},

	"why_owner":         {EN: "by you", FR: "par vous"},
	"why_client":        {EN: "by the program itself", FR: "par le programme lui-même"},
	"why_code_twice":    {EN: "its code came twice: somebody else may have seen it", FR: "son code est venu deux fois : quelqu'un d'autre l'a peut-être vu"},
	"why_refresh_twice": {EN: "its key came twice: somebody else may have had it", FR: "sa clé est venue deux fois : quelqu'un d'autre l'avait peut-être"},
	"why_unused":        {EN: "it did not come for too long", FR: "il n'est pas venu depuis trop longtemps"},
	"why_too_many":      {EN: "too many were in", FR: "trop de programmes étaient entrés"},
}
