package oauth

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	longRedirect  = 512
	mostRedirects = 16
)

// hosts are those that clients may come from and be sent back to. Beside them there is the machine that the browser runs on.
type hosts map[string]bool

// redirect is where a client may be sent back to: its address, taken apart. It has no query and no fragment, so that what we add is all there is.
type redirect struct {
	host string // without a port
	rest string // from the path on
	here bool   // the machine that the browser runs on
}

var loopback = regexp.MustCompile(`^(localhost|127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?$`)

// redirect takes an address apart, if it is of one of the two forms. It compares the bytes, so that there is nothing to read in two ways: a host is one of the
// list as it is written, and what follows it is a path.
func (h hosts) redirect(s string) (r redirect, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || len(s) > longRedirect || !plain(s) {
		return r, false
	}
	authority := rest
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		authority, r.rest = rest[:i], rest[i:]
	}
	switch scheme {
	case "https":
		r.host = authority
		return r, h[authority]
	case "http":
		m := loopback.FindStringSubmatch(authority)
		if m == nil {
			return r, false
		}
		if m[2] != "" {
			if n, err := strconv.Atoi(m[2]); err != nil || n > 65535 {
				return r, false
			}
		}
		r.host, r.here = m[1], true
		return r, true
	}
	return r, false
}

// document says whether a client may be known by a document at this address: of a host of the list, with a path, and in one form.
func (h hosts) document(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok || len(s) > longClient || !plain(s) || strings.Contains(s, "%") {
		return false
	}
	host, path, _ := strings.Cut(rest, "/")
	if !h[host] || path == "" {
		return false
	}
	for _, segment := range strings.Split(path, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// plain says whether an address holds only what needs no escape and starts neither a query nor a fragment.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"#<>?@\\^`{|}", r) })
}

// sendsTo says whether an answer may go to an address that a request names, by those that its client has. One must be the same, byte for byte, which for two of the form is
// that their parts are; but on the browser's own machine any port may be (RFC 8252 7.3): who listens there gets one when it starts.
func (h hosts) sendsTo(want string, has []string) (redirect, bool) {
	w, ok := h.redirect(want)
	if !ok {
		return w, false
	}
	for _, one := range has {
		if o, ok := h.redirect(one); ok && o == w {
			return w, true
		}
	}
	return w, false
}
