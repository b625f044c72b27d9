package signs

// The phrases stand folded: no accents, no case, words parted by one space, an apostrophe parts words too. Each must hold one of
// triggerWords; a test asserts it of every phrase.

const triggerWords = `
	assistant assistants asistente claude chatgpt gpt copilot gemini bard llm llms chatbot chatbots ai ia bot robot language langage lenguaje prompt prompts
	model modele modelo jailbreak dan unrestricted roleplay developer maintenance tu eres vous es mode
	tell tells telling mention reveal inform informing informed notify notifying notice noticed noticing alert alerting secret secrets secretly
	secrecy silently quietly discreetly trace traces undetected unnoticed knowing confidential know
	dis dites dire parle parlez mentionne mentionnez secrete secretement discretement silence insu savoir sache prevenir previens
	digas diga dile decir decirle cuentes cuenta menciones secreto sepa avisar avises silencio
	ignore ignores ignoring disregard disregarding forget forgetting overlook bypass override overriding supersede supersedes instructions instruction
	ignorez ignorer oublie oubliez oublier consignes directives instruccion instrucciones ignora ignorad ignorar ignoren olvida olvidad olvidar olvide
	omite omitir indicaciones ordenes caso
`

// assistantPhrases speak to a program that reads texts for somebody.
const assistantPhrases = `
	(?:hey|hi|hello|dear|attention|attn|note to|message to|message for|instructions? (?:to|for)|to) (?:the |any |all |my )?(?:ai|llm|chatbot|language model|claude|chatgpt|gpt|copilot|gemini|ai model|(?:ai|virtual|digital) (?:assistant|agent|bot)s?)
	(?:hey|dear|attention|attn|note to|message to|message for|instructions? (?:to|for)) (?:the |any |all |my )?(?:assistants?|model|robot|bot)
	(?:assistant|claude|chatgpt|copilot|gemini|ai) (?:please |you (?:must|should|need to|have to) )?(?:send|text|forward|reply|ignore|tell|call|transfer|answer|respond|execute|run|read|write|use|open|delete|do not|don t)
	(?:if )?you are (?:now )?(?:an?|the|my|no longer an?) (?:[a-z]+ )?(?:ai|llm|language model|chatbot|(?:ai|virtual|helpful|digital|voice) (?:assistant|agent|bot|model))
	you are (?:now )?(?:chatgpt|claude|gpt|copilot|gemini|dan|an unrestricted|in (?:developer|maintenance|debug|admin) mode|jailbroken)
	(?:act|behave|respond|answer|speak|write|reply|pretend) (?:as|like) (?:if you (?:are|were) )?(?:an? |the )?(?:[a-z]+ )?(?:ai|llm|chatbot|chatgpt|gpt|language model|dan|assistant|unrestricted)
	as an? (?:ai|llm|large language model|language model|ai language model|ai assistant|ai model|helpful assistant)
	ai assistants? (?:reading|processing|that reads?|who reads?|should|must|please)
	(?:your|the|its) (?:system|initial|full|entire|hidden|original|secret|developer|previous|above|starting|internal) (?:and [a-z]+ )?(?:prompts?|instructions?)
	(?:print|show|reveal|repeat|output|display|leak|tell|give|share|summarize|summarise) (?:me |us )?(?:all |back )?(?:of )?your (?:[a-z]+ )?(?:prompt|prompts|prompt texts|instructions?)
	system prompts?
	(?:enter|enable|activate|switch to|engage|you are in|going into) (?:[a-z]+ )?(?:developer|jailbreak|dan|god|admin|debug|maintenance|unrestricted) mode
	(?:jailbreak|do anything now)
	(?:cher|chere|a l|pour l|note a l|message a l|message pour l|attention|instructions? (?:a|pour) l) (?:assistant|ia|agent ia|assistant ia|assistante)
	(?:si )?(?:tu es|vous etes|t es) (?:maintenant )?(?:une? |l |mon )?(?:ia|assistant|assistant ia|assistant virtuel|modele de langage|intelligence artificielle|chatbot|agent conversationnel)
	(?:en tant qu|en tant que) (?:une? )?(?:ia|assistant|modele de langage|intelligence artificielle)
	(?:assistant|claude|chatgpt|ia) (?:veuillez|envoie|envoyez|reponds|repondez|texte|textez|dis|dites|transfere|transferez|ignore|ignorez|oublie|oubliez|tu dois|vous devez)
	modele de langage
	(?:ton|tes|votre|vos) (?:prompt|prompts|instructions? (?:systeme|initiales?|internes?|cachees?|de depart))
	(?:querido|querida|estimado|estimada|atencion|hola|para el|para la|al|nota para el|mensaje para el|instrucciones? para el) (?:asistente|asistente virtual|asistente de ia|ia|chatbot)
	(?:si )?(?:eres|usted es) (?:ahora )?(?:una? |el |la |mi )?(?:ia|asistente|asistente virtual|modelo de lenguaje|inteligencia artificial|chatbot)
	como (?:una? )?(?:ia|modelo de lenguaje|asistente virtual)
	(?:asistente|claude|chatgpt) (?:por favor |debes )?(?:envia|envie|manda|mande|responde|reenvia|ignora|olvida|di|dile)
	modelo de lenguaje
	(?:tu|tus|su|sus) (?:prompt|instrucciones (?:iniciales|internas|de sistema|del sistema))
`

