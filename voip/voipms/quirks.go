package voipms

import (
	"html"
	"regexp"
	"strings"

	"readback/smsmcp"
)

// This file undoes what voip.ms does to a text between its writer and its list, and is the only place that does. Public reports tell of
// each quirk, but not of an account that has them all, so a quirk is undone only where the text itself shows that it was at work, once,
// and what is not certain stays as it came: a "+" (one client takes it for a space), %27, two quotes in a row.

// unquirk gives the body that was written. Of an MMS entities are undone first: they were put on last, by what shows the text.
func unquirk(kind smsmcp.Kind, s string) string {
	if kind == smsmcp.MMS {
		s = unentity(s)
	}
	return unescape(unescape(s, '\''), '"')
}

// unescape takes the backslash, or the two, before every quote of one kind. One quote without any shows that nothing was escaped.
func unescape(s string, quote byte) string {
	least := 2
	for i := range len(s) {
		if s[i] != quote {
			continue
		}
		n := 0
		for n < least && i > n && s[i-1-n] == '\\' {
			n++
		}
		if least = n; n == 0 {
			return s
		}
	}
	q := string(quote)
	return strings.ReplaceAll(s, strings.Repeat(`\`, least)+q, q)
}

var entity = regexp.MustCompile(`&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// unentity undoes HTML entities in one pass: "&amp;lt;" was "&lt;". What escapes for HTML leaves no <, no > and no bare &, so one of those
// shows that nothing was escaped.
func unentity(s string) string {
	if !strings.Contains(s, "&") || strings.ContainsAny(s, "<>") {
		return s
	}
	bare := false
	out := entity.ReplaceAllStringFunc(s, func(e string) string {
		c := html.UnescapeString(e)
		if c == e {
			bare = true
		}
		return c
	})
	if bare || strings.Contains(entity.ReplaceAllString(s, ""), "&") {
		return s
	}
	return out
}

// sender gives the other side as it was typed. A short code of five or six digits can come with the international prefix 011 before it;
// no telephone number is that short.
func sender(raw string) string {
	if code, ok := strings.CutPrefix(raw, "011"); ok && (len(code) == 5 || len(code) == 6) && strings.Trim(code, "0123456789") == "" {
		return code
	}
	return raw
}
