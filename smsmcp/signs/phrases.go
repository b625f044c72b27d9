package signs

// The phrases are regular expressions on folded words: no accents, no case, words parted by one space; an apostrophe parts words too.
// A line is one alternative, and begins and ends with a whole word; a line that begins with a tab goes on with the one before. ~N stands
// for at most N words of any kind.

// assistantPhrases speak to a program that reads texts for somebody.
const assistantPhrases = `
(?:hey|hi|hello|dear|attention|attn|note to|message to|message for|instructions? to|instructions? for) (?:the |any |all |my )?(?:ai|
	llm|chatbot|claude|chatgpt|gpt|copilot|gemini)
(?:hey|dear|attention|attn|note to|message to|message for|instructions? to|instructions? for) (?:the |any |all |my )?(?:ai |virtual |
	digital |language )?(?:assistants?|agents?|bots?|models?)
(?:assistant|claude|chatgpt|copilot|gemini|ai) (?:please |you must |you should |you need to |you have to )?(?:send|text|forward|reply|
	ignore|tell|transfer|execute|read|write|delete|do not|don t)
you are (?:now )?(?:an?|the|my|no longer an?)~1 (?:ai|llm|language model|chatbot|(?:ai|virtual|helpful|digital|voice) (?:assistant|
	agent|bot|model))
you are (?:now )?(?:chatgpt|claude|gpt|copilot|gemini|dan|unrestricted|an unrestricted|jailbroken|in (?:developer|maintenance|debug|
	admin) mode)
(?:act|behave|respond|answer|speak|write|pretend) (?:as|like) (?:if you are |if you were )?(?:an? |the )?(?:unrestricted |helpful |
	evil )?(?:ai|llm|chatbot|chatgpt|gpt|language model|dan|assistant)
as an? (?:helpful |large |ai )?(?:ai|llm|language model|assistant language model|ai assistant|ai model)
ai (?:assistants?|agents?|models?) (?:reading|processing|that reads?|who reads?|should|must|please)
(?:your|the|its) (?:system|initial|full|entire|hidden|original|secret|developer|starting|internal)~1 (?:prompts?|instructions)
(?:print|show|reveal|repeat|output|display|leak|tell|give|share|summari[sz]e)~3 your~1 (?:prompts?|prompt texts?|instructions)
(?:change|update|forget|override) your instructions
system prompts?
(?:enter|enable|activate|switch to|engage|go into|going into)~1 (?:developer|jailbreak|dan|god|admin|debug|maintenance|unrestricted) mode
jailbreak
(?:cher|chere|a l|pour l|note a l|message a l|attention|instructions? a l|instructions? pour l) (?:assistant|assistante|ia|agent ia)
(?:tu es|vous etes|t es) (?:maintenant )?(?:une? |l |mon )?(?:ia|assistant|modele de langage|intelligence artificielle|chatbot|
	agent conversationnel)
en tant (?:que|qu)(?: une?)? (?:ia|assistant|modele de langage|intelligence artificielle)
(?:assistant|claude|chatgpt|ia) (?:veuillez|envoie|envoyez|reponds|repondez|texte|textez|dis|dites|transfere|transferez|ignore|
	ignorez|oublie|oubliez|tu dois|vous devez)
modele de langage
(?:ton|tes|votre|vos)~1 (?:prompts?|instructions? (?:systeme|initiales?|internes?|cachees?|de depart))
(?:querido|querida|estimado|estimada|atencion|hola|para el|para la|nota para el|mensaje para el|instrucciones? para el) (?:asistente|
	ia|chatbot)
(?:eres|usted es) (?:ahora )?(?:una? |el |la |mi )?(?:ia|asistente|modelo de lenguaje|inteligencia artificial|chatbot)
como (?:una? )?(?:ia|modelo de lenguaje|asistente virtual)
(?:asistente|claude|chatgpt) (?:por favor |debes )?(?:envia|envie|manda|mande|responde|reenvia|ignora|olvida|di|dile)
modelo de lenguaje
(?:tu|tus|su|sus) (?:prompt|instrucciones (?:iniciales|internas|de sistema|del sistema))
`

const assistantTriggers = `assistant assistante assistants asistente claude chatgpt gpt copilot gemini llm chatbot ai ia bot bots agent agents model models modele modelo
	prompt prompts instructions instrucciones jailbreak jailbroken dan unrestricted developer maintenance debug admin god intelligence inteligencia conversationnel`

