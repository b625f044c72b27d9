package lang

// What is said of a configuration that cannot be used.
var (
	CLIConfigUnreadable = Message{"the configuration %s cannot be read: %s", "la configuration %s ne peut pas être lue : %s"}
	CLIConfigNotTOML    = Message{"%s, line %d: this is not valid TOML", "%s, ligne %d : ce n'est pas du TOML valide"}
	CLIConfigUnknownKey = Message{"%s, line %d: there is no key %s", "%s, ligne %d : la clé %s n'existe pas"}
	CLIConfigKeyFile    = Message{"%s, line %d: there is no key %s: put what it is into a file for Readback's user alone, and the name of the file into %s", "%s, ligne %d : la clé %s n'existe pas : mettez ce qu'elle vaut dans un fichier réservé à l'utilisateur de Readback, et le nom du fichier dans %s"}
	CLIConfigTwice      = Message{"%s, line %d: %s is set a second time", "%s, ligne %d : %s est donnée une seconde fois"}
	CLIConfigKind       = Message{"%s, line %d: %s takes %s", "%s, ligne %d : %s attend %s"}
	CLIConfigValue      = Message{"%s, line %d: %s is %v: use %s", "%s, ligne %d : %s vaut %v : utilisez %s"}
	CLIConfigValueEnv   = Message{"%s is %v: use %s", "%s vaut %v : utilisez %s"}
	CLIConfigHidden     = Message{"%s, line %d: %s cannot be used as it is: use %s", "%s, ligne %d : %s est inutilisable : donnez %s"}
	CLIConfigHiddenEnv  = Message{"%s cannot be used as it is: use %s", "%s est inutilisable : donnez %s"}
	CLIConfigMissing    = Message{"the configuration says %s = %v: use %s", "la configuration dit %s = %v : utilisez %s"}

	CLIKindTable  = Message{"a table, and no value", "une table, et non une valeur"}
	CLIKindSpan   = Message{"a length of time, as in \"90s\", \"10m\" or \"72h\"", "une durée, comme \"90s\", \"10m\" ou \"72h\""}
	CLIKindBool   = Message{"true or false", "true ou false"}
	CLIKindInt    = Message{"a whole number", "un nombre entier"}
	CLIKindList   = Message{"a list, as in [\"a\", \"b\"]", "une liste, comme [\"a\", \"b\"]"}
	CLIKindString = Message{"words between quotation marks", "des mots entre guillemets droits"}

	CLIWantBetween     = Message{"%v to %v", "une valeur de %v à %v"}
	CLIWantOneOf       = Message{"one of: %s", "l'une de ces valeurs : %s"}
	CLIWantZone        = Message{"a time zone's name, as in \"America/Toronto\", or \"Local\"", "le nom d'un fuseau horaire, comme \"America/Toronto\", ou \"Local\""}
	CLIWantClock       = Message{"a time of day, as in \"22:30\", or \"\"", "une heure du jour, comme \"22:30\", ou \"\""}
	CLIWantBoth        = Message{"both guard.quiet_from and guard.quiet_to, or neither", "guard.quiet_from et guard.quiet_to ensemble, ou aucune des deux"}
	CLIWantRegion      = Message{"a country's two capital letters, as in \"CA\"", "les deux majuscules d'un pays, comme \"CA\""}
	CLIWantAddress     = Message{"an address and a port, as in \"127.0.0.1:8787\"", "une adresse et un port, comme \"127.0.0.1:8787\""}
	CLIWantProxy       = Message{"an address or a range, as in \"10.0.0.5\" or \"10.0.0.0/8\"", "une adresse ou une plage, comme \"10.0.0.5\" ou \"10.0.0.0/8\""}
	CLIWantEmail       = Message{"an e-mail address, or \"\"", "une adresse de courriel, ou \"\""}
	CLIWantDirectory   = Message{"an https address, or \"\" for Let's Encrypt", "une adresse https, ou \"\" pour Let's Encrypt"}
	CLIWantCertificate = Message{"true, or else tls.cert_file and tls.key_file, and not both", "true, ou sinon tls.cert_file et tls.key_file, mais pas les deux"}
	CLIWantNames       = Message{"public_url or public_hosts with it: the names to get certificates for", "public_url ou public_hosts avec cela : les noms pour lesquels obtenir des certificats"}
	CLIWantHost        = Message{"a host's name alone, as in \"texts.example.com\"", "le seul nom d'un hôte, comme \"textos.example.com\""}
	CLIWantOrigin      = Message{"a whole origin, as in \"https://example.com\"", "une origine complète, comme \"https://example.com\""}
	CLIWantFolder      = Message{"a folder (there is no HOME to make one in)", "un dossier (il n'y a pas de HOME où en créer un)"}
	CLIWantURL         = Message{"an https:// address without a password or a question mark", "une adresse https:// sans mot de passe ni point d'interrogation"}
	CLIWantE164        = Message{"your number at the carrier in whole, as in \"+14185550123\"", "votre numéro complet chez l'opérateur, comme \"+14185550123\""}
	CLIWantUsername    = Message{"the user name of your account at voip.ms", "le nom d'utilisateur de votre compte voip.ms"}
	CLIWantPassword    = Message{"the name of a file that holds the API password", "le nom d'un fichier qui contient le mot de passe de l'API"}
	CLIWantOneOfTwo    = Message{"either %s.password or %s.password_file, and not both", "ou bien %s.password, ou bien %s.password_file, mais pas les deux"}
	CLIWantARI         = Message{"the address of Asterisk's ARI, as in \"https://127.0.0.1:8089/ari\"", "l'adresse de l'ARI d'Asterisk, comme \"https://127.0.0.1:8089/ari\""}
	CLIWantARIUser     = Message{"the name of a user in Asterisk's ari.conf: letters, digits and _ . @ -", "le nom d'un utilisateur du ari.conf d'Asterisk : lettres, chiffres et _ . @ -"}
	CLIWantWord        = Message{"a name of letters, digits, _ and -, 64 at most", "un nom fait de lettres, chiffres, _ et -, 64 au plus"}
	CLIWantServer      = Message{"the trunk's server, as in \"montreal1.voip.ms:5061\"", "le serveur du trunk, comme \"montreal1.voip.ms:5061\""}
	CLIWantARIPassword = Message{"the name of a file that holds the ARI password", "le nom d'un fichier qui contient le mot de passe de l'ARI"}
	CLIWantNtfy        = Message{"the address of an ntfy server alone: the topic has a key of its own", "l'adresse d'un serveur ntfy et rien de plus : le sujet a sa propre clé"}
	CLIWantOwnTopic    = Message{"a topic of its own: whoever reads ntfy.topic would see the buttons that answer for you", "un sujet à part : quiconque lit ntfy.topic verrait les boutons qui répondent en votre nom"}
	CLIWantPublic      = Message{"the address of this server alone, as in \"https://texts.example.com\"", "l'adresse de ce serveur et rien de plus, comme \"https://textos.example.com\""}
	CLIWantToken       = Message{"the name of a file that holds an access token of ntfy", "le nom d'un fichier qui contient un jeton d'accès de ntfy"}

	CLIWantShortName  = Message{"a name of letters, 40 characters at most", "un nom fait de lettres, de 40 caractères au plus"}
	CLIWantMedia      = Message{"an address of this machine that Asterisk reaches, as in \"127.0.0.1\"", "une adresse de cette machine qu'Asterisk peut joindre, comme \"127.0.0.1\""}
	CLIWantEngineName = Message{"a name as the engine's server has it, without spaces", "un nom tel que le serveur du moteur le connaît, sans espace"}
	CLIWantKeyFile    = Message{"the name of a file that holds the key of its API", "le nom d'un fichier qui contient la clé de son API"}
	CLIWantWyoming    = Message{"tcp://HOST:PORT of this machine or your own network, as in \"tcp://127.0.0.1:10300\": that wire is not encrypted", "tcp://HÔTE:PORT sur cette machine ou votre propre réseau, comme \"tcp://127.0.0.1:10300\" : ce lien n'est pas chiffré"}
	CLIWantLiveKit    = Message{
		"the address of a LiveKit server, as in \"wss://livekit.example.com\", or \"ws://127.0.0.1:7880\" on this machine or your own network",
		"l'adresse d'un serveur LiveKit, comme \"wss://livekit.exemple.com\", ou \"ws://127.0.0.1:7880\" sur cette machine ou votre propre réseau",
	}
	CLIWantLiveKitBare = Message{
		"that alone, with no user name, no password, no path and nothing behind it: what lets Readback in is livekit.key and livekit.secret_file",
		"cela seul, sans nom d'utilisateur, ni mot de passe, ni chemin, ni rien après : ce qui fait entrer Readback, ce sont livekit.key et livekit.secret_file",
	}
	CLIWantLiveKitPublic = Message{
		"the address by which your browser reaches the LiveKit server, as in \"wss://livekit.example.com\" (without TLS it is ws://localhost or ws://127.0.0.1 alone), or leave it empty and set livekit.talk = false",
		"l'adresse par laquelle votre navigateur joint le serveur LiveKit, comme \"wss://livekit.exemple.com\" (sans TLS, seulement ws://localhost ou ws://127.0.0.1), ou laissez-la vide et mettez livekit.talk = false",
	}
	CLIWantLiveKitKey    = Message{"the name of an API key of the LiveKit server", "le nom d'une clé d'API du serveur LiveKit"}
	CLIWantLiveKitSecret = Message{"the name of a file that holds that key's secret", "le nom d'un fichier qui contient le secret de cette clé"}

	CLIEnvUnknown = Message{
		"there is no variable %s: see deploy/readback.toml for the keys",
		"la variable %s n'existe pas : voyez deploy/readback.toml pour les clés",
	}
	CLIEnvWall = Message{
		"%s cannot be set by the environment: what may loosen a wall comes from the configuration file alone",
		"%s ne peut pas venir de l'environnement : ce qui peut affaiblir un rempart vient du seul fichier de configuration",
	}
	CLIEnvQuiet = Message{
		"%s would move the quiet hours: set time_zone in the configuration file instead",
		"%s déplacerait les heures calmes : donnez plutôt time_zone dans le fichier de configuration",
	}
	CLIEnvSecret = Message{
		"%s would show a secret to other programs: write it to a file and name that in %s",
		"%s montrerait un secret à d'autres programmes : écrivez-le dans un fichier et nommez celui-ci dans %s",
	}
)
