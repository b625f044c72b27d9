package web

import (
	"log/slog"
	"net"
	"net/netip"
)

// mostTold bounds from how many addresses a connection that was closed is logged.
const mostTold = 64

// Near is a listener in plain HTTP: it closes what comes neither from this machine nor from a trusted proxy, before a byte of it is read. What listens on
// loopback is called by nobody else.
func Near(ln net.Listener, proxies []netip.Prefix, log *slog.Logger) net.Listener {
	return &near{Listener: ln, proxies: newProxies(proxies), log: log, told: map[netip.Addr]bool{}}
}

type near struct {
	net.Listener

	proxies proxies
	log     *slog.Logger
	told    map[netip.Addr]bool // Accept's alone
}

func (l *near) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, ok := address(c.RemoteAddr())
		own, _ := address(c.LocalAddr())
		if ok && (from.IsLoopback() || from == own || l.proxies.has(from)) { // this machine calls itself by the address that it calls
			return c, nil
		}
		_ = c.Close()
		if !l.told[from] && len(l.told) < mostTold {
			l.told[from] = true
			l.log.Warn("a connection without TLS was closed: it came from another machine, and not from one of trusted_proxies", "from", from.String())
		}
	}
}

func address(a net.Addr) (netip.Addr, bool) {
	at, err := netip.ParseAddrPort(a.String())
	return plain(at.Addr()), err == nil
}