// secrecyPhrases ask that somebody not be told.
const secrecyPhrases = `
	(?:do not|don t|dont|never|no need to|must not|should not|without) (?:ever )?(?:tell|telling|mention|mentioning|reveal|revealing|inform|informing|notify|notifying|alert|alerting)(?: this| that| it| anything)?(?: to| about)? (?:the |your |my )?(?:user|users|owner|account holder|admin|administrator|human|customer|client|victim)
	(?:do not|don t|dont|never) (?:mention|reveal|disclose) (?:this|these|that|any of this|that you) (?:message|text|instruction|instructions|request|to (?:anyone|anybody|the user|the owner|him|her|them)|received|got|were)
	without (?:the |your |their |his |her |my )?(?:[a-z]+ )?(?:user|users|owner|owners|people|person|human|customer|him|her|them|anyone|anybody|knowledge)(?: s)? (?:knowing|noticing|being (?:aware|informed|notified)|knowledge|consent|permission|or consent)
	without (?:raising|arousing|causing|triggering) (?:any )?(?:suspicions?|alarms?|alerts?)(?: about secrecy)?(?: or notice| notice| noticed| alerting)
	without (?:being |getting )?(?:noticed|informed|notified|detection and notice)
	without (?:a |any |leaving (?:a |any |behind )?)?traces?
	(?:goes?|going|remains?|remain|stay|stays|staying) (?:completely |totally )?(?:unnoticed|undetected)
	(?:keep|keeping) (?:this|it|that|these|all of this|our conversation|this conversation|this message) (?:strictly |completely |totally |a |as a |our |very )?(?:secret|confidential(?: from)|little secret)
	(?:this|it) (?:must|has to|needs to|should) (?:stay|remain|be kept) (?:a |strictly )?secret
	(?:secretly|silently) (?:send|forward|transfer|text|share|copy|add|delete|change|modify|install|execute|perform|collect|monitor|access|record|grant|upload)
	(?:send|forward|transfer|text|share|copy|delete|do|execute|perform) (?:this |it |that |them )?(?:secretly|silently)
	(?:tell|tells|telling) (?:no one|nobody) (?:about|of|that)
	(?:do not|don t|dont|never) let (?:the |your )?(?:user|owner|him|her|them|anyone|anybody) (?:know|notice) (?:about|that|of|this)
	(?:do not|don t|dont|never) (?:tell|inform) (?:anyone|anybody|no one|him|her|them) (?:about|of) this (?:message|text|request|instruction)
	(?:ne le |ne la |ne les |n en |ne |n )?(?:dis|dites|dire|parle|parlez|parler|mentionne|mentionnez|revele|revelez) (?:rien|pas|jamais|surtout pas)(?: (?:ca|cela|ceci|le|un mot|rien))* (?:a|au|aux|de ceci a) (?:personne|l utilisateur|l utilisatrice|utilisateur|proprietaire|la proprietaire|quiconque|qui que ce soit)
	(?:n en|ne le|ne|n) (?:dis|dites|parle|parlez|revele|revelez)(?: pas| jamais)? (?:a personne|un mot a|rien a personne)
	sans (?:le |la |lui |en |l |les )*(?:dire|prevenir|informer|avertir|mentionner|en parler|que personne)(?: le | la | l | a | au | aux | ne )*(?:l )?(?:personne|utilisateur|utilisatrice|proprietaire|le sache|sache|savoir)
	a l insu (?:de|du|des)
	(?:garde|gardez|garder) (?:ca|cela|ceci|le|la|ce message) (?:pour (?:toi|vous)|(?:strictement )?secret|secrete|confidentiel)
	(?:garde|gardez) le secret
	(?:reste|restez|doit rester|rester) (?:strictement )?secret(?:e)?(?: entre nous)?
	(?:secretement|discretement) (?:envoie|envoyez|transfere|transferez|texte|textez)
	(?:envoie|envoyez|transfere|transferez) (?:le |la |les |ceci |cela )?(?:secretement|discretement|en secret|en silence)
	no (?:se )?(?:lo |la |le |les )*(?:digas|diga|cuentes|cuente|menciones|mencione|reveles|revele)(?: esto| nada| eso)* (?:a|al) (?:nadie|usuario|propietario|dueno)
	sin (?:que )?(?:nadie|el usuario|el propietario|el dueno) (?:lo |se )?(?:sepa|entere|note)
	sin (?:avisar|decir|decirle|informar)(?: nada)? (?:a|al) (?:nadie|usuario|propietario|dueno)
	(?:guarda|guarde|manten|mantenga|guardalo|mantenlo) (?:esto |lo |el |en )*(?:secreto|en secreto)
	en secreto (?:envia|manda|reenvia|transfiere)
	(?:envia|manda|reenvia|transfiere) (?:lo |esto )?en secreto
`

