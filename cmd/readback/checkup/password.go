package checkup

import (
	"context"
	"strings"
	"time"

	"readback/smsmcp/lang/finding"
	"readback/voip/ari"
)

// pair is a user of ARI and a password.
type pair struct{ user, password string }

const (
	mostTries   = 8
	tryTime     = 2 * time.Second
	leastLength = 16 // of a password that is drawn, and not thought of
)

// known are users and passwords that stand in samples, guides and default installations.
var known = []pair{
	{"asterisk", "asterisk"}, {"admin", "admin"}, {"ari", "ari"}, {"asterisk", "secret"}, {"ariuser", "ariuser"}, {"freepbxuser", "freepbxuser"},
}

// password looks at the configured password, and whether Asterisk takes one that everybody knows. ARI counts no failures and locks nobody out.
func (e *examination) password(ctx context.Context) {
	check := finding.AsteriskPassword
	secret, err := e.o.Line.Password()
	if err != nil {
		return // the first request says so
	}
	user := e.o.Line.User
	if weak(user, secret) {
		e.add(Fail, check, finding.AsteriskWeak, leastLength)
		return
	}
	tries := append([]pair{{user, user}, {user, "CHANGEME"}}, known...)
	for _, p := range tries[:mostTries] {
		switch took, err := e.takes(ctx, p); {
		case err != nil:
			return // what does not answer takes no password
		case took:
			e.add(Fail, check, finding.AsteriskKnown, p.user)
			return
		}
	}
	e.add(OK, check, finding.AsteriskPasswordOK)
}

// weak says whether a password can be guessed: it is short, one character again and again, or the user's name so.
func weak(user, password string) bool {
	return len(password) < leastLength || strings.Trim(password, password[:1]) == "" || strings.ReplaceAll(strings.ToLower(password), strings.ToLower(user), "") == ""
}

// takes says whether Asterisk lets a pair in.
func (e *examination) takes(ctx context.Context, p pair) (bool, error) {
	c := *e.o.Line
	c.User, c.Password, c.Timeout = p.user, func() (string, error) { return p.password, nil }, tryTime
	client, err := ari.New(c)
	if err != nil {
		return false, err
	}
	defer client.Close()
	_, err = client.Info(ctx)
	switch {
	case err == nil:
		return true, nil
	case code(err) == ari.CodeUnauthorized:
		return false, nil
	}
	return false, err
}
