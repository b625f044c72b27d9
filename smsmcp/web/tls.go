package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// TLSOptions say where the server's certificate comes from: two files, or else an authority that speaks ACME. Now and Log must be set.
type TLSOptions struct {
	CertFile, KeyFile string // PEM. The server's own certificate comes first, then those of its authorities

	Hosts     []string       // the names to get certificates for: public_hosts. Addresses among them get none
	Email     string         // for the authority; may be empty
	Directory string         // where the authority is; Let's Encrypt where empty
	Folder    string         // keeps the account and the certificates; made for the owner alone
	Roots     *x509.CertPool // trusted for Directory; the system's where nil

	Now func() time.Time
	Log *slog.Logger
}

// Certificates are what the server shows who it is with.
type Certificates struct {
	of      holder
	config  *tls.Config
	warning error
}

// holder is where certificates come from.
type holder interface {
	certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error)
	look() // does what is due
	standing() smsmcp.Part
}

// lookEvery is how often files are read anew, and what an authority owes is asked for.
const lookEvery = time.Minute

// TLS finds the server's certificate, or says what is wrong (lang.Said).
func TLS(o TLSOptions) (*Certificates, error) {
	c := &Certificates{config: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}}
	var err error
	switch {
	case o.CertFile != "" && o.KeyFile != "":
		var f *files
		if f, err = newFiles(o); err == nil {
			c.of, c.warning = f, outOfTime(f.pair.Leaf, o.Now())
		}
	case o.CertFile != "" || o.KeyFile != "":
		err = lang.Say(lang.WebTLSHalf)
	default:
		var a *authority
		if a, err = newAuthority(o); err == nil {
			c.of = a
			c.config.NextProtos = append(c.config.NextProtos, challengeProto)
		}
	}
	if err != nil {
		return nil, err
	}
	c.config.GetCertificate = c.of.certificate
	return c, nil
}

// Config is for the listener: tls.NewListener(ln, c.Config()).
func (c *Certificates) Config() *tls.Config { return c.config.Clone() }

// Warning is what the owner must know of a certificate that is served all the same; nil for nothing.
func (c *Certificates) Warning() error { return c.warning }

// Part says how the certificates stand.
func (c *Certificates) Part() smsmcp.Part {
	p := c.of.standing()
	if p.Failure != "" {
		p.Failure = smsmcp.Reduce("tls_" + p.Failure)
	}
	return p
}

// Run has files read anew, and certificates asked for, also while nobody comes. It ends with ctx.
func (c *Certificates) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		c.of.look()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// outOfTime says when a certificate is not good at this time.
func outOfTime(leaf *x509.Certificate, now time.Time) error {
	switch timeCode(leaf, now) {
	case codeExpired:
		return lang.Say(lang.WebTLSExpired, leaf.NotAfter.UTC().Format(time.DateOnly))
	case codeEarly:
		return lang.Say(lang.WebTLSEarly, leaf.NotBefore.UTC().Format(time.DateOnly))
	}
	return nil
}

// The codes of what is wrong with certificates; an authority's are its own words, reduced.
const (
	codeExpired    = "expired"
	codeEarly      = "not_yet_valid"
	codeUnreadable = "unreadable"
	codeNoCert     = "no_certificate"
	codeNoKey      = "no_key"
	codeMismatch   = "pair_mismatch"
	codeNotRenewed = "not_renewed"
	codeNoAnswer   = "unreachable"
	codeNotProven  = "challenge_failed"
	codeNotGiven   = "not_given"
)

func timeCode(leaf *x509.Certificate, now time.Time) string {
	switch {
	case now.After(leaf.NotAfter):
		return codeExpired
	case now.Before(leaf.NotBefore):
		return codeEarly
	}
	return ""
}

// trouble is a code that stands for a while. Its zero value is none.
type trouble struct {
	code  string
	since time.Time
}

// is sets the code, and says whether that is news.
func (t *trouble) is(code string, now time.Time) bool {
	if t.code == code {
		return false
	}
	t.code, t.since = code, now
	return true
}

// passed says whether a wait has passed since a time. A wait that seems to begin in the future is over: the clock was set back.
func passed(since, now time.Time, wait time.Duration) bool {
	return now.Before(since) || now.Sub(since) >= wait
}
