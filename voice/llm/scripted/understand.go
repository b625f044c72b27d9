package scripted

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
)

// want is what a turn asks for.
type want int

const (
	wantNothing want = iota // that is understood
	wantSend
	wantMore  // a text to whom the last one was for: "tell her", "dis-lui"
	wantTexts // of one contact, if there are words
	wantStrangers
	wantBye
	wantHelp
)

// utterance is a turn as it was understood.
type utterance struct {
	want  want
	words []word // the name, and for a text what it says, behind it
	ends  int    // where the name ends, if that is known; else 0
	after int    // of a name that ends there: where what is said begins
	text  string // the turn
}

// word is one word of a turn: folded, and where it stands.
type word struct {
	is         string
	begin, end int
}

// The sentences, over folded words with one space between. The longest of each comes first.
var (
	filler = regexp.MustCompile(`^(?:no|nope|non|please|hey|hi|hello|okay|ok|well|so|and|then|um|uh|thanks|thank you|can you|could you|would you|i want to|i d like to|i would like to|you can|bonjour|alors|et|euh|puis|merci|s il te plait|s il vous plait|peux tu|pouvez vous|pourrais tu|pourriez vous|tu peux|vous pouvez|est ce que tu peux|est ce que vous pouvez|je veux|je voudrais|j aimerais) `)
	polite = regexp.MustCompile(` (?:please|now|thanks|thank you|s il te plait|s il vous plait|maintenant|merci)$`)

	bye   = regexp.MustCompile(`^(?:thanks |thank you |merci )?(?:good ?bye|bye bye|bye(?: now)?|hang up(?: now| the phone)?|end (?:the )?call|that s all|that is all|au revoir|raccroche[rz]?(?: le telephone)?|bonne (?:journee|soiree)|c est tout)(?: thanks| thank you| merci| a bientot)?$`)
	help  = regexp.MustCompile(`^(?:help(?: me)?|aide(?: moi)?|a l aide|what can (?:you do|i say|i do|you do for me)|que (?:peux tu|pouvez vous|puis je|sais tu) (?:faire|dire)|qu est ce que (?:tu peux|tu sais|je peux|vous pouvez|vous savez) (?:faire|dire))$`)
	reads = regexp.MustCompile(`^(?:(?:read|check|get|hear|listen to|show|give|play|open|do i have|have i got|did i get|are there|is there|what are|lis|lire|lisez|relis|ecoute|ecouter|donne|montre|est ce que j ai(?: recu)?|j ai|ai je(?: recu)?|y a t il|quels sont)(?: me| moi| to me)? )?(?:(?:my|the|any|all|some|mes|les|le|des|de|un) )*(?:(?:new|unread|recent|last|latest|nouveaux|nouveau|derniers|dernier) )*(?:texts?|messages?|textos?|sms)(?: messages?)?\b`)
	// Without a verb, only these ask for texts: "the text I sent" does not.
	bare  = regexp.MustCompile(`^(?:(?:the|a|an|one|le|la|un|une|des|de|some|all|les) |text\b|message\b|texto\b|sms\b)`)
	from  = regexp.MustCompile(`^(?:from|by|of|de la part de|venant de|de|du|des|d) `)
	alien = regexp.MustCompile(`\b(?:strangers?|unknown|inconnue?s?)\b`)

	sends = regexp.MustCompile(`^(?:(?:send|write) (?:a |another |the )?(?:text|message|sms) to|send (?:a |another )?(?:text|message)|write to|reply to|write|reply|text to|text|message|tell|envo(?:ie[rsz]?|ye[rz])(?: un| le| ce)?(?: autre)? (?:textos?|textes?|messages?|sms) (?:a|au)|ecri(?:s|t|re|vez)(?: un)?(?: textos?| textes?| messages?| sms)? (?:a|au)|(?:texte[rsz]?|textos?|textote[rsz]?|repond[sz]?|reponds|repondre) (?:a|au)|di(?:s|t|tes|re) (?:a|au)) `)
	more  = regexp.MustCompile(`^(?:tell|text|write|message|answer|reply to|write to|dis|dites|ecris|ecrivez|reponds|repondez|texte|texto) (?:her|him|them|lui|leur) `)
	inner = regexp.MustCompile(`^send ((?:[^ ]+ ){1,5}?)(?:a|this) (?:text|message|sms)(?: |$)|^let ((?:[^ ]+ ){1,4}?)know(?: |$)`)
	// A word that stands between a name and what is said. Only the first kind ends a name by itself: the other may be in one.
	ender  = map[string]bool{"that": true, "saying": true, "que": true, "qu": true, "disant": true}
	joiner = map[string]bool{"to": true, "de": true, "d": true}
)