// secrecyPhrases ask that somebody not be told. Each holds a word of secrecyVerbs and one of secrecyNots, or one of secrecyAlone.
const secrecyPhrases = `
(?:do not|don t|dont|never|no need to|must not|should not) (?:ever )?(?:tell|mention|reveal|inform|notify|alert|disclose)~2 (?:user|
	users|owner|account holder|admin|administrator|human|customer|client)
(?:do not|don t|dont|never) (?:tell|inform|mention|reveal|disclose|show)~1 (?:anyone|anybody|no one|him|her|them|about this|
	of this) (?:to anyone|(?:about |of )?this|that i|that you)
(?:do not|don t|dont|never) (?:mention|reveal|disclose) (?:this|these|that|any of this) (?:message|text|instructions?|request|
	to anyone|to anybody|to the|to him|to her)
(?:do not|don t|dont|never) let (?:the |your )?(?:user|owner|human|anyone|anybody) (?:know|notice|find out)
without~2 (?:telling|notifying|informing|alerting|asking)~2 (?:user|users|owner|owners|human|customer|anyone|anybody)
without~3 (?:user|users|owner|owners|anyone|anybody|him|her|them)(?: s)? (?:knowing|noticing|being aware|being informed|finding out|
	knowledge|consent|permission)
without~1 (?:knowledge|consent) (?:or|and)~1 (?:knowledge|consent|permission)
without (?:raising|arousing|causing|triggering) (?:any )?suspicions?
without (?:being |getting )?(?:noticed|detected|caught|detection)
(?:without|leave|leaving)~1 (?:a |any )traces?
without traces?
(?:goes?|going|remains?|stays?|staying)~1 (?:unnoticed|undetected)
(?:tell|tells|telling) (?:no one|nobody) (?:about|of|that)
(?:keep|keeping) (?:this|it|that|these|all of this|our conversation|this conversation|this message)~2 (?:secret|confidential)
(?:must|has to|needs to|should) (?:stay|remain|be kept) (?:a |strictly )?(?:secret|confidential)
(?:secretly|silently) (?:send|forward|transfer|text|share|copy|add|delete|change|modify|install|execute|perform|collect|monitor|
	access|record|grant|upload)
(?:send|forward|transfer|text|share|copy|delete|do|execute|perform) (?:this |it |that |them )?(?:secretly|silently|in secret)
(?:ne |n )?(?:le |la |les |en |lui )?(?:dis|dites|dire|parle|parlez|parler|mentionne|mentionnez|revele|revelez|montre|
	montrez)~2 (?:a personne|a l utilisateur|a l utilisatrice|au proprietaire|a la proprietaire|a quiconque|a qui que ce soit)
sans (?:le |la |lui |en |l |les )*(?:dire|prevenir|informer|avertir|mentionner|parler)~2 (?:personne|utilisateur|utilisatrice|
	proprietaire|quiconque)
sans (?:que|qu)~3 (?:sache|sachent|remarque|apercoive|courant)
a l insu (?:de|du|des)
(?:garde|gardez|garder) (?:ca|cela|ceci|le|la|ce message)~2 (?:pour toi|pour vous|secret|secrete|confidentiel)
(?:garde|gardez) le secret
(?:reste|restez|doit rester|rester) (?:strictement )?(?:secret|secrete|confidentiel|entre nous)
(?:secretement|discretement) (?:envoie|envoyez|transfere|transferez|texte|textez)
(?:envoie|envoyez|transfere|transferez)~1 (?:secretement|discretement|en secret|en silence)
no (?:se )?(?:lo |la |le |les )*(?:digas|diga|cuentes|cuente|menciones|mencione|reveles|revele|avises|avise)~2 (?:nadie|usuario|
	propietario|dueno)
sin que~2 (?:sepa|sepan|entere|enteren|note|noten)
sin (?:avisar|decir|decirle|informar)~2 (?:nadie|usuario|propietario|dueno)
(?:guarda|guarde|manten|mantenga|guardalo|mantenlo)~1 (?:secreto|en secreto)
en secreto (?:envia|manda|reenvia|transfiere)
(?:envia|manda|reenvia|transfiere)~1 en secreto
`

const (
	secrecyVerbs = `tell tells telling mention reveal inform notify alert disclose show know notice find knowing noticing informing notifying alerting asking knowledge consent
		raising arousing causing triggering noticed detected detection caught aware finding stay remain kept
		dis dites dire parle parlez parler mentionne mentionnez mentionner revele revelez montre montrez prevenir informer avertir sache sachent remarque apercoive courant
		reste restez rester garde gardez garder
		digas diga cuentes cuente menciones mencione reveles revele avises avise sepa sepan entere enteren note noten avisar decir decirle informar`
	secrecyNots = `not don dont never without no nobody user owner human
		ne n pas jamais rien personne sans quiconque utilisateur proprietaire toi vous entre
		nadie sin usuario propietario dueno`
	secrecyAlone = `secret secrete secretly silently secretement discretement confidential confidentiel trace traces unnoticed undetected insu secreto`
)

