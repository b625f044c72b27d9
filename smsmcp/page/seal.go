package page

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, until := range s.used {
		if now.After(until) {
			delete(s.used, c)
		}
	}
	if _, was := s.used[t.Data.Challenge]; was {
		return errTicket
	}
	s.used[t.Data.Challenge] = t.Until
	return nil
}
