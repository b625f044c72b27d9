package page

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"readback/smsmcp/page/seal"
)

const (
	idle         = 12 * time.Hour
	whole        = 30 * 24 * time.Hour
	fresh        = 2 * time.Minute
	mostSessions = 32
)

// proof is how the owner showed that it is them.
type proof string

const (
	byPasskey    proof = "passkey"
	byPassphrase proof = "passphrase"
)

// session is a browser that is signed in. Of its id only the hash is kept.
type session struct {
	csrf   string
	born   time.Time
	used   time.Time
	proved time.Time // when the last proof was given that is for no one question; zero once the clock was set back since
	proof  proof
	proofs uint64    // how many of those there were: a count, unlike a clock, goes one way
	about  [32]byte  // the showing of a question that a proof was given for, which it alone counts for, once
	gave   time.Time // when that was
	adding time.Time // when the passphrase was given for another passkey; zero once that is there
}

// visit is a session as a request found it.
type visit struct {
	key [32]byte
	session
}

// sessions are the browsers that are signed in: in memory, so that a restart signs all out. Only a proof makes one, so nobody else can fill it.
type sessions struct {
	mu   sync.Mutex
	rand io.Reader
	all  map[[32]byte]*session
}

// start makes a session with an id that nobody has seen. Where there is no room, the one that was used least lately goes.
func (s *sessions) start(now time.Time, by proof) (id string, err error) {
	raw, csrf := make([]byte, 32), make([]byte, 32)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range [][]byte{raw, csrf} {
		if _, err := io.ReadFull(s.rand, b); err != nil {
			return "", fmt.Errorf("a session's id: %w", err)
		}
	}
	for len(s.all) >= mostSessions {
		var oldest [32]byte
		var at *session
		for key, one := range s.all {
			if at == nil || one.used.Before(at.used) {
				oldest, at = key, one
			}
		}
		delete(s.all, oldest)
	}
	id = base64.RawURLEncoding.EncodeToString(raw)
	one := &session{csrf: base64.RawURLEncoding.EncodeToString(csrf), born: now, used: now}
	one.prove(now, by)
	s.all[sha256.Sum256([]byte(id))] = one
	return id, nil
}

func (s *session) prove(now time.Time, by proof) {
	s.proved, s.proof, s.proofs = now, by, s.proofs+1
}

// get gives the session with this id, if it has not ended.
func (s *sessions) get(id string, now time.Time) (visit, bool) {
	key := sha256.Sum256([]byte(id))
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[key]
	if one == nil {
		return visit{}, false
	}
	// A clock that was set back would let it live longer, so it ends instead; a step of a minute is a clock being set right.
	if !seal.Within(one.used, now.Add(time.Minute), idle+time.Minute) || !seal.Within(one.born, now.Add(time.Minute), whole+time.Minute) {
		delete(s.all, key)
		return visit{}, false
	}
	// A proof from before the clock was set back would look newer than what was asked since, now or once the clock has caught up: it is none for good.
	for _, at := range []*time.Time{&one.proved, &one.gave, &one.adding} {
		if seal.SetBack(*at, now) {
			*at = time.Time{}
		}
	}
	one.used = now
	return visit{key, *one}, true
}

func (s *sessions) prove(key [32]byte, now time.Time, by proof) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.all[key]; one != nil {
		one.prove(now, by)
	}
}

// answer keeps a passkey's proof for one showing of a question, in the place of the last such.
func (s *sessions) answer(key, about [32]byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.all[key]; one != nil {
		one.about, one.gave = about, now
	}
}

// take uses that up, and says whether it was there.
func (s *sessions) take(key, about [32]byte, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[key]
	if one == nil || one.about != about || !seal.Within(one.gave, now, fresh) {
		return false
	}
	one.gave = time.Time{}
	return true
}

// allow lets a session add one passkey.
func (s *sessions) allow(key [32]byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.all[key]; one != nil {
		one.adding = now
	}
}

// spend uses that up, and says whether it was there.
func (s *sessions) spend(key [32]byte, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[key]
	if one == nil || !seal.Within(one.adding, now, fresh) {
		return false
	}
	one.adding = time.Time{}
	return true
}

func (s *sessions) end(key [32]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, key)
}

// endAll ends every session but one.
func (s *sessions) endAll(but [32]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.all {
		if key != but {
			delete(s.all, key)
		}
	}
}

// The cookies. Over TLS their names bind them to this host and path, and to TLS.
const (
	sessionCookie  = "readback"
	ticketCookie   = "readback-passkey"
	languageCookie = "readback-language"
)

func (p *Page) cookieName(name string) string {
	if p.o.Secure {
		return "__Host-" + name
	}
	return name
}

func (p *Page) cookie(r *http.Request, name string) string {
	// Two of one name mean that somebody set one beside ours: neither is taken.
	all := r.CookiesNamed(p.cookieName(name))
	if len(all) != 1 {
		return ""
	}
	return all[0].Value
}

// setCookie sets a cookie for so long; with none, it takes it away.
func (p *Page) setCookie(w http.ResponseWriter, name, value string, while time.Duration) {
	age := int(while / time.Second)
	if age == 0 {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure wherever there is TLS; http://localhost has none
		Name: p.cookieName(name), Value: value, Path: "/", MaxAge: age, HttpOnly: true, Secure: p.o.Secure, SameSite: http.SameSiteStrictMode,
	})
}

// visitor gives the session that a request is in.
func (p *Page) visitor(r *http.Request) (visit, bool) {
	id := p.cookie(r, sessionCookie)
	if id == "" {
		return visit{}, false
	}
	return p.sessions.get(id, p.o.Now())
}

// enter signs a browser in: the session that it had ends, and the new one has an id of its own, so that nobody who planted or saw an id has it.
func (p *Page) enter(w http.ResponseWriter, r *http.Request, by proof) error {
	if v, ok := p.visitor(r); ok {
		p.sessions.end(v.key)
	}
	id, err := p.sessions.start(p.o.Now(), by)
	if err != nil {
		return err
	}
	p.setCookie(w, sessionCookie, id, whole)
	p.places.Add(p.from(r).String(), p.o.Now())
	p.o.Log.Info("page: signed in", "proof", by)
	return nil
}
