package oauth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// What is given out: a kind, and 256 bits in lower-case base32. Only the SHA-256 of the whole is kept, and it is found by that: how long a search takes says nothing
// of the secret.
const (
	codePrefix    = "rbc_"
	accessPrefix  = "rba_"
	refreshPrefix = "rbr_"
	clientPrefix  = "rbclient_"
	secretBytes   = 32
	idBytes       = 5
	clientBytes   = 16
)

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// draw gives a prefix and n random bytes.
func draw(random io.Reader, prefix string, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("drawing a secret: %w", err)
	}
	return prefix + encoding.EncodeToString(b), nil
}

// Hash is the SHA-256 of a secret that was given out.
type Hash [sha256.Size]byte

// hashOf gives the hash of what has the form of a secret of that kind.
func hashOf(s, prefix string) (Hash, bool) {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok || !encodes(rest, secretBytes) {
		return Hash{}, false
	}
	return sha256.Sum256([]byte(s)), true
}

func encodes(s string, n int) bool {
	if len(s) != encoding.EncodedLen(n) {
		return false
	}
	b, err := encoding.DecodeString(s)
	return err == nil && len(b) == n
}

// IsAccess says whether a bearer token is one that this package may have given: others belong to others.
func IsAccess(token string) bool { return strings.HasPrefix(token, accessPrefix) }

func isChallenge(s string) bool {
	if len(s) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == sha256.Size
}

// isVerifier follows RFC 7636 4.1.
func isVerifier(s string) bool {
	return len(s) >= 43 && len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._~", r)
	})
}

// verifies says whether a verifier is the challenge's, by S256 (RFC 7636 4.6).
func verifies(verifier, challenge string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return isVerifier(verifier) && same(base64.RawURLEncoding.EncodeToString(sum[:]), challenge)
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
