package secret_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"readback/smsmcp/secret"
)

const good = "words that nobody guesses"

var cheap = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}

func hash(t *testing.T, plain string, c secret.Cost) string {
	t.Helper()
	h, err := secret.Hash(plain, rand.Reader, c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestInvariant11SecretsAreKeptHashed(t *testing.T) {
	one, two := hash(t, good, secret.Recommended), hash(t, good, secret.Recommended)
	if one == two || strings.Contains(one, "words") || !strings.HasPrefix(one, "$argon2id$v=19$m=65536,t=3,p=4$") {
		t.Errorf("kept: %s and %s", one, two)
	}
	if ok, err := secret.Verify(hash(t, "déjà vu encore", secret.Recommended), "de\u0301ja\u0300 vu encore"); !ok || err != nil {
		t.Errorf("the same words from another keyboard: %v %v", ok, err)
	}
	if ok, err := secret.Verify(one, good+" "); ok || err != nil {
		t.Errorf("a wrong one: %v %v", ok, err)
	}
	if _, err := secret.Hash(good, iotest.ErrReader(errors.New("no chance")), cheap); err == nil || strings.Contains(err.Error(), "words") {
		t.Errorf("without random: %v", err)
	}
}

func TestWhatIsNoHashIsAnError(t *testing.T) {
	for _, broken := range []string{"", "x", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ", "$argon2i$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$AAAA",
		"$argon2id$v=19$m=99999999,t=3,p=4$c2FsdHNhbHQ$AAAA", "$argon2id$v=18$m=65536,t=3,p=4$c2FsdHNhbHQ$AAAA"} {
		if ok, err := secret.Verify(broken, good); ok || !errors.Is(err, secret.ErrHash) {
			t.Errorf("%q: %v %v", broken, ok, err)
		}
	}
	if ok, err := secret.Verify(hash(t, good, cheap), strings.Repeat("x", secret.MaxLen+1)); ok || err != nil {
		t.Errorf("an endless try: %v %v", ok, err)
	}
}
