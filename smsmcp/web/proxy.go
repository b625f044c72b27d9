package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"readback/smsmcp/lang"
)

// Proxies reads the list of proxies whose word on a request counts: addresses, and ranges such as 10.0.0.0/8.
func Proxies(list []string) ([]netip.Prefix, error) {
	out := make([]netip.Prefix, 0, len(list))
	for i, s := range list {
		s = strings.TrimSpace(s)
		p, err := netip.ParsePrefix(s)
		if addr, alone := netip.ParseAddr(s); alone == nil {
			addr = plain(addr)
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, lang.Say(lang.WebProxyForm, i+1)
		}
		if p = plainRange(p); p.Bits() == 0 {
			return nil, lang.Say(lang.WebProxyAll, i+1)
		}
		out = append(out, p)
	}
	return out, nil
}

// Exposed refuses to listen on an address that others can reach, where neither this server nor a proxy elsewhere keeps tokens and texts out of sight. A proxy on
// this machine reaches loopback too. [Near] keeps others away from what it lets through.
func Exposed(addr string, tls bool, proxies []netip.Prefix) error {
	host, _, err := net.SplitHostPort(addr)
	switch { // the first address of a range is of loopback where all of them are
	case tls, err == nil && loopback(host), slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return !plainRange(p).Addr().IsLoopback() }):
		return nil
	case len(proxies) > 0:
		return lang.Say(lang.WebExposedHere, addr)
	}
	return lang.Say(lang.WebExposed, addr)
}

// Alike warns where all browsers seem to come from one address: where they come by a proxy that nobody named. Then anybody's wrong passphrases hold up the owner.
func Alike(public string, tls bool, proxies []netip.Prefix) error {
	if u, err := url.Parse(public); !tls && len(proxies) == 0 && err == nil && u.Scheme == "https" && !loopback(u.Hostname()) {
		return lang.Say(lang.WebAlike)
	}
	return nil
}

// loopback says whether a host is this machine and nothing else.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && plain(ip).IsLoopback()
}

// plain is an address in the one form that all others are compared in.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

func plainRange(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked()
}

// proxies are the peers whose headers X-Forwarded-For and X-Forwarded-Proto count. What anybody else writes there counts for nothing.
type proxies []netip.Prefix

func newProxies(list []netip.Prefix) proxies {
	out := make(proxies, len(list))
	for i, p := range list {
		out[i] = plainRange(p)
	}
	return out
}

func (t proxies) has(a netip.Addr) bool {
	for _, p := range t {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// client is who made a request, as far as that can be known.
type client struct {
	addr   netip.Addr
	secure bool
}

type clientKey struct{}

// Source is the address that a request came from, as the trusted proxies tell it; else the connection's. It is not valid where there is none.
func Source(r *http.Request) netip.Addr { return from(r).addr }

// Secure says whether a request came over TLS, to this server or to a trusted proxy.
func Secure(r *http.Request) bool { return from(r).secure }

func from(r *http.Request) client {
	if c, ok := r.Context().Value(clientKey{}).(client); ok {
		return c
	}
	return client{peer(r), r.TLS != nil}
}

func peer(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return plain(at.Addr())
}

// client judges who made a request. Each proxy adds the address that it was called from at the right of X-Forwarded-For: from there on leftward, the first that is
// no trusted proxy is the client, and what stands left of it is the client's own invention. At what is no address the walk ends: the proxy that wrote it answers for it.
func (t proxies) client(r *http.Request) client {
	c := client{peer(r), r.TLS != nil}
	if !t.has(c.addr) {
		return c
	}
	c.secure = c.secure || overTLS(r.Header.Values("X-Forwarded-Proto"))
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		a, ok := hop(hops[i])
		if !ok {
			break
		}
		c.addr = a
		if !t.has(a) {
			break
		}
	}
	return c
}

// hop reads one entry of X-Forwarded-For. Some proxies add a port, or put brackets around IPv6.
func hop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if at, err := netip.ParseAddrPort(s); err == nil {
		return plain(at.Addr()), true
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return plain(a), err == nil
}

// overTLS wants every proxy that speaks of it to say https: one that adds to what the client wrote must not be overruled by it.
func overTLS(values []string) bool {
	for _, s := range strings.Split(strings.Join(values, ","), ",") {
		if !strings.EqualFold(strings.TrimSpace(s), "https") {
			return false
		}
	}
	return true
}

// located finds out once who made a request, for everything behind it. A browser that came over TLS is told to come by nothing else from then on; by
// a name of loopback it is not, since that would hold for every other program on that machine.
func (s *server) located(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := s.proxies.client(r)
		if c.secure && s.hosts.allow(r.Host) && !newHosts(nil).allow(r.Host) {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, c)))
	})
}
