package aloud

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/signs"
)

// maxPath is the longest path of a link that is said.
const maxPath = 40

// spelled is a link of which every letter is heard: a host of plain letters, and a path of small ones. Whether it is http or https is not heard.
var spelled = regexp.MustCompile(`^(?:(?i:https?)://)?([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+)((?:/[a-z0-9][a-z0-9._-]*)*)/?$`)

// link says a link that begins here, with its dots. One that has more than can be told by ear is refused, or, in a text, said by its host alone.
func (s *sayer) link() bool {
	tok := s.s[s.i:]
	if end := strings.IndexFunc(tok, unicode.IsSpace); end >= 0 {
		tok = tok[:end]
	}
	tok = strings.TrimRight(tok, ".,;:!?)]}\"'«»”’…>")
	hosts, scheme := signs.Hosts(tok), strings.Contains(tok, "://")
	if len(hosts) == 0 && !scheme {
		return false
	}
	m := spelled.FindStringSubmatch(tok)
	if m != nil && !strings.Contains(strings.ToLower(m[1]), "xn--") && len(m[2]) <= maxPath && !longLabel(tok) {
		if !scheme && m[2] == "" && sentence(m[1]) {
			return false
		}
		s.i += len(tok)
		s.say(spoken.LinkTo)
		s.parts(strings.ToLower(m[1]))
		s.parts(m[2])
		s.pieces[len(s.pieces)-1].heard += " " + tok
		return true
	}
	low, start := strings.ToLower(tok), -1
	if scheme {
		start = strings.Index(low, "http")
	} else if start = strings.Index(low, hosts[0]); start < 0 {
		start = 0
	}
	foreign := len(hosts) > 0 && strings.Contains(hosts[0], "xn--")
	if start > 0 {
		before, _ := utf8.DecodeLastRuneInString(tok[:start])
		if strings.ContainsRune("([{\"'«“‘,;:<", before) { // it begins further on
			return false
		}
	}
	if !scheme && !foreign && !longLabel(tok) && !strings.ContainsAny(tok, "/?#@:%=&") {
		return false // its dots are said
	}
	if !s.lenient {
		s.refuse(badLink)
	}
	s.i += len(tok)
	s.noLink = true
	if len(hosts) == 0 || foreign || !plainHost.MatchString(hosts[0]) {
		s.say(spoken.SomeLink)
		return true
	}
	s.say(spoken.LinkTo)
	s.parts(hosts[0])
	return true
}

var plainHost = regexp.MustCompile(`^[a-z0-9-]{1,30}(\.[a-z0-9-]{1,30}){1,6}$`)

func longLabel(tok string) bool {
	for label := range strings.FieldsFuncSeq(tok, func(r rune) bool { return strings.ContainsRune("./-_", r) }) {
		if utf8.RuneCountInString(label) > maxLetter {
			return true
		}
	}
	return false
}

// sentence says whether what looks like a host is the end of a sentence and the beginning of another: demain.Je.
func sentence(host string) bool {
	if strings.HasPrefix(strings.ToLower(host), "www.") {
		return false
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != strings.ToLower(last) && last != strings.ToUpper(last) || len(last) > 1 && last != strings.ToLower(last) && strings.ToLower(host[:1]) == host[:1]
}

// parts says a host or a path: its words, its signs by name, and what holds digits letter by letter.
func (s *sayer) parts(text string) {
	start := 0
	word := func(end int) {
		w := text[start:end]
		switch {
		case w == "":
		case strings.ContainsAny(w, "0123456789"):
			s.spell(w)
		default:
			s.add(plain, w, "")
		}
		start = end + 1
	}
	for i, r := range text {
		if alnum(r) {
			continue
		}
		word(i)
		switch r {
		case '.':
			s.say(spoken.Dot)
		case '-':
			s.say(spoken.Dash)
		case '/':
			s.say(spoken.Slash)
		default:
			s.say(spoken.Signs[r])
		}
	}
	word(len(text))
}
