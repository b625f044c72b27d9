package oauth_test

import (
	"strings"
	"testing"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/oauth/oauthtest"
)

func TestContract(t *testing.T) {
	oauthtest.Contract(t, func(*testing.T) oauth.Store { return oauth.NewMemory() })
}

func TestEveryCodeHasWords(t *testing.T) {
	var keys []string
	for _, p := range []oauth.Problem{oauth.BadRequest, oauth.BadClient, oauth.BadRedirect, oauth.TryLater, oauth.Broken} {
		keys = append(keys, "problem_"+string(p))
	}
	for _, w := range []oauth.Why{oauth.ByOwner, oauth.ByClient, oauth.CodeTwice, oauth.RefreshTwice, oauth.Unused, oauth.TooMany} {
		keys = append(keys, "why_"+string(w))
	}
	for _, s := range oauth.All.Names() {
		keys = append(keys, "scope_"+strings.ReplaceAll(s, ":", "_"))
	}
	for _, key := range keys {
		if screen.Consent(lang.EN, key) == "" || screen.Consent(lang.FR, key) == "" {
			t.Errorf("%s has no words", key)
		}
	}
}
