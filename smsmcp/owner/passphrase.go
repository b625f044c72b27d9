package owner

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"readback/smsmcp/lang"
	"readback/store"
)

// cost is what a hash of a passphrase costs: memory in KiB, passes, lanes.
type cost struct {
	memory, passes uint32
	lanes          uint8
}

// recommended is the second option of RFC 9106, section 4: 64 MiB, 3 passes, 4 lanes.
var recommended = cost{64 << 10, 3, 4}

const saltLen, hashLen = 16, 32

// MinPassphrase is the shortest passphrase that is taken, in characters.
const MinPassphrase = 10

const maxPassphrase = 1024 // bytes

// secretHash is under what name the store keeps the passphrase's hash.
const secretHash = "passphrase"

// Secrets keeps small values by name; a name that was never set gives store.ErrNoSecret.
type Secrets interface {
	Secret(ctx context.Context, name string) ([]byte, error)
	SetSecret(ctx context.Context, name string, v []byte) error
}

// gate checks the owner's passphrase.
type gate struct {
	store Secrets
	real  bool // texts go to people: without a passphrase nothing passes
	rand  io.Reader
	cost  cost
	turns turns // one hash at a time: each takes 64 MiB
	spent memory
}

// isSet says whether there is a passphrase.
func (g *gate) isSet(ctx context.Context) (bool, error) {
	h, err := g.read(ctx, secretHash)
	return len(h) > 0, err
}

// read gives nil for a name that was never set.
func (g *gate) read(ctx context.Context, name string) ([]byte, error) {
	b, err := g.store.Secret(ctx, name)
	if errors.Is(err, store.ErrNoSecret) {
		return nil, nil
	}
	return b, err
}

// pass lets the right passphrase through, and everything where none is set and no text goes to people; with first, also where texts do:
// the first passphrase must come from somewhere. Caller is who asks: see turns.
func (g *gate) pass(ctx context.Context, caller, given string, first bool) error {
	kept, err := g.read(ctx, secretHash)
	switch {
	case err != nil:
		return err
	case len(kept) == 0 && g.real && !first:
		return fail(CodeNoPassphrase, lang.OwnerNoPassphrase)
	case len(kept) == 0:
		return nil
	case given == "":
		return fail(CodePassphrase, lang.OwnerNeedsPassphrase)
	}
	if err := g.turns.take(ctx, caller); err != nil {
		return err
	}
	wrong := true
	defer func() {
		g.spent.used()
		g.turns.done(caller, wrong)
	}()
	// Read again: it may have been changed while this waited.
	if kept, err = g.read(ctx, secretHash); err != nil {
		return err
	}
	ok, err := verify(string(kept), given)
	if err != nil {
		return err
	}
	if !ok {
		return fail(CodePassphrase, lang.OwnerWrongPassphrase)
	}
	wrong = false
	return nil
}

// Weak says that a passphrase is too short to be taken, or too long.
func Weak(fresh string) bool {
	return utf8.RuneCountInString(strings.TrimSpace(fresh)) < MinPassphrase || len(fresh) > maxPassphrase
}

// Prove checks a passphrase against what a store keeps, where no handler stands before it; one that keeps none lets everything through. The
// error of a wrong one is an [*Error] in l.
func Prove(ctx context.Context, s Secrets, l lang.Lang, given string) error {
	g := gate{store: s}
	err := g.pass(ctx, "", given, true)
	var f *failure
	if errors.As(err, &f) {
		return &Error{f.code, f.say.In(l, f.args...)}
	}
	return err
}

// HasPassphrase says whether a store keeps one.
func HasPassphrase(ctx context.Context, s Secrets) (bool, error) { return (&gate{store: s}).isSet(ctx) }

// set takes a new passphrase. Whether the old one was given is checked before.
func (g *gate) set(ctx context.Context, fresh string) error {
	if Weak(fresh) {
		return fail(CodeWeak, lang.OwnerWeakPassphrase, MinPassphrase)
	}
	salt := make([]byte, saltLen)
	if _, err := io.ReadFull(g.rand, salt); err != nil {
		return fmt.Errorf("owner: salt: %w", err)
	}
	if err := g.turns.take(ctx, ""); err != nil {
		return err
	}
	defer func() {
		g.spent.used()
		g.turns.done("", false)
	}()
	return g.store.SetSecret(ctx, secretHash, []byte(hash(fresh, salt, g.cost)))
}

// hash gives the passphrase's hash in the PHC string format, parameters included. The passphrase is brought to NFC first: keyboards
// differ in how they write an accent.
func hash(pass string, salt []byte, c cost) string {
	sum := argon2.IDKey([]byte(norm.NFC.String(pass)), salt, c.passes, c.memory, c.lanes, hashLen)
	b := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.lanes, b(salt), b(sum))
}

// errHash says that what the store keeps is no hash of ours.
var errHash = errors.New("owner: the passphrase's hash cannot be read")

// verify compares in constant time.
func verify(kept, pass string) (bool, error) {
	var version int
	var c cost
	parts := strings.Split(kept, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errHash
	}
	_, err1 := fmt.Sscanf(parts[2], "v=%d", &version)
	_, err2 := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.lanes)
	salt, err3 := base64.RawStdEncoding.DecodeString(parts[4])
	sum, err4 := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(err1, err2, err3, err4) != nil || version != argon2.Version || c.memory < 8 || c.memory > 1<<20 ||
		c.passes < 1 || c.passes > 16 || c.lanes < 1 || len(salt) < 8 || len(sum) != hashLen {
		return false, errHash
	}
	if len(pass) > maxPassphrase {
		return false, nil
	}
	got := argon2.IDKey([]byte(norm.NFC.String(pass)), salt, c.passes, c.memory, c.lanes, hashLen)
	return subtle.ConstantTimeCompare(got, sum) == 1, nil
}
