package parts

import (
	"context"
	"crypto/x509"
	"strings"
	"time"

	"readback/cmd/readback/checkup"
	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
	"readback/voice/worker"
	"readback/voip/ari"
)

// maxSecret and maxRoots bound what is read of a file with a secret, and of one with certificates.
const (
	maxSecret = 4 << 10
	maxRoots  = 1 << 20
)

// Asterisk says how the owner's Asterisk is reached. It fails where a file that the configuration names cannot be used.
func Asterisk(of *config.Config, now func() time.Time) (ari.Config, error) {
	c := &of.Asterisk
	password := func() (string, error) { return string(c.Password), nil }
	if c.PasswordFile != "" {
		var err error
		if password, err = secret("asterisk.password_file", c.PasswordFile); err != nil {
			return ari.Config{}, err
		}
	}
	trusted, err := roots("asterisk.ca_file", c.CAFile)
	return ari.Config{
		URL: c.URL, App: c.App, User: c.User, Password: password, Roots: trusted, Now: now, Rand: jitter(),
		// The trunk alone: an endpoint that Asterisk does not have is an error that names itself, and no silence.
		Sources: []string{"endpoint:PJSIP/" + c.Endpoint},
	}, err
}

// Ntfy says how the owner's topic is reached. It fails where a file that the configuration names cannot be used.
func Ntfy(of *config.Config) (ntfy.Config, error) {
	c := &of.Ntfy
	token, err := secret("ntfy.token_file", c.TokenFile)
	if err != nil {
		return ntfy.Config{}, err
	}
	trusted, err := roots("ntfy.ca_file", c.CAFile)
	return ntfy.Config{URL: c.URL, Topic: c.Topic, Token: token, Roots: trusted, AnyoneMayRead: c.AnyoneCanRead}, err
}

// Approvals says how the topic is reached on which the owner is asked for a yes.
func Approvals(of *config.Config) (ntfy.Config, error) {
	c, err := Ntfy(of)
	c.Topic, c.AnyoneMayRead = of.Ntfy.Approvals, false
	return c, err
}

// Rooms says how the owner's LiveKit server is reached, for who examines it. It fails where a file that the configuration names cannot be used.
func Rooms(of *config.Config, now func() time.Time) (checkup.Rooms, error) {
	c := &of.LiveKit
	key, word, err := LiveKit(of)
	if err != nil {
		return checkup.Rooms{}, err
	}
	r := checkup.Rooms{
		URL: c.URL, Key: key, Talk: c.Talk, Browser: c.BrowserURL(), PublicURL: of.PublicURL, Hook: "http://" + of.Listen + livekitHook,
		Ask: func(ctx context.Context) (time.Duration, error) {
			return worker.Check(ctx, worker.Options{URL: c.URL, Key: key, Secret: word, Now: now})
		},
	}
	if c.Dispatch == config.ByAgent {
		r.Agent = c.Agent
	}
	if of.PublicURL != "" {
		r.Hook = of.PublicURL + livekitHook
	}
	return r, nil
}

// secret gives a function that reads a secret's file anew each time, so that a new one needs no restart. One that cannot be read now is refused.
func secret(key, file string) (func() (string, error), error) {
	read := func() (string, error) {
		b, err := machine.ReadFile(file, maxSecret)
		return strings.TrimRight(string(b), "\r\n"), err
	}
	if _, err := read(); err != nil {
		return nil, lang.Say(lang.CLISecretFile, key, machine.Reason(err))
	}
	return read, nil
}

// roots reads the certificates to trust; nil, the system's, where no file is named.
func roots(key, file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	b, err := machine.ReadFile(file, maxRoots)
	if err != nil {
		return nil, lang.Say(lang.CLISecretFile, key, machine.Reason(err))
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(b) {
		return nil, lang.Say(lang.CLINoCertificate, key)
	}
	return pool, nil
}
