package owner

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
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

// Names of what the store keeps for the gate.
const (
	secretHash  = "passphrase"
	secretTries = "passphrase_tries"
)

// maxWait is the longest wait after wrong tries. It slows a guesser; it never locks the owner out.
const maxWait = 30 * time.Second

// Secrets keeps small values by name; a name that was never set gives store.ErrNoSecret.
type Secrets interface {
	Secret(ctx context.Context, name string) ([]byte, error)
	SetSecret(ctx context.Context, name string, v []byte) error
}

// gate checks the owner's passphrase.
type gate struct {
	store Secrets
	real  bool // texts go to people: without a passphrase nothing passes
	now   func() time.Time
	rand  io.Reader
	cost  cost

	mu sync.Mutex // one hash at a time: each takes 64 MiB
}

// tries is how often in a row the passphrase was wrong, and when last. It is kept in the store, so that neither a new connection nor a
// new process starts over.
type tries struct {
	Wrong int       `json:"wrong"`
	Last  time.Time `json:"last"`
}

// wait is how long after the last wrong try the next may come: 1, 2, 4, … seconds, 30 at most.
func (t tries) wait() time.Duration {
	if t.Wrong == 0 {
		return 0
	}
	return min(time.Second<<min(t.Wrong-1, 5), maxWait)
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
// the first passphrase must come from somewhere.
func (g *gate) pass(ctx context.Context, given string, first bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
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
	t, err := g.tries(ctx)
	if err != nil {
		return err
	}
	now := g.now()
	if now.Before(t.Last) {
		// The clock was set back: the wait starts again, so that this opens nothing.
		t.Last = now
		if err := g.keep(ctx, t); err != nil {
			return err
		}
	}
	if left := t.Last.Add(t.wait()).Sub(now); t.Wrong > 0 && left > 0 {
		return fail(CodeTooSoon, lang.OwnerTooSoon, seconds(left))
	}
	// The try is counted before the answer is known: a process that is killed half-way has still used it up.
	t.Wrong, t.Last = t.Wrong+1, now
	if err := g.keep(ctx, t); err != nil {
		return err
	}
	ok, err := verify(string(kept), given)
	if err != nil {
		return err
	}
	if !ok {
		return fail(CodePassphrase, lang.OwnerWrongPassphrase, seconds(t.wait()))
	}
	return g.keep(ctx, tries{})
}

// set takes a new passphrase. Whether the old one was given is checked before.
func (g *gate) set(ctx context.Context, fresh string) error {
	if utf8.RuneCountInString(strings.TrimSpace(fresh)) < MinPassphrase || len(fresh) > maxPassphrase {
		return fail(CodeWeak, lang.OwnerWeakPassphrase, MinPassphrase)
	}
	salt := make([]byte, saltLen)
	if _, err := io.ReadFull(g.rand, salt); err != nil {
		return fmt.Errorf("owner: salt: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.store.SetSecret(ctx, secretHash, []byte(hash(fresh, salt, g.cost))); err != nil {
		return err
	}
	return g.keep(ctx, tries{})
}

func (g *gate) tries(ctx context.Context) (t tries, err error) {
	b, err := g.read(ctx, secretTries)
	if err != nil || len(b) == 0 {
		return t, err
	}
	if err := json.Unmarshal(b, &t); err != nil {
		return t, fmt.Errorf("owner: tries: %w", err)
	}
	return t, nil
}

func (g *gate) keep(ctx context.Context, t tries) error {
	b, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("owner: tries: %w", err)
	}
	return g.store.SetSecret(ctx, secretTries, b)
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

// seconds rounds up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
