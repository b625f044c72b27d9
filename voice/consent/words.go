package consent

// The words of a yes. They are written as the judge sees them, without case, accents and punctuation: c'est is "c est". A comma parts the
// phrases of a row. Both languages count in every call: people in Québec mix them, and so do recognisers.
//
// What is not here makes a turn Unclear. To add a word, ask what else it can mean at the end of "Send it?": if the caller could be about to go on, to ask, or to
// wave it away, it belongs among those that only support a yes, or nowhere.

type row struct{ lang, words, why string }

// yesRows are a yes by themselves.
var yesRows = []row{
	{"fr", "oui, ouais, ouai, ouaip, ouep, oue, voui, ui, wi", "the plain yes, as it is said and as recognisers write it"},
	{"fr", "mais oui, mais ouais, mais bien sur, mais certainement, mais absolument", "mais strengthens what follows it; alone, or at the end, it is a but"},
	{"fr", "d accord, daccord, dacord, d acord, dac, d acc", "agreed"},
	{"fr", "bien sur, bien sur que oui, bien entendu, bien evidemment, evidemment, naturellement, entendu, c est entendu", "of course"},
	{"fr", "certainement, absolument, tout a fait, exactement, exact, c est exact, effectivement, en effet, assurement, carrement, clairement, parfaitement, certain, sur et certain", "strong assent"},
	{"fr", "parfait, c est parfait, tres bien, c est tres bien, impeccable, impec, nickel, c est nickel, tout est beau, tout est bon, c est tout bon", "it is as it should be"},
	{"fr", "c est bon, c est beau, c est ok, c est good, c est tiguidou, tiguidou, ca marche, ca me va, ca roule, ca me convient, banco, ca fait mon affaire", "fine with me; c'est beau and tiguidou are Québec's"},
	{"fr", "mets en, met en, mettez en, mets zen", "Québec: and how; the last is how recognisers write it"},
	{"fr", "c est ca, c est bien ca, c est vrai, c est juste, c est oui, c est un oui, j ai dit oui, je dis oui", "that is right; I said yes"},
	{"fr", "allez y, envoye donc, tu peux y aller, vous pouvez y aller", "go ahead; vas-y is below"},
	{"fr", "alors oui, alors ok, alors d accord", "so yes; alors before the rest of this table makes a question of it"},
	{"fr", "je confirme, confirme, confirmez, je valide, valide, validez, j accepte, accepte, j approuve, approuve, volontiers, avec plaisir, affirmatif, positif", "formal assent; confirme also stands for confirmé"},
	{"fr", "je veux bien, je suis d accord, je suis d acord, on est d accord, moi ca me va, tu as mon accord, vous avez mon accord", "I am for it"},
	{"en", "yes, yeah, yea, yep, yup, ya, yah, yeap, yeh, yess, yas, aye, wee", "the plain yes; wee is how an English recogniser writes oui, and nobody answers small. (It writes we as well, but that is how a sentence begins: we is not here.)"},
	{"en", "ok, okay, o k, o kay, oh kay, okey, oki, okey dokey, okie dokie, alright, all right, alrighty, righto", "okay, and as recognisers split it"},
	{"en", "sure, sure thing, for sure, of course, certainly, absolutely, definitely, most definitely, totally, indeed, precisely, exactly, undoubtedly, without a doubt, by all means, you bet, you got it, surely", "strong assent"},
	{"en", "correct, that s correct, thats correct, that is correct, that s right, thats right, that is right, that s true, that is true, it s true, that s accurate, that is accurate, that s it, that s the one, spot on, exactly right", "it is as it should be; right alone is how a sentence begins"},
	{"en", "perfect, that s perfect, that is perfect, sounds good, sounds great, sounds fine, sounds right, looks good, good, that s good, that is good, very good, fine, that s fine, that is fine, that works, that ll do, that ll work, works for me", "fine with me; it's fine, I'm good and all good are left out: they wave things away"},
	{"en", "go ahead, goahead, go for it, please do, make it so, fire away, why yes, why certainly, why of course", "go ahead; why before anything else is a question"},
	{"en", "i agree, agree, agreed, i confirm, confirm, confirmed, i approve, approved, accepted, affirmative, positive, roger, roger that, copy that, ten four", "formal assent"},
	{"en", "i said yes, it s a yes, that s a yes, thats a yes, that is a yes, hell yeah, hell yes, heck yeah, heck yes", "and with force"},
}

