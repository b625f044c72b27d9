package web

import (
	"bytes"
	"crypto/rand"
	"errors"
	"regexp"
	"strings"
	"testing"
)

func TestTokenRoundTrip(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		id, token, hash, err := NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^rb_[a-z2-7]{8}_[a-z2-7]{52}$`).MatchString(token) || seen[token] || seen[id] {
			t.Fatalf("token %q, id %q", token, id)
		}
		seen[token], seen[id] = true, true
		gotID, gotHash, err := ParseToken(token)
		if err != nil || gotID != id || gotHash != hash {
			t.Fatalf("parsed %q, %v", gotID, err)
		}
	}
}

func TestTokenWithoutRandomness(t *testing.T) {
	if _, token, _, err := NewToken(bytes.NewReader(make([]byte, 36))); err == nil || token != "" {
		t.Fatal("a token came out of too little randomness")
	}
}

func FuzzParseToken(f *testing.F) {
	_, token, _, _ := NewToken(rand.Reader)
	for _, s := range []string{
		"", token, token + " ", " " + token, strings.ToUpper(token), token[:len(token)-1], token + "a", "rb__", "rb_a_b",
		strings.Replace(token, "_", "-", 1), token + "_", "sk_" + token[3:], token[:12] + "\x00" + token[13:],
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, hash, err := ParseToken(s)
		if err != nil {
			if !errors.Is(err, ErrTokenForm) || strings.Contains(err.Error(), s) && s != "" && len(s) > 30 || id != "" || hash != [32]byte{} {
				t.Fatalf("%q gave %q and %v", s, id, err)
			}
			return
		}
		// One spelling only: a token that parses is the one that its bytes encode to.
		if len(s) != len(token) || s != "rb_"+id+"_"+s[len(s)-52:] {
			t.Fatalf("%q parsed", s)
		}
	})
}
