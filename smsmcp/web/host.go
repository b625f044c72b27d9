package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// hosts are the names by which this server may be called. A page in a browser can point a name of its own at 127.0.0.1 (DNS
// rebinding): its requests then carry that name in Host, and are refused here.
type hosts map[string]bool

func newHosts(public []string) hosts {
	h := hosts{"localhost": true}
	for _, name := range public {
		h[hostOnly(name)] = true
	}
	return h
}

// allow judges a Host header: a loopback name or address, or a configured name; the port does not matter.
func (h hosts) allow(host string) bool {
	name := hostOnly(host)
	if h[name] {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.IsLoopback() && addr.Zone() == ""
}

func hostOnly(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		host = host[1 : len(host)-1]
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// origins are the pages that may call: those configured, and those that this very host served.
type origins map[string]bool

func newOrigins(allowed []string) origins {
	o := origins{}
	for _, s := range allowed {
		o[strings.ToLower(strings.TrimSuffix(s, "/"))] = true
	}
	return o
}

// allow judges the Origin headers of a request to host. No browser leaves Origin out of a POST; other clients send none. "null" is a
// page that hides where it comes from. Over TLS, a page that came without it is not ours: anybody on the way may have written it.
func (o origins) allow(headers []string, host string, secure bool) bool {
	if len(headers) == 0 {
		return true
	}
	if len(headers) > 1 {
		return false
	}
	origin := strings.ToLower(headers[0])
	if o[origin] {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http" && !secure) && u.User == nil && u.Path == "" && u.RawQuery == "" &&
		u.Fragment == "" && u.Host != "" && u.Host == strings.ToLower(host)
}

// ownPage says that the browser itself vouches for a request being sent by a page of this very origin: no script can write this header. A form of a page that sends no
// referrer comes with the Origin "null".
func ownPage(r *http.Request) bool {
	said := r.Header.Values("Sec-Fetch-Site")
	return len(said) == 1 && said[0] == "same-origin"
}
