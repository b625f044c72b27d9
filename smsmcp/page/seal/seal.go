// Package seal signs what a browser holds for the owner's page until it brings it back, so that nothing is kept of what it was given: a challenge for a passkey (Ticket), and when a
// question was shown (Shown). What is brought back counts as written and in no other way of writing the same bytes, and Once says what was used.
//
// It holds of invariant 5 that a proof is told from one that was there when its question was shown: by a count of proofs, never by a clock, which can be set back.
//
// Floor 0: imports nothing of ours.
package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// Ticket is a challenge that a browser holds until it answers. It is bound to its end and to the session, and to the browser by being in a
// cookie that no script and no other site can read or send.
type Ticket struct {
	For     string          `json:"for"`
	Session [32]byte        `json:"session"`        // its hash; zeros for a browser that is not signed in
	About   [32]byte        `json:"about,omitzero"` // the one showing of a question that its proof is for (see Key); zeros where it is for none
	Until   time.Time       `json:"until"`
	Data    json.RawMessage `json:"data"`
}

// Shown is a question as it was shown to a session.
type Shown struct {
	At     time.Time
	Proofs uint64   // how many proofs the session had given by then
	Key    [32]byte // names this showing of this question
}

// What is not taken.
var (
	ErrTicket = errors.New("the challenge is not ours, or its time is past, or it was used")
	ErrShown  = errors.New("the form does not say when its question was shown here")
)

// Within says that at is less than a while ago, by what the clock shows and by what it counts beside that, where it does (package time calls this its monotonic reading). What lies
// in the future, as after a clock set back, is not.
func Within(at, now time.Time, while time.Duration) bool {
	shown, counted := now.Round(0).Sub(at.Round(0)), now.Sub(at)
	return !at.IsZero() && min(shown, counted) >= 0 && max(shown, counted) < while
}

// slewed is by how much a clock that is set right little by little goes wrong in two minutes, and more.
const slewed = 100 * time.Millisecond

// SetBack says that the clock was set back since at, by what it shows now or by what it counts beside.
func SetBack(at, now time.Time) bool {
	shown := now.Round(0).Sub(at.Round(0))
	return shown < 0 || now.Sub(at)-shown > slewed
}

// Sealer signs with a key of its own, and remembers what was used.
type Sealer struct {
	key  [32]byte
	mu   sync.Mutex
	used map[string]time.Time // until when it is to be remembered
}

// New takes its key from rand.
func New(rand io.Reader) (*Sealer, error) {
	s := &Sealer{used: map[string]time.Time{}}
	if _, err := io.ReadFull(rand, s.key[:]); err != nil {
		return nil, fmt.Errorf("a key: %w", err)
	}
	return s, nil
}

func (s *Sealer) mac(b []byte) []byte {
	m := hmac.New(sha256.New, s.key[:])
	m.Write(b)
	return m.Sum(nil)
}

// encoded is strict, so that bytes have one way to be written; but it passes over line breaks, which decode does not.
var encoded = base64.RawURLEncoding.Strict()

func decode(sealed string) ([]byte, bool) {
	if strings.ContainsAny(sealed, "\r\n") {
		return nil, false
	}
	b, err := encoded.DecodeString(sealed)
	return b, err == nil
}

// Seal signs a ticket.
func (s *Sealer) Seal(t Ticket) (string, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	return encoded.EncodeToString(append(s.mac(b), b...)), nil
}

// Open gives the ticket, if it is one of ours, for this end and session, whose time is not past; of those that were made to be good for so long.
func (s *Sealer) Open(sealed, end string, session [32]byte, now time.Time, long time.Duration) (t Ticket, err error) {
	b, ok := decode(sealed)
	if !ok || len(b) < sha256.Size || !hmac.Equal(b[:sha256.Size], s.mac(b[sha256.Size:])) {
		return t, ErrTicket
	}
	if err := json.Unmarshal(b[sha256.Size:], &t); err != nil {
		return t, ErrTicket
	}
	if t.For != end || t.Session != session || !Within(t.Until.Add(-long), now, long) {
		return Ticket{}, ErrTicket
	}
	return t, nil
}

// Once says whether this is the first time that it hears of something, until when it is to be remembered. Only what the owner did comes here, so this stays small.
func (s *Sealer) Once(what string, until, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, until := range s.used {
		if now.After(until) {
			delete(s.used, c)
		}
	}
	_, was := s.used[what]
	if !was {
		s.used[what] = until
	}
	return !was
}

// Was says whether something is remembered, where it would be in vain to go on.
func (s *Sealer) Was(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, was := s.used[what]
	return was
}

// Used counts what is remembered.
func (s *Sealer) Used() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.used)
}

// stamp is the time and the count of a Shown.
const stamp = 16

// Show seals when a question was shown to a session, and how many proofs that had given. The form brings it back, so nothing is kept of questions: whoever makes a browser ask, makes
// as many as they like.
func (s *Sealer) Show(in, question [32]byte, at time.Time, proofs uint64) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())) //nolint:gosec // and back
	b = binary.BigEndian.AppendUint64(b, proofs)
	return encoded.EncodeToString(append(b, s.macShown(in, question, b)...))
}

// macShown covers a beginning that no ticket has, which is JSON.
func (s *Sealer) macShown(in, question [32]byte, b []byte) []byte {
	return s.mac(slices.Concat([]byte("shown"), in[:], question[:], b))
}

// When opens it: that question, to that session, not in what is the future now, and less than so long ago.
func (s *Sealer) When(sealed string, in, question [32]byte, now time.Time, long time.Duration) (Shown, error) {
	b, ok := decode(sealed)
	if !ok || len(b) != stamp+sha256.Size || !hmac.Equal(b[stamp:], s.macShown(in, question, b[:stamp])) {
		return Shown{}, ErrShown
	}
	out := Shown{At: time.Unix(0, int64(binary.BigEndian.Uint64(b))), Proofs: binary.BigEndian.Uint64(b[8:]), Key: key(b)} //nolint:gosec // as above
	if !Within(out.At, now, long) {
		return Shown{}, ErrShown
	}
	return out, nil
}

// Key names the showing that something sealed is of, without judging it: what is not ours is the key of no showing.
func Key(sealed string) ([32]byte, error) {
	b, ok := decode(sealed)
	if !ok || len(b) != stamp+sha256.Size {
		return [32]byte{}, ErrShown
	}
	return key(b), nil
}

func key(b []byte) [32]byte { return sha256.Sum256(b) }
