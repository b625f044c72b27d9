// Package secret keeps what the owner alone knows, the passphrase and the PIN, as a hash that costs time and memory to guess at; and has guesses judged one
// at a time. Nothing of it is ever in an error (invariant 11).
//
// Floor 0: imports the standard library, golang.org/x/crypto/argon2 and golang.org/x/text alone.
package secret

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// Cost is what a hash costs: memory in KiB, passes, lanes.
type Cost struct {
	Memory, Passes uint32
	Lanes          uint8
}

// Recommended is the second option of RFC 9106, section 4: 64 MiB, 3 passes, 4 lanes.
var Recommended = Cost{64 << 10, 3, 4}

const saltLen, hashLen = 16, 32

// MaxLen is the longest secret that is looked at, in bytes.
const MaxLen = 1024

// ErrHash says that what is kept is no hash of ours.
var ErrHash = errors.New("secret: the hash cannot be read")

// Hash gives a secret's hash in the PHC string format, parameters included, with a fresh salt. The secret is brought to NFC first: keyboards differ in how they
// write an accent.
func Hash(plain string, random io.Reader, c Cost) (string, error) {
	salt := make([]byte, saltLen)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("secret: salt: %w", err)
	}
	sum := argon2.IDKey([]byte(norm.NFC.String(plain)), salt, c.Passes, c.Memory, c.Lanes, hashLen)
	b := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Passes, c.Lanes, b(salt), b(sum)), nil
}

// Verify says whether a secret is the one of a hash, in constant time. The error is ErrHash.
func Verify(kept, given string) (bool, error) {
	var version int
	var c Cost
	parts := strings.Split(kept, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, ErrHash
	}
	_, err1 := fmt.Sscanf(parts[2], "v=%d", &version)
	_, err2 := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Passes, &c.Lanes)
	salt, err3 := base64.RawStdEncoding.DecodeString(parts[4])
	sum, err4 := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(err1, err2, err3, err4) != nil || version != argon2.Version || c.Memory < 8 || c.Memory > 1<<20 ||
		c.Passes < 1 || c.Passes > 16 || c.Lanes < 1 || len(salt) < 8 || len(sum) != hashLen {
		return false, ErrHash
	}
	if len(given) > MaxLen {
		return false, nil
	}
	got := argon2.IDKey([]byte(norm.NFC.String(given)), salt, c.Passes, c.Memory, c.Lanes, hashLen)
	return subtle.ConstantTimeCompare(got, sum) == 1, nil
}
