package finding

import "readback/smsmcp/lang"

// What is found of the owner's LiveKit server.
var (
	Rooms      = lang.Message{EN: "LiveKit", FR: "LiveKit"}
	RoomsOK    = lang.Message{EN: "%s answers, and takes the key", FR: "%s répond, et accepte la clé"}
	RoomsClock = lang.Message{
		EN: "the clock of %s is %s away from this machine's: tokens are good for minutes, so set both right",
		FR: "l'horloge de %s est décalée de %s par rapport à celle de cette machine\u00a0: les jetons valent quelques minutes, réglez donc les deux",
	}

	RoomsCalls = lang.Message{EN: "calls in rooms", FR: "appels dans les salles"}
	RoomsAgent = lang.Message{EN: "the server is registered as the agent %s", FR: "le serveur est inscrit comme agent %s"}
	RoomsIdle  = lang.Message{EN: "nobody takes them while no server runs", FR: "personne ne les prend tant que le serveur ne marche pas"}
	RoomsHook  = lang.Message{
		EN: "they come by webhook: see that livekit.yaml has webhook.api_key %s, and in webhook.urls this server's address with /hooks/livekit, as in %s",
		FR: "ils arrivent par webhook\u00a0: vérifiez que livekit.yaml a webhook.api_key %s, et dans webhook.urls l'adresse de ce serveur avec /hooks/livekit, comme %s",
	}

	Talk     = lang.Message{EN: "talk in the browser", FR: "parler dans le navigateur"}
	TalkOff  = lang.Message{EN: "off (livekit.talk)", FR: "désactivé (livekit.talk)"}
	TalkOK   = lang.Message{EN: "from your page; the browser reaches LiveKit by %s", FR: "depuis votre page\u202f; le navigateur joint LiveKit par %s"}
	TalkHere = lang.Message{
		EN: "your page is at %s, but by %s a browser reaches LiveKit on this machine alone: set livekit.public_url to its wss:// address",
		FR: "votre page est à %s, mais par %s un navigateur ne joint LiveKit que sur cette machine\u00a0: mettez son adresse wss:// dans livekit.public_url",
	}
	TalkDeaf = lang.Message{
		EN: "nobody would be heard: a browser has no keys, so set speech.hears",
		FR: "personne ne serait entendu\u00a0: un navigateur n'a pas de touches, réglez donc speech.hears",
	}
	TalkNobody = lang.Message{EN: "only who has the passphrase may: set one with readback passphrase", FR: "seul qui a la phrase de passe le peut\u00a0: choisissez-en une avec readback passphrase"}
)
