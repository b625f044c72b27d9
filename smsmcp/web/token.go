package web

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A token is rb_<id>_<secret>: the id (40 bits) finds its row, the secret (256 bits) proves it. Both are lower-case base32, so that a
// token is one word to a double click and to a shell. Only the SHA-256 of the secret is kept; a secret that nobody can guess
// needs no slow hash.
const (
	tokenPrefix = "rb_"
	idBytes     = 5
	secretBytes = 32
)

// ErrTokenForm says that a string is no token of ours.
var ErrTokenForm = errors.New("not a Readback token")

var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewToken draws a token from random (crypto/rand.Reader): its id and hash are for the store, the token itself for its owner's eyes, once.
func NewToken(random io.Reader) (id, token string, hash [32]byte, err error) {
	b := make([]byte, idBytes+secretBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", "", hash, fmt.Errorf("drawing a token: %w", err)
	}
	id = tokenEncoding.EncodeToString(b[:idBytes])
	secret := tokenEncoding.EncodeToString(b[idBytes:])
	return id, tokenPrefix + id + "_" + secret, sha256.Sum256([]byte(secret)), nil
}

// ParseToken reads the id of a token and the hash of its secret, or gives ErrTokenForm, which never holds any of s.
func ParseToken(s string) (id string, hash [32]byte, err error) {
	rest, ok := strings.CutPrefix(s, tokenPrefix)
	if !ok {
		return "", hash, ErrTokenForm
	}
	id, secret, ok := strings.Cut(rest, "_")
	if !ok || !encodes(id, idBytes) || !encodes(secret, secretBytes) {
		return "", hash, ErrTokenForm
	}
	return id, sha256.Sum256([]byte(secret)), nil
}

func encodes(s string, n int) bool {
	if len(s) != tokenEncoding.EncodedLen(n) {
		return false
	}
	b, err := tokenEncoding.DecodeString(s)
	return err == nil && len(b) == n
}