// understand reads a turn.
func understand(text string) utterance {
	if len(text) > mostHeard {
		text = strings.ToValidUTF8(text[:mostHeard], "")
	}
	u := utterance{text: text}
	words := split(text)
	for line := join(words); ; line = join(words) {
		m := filler.FindString(line + " ")
		if m == "" || bye.MatchString(line) || help.MatchString(line) {
			break
		}
		words = words[strings.Count(m, " "):]
	}
	line := join(words)
	plain := line
	for m := polite.FindString(plain); m != ""; m = polite.FindString(plain) {
		plain = strings.TrimSuffix(plain, m)
	}
	switch {
	case bye.MatchString(plain) || bye.MatchString(line):
		u.want = wantBye
		return u
	case help.MatchString(plain):
		u.want = wantHelp
		return u
	}
	if m := more.FindString(line + " "); m != "" {
		u.want, u.words = wantMore, words[strings.Count(m, " ")-1:]
		return u
	}
	if m := inner.FindStringSubmatchIndex(line + " "); m != nil {
		name := m[2:4]
		if m[2] < 0 {
			name = m[4:6]
		}
		skip, n, end := strings.Count(line[:name[0]], " "), strings.Count((line + " ")[name[0]:name[1]], " "), strings.Count((line + " ")[:m[1]], " ")
		u.want, u.words, u.ends, u.after = wantSend, words[skip:], n, min(end, len(words))-skip
		if u.ends <= mostName && !strings.HasPrefix(line, "send a ") && !strings.HasPrefix(line, "send this ") {
			return u
		}
		u = utterance{text: text}
	}
	if m := sends.FindString(line + " "); m != "" {
		u.want, u.words = wantSend, words[min(strings.Count(m, " "), len(words)):]
		for i, w := range u.words {
			if i > 0 && i <= mostName && ender[w.is] {
				u.ends, u.after = i, i
				break
			}
		}
		return u
	}
	if m := reads.FindString(plain); m != "" && !bare.MatchString(m) {
		u.want = wantTexts
		rest := strings.TrimSpace(plain[len(m):])
		if alien.MatchString(rest) {
			u.want = wantStrangers
			return u
		}
		if f := from.FindString(rest); f != "" {
			n := strings.Count(m, " ") + 1 + strings.Count(f, " ")
			u.words = words[n : strings.Count(plain, " ")+1]
		}
		return u
	}
	return u
}

// longest is of how many words the name may be at most, and shortest at least; 0 if there is no name, or nothing behind one.
func (u utterance) longest() int {
	switch {
	case u.want == wantTexts:
		return min(len(u.words), mostName)
	case u.ends > 0 && u.after < len(u.words):
		return u.ends
	case u.ends > 0:
		return 0
	}
	return min(len(u.words)-1, mostName)
}

func (u utterance) shortest() int {
	if u.want == wantTexts || u.after > u.ends {
		return u.longest()
	}
	return 1
}

// name is a name of k words, as it was said.
func (u utterance) name(k int) string { return u.text[u.words[0].begin:u.words[k-1].end] }

// body is what is said behind a name of k words: as it was said, its first letter a capital.
func (u utterance) body(k int) string {
	if k == u.ends && u.after > k {
		k = u.after
	}
	if k < len(u.words) && (ender[u.words[k].is] || joiner[u.words[k].is]) {
		k++
	}
	if k >= len(u.words) {
		return ""
	}
	s := strings.TrimSpace(begins.ReplaceAllString(u.text[u.words[k-1].end:], ""))
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// begins is what stands between a name and what is said. A dash is part of it where nothing follows at once: else it may be a minus.
var begins = regexp.MustCompile(`^(?:[\s,:;.!?'’"«»\x{a0}\x{202f}]|[-–—](?:\s|$))+`)

// split gives the words of a text: an apostrophe divides two.
func split(text string) (words []word) {
	begin := -1
	add := func(end int) {
		if begin >= 0 {
			if is := strings.Join(fold.Words(text[begin:end]), ""); is != "" {
				words = append(words, word{is, begin, end})
			}
			begin = -1
		}
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if begin < 0 {
				begin = i
			}
		default:
			add(i)
		}
	}
	add(len(text))
	return words
}

func join(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.is)
	}
	return b.String()
}
