package checkup

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"readback/smsmcp/lang/finding"
)

const (
	mostAddresses = 32              // of this machine
	knock         = 2 * time.Second // for one of them to answer
)

// usualPorts are where deploy/asterisk has ARI answer, without and with TLS.
var usualPorts = map[string]string{"http": "8088", "https": "8089"}

// address looks whether ARI, which is reached on the loopback address, answers on others too.
func (e *examination) address(ctx context.Context) {
	check := finding.AsteriskAddress
	u, err := url.Parse(e.o.Line.URL)
	if err != nil {
		return // ari.New has read it
	}
	if !local(e.o.Line.URL) {
		e.add(Warn, check, finding.AsteriskElsewhere, u.Host)
		return
	}
	all, err := e.o.Addresses()
	if err != nil {
		e.add(Warn, check, finding.AsteriskUnseen)
		return
	}
	path := strings.TrimRight(u.Path, "/") + "/asterisk/ping"
	open := map[string]string{} // by scheme: an address that answers
	var mu sync.Mutex
	var asked sync.WaitGroup
	for _, a := range outward(all) {
		for scheme, usual := range usualPorts {
			ports := map[string]bool{usual: true}
			if scheme == u.Scheme && u.Port() != "" {
				ports[u.Port()] = true
			}
			for port := range ports {
				host := net.JoinHostPort(a.String(), port)
				asked.Go(func() {
					if answersAsARI(ctx, scheme+"://"+host+path) {
						mu.Lock()
						defer mu.Unlock()
						open[scheme] = host
					}
				})
			}
		}
	}
	asked.Wait()
	switch {
	case open["http"] != "":
		e.add(Fail, check, finding.AsteriskPlain, open["http"])
	case open["https"] != "":
		e.add(Warn, check, finding.AsteriskOpen, open["https"])
	default:
		e.add(OK, check, finding.AsteriskClosed, u.Host)
	}
}

// outward gives the addresses by which others may reach this machine.
func outward(all []net.Addr) []netip.Addr {
	var out []netip.Addr
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if ip := p.Addr().Unmap(); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && len(out) < mostAddresses {
			out = append(out, ip)
		}
	}
	return out
}

// answersAsARI asks without user and password, and says whether what answers is ARI that wants them.
func answersAsARI(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, knock)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	t := &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}, //nolint:gosec // nothing is sent that is secret, and nothing believed
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusUnauthorized && strings.HasPrefix(resp.Header.Get("WWW-Authenticate"), "Basic ")
}
