package page

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
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"
)

// What a challenge was made for. One made for another end is no good.
const (
	toSignIn = "sign_in"
	toProve  = "prove"
	toAdd    = "add"
)

// ticket is a challenge that a browser holds until it answers. It is bound to its end and to the session, and to the browser by being in a
// cookie that no script and no other site can read or send.
type ticket struct {
	For     string               `json:"for"`
	Session [32]byte             `json:"session"` // its hash; zeros for a browser that is not signed in
	Until   time.Time            `json:"until"`
	Data    webauthn.SessionData `json:"data"`
}

var errTicket = errors.New("the challenge is not ours, or its time is past, or it was used")

// sealer signs tickets, so that nothing need be kept for a stranger, and remembers those that were used.
type sealer struct {
	key  [32]byte
	mu   *sync.Mutex
	used map[string]time.Time // by challenge, until the ticket is past
}

func newSealer(rand io.Reader) (s sealer, err error) {
	s.mu, s.used = &sync.Mutex{}, map[string]time.Time{}
	if _, err = io.ReadFull(rand, s.key[:]); err != nil {
		err = fmt.Errorf("a key: %w", err)
	}
	return s, err
}

func (s sealer) mac(b []byte) []byte {
	m := hmac.New(sha256.New, s.key[:])
	m.Write(b)
	return m.Sum(nil)
}

func (s sealer) seal(t ticket) (string, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(append(s.mac(b), b...)), nil
}

// open gives the ticket, if it is one of ours, for this end and session, whose time is not past.
func (s sealer) open(sealed, end string, session [32]byte, now time.Time) (t ticket, err error) {
	b, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(b) < sha256.Size || !hmac.Equal(b[:sha256.Size], s.mac(b[sha256.Size:])) {
		return t, errTicket
	}
	if err := json.Unmarshal(b[sha256.Size:], &t); err != nil {
		return t, errTicket
	}
	if t.For != end || t.Session != session || !within(t.Until.Add(-fresh), now, fresh) {
		return ticket{}, errTicket
	}
	return t, nil
}

// use marks a ticket that was answered well, and says whether this was the first time. Only the owner can answer one well, so this stays small.
func (s sealer) use(t ticket, now time.Time) error {
	if !s.once(t.Data.Challenge, t.Until, now) {
		return errTicket
	}
	return nil
}

// once says whether this is the first time that it hears of something, until when it is to be remembered.
func (s sealer) once(what string, until, now time.Time) bool {
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

var errShown = errors.New("the form does not say when its question was shown here")

// shown seals when a question was shown to a session. The form brings it back, so nothing is kept of questions: whoever makes a browser ask, makes as many as they like.
func (s sealer) shown(in, question [32]byte, at time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())) //nolint:gosec // and back
	return base64.RawURLEncoding.EncodeToString(append(b, s.macShown(in, question, b)...))
}

// macShown covers a beginning that no ticket has, which is JSON.
func (s sealer) macShown(in, question [32]byte, at []byte) []byte {
	return s.mac(slices.Concat([]byte("shown"), in[:], question[:], at))
}

// when opens it: that question, to that session, not in what is the future now, and no longer ago than a session lasts.
func (s sealer) when(sealed string, in, question [32]byte, now time.Time) (time.Time, error) {
	b, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(b) != 8+sha256.Size || !hmac.Equal(b[8:], s.macShown(in, question, b[:8])) {
		return time.Time{}, errShown
	}
	at := time.Unix(0, int64(binary.BigEndian.Uint64(b))) //nolint:gosec // as above
	if !within(at, now, whole) {
		return time.Time{}, errShown
	}
	return at, nil
}