// pleaseRows are politeness, and may stand behind a bare send. Alone they are no yes: "please" is how "please wait" begins.
var pleaseRows = []row{
	{"en", "please, pls", "yes, please"},
	{"fr", "s il vous plait, s il te plait, sil vous plait, sil te plait, s te plait, ste plait, si te plait, si vous plait, svp, stp", "the same, and as it is said fast"},
}

// sendRows are forms of "send it" that need nothing after them.
var sendRows = []row{
	{"en", "send it, send it off, send it out, send it on, send that, send that off, send this, send that one, send this one, send the text, send the message, send that text, send that message, send this text, send this message, send my text, send my message, sent it, text it", "sent it is how send it is often heard"},
	{"en", "let s send it, lets send it, just send it, you can send it, you may send it, you can send that, you can just send it, it can go, you can go ahead, you may go ahead", "the same, allowed"},
	{"en", "do it, do this, do that, let s do it, let s do this, let s do that", "the same, as an answer"},
	{"fr", "fais le, fait le, faites le, fais ca, fait ca, faites ca, faisons ca, faisons le", "the same, as an answer"},
	{"fr", "envoie le, envoie la, envoie les, envoie ca, envoie cela, envoie moi ca, envoie le lui, envoie lui ca, envoie lui le, envoie y ca, envoie le la, envoie ca la, envoie le texto, envoie le message, envoie mon texto, envoie mon message, envoie ce texto, envoie ce message, envoie donc ca, envoie le donc, envoie donc", "send it; les and la are envoie-lé and envoie-là as they are written"},
	{"fr", "envoi le, envoi ca, envois le, envois ca, envoies le, envoies ca, envoyer le, envoyer ca, envoye le, envoye ca, envoyez le, envoyez la, envoyez ca, envoyez le texto, envoyez le message, envoyons le, en voie le", "the same, as recognisers spell it"},
	{"fr", "vas y envoie, go envoie, tu peux l envoyer, vous pouvez l envoyer, tu peux envoyer, vous pouvez envoyer, tu peux envoyer ca, vous pouvez envoyer ca, on l envoie, on envoie ca, on envoie, texte le, textez le, expedie le, expediez le, ca peut partir, il peut partir", "the same, allowed"},
}

// bareRows are a "send" that could be the beginning of a dictation, as "send Marie something else" and "send ok" would be: only please and haste may follow, and it is a yes with
// another yes before it alone.
var bareRows = []row{
	{"en", "send", "send it"},
	{"fr", "envoie, envoi, envois, envoies, envoyez, envoye, envoyer", "envoie, as recognisers spell it"},
}

// politeRows may stand anywhere, and are no yes by themselves. A recogniser that hears nothing often writes "thank you".
var politeRows = []row{
	{"en", "thanks, thank you, thank you very much, thanks a lot, many thanks, sir, ma am, madam, kindly", "politeness"},
	{"fr", "merci, merci bien, merci beaucoup, monsieur, madame", "politeness"},
}

// hasteRows may stand after a form of send, and nowhere else: "yes now" is the beginning of something else.
var hasteRows = []row{
	{"en", "now, right now, right away, straight away, immediately, at once, then", "haste"},
	{"fr", "maintenant, tout de suite, immediatement, alors, la", "haste"},
}