// ignorePhrases tell a reader to drop what it was told.
const ignorePhrases = `
	(?:ignore|ignores|ignoring|disregard|disregarding|forget|forgetting|override|overriding|overlook|bypass|supersedes?|erase|cancel) (?:absolutely |completely |please )?(?:(?:all|any|every|everything|each|of|the|your|my|our|his|her|their|these|those|this|that|it|other|you|were|was|been|have|given|said|told|to|i|we|just) )*(?:(?:previous|prior|above|earlier|preceding|past|existing|current|original|initial|former|system|safety|other|old|before) )*(?:and [a-z]+ )?(?:instructions?|prompts?|prompting|directions?|directives?|rules|guidelines|commands?|orders|tasks?|assignments?|programming|constraints|restrictions|policies|context|previously|above|beforehand)
	(?:ignore|disregard|forget|forgetting) (?:all|everything|anything|whatever)(?: (?:of|that|you|i|we|what|was|were|have|has|had|been|the|said|told|just|know|learned|knew|written|heard|came|comes|already|got|here|mentioned))* (?:before|above|previously|earlier|until now|so far|up to now|prior|previous)
	(?:ignore|disregard|forget|forgetting) (?:(?:all|any|the|your|every) )*(?:previous|prior|above|preceding|earlier) (?:[a-z]+ )?(?:[a-z]+)
	(?:ignore|disregard|forget) (?:all |everything |what )?(?:you(?: ve)?|i(?: ve)?) (?:have )?(?:been |just |previously )?(?:told|said|learned)(?: you)? (?:before|previously|above|earlier|so far)
	(?:do not|don t|dont|stop|without|instead of) (?:follow|following|obey|obeying|complying with|comply with) (?:(?:all|any|the|your|of|those|these) )*(?:previous |prior |above |system |original |other )*(?:instructions?|rules|guidelines|directions|orders|prompts?)
	(?:new|updated|real|actual|important|following|these) (?:system )?instructions? (?:from|are as follows|follow|for you|override|supersede|replace)
	(?:here are|follow|obey|execute) (?:your |the |my |these |only (?:the|my|these) )?(?:new|following|real) instructions?
	(?:ignore|ignores|ignorez|ignorer|oublie|oublies|oubliez|oublier|annule|annulez|contourne|contournez) (?:(?:completement|donc|tout|toute|toutes|tous|ce|les|tes|vos|la|l|le|ton|votre|mes|ces|que|qui|precede|precedentes?|precedents?|anterieures?|autres?|consigne|et) )*(?:instructions?|consignes?|directives?|regles?|ordres?|ce qui precede|prompts?)
	(?:ignore|ignorez|oublie|oubliez) tout (?:ce )?(?:qui|que) (?:precede|tu|vous|t|on|je|a ete|est)
	(?:ne|n) (?:tiens|tenez|tenir|suis|suivez|suivre|respecte|respectez) (?:pas|plus|aucun|aucune) (?:(?:compte|des|de|les|tes|vos|la|ces) )*(?:instructions?|consignes?|directives?|regles?|ordres?)
	(?:sans|ne pas) tenir compte (?:des|de|du) (?:[a-z]+ )?(?:instructions?|consignes?|directives?|regles?)
	(?:fais|faites) (?:abstraction|fi) (?:des|de|du) (?:[a-z]+ )?(?:[a-z]+ )?(?:instructions?|consignes?|directives?|regles?)
	(?:nouvelles|voici (?:les|tes|vos) nouvelles) (?:instructions|consignes|directives)
	(?:ignora|ignore|ignorad|ignoren|ignorar|olvida|olvide|olvidad|olvidar|omite|omita|descarta|descarte) (?:(?:todo|toda|todas|todos|lo|las|los|la|el|tus|sus|mis|estas|esas|cualquier|que|anteriores?|previas?|previos?|otras|completamente) )*(?:instruccion|instrucciones|indicaciones|ordenes|reglas|directrices|anterior|prompt)
	(?:no (?:hagas|haga|hagan|sigas|siga)|haz|haga) (?:caso|caso omiso)?(?: )?(?:(?:a|de|omiso|las|los|tus|sus|lo|todas) )*(?:instrucciones|indicaciones|ordenes|reglas|anterior)
	(?:nuevas|estas son tus nuevas|sigue estas) (?:instrucciones|ordenes|indicaciones)
`
