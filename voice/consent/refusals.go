package consent

// The words of a no, and of a change. They count wherever they stand: a no that was not meant costs a question, and a yes that was not meant a text.

// noRows are a clear refusal, or ask to wait.
var noRows = []row{
	{"en", "no, nope, nah, naw, nay, naa, nooo, noo, no no, nuh uh, uh uh, negative, negatory, never, no way, no thanks", "the plain no"},
	{"en", "don t, dont, do not, not now, not yet, not that, not this, not at all, not really, not today, not right, not correct, not it, not what, not happening, not interested, not good, not going, absolutely not, definitely not, certainly not, of course not, think not, rather not, better not, please not, probably not, is not, isn t, isnt, wasn t, was not", "a negation that can only be a no here"},
	{"en", "stop, cancel, cancelled, abort, wait, hold on, hang on, hold it, hold off, hold up, forget it, forget that, forget about, never mind, nevermind, scratch that, scrap that, scrap it, discard, delete, undo, drop it, one moment, one second, just a second, just a minute, just a moment, leave it", "stop, or wait: then the text does not go now"},
	{"en", "wrong, incorrect, false, refuse, decline, disagree, i ll pass, ill pass, i pass, hard pass, fat chance, in your dreams, over my dead body, when pigs fly", "it is not as it should be; a refusal in other words"},
	{"fr", "non, nan, nenni, niet, negatif, pantoute, jamais, ben non, non non, que dalle, hors de question", "the plain no; pantoute is Québec's not at all"},
	{"fr", "pas question, pas maintenant, pas tout de suite, pas encore, pas du tout, pas ca, pas bon, pas correct, pas exact, pas beau, pas moyen, pas pantoute, surtout pas, certainement pas, absolument pas, surement pas, vraiment pas, plutot pas, ne pas, j en veux pas, veux pas, veux plus, prefere pas, peut etre pas, pas comme ca", "a negation that can only be a no here"},
	{"fr", "envoie pas, envoi pas, envois pas, envoies pas, envoye pas, envoyez pas, envoyer pas, envoie le pas, envoie la pas, envoie les pas, envoie ca pas, envoyez le pas, envoye le pas, n envoie, n envoies, n envoyez, ne l envoie, ne l envoies, ne l envoyez, l envoie pas, l envoies pas, l envoyez pas, l envoyer pas, fais pas, fais le pas, faites pas, fait pas, texte pas", "do not send, with the ne and without"},
	{"fr", "annule, annuler, annulez, cancelle, cancelles, canceler, attends, attend, attendez, stop, stoppe, arrete, arretez, laisse faire, laissez faire, laisse donc faire, laisse tomber, laissez tomber, laisse beton, oublie, oublies, oubliez, efface, effacez, supprime, supprimez, un instant, une seconde, un moment, wo, woh, minute minute", "stop, or wait; laisse faire and cancelle are Québec's"},
	{"fr", "faux, c est faux, refuse, refusez, incorrect, dans tes reves, tu parles, mon oeil, jamais de la vie", "it is not as it should be; a refusal in other words"},
}

// maskRows look like a refusal and are not clearly one. They are no yes either.
var maskRows = []row{
	{"en", "no problem, no problems, no prob, no worries, no doubt, no question, no objection, no objections, no hesitation, no brainer, yes or no, not false, is not false, not wrong, is not wrong, no probs, no problemo, no cap, not a problem, not sure, why not, can t wait, cant wait, don t know, dont know, do not know, don t mind, dont mind, don t care, don t see why not", "assent by negation, or no opinion"},
	{"fr", "dis pas non, dit pas non, dis non, pas de probleme, pas de soucis, pas de souci, pas pire, pas mal, pas faux, pourquoi pas, sais pas, pas sur, pas certain, oui ou non, je refuse pas, n oublie pas", "the same"},
}

// changeRows say that the caller wants something else: a change of the draft, or another request.
var changeRows = []row{
	{"en", "but, instead, change, changes, add, remove, replace, rather, except, actually, tell, say, saying, write, make it, text, message, send a, send an, read, call, reply, answer", "the verbs of another request"},
	{"fr", "mais, plutot, change, changer, changez, ajoute, ajouter, ajoutez, enleve, enlever, enlevez, remplace, remplacez, corrige, corriger, corrigez, dis, dites, dis lui, dire, ecris, ecrire, ecrivez, en fait, au lieu, sauf, envoie un, envoie une, texte a, lis, lire, appelle, reponds", "the same"},
}
