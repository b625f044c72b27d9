package config

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"readback/smsmcp/lang"
)

// TLS is a second address of the server, at which it speaks TLS itself.
type TLS struct {
	Listen    string `toml:"listen"`
	CertFile  string `toml:"cert_file"`
	KeyFile   string `toml:"key_file"`
	ACME      bool   `toml:"acme"`
	Email     string `toml:"acme_email"`
	Directory string `toml:"acme_directory"`
}

func (c *Config) checkTLS(k *checker) {
	t := &c.TLS
	c.beside("tls.cert_file", &t.CertFile)
	c.beside("tls.key_file", &t.KeyFile)
	if t.Email != "" && (strings.Count(t.Email, "@") != 1 || strings.ContainsAny(t.Email, " <>,:/")) {
		k.fail("tls.acme_email", t.Email, lang.CLIWantEmail)
	}
	if u, err := url.Parse(t.Directory); t.Directory != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil) {
		k.fail("tls.acme_directory", t.Directory, lang.CLIWantDirectory)
	}
	files := t.CertFile != "" || t.KeyFile != ""
	if t.Listen != "" {
		if host, port, err := net.SplitHostPort(t.Listen); err != nil || port == "" || strings.ContainsAny(host+port, " /@") {
			k.fail("tls.listen", t.Listen, lang.CLIWantAddress)
		}
		if files == t.ACME {
			k.fail("tls.acme", t.ACME, lang.CLIWantCertificate)
		}
		if t.ACME && len(c.PublicHosts) == 0 {
			k.fail("tls.acme", true, lang.CLIWantNames)
		}
	}
	for _, p := range c.TrustedProxies {
		_, asRange := netip.ParsePrefix(p)
		if _, err := netip.ParseAddr(p); err != nil && asRange != nil {
			k.fail("trusted_proxies", p, lang.CLIWantProxy)
		}
	}
}
