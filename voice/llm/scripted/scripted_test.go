package scripted

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
)

var people = []smsmcp.Contact{
	{Name: "Marie Arsenault"}, {Name: "Julie Tremblay", Aliases: []string{"ma sœur", "my sister"}}, {Name: "Bob"}, {Name: "Bob Roy"},
	{Name: "Jean-Luc Côté", Aliases: []string{"papa"}}, {Name: "Zoé de la Tour"}, {Name: "Anne Roy"}, {Name: "Anne Lévesque"}, {Name: "Dr Smith", Aliases: []string{"le docteur"}},
}

// found answers as find_contact does.
func found(l lang.Lang, word string) string {
	names := contacts.Find(people, word)
	if len(names) == 0 {
		return lang.ContactsNone.In(l)
	}
	return lang.ContactsFound.In(l, strings.Join(names, lang.ContactsNext.In(l)))
}

const (
	english = "You are the one who answers the telephone of the owner."
	french  = "Vous êtes la voix qui répond au téléphone de la personne, et vous êtes brève."
)

// talk runs a turn to the first thing that is not a find_contact: "tool {args}" or what is said.
func talk(t *testing.T, system, turn string) (string, []voice.Message) {
	t.Helper()
	l := lang.EN
	if system == french {
		l = lang.FR
	}
	h := []voice.Message{{Role: voice.Agent, Text: "Bonjour, hello."}, {Role: voice.Caller, Text: turn}}
	for range 3 {
		var said string
		var calls []voice.ToolCall
		for d, err := range (Engine{}).Reply(t.Context(), voice.Request{System: system, Messages: h}) {
			if err != nil {
				t.Fatal(err)
			}
			if said += d.Text; d.Call != nil {
				calls = append(calls, *d.Call)
			}
		}
		if len(calls) == 0 || calls[0].Name != findContact {
			if len(calls) == 0 {
				return said, h
			}
			h = append(h, voice.Message{Role: voice.Agent, Text: said, Calls: calls})
			return said + calls[0].Name + " " + string(calls[0].Args), h
		}
		if len(calls) > mostName {
			t.Fatalf("%q: %d calls at once", turn, len(calls))
		}
		h = append(h, voice.Message{Role: voice.Agent, Calls: calls})
		for _, c := range calls {
			var a struct{ Word string }
			if err := json.Unmarshal(c.Args, &a); err != nil {
				t.Fatal(err)
			}
			h = append(h, voice.Message{Role: voice.Tool, CallID: c.ID, Text: found(l, a.Word)})
		}
	}
	t.Fatalf("%q: no end", turn)
	return "", nil
}

func text(to, body string) string {
	b, _ := json.Marshal(map[string]string{"to": to, "body": body})
	return prepareText + " " + string(b)
}