// answerRows may stand after a yes: before it they are a question, or wave away ("it is ok").
var answerRows = []row{
	{"en", "it is, i do, you can, you may", "yes, it is"},
	{"fr", "tu peux, vous pouvez", "yes, you can"},
}

// supportRows fit into a yes and are none: each has another use.
var supportRows = []row{
	{"en", "great, that s great, awesome, excellent, wonderful, cool, nice, lovely", "praise: sarcasm as often as not"},
	{"en", "i m sure, i am sure, that s what i want, that s what i said, that s what i meant", "these answer a doubt"},
	{"en", "it s good, it s fine, it s ok, it s okay, it s correct, all good, that s ok, that s okay", "these wave away as often as they agree"},
	{"en", "man, buddy, my friend", "who is spoken to"},
	{"en", "go, go go, let s go", "said to the driver ahead as often as not"},
	{"fr", "super, c est super, excellent, genial, cool, c est cool, top, bravo", "praise: sarcasm as often as not"},
	{"fr", "je suis sur, je suis sure, j en suis sur, j en suis sure, je suis certain, je suis certaine", "these answer a doubt"},
	{"fr", "c est correct, c est sur, pour sur, c est clair, voila, comme ca", "c'est correct and c'est sûr are questions as often as answers, and c'est correct can wave away"},
	{"fr", "mon ami, chef", "who is spoken to"},
	{"fr", "vas y, vasy, va s y, allez, allez hop, on y va", "the same; allez also ends a talk"},
}

// openerRows may stand before a yes and not at the end: there, the caller is still thinking, or was cut off.
var openerRows = []row{
	{"en", "uh, um, er, erm, hmm, hm, mm, ah, oh, eh, well, just, i mean", "hesitation"},
	{"fr", "euh, heu, ben, bin, bah, beh, bon, eh ben, eh bien, et ben", "hesitation"},
}

// joinerRows stand between a yes and a form of send, and nowhere else: "go ahead and send it".
var joinerRows = []row{
	{"en", "and, and then, so", "yes and, at the end, is the beginning of something else"},
	{"fr", "et, et puis, puis, pis", "the same"},
}

// doubtRows take a yes away wherever they stand.
var doubtRows = []row{
	{"en", "yeah right, yea right, ya right, yah right, yep right, sure sure, oh sure, oh totally, oh absolutely, oh definitely, oh of course, oh great, oh wonderful", "how sarcasm sounds in words"},
	{"fr", "c est ca oui, c est ca ouais, c est ca c est ca, oui vraiment, ah ouais vraiment, mais oui mais oui, ah mais oui, ah bien sur, ah oui bien sur, ah ouais bien sur, ah evidemment", "the same"},
}

// murmurRows take a yes away when they are the whole turn: they tell of surprise, say that something was heard, or wave away. Spelling decides nothing here, as in doubtRows: all ways to
// write ok, ah and oh, or a hum are one, and so is ah with a bon or ben behind it.
var murmurRows = []row{
	{"en", "ah ok, ah yeah, ah alright, ah all right, ah good, ah perfect, ah fine", "I see"},
	{"en", "uh ok, uh ok ok, uh alright, uh all right, uh sure, uh good, uh fine, uh perfect", "who hesitates, and then says less than a yes, has said none"},
	{"en", "fine thanks, fine thank you, good thanks, good thank you, very good thanks", "no thanks, I'm good"},
	{"fr", "ah oui, ah ouais, ah oui oui, ah d accord, ah c est bon, ah parfait", "I see; is that so"},
	{"fr", "euh d accord, euh c est bon, euh parfait, euh bon ok, euh ben ok", "as above"},
	{"en", "yeah sure, yea sure, ya sure, yah sure, yes sure, yep sure, yup sure", "the twins of yeah right; with go ahead behind them they are a yes"},
	{"fr", "ouais bien sur, ouais evidemment", "the same"},
	{"fr", "c est bon merci, c est beau merci, tres bien merci, c est bon c est bon", "no thanks; enough"},
}
