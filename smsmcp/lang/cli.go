package lang

// The command line's help: a line for the list of commands, and what a newcomer needs to know.
var (
	CLIRoot     = Message{"let Claude text for you", "laissez Claude écrire des textos pour vous"}
	CLIRootLong = Message{
		`Readback lets Claude text for you, and keeps your yes between a stranger's words and your contacts.

Start here:
  readback demo     see what it does, in ten seconds, without an account
  readback serve    run it, with a built-in sandbox instead of a carrier`,
		`Readback laisse Claude écrire des textos pour vous, et garde votre oui entre les mots d'un inconnu et vos contacts.

Pour commencer :
  readback demo     voir ce qu'il fait, en dix secondes, sans compte
  readback serve    le lancer, avec un bac à sable intégré au lieu d'un opérateur`,
	}
	CLIGroupRun   = Message{"Run it:", "Mise en marche :"}
	CLIGroupTexts = Message{"Rule what is sent:", "Décider de ce qui part :"}
	CLIGroupOwn   = Message{"Set it up:", "Réglages :"}

	CLIHelpUsage    = Message{"Usage:", "Utilisation :"}
	CLIHelpCommand  = Message{"COMMAND", "COMMANDE"}
	CLIHelpCommands = Message{"Commands:", "Commandes :"}
	CLIHelpExamples = Message{"Examples:", "Exemples :"}
	CLIHelpFlags    = Message{"Flags:", "Options :"}
	CLIHelpAllFlags = Message{"Flags of every command:", "Options de toutes les commandes :"}
	CLIHelpMore     = Message{"More about one command: %s COMMAND --help", "Pour en savoir plus sur une commande : %s COMMANDE --help"}
	CLIHelp         = Message{"help about a command", "l'aide sur une commande"}

	CLIFlagConfig  = Message{"configuration `FILE` (usually ~/.config/readback/readback.toml)", "`FICHIER` de configuration (d'ordinaire ~/.config/readback/readback.toml)"}
	CLIFlagData    = Message{"data `FOLDER` (usually ~/.local/share/readback)", "`DOSSIER` des données (d'ordinaire ~/.local/share/readback)"}
	CLIFlagHelp    = Message{"this help", "cette aide"}
	CLIFlagVersion = Message{"the version", "la version"}
	CLIFlagListen  = Message{"`ADDRESS` to listen on (usually 127.0.0.1:8787)", "`ADRESSE` d'écoute (d'ordinaire 127.0.0.1:8787)"}
	CLIFlagJSON    = Message{"one JSON object a line", "un objet JSON par ligne"}
	CLIFlagLimit   = Message{"how `MANY`, newest first (usually 50)", "`COMBIEN`, les plus récents d'abord (d'ordinaire 50)"}
	CLIFlagAlias   = Message{"another `NAME` for the same person; may be given again", "un autre `NOM` de la même personne ; peut être répété"}
	CLIFlagNumber  = Message{"another `NUMBER` they text from; may be given again", "un autre `NUMÉRO` d'où cette personne écrit ; peut être répété"}
	CLIFlagFrom    = Message{"the sender's `NUMBER`, as a carrier would write it", "le `NUMÉRO` de l'expéditeur, tel qu'un opérateur l'écrirait"}
	CLIFlagAt      = Message{"`TIME` of arrival, as in 14:05 or \"2026-11-30 14:05\" (usually now)", "`HEURE` d'arrivée, comme 14:05 ou \"2026-11-30 14:05\" (d'ordinaire maintenant)"}

	CLIServe     = Message{"run the server that Claude talks to", "lancer le serveur auquel Claude parle"}
	CLIServeLong = Message{
		`Runs the server until Ctrl+C. Without a configuration it uses the built-in sandbox: no text leaves this machine. It makes
its data folder and a first token by itself, and prints how to add it to Claude.`,
		`Fait marcher le serveur jusqu'à Ctrl+C. Sans configuration, il utilise le bac à sable intégré : aucun texto ne quitte cette
machine. Il crée lui-même son dossier de données et un premier jeton, et affiche comment l'ajouter à Claude.`,
	}
	CLIMCP     = Message{"the same tools over standard input and output", "les mêmes outils par l'entrée et la sortie standard"}
	CLIMCPLong = Message{
		`Claude Desktop and Claude Code start this command themselves. It relays to the server that readback serve runs, and
holds nothing of its own. With --url http://127.0.0.1:…, whoever holds the port gets your token: use https, or a port that only
the server's user can take.`,
		`Claude Desktop et Claude Code lancent eux-mêmes cette commande. Elle relaie vers le serveur que readback serve fait marcher, et
ne détient rien. Avec --url http://127.0.0.1:…, votre jeton va à qui tient le port : utilisez https, ou un port que seul
l'utilisateur du serveur peut prendre.`,
	}
	CLIDemo     = Message{"see what it does, without an account", "voir ce qu'il fait, sans compte"}
	CLIDemoLong = Message{
		`Plays a short story in the sandbox: texts arrive, one of them a stranger's in disguise; you see what the model sees, and
what the fence lets through and what it does not. Nothing is sent and nothing is kept.`,
		`Joue une courte histoire dans le bac à sable : des textos arrivent, dont celui d'un inconnu déguisé ; vous voyez ce que voit le
modèle, et ce que la clôture laisse passer ou non. Rien n'est envoyé et rien n'est conservé.`,
	}
	CLIDoctor     = Message{"check the installation, and say what to do", "vérifier l'installation, et dire quoi faire"}
	CLIDoctorLong = Message{
		`Checks configuration, data folder, clock, store, carrier, passphrase and address, each with ok or what to do. On Linux it also
looks among your user's programs for a Claude client: a program whose name begins with "claude", or node or bun running a
script with "claude" in its path. It knows no other client. The exit status is 1 if anything has failed.`,
		`Vérifie la configuration, le dossier de données, l'horloge, la base, l'opérateur, la phrase de passe et l'adresse, et dit chaque
fois si tout est bien ou quoi faire. Sous Linux, elle cherche aussi parmi les programmes de votre utilisateur un client
Claude : un programme dont le nom commence par « claude », ou node ou bun qui exécute un script dont le chemin contient
« claude ». Elle ne connaît aucun autre client. L'état de sortie est 1 si quelque chose a échoué.`,
	}

	CLIPending     = Message{"list the texts that wait for your yes", "montrer les textos qui attendent votre oui"}
	CLIPendingLong = Message{
		`Lists the texts that wait for your yes: to whom exactly, what exactly, why you are asked and until when. Beside a text, ┆ marks
a row that goes on with the one above; in it, ␣ is a space that could be overlooked.`,
		`Montre les textos qui attendent votre oui : à qui au juste, quoi au juste, pourquoi on vous le demande et jusqu'à quand. À côté
d'un texto, ┆ marque une rangée qui continue celle du dessus ; dedans, ␣ est une espace qui pourrait échapper au regard.`,
	}
	CLIApprove     = Message{"say yes to one text: it is sent at once", "dire oui à un texto : il part aussitôt"}
	CLIApproveLong = Message{
		"Shows the text once more, asks for your passphrase where you have one, and sends it.",
		"Montre le texto encore une fois, demande votre phrase de passe si vous en avez une, et l'envoie.",
	}
	CLIDeny     = Message{"say no to one text", "dire non à un texto"}
	CLIDenyLong = Message{
		"Says no to one text. A no never asks for a passphrase. After two in a row nothing is asked for a while.",
		"Dit non à un texto. Un non ne demande jamais de phrase de passe. Après deux de suite, on ne vous demande plus rien pour un temps.",
	}
	CLISettle     = Message{"say what became of a text when nobody knows", "dire ce qu'un texto est devenu quand personne ne le sait"}
	CLISettleLong = Message{
		`Says of a text that is unknown whether it was sent or has failed. Readback asks the carrier's own list first; what that cannot
tell, such as a text whose words the carrier changed, stays unknown until you look it up (in the carrier's portal, or by asking the
person) and say it. Until then the same text to the same person is refused. It asks for your passphrase where you have one.`,
		`Dit d'un texto incertain s'il est parti (sent) ou s'il a échoué (failed). Readback consulte d'abord la liste de l'opérateur ; ce
qu'elle ne peut pas dire, par exemple d'un texto dont l'opérateur a changé les mots, reste incertain jusqu'à ce que vous l'ayez vérifié
(dans le portail de l'opérateur, ou auprès de la personne) et le disiez. D'ici là, le même texto à la même personne est refusé. Votre
phrase de passe est demandée si vous en avez une.`,
	}
	CLISends     = Message{"list what was sent, refused or asked", "montrer ce qui est parti, a été refusé ou demandé"}
	CLISendsLong = Message{
		`Lists every send, newest first: when, to whom, what became of it, how it was confirmed, and which rules spoke. With --json
one object a line: id, time, contact, outcome, reasons, confirmed_by, answer (the words of a yes that was spoken on a call).`,
		`Montre chaque envoi, les plus récents d'abord : quand, à qui, ce qu'il est devenu, comment il a été confirmé et quelles règles ont
parlé. Avec --json, un objet par ligne : id, time, contact, outcome, reasons, confirmed_by,
answer (les mots d'un oui dit pendant un appel).`,
	}
	CLIFreeze     = Message{"freeze all sends, now", "geler tous les envois, tout de suite"}
	CLIFreezeLong = Message{
		"Freezes all sends until readback thaw, whoever asks. It never asks for a passphrase.",
		"Gèle tous les envois jusqu'à readback thaw, qui que ce soit qui demande. Aucune phrase de passe n'est demandée.",
	}
	CLIThaw     = Message{"let texts go again", "laisser repartir les textos"}
	CLIThawLong = Message{
		"Lifts the freeze that readback freeze set, or that a restored backup came with.",
		"Lève le gel posé par readback freeze, ou celui qui vient avec une sauvegarde restaurée.",
	}

	CLIContacts     = Message{"add, list, remove and import contacts", "ajouter, montrer, retirer et importer des contacts"}
	CLIContactsLong = Message{
		"Claude can text your contacts and nobody else, and only by their names. Numbers never pass through the model.",
		"Claude peut écrire à vos contacts et à personne d'autre, et seulement par leurs noms. Les numéros ne passent jamais par le modèle.",
	}
	CLIContactsAdd     = Message{"add a contact", "ajouter un contact"}
	CLIContactsAddLong = Message{
		"Adds a contact. Texts go to the first number; texts from any of the numbers are theirs. A contact that is there is never changed.",
		"Ajoute un contact. Les textos partent vers le premier numéro ; ceux qui viennent de l'un des numéros sont les siens. Un contact qui existe n'est jamais modifié.",
	}
	CLIContactsList       = Message{"list the contacts", "montrer les contacts"}
	CLIContactsListLong   = Message{"Lists your contacts by name.", "Montre vos contacts par ordre de nom."}
	CLIContactsRemove     = Message{"remove a contact", "retirer un contact"}
	CLIContactsRemoveLong = Message{
		"Removes a contact. What waits for your yes to them is void. Their old texts stay, as a stranger's.",
		"Retire un contact. Ce qui attend votre oui pour cette personne devient caduc. Ses anciens textos restent, comme ceux d'un inconnu.",
	}
	CLIContactsImport     = Message{"import contacts from a vCard or CSV file", "importer des contacts d'un fichier vCard ou CSV"}
	CLIContactsImportLong = Message{
		"Adds what fits and says of every other row why not. Nothing is merged, and no contact that is there is changed.",
		"Ajoute ce qui convient et dit de chaque autre ligne pourquoi non. Rien n'est fusionné, et aucun contact existant n'est modifié.",
	}
	CLIContactsClearStop     = Message{"text again someone who wrote STOP", "écrire de nouveau à qui a écrit STOP"}
	CLIContactsClearStopLong = Message{
		"Someone who writes STOP gets no text without your yes. This forgets it, for instance when they asked you to.",
		"Qui écrit STOP ne reçoit plus de texto sans votre oui. Ceci l'oublie, par exemple quand cette personne vous l'a demandé.",
	}

	CLIToken     = Message{"make, list and revoke tokens of MCP clients", "créer, montrer et révoquer les jetons des clients MCP"}
	CLITokenLong = Message{
		"Each MCP client shows a token. Give each its own: then you can see which one asked, and revoke it alone.",
		"Chaque client MCP présente un jeton. Donnez à chacun le sien : vous verrez lequel a demandé, et pourrez le révoquer seul.",
	}
	CLITokenNew     = Message{"make a token, and print it alone", "créer un jeton, et n'afficher que lui"}
	CLITokenNewLong = Message{
		"Prints the new token alone on standard output, once: only its hash is kept.",
		"Affiche le seul nouveau jeton sur la sortie standard, une fois : seule son empreinte est gardée.",
	}
	CLITokenList       = Message{"list the tokens' names", "montrer les noms des jetons"}
	CLITokenListLong   = Message{"Lists the tokens by name, never the tokens.", "Montre les jetons par leur nom, jamais les jetons eux-mêmes."}
	CLITokenRevoke     = Message{"revoke a token", "révoquer un jeton"}
	CLITokenRevokeLong = Message{"The token stops working at once.", "Le jeton cesse aussitôt de fonctionner."}

	CLIPassphraseCommand = Message{"set or change your passphrase", "choisir ou changer votre phrase de passe"}
	CLIPassphraseLong    = Message{
		`Sets your passphrase. With one, a yes, a thaw, and any change to contacts or tokens ask for it, on the terminal itself: a model
with a shell cannot give it. A real carrier needs one. It cannot be recovered, only kept.`,
		`Choisit votre phrase de passe. Dès lors, un oui, la levée du gel et tout changement des contacts ou des jetons la demandent, sur le terminal
lui-même : un modèle qui a un interpréteur de commandes ne peut pas la donner. Un véritable opérateur en exige une. Elle ne se
retrouve pas : gardez-la.`,
	}
	CLIBackup     = Message{"copy the store to a new file", "copier la base dans un nouveau fichier"}
	CLIBackupLong = Message{
		"Copies the store to a new file, also while the server runs. readback restore goes back to it.",
		"Copie la base dans un nouveau fichier, même pendant que le serveur marche. readback restore permet d'y revenir.",
	}
	CLIRestore     = Message{"go back to a backup", "revenir à une sauvegarde"}
	CLIRestoreLong = Message{
		`Puts a backup in the place of the store. The server must be stopped. The file is checked first, and the store that is there is
kept beside it under a dated name. A token that does not work now does not work then, and the passphrase that you have now
stays. What waited for a yes is void then, and all sends are frozen until readback thaw: texts that went after the backup was
made are not in it, so no limit counts them.`,
		`Met une sauvegarde à la place de la base. Le serveur doit être arrêté. Le fichier est d'abord vérifié, et la base qui est là est
gardée à côté sous un nom daté. Un jeton qui ne fonctionne pas maintenant ne fonctionnera pas ensuite, et la
phrase de passe d'aujourd'hui reste la vôtre. Ce qui attendait un oui est alors caduc, et tous les envois sont gelés jusqu'à
readback thaw : les textos partis après la sauvegarde n'y sont pas, et aucune limite ne les compte.`,
	}
	CLISandbox     = Message{"make texts arrive in the sandbox", "faire arriver des textos dans le bac à sable"}
	CLISandboxLong = Message{
		"The sandbox is the built-in carrier: it takes every text and sends it to nobody.",
		"Le bac à sable est l'opérateur intégré : il prend chaque texto et ne l'envoie à personne.",
	}
	CLIReceive     = Message{"a text arrives in the sandbox", "un texto arrive dans le bac à sable"}
	CLIReceiveLong = Message{
		"Makes a text arrive, as if somebody had sent it to you.",
		"Fait arriver un texto, comme si quelqu'un vous l'avait envoyé.",
	}
)

