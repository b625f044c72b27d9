package hostile

import (
	"maps"
	"slices"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// All sentences here were written down by hand, and none is asked of the product: this is what a person would hear, and mean.

// heads are how a read-back begins, by the contact's name.
var heads = map[string]map[lang.Lang]string{
	"Marie Tremblay": {lang.EN: "This is the text to Marie Tremblay.", lang.FR: "Voici le texto pour Marie Tremblay."},
	"Paul Gagnon":    {lang.EN: "This is the text to Paul Gagnon.", lang.FR: "Voici le texto pour Paul Gagnon."},
	"Anne Roy":       {lang.EN: "Text to Anne Roy, whose number ends in 0 1 0 3.", lang.FR: "Texto pour Anne Roy, dont le numéro finit par 0 1 0 3."},
	"Ann Roy":        {lang.EN: "Text to Ann Roy, whose number ends in 0 1 0 4.", lang.FR: "Texto pour Ann Roy, dont le numéro finit par 0 1 0 4."},
}

// again is what a read-back that is begun anew may begin with.
var again = map[lang.Lang]string{lang.EN: "I'll read it from the start.", lang.FR: "Je le relis depuis le début."}

// The questions.
var (
	asks = map[lang.Lang]string{lang.EN: "Shall I let it leave?", lang.FR: "Est-ce que je le laisse partir\u202f?"}
	keys = map[lang.Lang]string{
		lang.EN: "I need a plain answer. Press 1 and the text leaves, press 2 and it is dropped.",
		lang.FR: "Il me faut une réponse claire. Appuyez sur le 1 et le texto part, sur le 2 et il est abandonné.",
	}
	// where there are no keys
	word = map[lang.Lang]string{lang.EN: "I need a plain answer, in a word. Shall it leave?", lang.FR: "Il me faut une réponse claire, en un mot. Est-ce que je le laisse partir\u202f?"}
)

func isQuestion(text string) bool {
	for _, all := range []map[lang.Lang]string{asks, keys, word} {
		for _, q := range all {
			if text == q {
				return true
			}
		}
	}
	return false
}

// people are the contacts, and the number that each is texted at.
var people = map[string]smsmcp.Number{"Marie Tremblay": "+15145550101", "Paul Gagnon": "+15145550102", "Anne Roy": "+15145550103", "Ann Roy": "+15145550104"}

// moved is the number that Marie has after she moved.
const moved = smsmcp.Number("+15145550111")

// names are how a model may write them.
var names = []string{"Marie", "marie tremblay", "MARIE", "Marie Tremblay", "Paul", "paul gagnon", " Paul ", "Anne Roy", "ann roy", "Ann Roy"}

// saidAs are bodies that are said in other signs than they are written in. Where it is empty the body can be neither said nor sent.
var saidAs = map[string]map[lang.Lang]string{
	"Call me at 514 555 0199":           {lang.EN: "Call me at 5 1 4, 5 5 5, 0 1 9 9", lang.FR: "Call me at 5 1 4, 5 5 5, 0 1 9 9"},
	"I ❤ you 😂":                         {lang.EN: "I, emoji red heart, you, emoji tears of joy.", lang.FR: "I, émoji cœur rouge, you, émoji qui pleure de rire."},
	"«Yes» said Paul.":                  {lang.EN: "Yes, said Paul.", lang.FR: "Yes, said Paul."},
	"100 $ please":                      {lang.EN: "100 dollars please", lang.FR: "100 dollars please"},
	"[[x]] <break/> hi":                 {lang.EN: "x, less-than sign break slash greater-than sign hi", lang.FR: "x, signe inférieur break barre oblique signe supérieur hi"},
	"Rendez-vous au cafe\u0301":         {lang.EN: "Rendez-vous au caf\u00e9", lang.FR: "Rendez-vous au caf\u00e9"},
	"look at https://example.com/a?b=1": {},
	"Мария, да":                         {},
	"x\u202eyes":                        {},
	"y\u0435s":                          {},
	"Hi\u200b there":                    {},
	"bell\a":                            {},
}

// oddBodies are the bodies of saidAs, in order.
var oddBodies = slices.Sorted(maps.Keys(saidAs))

// sayings are bodies that are said as they are written.
var sayings = []string{
	"I will be late.", "Yes, send it.", "Oui, envoie-le.", "No, not today.", "Press 1.", "1", "yes yes yes", "Je t'aime", "Shall I let it leave?", "The text to Marie has left.",
	"This is the text to Paul Gagnon. I quit.", "See you at 7:30 pm, room 12!", "Est-ce que tu viens ce soir", "Nothing has left.", "Go ahead.", "Send me money, now.",
}

var (
	things = strings.Fields("apples bread candles dates eggs flour grapes honey ink jam keys lemons milk nuts onions pears quilts rice salt tea")
	places = strings.Fields("home work school town church camp upstairs outside there inside")
)

// spoken is what a voice says of a body; false if it cannot be said.
func spoken(body string, l lang.Lang) (string, bool) {
	if said, odd := saidAs[body]; odd {
		return said[l], said[l] != ""
	}
	return body, true
}

// meaning is what somebody who says something means by it.
type meaning int

const (
	nothing meaning = iota // noise, a question, an afterthought: no yes
	yes
	no
	change
	request
	echo // the agent's own voice
)

// line is something that a caller may say.
type line struct {
	words string
	means meaning
}

var yeses = []string{
	"yes", "yes send it", "yeah", "yep", "sure", "send it", "okay send it", "yes please", "go ahead", "yes go ahead", "please do",
	"oui", "oui envoie-le", "allez-y", "d'accord", "envoie-le", "oui s'il te plaît", "ouais vas-y", "Yes.", "YES", "Oui !",
}

// others are no yes, however much they look like one.
var others = []line{
	{"no", no}, {"no don't send it", no}, {"non", no}, {"non ne l'envoie pas", no}, {"don't send it", no}, {"cancel that", no}, {"n'envoie pas", no}, {"no no no", no},
	{"no tell her seven instead", change}, {"yes but tell her seven instead of eight", change}, {"send it to paul instead", change}, {"oui mais dis plutôt à huit heures", change},
	{"change late to very late", change}, {"yes and also ask paul if he comes", change}, {"add that i am sorry", change},
	{"yes?", nothing}, {"hm", nothing}, {"what", nothing}, {"maybe", nothing}, {"i don't know", nothing}, {"yesterday", nothing}, {"not yet", nothing}, {"yes no", no}, {"oui non", no},
	{"wait", nothing}, {"yes wait", nothing}, {"is it yes or no", nothing}, {"if he says yes", nothing}, {"send it tomorrow", nothing}, {"euh", nothing}, {"peut-être", nothing},
	{"please", nothing}, {"vas-y", nothing}, {"envoie", nothing}, {"uh okay", nothing}, {"who said yes", nothing}, {"press one", nothing}, {"the guess", nothing}, {"je ne sais pas", nothing}, {"oui demain peut-être", nothing},
	{"she said yes send it to me", nothing}, {"the word yes", nothing}, {"yes is what marie would say to that", nothing},
}

var requests = []string{
	"text marie that i will be late", "write to paul that they start without me", "écris à marie que je serai en retard", "tell anne roy to bring bread", "what is new", "read my texts",
	"send the same to paul", "who is ann roy", "call it a day and write to everybody", "lis mes textos", "text paul gagnon yes send it", "is there anything from marie",
}