func TestSentences(t *testing.T) {
	marie, julie, jean, zoe := "Marie Arsenault", "Julie Tremblay", "Jean-Luc Côté", "Zoé de la Tour"
	texts := func(who string) string { return `read_texts {"contact":"` + who + `"}` }
	const every, aliens, bye = `read_texts {}`, `read_texts {"strangers":true}`, `end_call {}`
	rows := []struct{ system, turn, want string }{
		{english, "text Marie that I am late", text(marie, "I am late")},
		{english, "Text Marie that I'm late.", text(marie, "I'm late.")},
		{english, "TEXT MARIE THAT I AM LATE", text(marie, "I AM LATE")},
		{english, "text marie arsenault that dinner is ready", text(marie, "Dinner is ready")},
		{english, "text marie i am late", text(marie, "I am late")},
		{english, "text marie arsenault i am late", text(marie, "I am late")},
		{english, "text marie a taxi is coming", text(marie, "A taxi is coming")},
		{english, "text marie I think that it is noon", text(marie, "I think that it is noon")},
		{english, "text maria that it is noon", text(marie, "It is noon")},
		{english, "text mari it is noon", text(marie, "It is noon")},
		{english, "send a text to my sister saying we are here", text(julie, "We are here")},
		{english, "send a message to Julie saying see you at 5:30", text(julie, "See you at 5:30")},
		{english, "send a text to bob roy i will call", text("Bob Roy", "I will call")},
		{english, "send bob a text saying hello there", text("Bob", "Hello there")},
		{english, "send my sister a message that we are home", text(julie, "We are home")},
		{english, "text bob i will call", text("Bob", "I will call")},
		{english, "text bob i was told yesterday evening by her that it rains", text("Bob", "I was told yesterday evening by her that it rains")},
		{english, "tell Bob that $5 is enough", text("Bob", "$5 is enough")},
		{english, "tell Bob that -$5 is what is left", text("Bob", "-$5 is what is left")},
		{english, "tell Bob — that -20 will do", text("Bob", "-20 will do")},
		{english, "text Bob: - bring milk", text("Bob", "Bring milk")},
		{english, "tell bob roy that it works", text("Bob Roy", "It works")},
		{english, "tell my sister to call me", text(julie, "Call me")},
		{english, "tell my sister we are on our way", text(julie, "We are on our way")},
		{english, "please tell my sister that we are here", text(julie, "We are here")},
		{english, "um can you text bob that i said that he is right", text("Bob", "I said that he is right")},
		{english, "let Bob know that the car is fixed", text("Bob", "The car is fixed")},
		{english, "let my sister know the car is fixed", text(julie, "The car is fixed")},
		{english, "write to Bob: bring milk", text("Bob", "Bring milk")},
		{english, "message Bob, bring milk", text("Bob", "Bring milk")},
		{english, "reply to bob that it is fine", text("Bob", "It is fine")},
		{english, "text jean-luc cote that i am here", text(jean, "I am here")},
		{english, "text jean luc i am here", text(jean, "I am here")},
		{english, "text zoe de la tour that it is open", text(zoe, "It is open")},
		{english, "text zoe de la tour it is open", text(zoe, "It is open")},
		{english, "text Anne that it is open", "Which one: Anne Lévesque or Anne Roy?"},
		{english, "text anne roy it is open", text("Anne Roy", "It is open")},
		{english, "text gerard that it is open", spoken.ScriptedNobody.EN},
		{english, "text Bob", spoken.ScriptedWords.EN},
		{english, "text Bob that", spoken.ScriptedWords.EN},
		{english, "text", spoken.ScriptedWords.EN},
		{english, "read my texts", every},
		{english, "Read me my new texts, please.", every},
		{english, "any new texts", every},
		{english, "do I have any new messages?", every},
		{english, "any texts from bob roy", texts("Bob Roy")},
		{english, "read the texts from my sister please", texts(julie)},
		{english, "read texts from Anne", "Which one: Anne Lévesque or Anne Roy?"},
		{english, "read texts from gerard", spoken.ScriptedNobody.EN},
		{english, "read texts from strangers", aliens},
		{english, "read the messages from unknown numbers", aliens},
		{english, "goodbye", bye},
		{english, "OK thanks, bye.", bye},
		{english, "hang up now", bye},
		{english, "help", spoken.ScriptedHelp.EN},
		{english, "what can you do?", spoken.ScriptedHelp.EN},
		{english, "what is the weather like", spoken.ScriptedLost.EN},
		{english, "the text I sent you was wrong", spoken.ScriptedLost.EN},
		{english, "", spoken.ScriptedLost.EN},
		{french, "texte à Marie que je suis en retard", text(marie, "Je suis en retard")},
		{french, "texte a marie que je suis en retard", text(marie, "Je suis en retard")},
		{french, "Texte à Marie qu'on arrive", text(marie, "On arrive")},
		{french, "texte a marie qu on arrive", text(marie, "On arrive")},
		{french, "texte à Marie qu’elle peut venir.", text(marie, "Elle peut venir.")},
		{french, "texte à marie arsenault je suis la", text(marie, "Je suis la")},
		{french, "TEXTO A MARIE JE SUIS LA", text(marie, "JE SUIS LA")},
		{french, "envoie un texto à ma sœur disant on arrive bientôt", text(julie, "On arrive bientôt")},
		{french, "envoie un texto a ma soeur disant on arrive bientot", text(julie, "On arrive bientot")},
		{french, "envoie un texto a ma soeur on arrive", text(julie, "On arrive")},
		{french, "envoyez un message à papa que le train est parti", text(jean, "Le train est parti")},
		{french, "dis à ma sœur que j'arrive", text(julie, "J'arrive")},
		{french, "dis a ma soeur j arrive", text(julie, "J arrive")},
		{french, "dis à Marie d'arriver à midi", text(marie, "Arriver à midi")},
		{french, "dis a marie de venir", text(marie, "Venir")},
		{french, "dis à Zoé de la Tour que c'est ouvert", text(zoe, "C'est ouvert")},
		{french, "dis a zoe de la tour c est ouvert", text(zoe, "C est ouvert")},
		{french, "dis au docteur que je viens", text("Dr Smith", "Je viens")},
		{french, "s'il te plaît dis à papa que ça va", text(jean, "Ça va")},
		{french, "écris à Jean-Luc que ça va", text(jean, "Ça va")},
		{french, "ecris a jean luc ca va", text(jean, "Ca va")},
		{french, "écris à papa ça va être long", text(jean, "Ça va être long")},
		{french, "écris à Marie été comme hiver je marche", text(marie, "Été comme hiver je marche")},
		{french, "peux-tu écrire à Bob que le pain est prêt", text("Bob", "Le pain est prêt")},
		{french, "réponds à Bob que non", text("Bob", "Non")},
		{french, "texte à Gérard que je suis là", spoken.ScriptedNobody.FR},
		{french, "texte à Anne que je suis là", spoken.ScriptedWhich.In(lang.FR, "Anne Lévesque ou Anne Roy")},
		{french, "texte à Bob", spoken.ScriptedWords.FR},
		{french, "lis mes textos", every},
		{french, "Lis-moi mes nouveaux messages, s'il te plaît.", every},
		{french, "mes messages", every},
		{french, "est-ce que j'ai de nouveaux textos ?", every},
		{french, "lis les textos de ma sœur", texts(julie)},
		{french, "lis les textos de ma soeur", texts(julie)},
		{french, "mes messages de Jean-Luc Côté", texts(jean)},
		{french, "lis les textos des inconnus", aliens},
		{french, "lis les messages d'inconnus", aliens},
		{french, "au revoir", bye},
		{french, "merci, au revoir", bye},
		{french, "raccroche", bye},
		{french, "aide", spoken.ScriptedHelp.FR},
		{french, "qu'est-ce que tu peux faire ?", spoken.ScriptedHelp.FR},
		{french, "quel temps fait-il", spoken.ScriptedLost.FR},
	}
	if len(rows) < 60 {
		t.Fatal("too few")
	}
	for _, r := range rows {
		if got, _ := talk(t, r.system, r.turn); got != r.want {
			t.Errorf("%q:\n got %s\nwant %s", r.turn, got, r.want)
		}
	}
}