// CLIUsageWords are the words in a command's usage that stand for what is to be written there.
var CLIUsageWords = []Message{
	{"COMMAND", "COMMANDE"}, {"NAME", "NOM"}, {"NUMBER", "NUMÉRO"}, {"FILE", "FICHIER"}, {"ADDRESS", "ADRESSE"}, {"URL", "ADRESSE"}, {"TEXT", "TEXTE"},
	{"TIME", "HEURE"},
}

// What is wrong with how a command was called.
var (
	CLIUnknownCommand = Message{"%s is no command here: see %s --help", "%s n'est pas une commande ici : voyez %s --help"}
	CLIArgsMissing    = Message{"something is missing: %s (see %s --help)", "il manque quelque chose : %s (voyez %s --help)"}
	CLIArgsMany       = Message{
		"%s is one word too many: %s (words with spaces go between quotation marks; see %s --help)",
		"%s est de trop : %s (mettez entre guillemets droits ce qui contient des espaces ; voyez %s --help)",
	}
	CLIFlagUnknown = Message{"there is no flag %s", "l'option %s n'existe pas"}
	CLIFlagBare    = Message{"the flag --%s needs a value", "l'option --%s demande une valeur"}
	CLIFlagValue   = Message{"the flag --%s cannot be %s", "l'option --%s ne peut pas valoir %s"}
	CLIFromMissing = Message{"say who it is from: --from NUMBER", "dites de qui il vient : --from NUMÉRO"}
	CLISettleForm  = Message{"say what became of it: sent or failed, and not %s", "dites ce qu'il est devenu : sent (parti) ou failed (échoué), et non %s"}
	CLIAtForm      = Message{"%s is no time: write 14:05 or \"2026-11-30 14:05\"", "%s n'est pas une heure : écrivez 14:05 ou \"2026-11-30 14:05\""}
	CLIImportKind  = Message{"%s ends neither in .vcf nor in .csv", "%s ne finit ni par .vcf ni par .csv"}
)
