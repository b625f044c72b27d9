package signs

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// dotted is two labels or more, with any dot that IDNA takes for one.
var dotted = regexp.MustCompile(`[\pL\pN](?:[\pL\pM\pN_-]*[\pL\pM\pN])?(?:[.。．｡][\pL\pN](?:[\pL\pM\pN_-]*[\pL\pM\pN])?)+`)

// Hosts gives the hosts of the links in a text, in lower case and in punycode, each once, in the order in which they stand: of every URL, and
// of what a phone would make a link of without a scheme. A host too many costs a question, one too few a hole; so it takes
// "see.me" for a link.
func Hosts(s string) (out []string) {
	if !strings.ContainsAny(s, ".。．｡:") {
		return nil
	}
	seen := map[string]bool{"": true}
	add := func(host string) {
		if host = ascii(host); !seen[host] {
			seen[host] = true
			out = append(out, host)
		}
	}
	for rest := s; ; {
		_, after, ok := strings.Cut(rest, "://")
		if !ok {
			break
		}
		authority := after
		if i := strings.IndexFunc(after, endsAuthority); i >= 0 {
			authority = after[:i]
		}
		add(withoutPort(authority[strings.LastIndexByte(authority, '@')+1:]))
		rest = after
	}
	for _, at := range dotted.FindAllStringIndex(s, -1) {
		if bare(s, at[0], at[1]) {
			add(s[at[0]:at[1]])
		}
	}
	return out
}

func endsAuthority(r rune) bool {
	return strings.ContainsRune("/\\?#\"'<>(){}«»,;|`", r) || unicode.IsSpace(r)
}

func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.Trim(host[i+1:], "0123456789") == "" && !strings.HasSuffix(host[:i], ":") {
		return host[:i]
	}
	return host
}

// bare says whether dotted words without a scheme are a link: they end like a domain, or a path follows; a mail address is none.
func bare(s string, start, end int) bool {
	if strings.HasSuffix(s[:start], "@") || strings.HasPrefix(s[end:], "@") {
		return false
	}
	host := strings.ToLower(s[start:end])
	labels := strings.FieldsFunc(host, func(r rune) bool { return strings.ContainsRune(".。．｡", r) })
	last := labels[len(labels)-1]
	path := strings.HasPrefix(s[end:], "/") && len(s) > end+1 && !unicode.IsSpace(rune(s[end+1]))
	numeric := strings.Trim(last, "0123456789") == ""
	switch {
	case path, strings.HasPrefix(host, "www."):
		return !numeric || len(labels) == 4
	case numeric, strings.ContainsFunc(last, unicode.IsDigit) && !strings.HasPrefix(last, "xn--"):
		return false
	}
	return len(last) == 2 || strings.HasPrefix(last, "xn--") || known(last)
}

// ascii brings a host to the form that is compared.
func ascii(host string) string {
	host = strings.Trim(host, ".")
	if a, err := idna.Lookup.ToASCII(host); err == nil {
		return a
	}
	return strings.ToLower(host)
}

// known says whether a label is a top-level domain, by the Public Suffix List; "onion", "test" and "local" are none there, and phones make links
// of them all the same.
func known(label string) bool {
	a, err := idna.Lookup.ToASCII(label)
	if err != nil {
		return false
	}
	_, icann := publicsuffix.PublicSuffix("x." + a)
	return icann || a == "onion" || a == "test" || a == "local"
}
