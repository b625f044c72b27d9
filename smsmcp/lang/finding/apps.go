package finding

import "readback/smsmcp/lang"

// How it stands with programs that are let in by a browser.
var (
	Apps        = lang.Message{EN: "Claude app", FR: "app Claude"}
	AppsOff     = lang.Message{EN: "off ([oauth] enabled): tokens that you make by hand work", FR: "fermé ([oauth] enabled) : les jetons créés à la main fonctionnent"}
	AppsNowhere = lang.Message{EN: "off: there is no public_url, by which it would come", FR: "fermé : il n'y a pas de public_url, par où elle viendrait"}
	AppsNobody  = lang.Message{EN: "nobody can let it in without a passphrase: readback passphrase", FR: "personne ne peut la laisser entrer sans phrase de passe : readback passphrase"}
	AppsNotNow  = lang.Message{EN: "comes in by %s/mcp, while the server runs", FR: "entre par %s/mcp, quand le serveur marche"}
	AppsOK      = lang.Message{EN: "add %s/mcp there as a custom connector, and agree in your browser", FR: "ajoutez-y %s/mcp comme connecteur personnalisé, et donnez votre accord dans le navigateur"}
	AppsHere    = lang.Message{EN: "%s/mcp is for programs on this machine alone", FR: "%s/mcp est pour les programmes de cette machine seule"}
	AppsSilent  = lang.Message{
		EN: "from here, %s does not answer as this Readback: if it does not from elsewhere either, look at DNS, the proxy and public_url",
		FR: "d'ici, %s ne répond pas comme ce Readback : si ce n'est pas le cas d'ailleurs non plus, voyez le DNS, le mandataire et public_url",
	}
)