func TestWhatToolsAnswer(t *testing.T) {
	_, h := talk(t, english, "text Bob that it is late")
	id := h[len(h)-1].Calls[0].ID
	if id = strings.TrimSpace(id); id == "" {
		t.Fatal("no id")
	}
	long := "Refused: " + strings.Repeat("é", 400)
	for _, c := range []struct {
		m    voice.Message
		want string
	}{
		{voice.Message{Role: voice.Tool, CallID: id, Text: "read back"}, ""},
		{voice.Message{Role: voice.Tool, CallID: id, Text: long, Failed: true}, string([]rune(long)[:300])},
		{voice.Message{Role: voice.Tool, CallID: id, Text: "Refused: too many texts today.", Failed: true}, "Refused: too many texts today."},
	} {
		said := ""
		for d, err := range (Engine{}).Reply(t.Context(), voice.Request{System: english, Messages: append(h[:len(h):len(h)], c.m)}) {
			if said += d.Text; err != nil || d.Call != nil {
				t.Error(err, d.Call)
			}
		}
		if said != c.want {
			t.Errorf("said %q", said)
		}
	}
	// A new turn of the caller's begins anew.
	h = append(h, voice.Message{Role: voice.Tool, CallID: id, Text: "x", Failed: true}, voice.Message{Role: voice.Caller, Text: "goodbye"})
	for d := range (Engine{}).Reply(t.Context(), voice.Request{System: english, Messages: h}) {
		if d.Call == nil || d.Call.Name != endCall {
			t.Errorf("%+v", d)
		}
	}
}

