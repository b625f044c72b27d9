package outside

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

const (
	longest  = 2048 // bytes of an address
	longName = 253  // RFC 1035 2.3.4
)

// names turns a host into the form that DNS has, as browsers do (UTS 46, non-transitional).
var names = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true), idna.ValidateLabels(true), idna.BidiRule(), idna.CheckHyphens(false))

// target is an address whose form was judged. Its addresses were not yet.
type target struct {
	url  url.URL
	host string     // as DNS and the certificate have it
	addr netip.Addr // valid where the host is an address
	port uint16
}

// parse judges the form of an address.
func parse(raw string, port uint16) (target, error) {
	if raw == "" || len(raw) > longest || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return target{}, ErrForm
	}
	u, err := url.Parse(raw)
	if err != nil {
		return target{}, ErrForm
	}
	return judge(u, port)
}

func judge(u *url.URL, port uint16) (target, error) {
	if u.Scheme != "https" || u.Opaque != "" || u.User != nil || u.Host == "" || u.Fragment != "" {
		return target{}, ErrForm
	}
	t := target{url: url.URL{Scheme: "https", Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}, port: 443}
	if p := u.Port(); p != "" || strings.HasSuffix(u.Host, ":") {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || p[0] == '0' {
			return target{}, ErrPort
		}
		t.port = uint16(n)
	}
	if t.port != port {
		return target{}, ErrPort
	}
	var err error
	if t.host, t.addr, err = host(u.Hostname(), strings.HasPrefix(u.Host, "[")); err != nil {
		return target{}, err
	}
	t.url.Host = t.host
	if t.addr.Is6() {
		t.url.Host = "[" + t.host + "]"
	}
	if port != 443 {
		t.url.Host += ":" + strconv.Itoa(int(port))
	}
	return t, nil
}

// host gives the form that DNS has of a name, or an address that is written in its one form.
func host(s string, brackets bool) (string, netip.Addr, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		if a.Is6() != brackets || !Public(a) {
			return "", a, ErrAddress
		}
		return a.String(), a, nil
	}
	if brackets {
		return "", netip.Addr{}, ErrHost
	}
	name, err := names.ToASCII(s)
	if err != nil || !isName(name) {
		return "", netip.Addr{}, ErrHost
	}
	if again, err := names.ToASCII(name); err != nil || again != name { // as of what is not UTF-8
		return "", netip.Addr{}, ErrHost
	}
	return name, netip.Addr{}, nil
}

// isName says whether a string is a name of DNS with at least one dot, whose last label is no number: a resolver, and the URL standard, would read a number there as an
// IPv4 address in one of its many old forms (127.1, 0x7f.1, 2130706433).
func isName(s string) bool {
	if len(s) > longName {
		return false
	}
	labels := strings.Split(s, ".")
	if len(labels) < 2 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || strings.ContainsFunc(l, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-'
		}) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9' // no top-level domain begins with a digit (RFC 3696 2)
}
