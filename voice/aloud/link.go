package aloud

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/signs"
)

// Bounds of what is spelled of a link or an address.
const (
	maxHost = 30 // letters and digits of a host, or of what stands before an at sign: who listens loses the thread of more
	maxPath = 40 // of a path, with its slashes
)

const hostForm = `([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+)`

// spelled is a link of which every letter is heard: a host of plain letters, and a path of small ones. Whether it is http or https is not heard.
var spelled = regexp.MustCompile(`^(?:(?i:https?)://)?` + hostForm + `((?:/[a-z0-9][a-z0-9._-]*)*)/?$`)

// mailbox is an address of mail of plain letters.
var mailbox = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?)@` + hostForm + `$`)

// link says a link or an address of mail that begins here: letter by letter, for desjardin.com sounds as desjardins.com does. One that has more than can be told by ear is refused,
// or, in a text, said by its host alone.
func (s *sayer) link() bool {
	tok := s.s[s.i:]
	if end := strings.IndexFunc(tok, unicode.IsSpace); end >= 0 {
		tok = tok[:end]
	}
	tok = strings.TrimRight(tok, ".,;:!?)]}\"'«»”’…>")
	if m := mailbox.FindStringSubmatch(tok); m != nil && (!s.lenient || !tooLongToSpell(m[1]) && !tooLongToSpell(m[2])) {
		if tooLongToSpell(m[1]) || tooLongToSpell(m[2]) {
			s.refuse(longLink)
		}
		s.i += len(tok)
		s.say(spoken.MailTo)
		s.parts(strings.ToLower(m[1]))
		s.say(spoken.Signs['@'])
		s.parts(strings.ToLower(m[2]))
		s.pieces[len(s.pieces)-1].heard += " " + tok
		s.stop(',')
		return true
	}
	hosts, scheme := signs.Hosts(tok), strings.Contains(tok, "://")
	if len(hosts) == 0 && !scheme {
		return false
	}
	m := spelled.FindStringSubmatch(tok)
	if m != nil && !strings.Contains(strings.ToLower(m[1]), "xn--") && len(m[2]) <= maxPath && !longLabel(tok) {
		if !scheme && m[2] == "" && sentence(m[1]) {
			return false
		}
		s.address(tok, m[1], m[2])
		return true
	}
	begins := "http"
	if !scheme {
		begins = hosts[0]
	}
	start := strings.Index(strings.ToLower(tok), begins)
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
	if len(hosts) == 0 || foreign || !plainHost.MatchString(hosts[0]) || tooLongToSpell(hosts[0]) {
		s.say(spoken.SomeLink)
		return true
	}
	s.say(spoken.LinkTo)
	s.parts(hosts[0])
	s.stop(',')
	return true
}

// address spells a link.
func (s *sayer) address(link, host, path string) {
	s.i += len(link)
	if tooLongToSpell(host) {
		if !s.lenient {
			s.refuse(longLink)
		}
		s.noLink = true
		s.say(spoken.SomeLink)
		return
	}
	s.say(spoken.LinkTo)
	s.parts(strings.ToLower(host))
	s.parts(path)
	s.pieces[len(s.pieces)-1].heard += " " + link
	s.stop(',') // a.ca b is not a.cab
}

var within = regexp.MustCompile(`^` + hostForm)

// hostIn gives the host that begins a text, whatever stands around it; "" if none does.
func hostIn(rest string) string {
	m := within.FindString(rest)
	if m == "" || sentence(m) || len(signs.Hosts(m)) == 0 {
		return ""
	}
	return m
}

// inner spells a host that is a part of something else: d'example.com, my_example.com.
func (s *sayer) inner(rest string) bool {
	if before, _ := utf8.DecodeLastRuneInString(s.s[:s.i]); alnum(before) {
		return false
	}
	host := hostIn(rest)
	if host != "" {
		s.address(host, host, "")
	}
	return host != ""
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
	if slices.Contains([]string{"com", "net", "org", "info", "biz", "gov", "edu"}, strings.ToLower(last)) { // no word begins a sentence so
		return false
	}
	return last != strings.ToLower(last) && last != strings.ToUpper(last) || len(last) > 1 && last != strings.ToLower(last) && strings.ToLower(host[:1]) == host[:1]
}

// tooLongToSpell says whether nobody would follow the letters of a host.
func tooLongToSpell(host string) bool {
	return len(host)-strings.Count(host, ".")-strings.Count(host, "-") > maxHost
}

// parts says a host, a path or a mailbox: letter by letter, its signs by name.
func (s *sayer) parts(text string) {
	start := 0
	label := func(end int) {
		if start < end {
			s.spell(text[start:end])
		}
		start = end + 1
	}
	for i, r := range text {
		if alnum(r) {
			continue
		}
		label(i)
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
	label(len(text))
}