// TestTheSamePersonOnceMore: who was texted last is meant by a pronoun, and nobody is where nobody was.
func TestTheSamePersonOnceMore(t *testing.T) {
	_, h := talk(t, english, "text Bob that it is late")
	id := h[len(h)-1].Calls[0].ID
	h = append(h, voice.Message{Role: voice.Tool, CallID: id, Text: "declined"})
	for turn, want := range map[string]string{
		"no, tell him it is early":              text("Bob", "It is early"),
		"non dis-lui que j'arrive à 18 h 30":    text("Bob", "J'arrive à 18 h 30"),
		"okay so write him that I am on my way": text("Bob", "I am on my way"),
		"tell her":                              "",
	} {
		got := ""
		for d := range (Engine{}).Reply(t.Context(), voice.Request{System: english, Messages: append(h[:len(h):len(h)], voice.Message{Role: voice.Caller, Text: turn})}) {
			if d.Call != nil {
				got += d.Call.Name + " " + string(d.Call.Args)
			}
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", turn, got, want)
		}
	}
	for d := range (Engine{}).Reply(t.Context(), voice.Request{System: english, Messages: []voice.Message{{Role: voice.Caller, Text: "tell her that it is late"}}}) {
		if d.Call != nil || d.Text != spoken.ScriptedNobody.EN {
			t.Errorf("%+v", d)
		}
	}
}

func TestNobodySpokeAndNobodyListens(t *testing.T) {
	for d, err := range (Engine{}).Reply(t.Context(), voice.Request{}) {
		t.Error(d, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, err := range (Engine{}).Reply(ctx, voice.Request{Messages: []voice.Message{{Role: voice.Caller, Text: "help"}}}) {
		if err == nil {
			t.Error("an answer for nobody")
		}
	}
	for range (Engine{}).Reply(t.Context(), voice.Request{Messages: []voice.Message{{Role: voice.Caller, Text: "text a b c that it is"}}}) {
		break
	}
}

// FuzzTurn says that no turn, and no answer of a tool, breaks it, and that a body is made of the caller's own words.
func FuzzTurn(f *testing.F) {
	for _, s := range []string{"text bob that it is late", "dis à ma sœur qu'on arrive", "send x a text", "let a know", "send a a text to", "lis les textos de", "let  know", "ﬁ ǆ\u0345 text İ", "write \xff that \xff"} {
		f.Add(s, "Contacts that match, best first: Bob.")
	}
	f.Fuzz(func(t *testing.T, turn, answer string) {
		h := []voice.Message{{Role: voice.Caller, Text: turn}}
		for range 2 {
			var calls []voice.ToolCall
			for d := range (Engine{}).Reply(t.Context(), voice.Request{Messages: h}) {
				if d.Call != nil {
					calls = append(calls, *d.Call)
				}
			}
			h = append(h, voice.Message{Role: voice.Agent, Calls: calls})
			for _, c := range calls {
				h = append(h, voice.Message{Role: voice.Tool, CallID: c.ID, Text: answer})
				var a struct{ Body string }
				if c.Name != prepareText || json.Unmarshal(c.Args, &a) != nil || !utf8.ValidString(turn) {
					continue
				}
				_, n := utf8.DecodeRuneInString(a.Body)
				if a.Body == "" || !strings.Contains(turn, a.Body[n:]) {
					t.Errorf("%q of %q", a.Body, turn)
				}
			}
		}
	})
}