// ignorePhrases tell a reader to drop what it was told. Each holds a word of ignoreVerbs and one of ignoreObjects.
const ignorePhrases = `
(?:ignore|ignores|ignoring|disregard|disregarding|forget|forgetting|override|overrides|overriding|overlook|bypass|bypassing|
	supersedes?|erase|abandon)~6 (?:instructions?|prompts?|prompting|directions|directives?|guidelines|commands?|orders|rules|assignments|
	programming|constraints|restrictions|system message)
(?:ignore|disregard|forget|override) (?:all|any|every|the|your)?~1 ?(?:previous|prior|above|preceding|earlier) (?:tasks?|context|
	requests?|information|inputs?|thoughts|statements?|data|content)
(?:ignore|disregard|forget|override) (?:all|any|every) (?:of )?(?:the |your |those |these )?(?:previous|prior|above|preceding|earlier) (?:
	messages?|texts?|conversations?)
(?:ignore|disregard|forget)~1 (?:all|everything|anything)~6 (?:before|beforehand|above|previously|earlier|until now|
	so far|up to now|prior|previous|provided)
(?:ignore|disregard|forget)~1 (?:whatever|what) (?:was|were|is|came|comes|has been|had been)~3 (?:before|beforehand|above|previously|
	earlier|until now|so far|up to now|prior|previous|provided)
(?:ignore|disregard|forget) (?:all|everything) (?:that )?(?:you|i|we)(?: ve| have)? (?:know|learned|were told|was told|been told|
	told you|told)
(?:ignore|disregard|forget) (?:whatever|what) (?:you|they)(?: ve| have| had)? (?:know|learned|were told|been told|were instructed|told you to)
(?:ignore|disregard) (?:all|everything|the rest|any)~1 (?:info|information|data|documents?|context|content|text|of this|of the)
(?:do not|don t|dont|stop|without|instead of) (?:follow|following|obey|obeying|comply with|complying with)~3 (?:instructions?|rules|
	guidelines|directions|orders|prompts?)
(?:new|updated|real|actual|important|additional) (?:system )?instructions? (?:from|are as follows|follow|for you|override|supersede|
	replace|who|is to|are to)
(?:here are|obey|execute)~2 (?:new|following|real) instructions
(?:ignore|ignores|ignorez|ignorer|oublie|oublies|oubliez|oublier|annule|annulez|contourne|contournez)~5 (?:instructions?|consignes?|
	directives?|regles|ordres|prompts?)
(?:ignore|ignorez|oublie|oubliez)~2 (?:tout|toute|toutes|tous)~4 (?:precede|precedent|precedente|precedentes|avant|dessus)
(?:ignore|ignorez|oublie|oubliez)~1 ce (?:qui|que|qu)~1 (?:precede|est ecrit|est dit|est au dessus|est ci dessus|a ete dit|a ete ecrit)
(?:ignore|ignorez|oublie|oubliez) (?:tout )?ce qu (?:on|ils) (?:t|vous) (?:a|ont|avait|avaient) (?:dit|demande|ordonne|appris)
(?:ignore|ignorez|oublie|oubliez) tout ce que (?:je|tu|nous|vous)(?: t| te| vous)? (?:ai|as|avons|avez|sais|savez)(?: dit| appris| demande)?
(?:ne|n) (?:tiens|tenez|tenir|suis|suivez|suivre|respecte|respectez) (?:pas|plus|aucun|aucune|compte)~3 (?:instructions?|consignes?|
	directives?|regles?|ordres?)
(?:sans|ne pas) (?:en )?tenir compte~3 (?:instructions?|consignes?|directives?|regles?)
(?:fais|faites) (?:abstraction|fi)~3 (?:instructions?|consignes?|directives?|regles?|precede)
(?:voici|suis|suivez|obeis|obeissez)~2 nouvelles (?:instructions|consignes|directives)
(?:ignora|ignore|ignorad|ignoren|ignorar|olvida|olvide|olvidad|olvidar|omite|omita|descarta|descarte)~5 (?:instruccion|instrucciones|
	indicaciones|ordenes|reglas|directrices|prompt)
(?:ignora|ignore|olvida|olvide)~1 (?:todo|toda|todas|todos)~4 (?:anterior|anteriores|antes|arriba|dicho|previo|digo)
(?:ignora|ignore|olvida|olvide) lo (?:anterior|previo|de antes|de arriba|dicho|que (?:te|le|os|les) (?:han|habian) dicho)
(?:no hagas caso|no haga caso|haz caso omiso|haga caso omiso|no sigas|no siga)~3 (?:instrucciones|indicaciones|ordenes|reglas|anterior)
(?:sigue|estas son|obedece)~2 nuevas (?:instrucciones|ordenes|indicaciones)
`

const (
	ignoreVerbs = `ignore ignores ignoring disregard disregarding forget forgetting override overrides overriding overlook bypass bypassing supersede supersedes erase abandon
		follow following obey obeying comply complying new updated real actual important additional execute here
		ignorez ignorer oublie oublies oubliez oublier annule annulez contourne contournez tiens tenez tenir suis suivez suivre respecte respectez fais faites
		voici obeis obeissez
		ignora ignorad ignoren ignorar olvida olvide olvidad olvidar omite omita descarta descarte hagas haga haz sigas siga sigue estas obedece`
	ignoreObjects = `instruction instructions prompt prompts prompting directions directive directives guidelines command commands orders rules assignments programming
		constraints restrictions system previous prior above preceding earlier before beforehand previously far provided until now told know learned said info information data
		document documents context content text rest
		consigne consignes regles ordres ordre regle precede precedent precedente precedentes avant dessus dit ecrit appris demande ordonne sais savez
		instruccion instrucciones indicaciones ordenes reglas directrices anterior anteriores antes arriba dicho previo digo`
)
