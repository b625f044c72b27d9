package oauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds on what is kept of clients.
const (
	longMetadata   = 10 << 10
	longName       = 40 // characters
	mostWaiting    = 256
	mostAgreed     = 256
	waitingKept    = 7 * 24 * time.Hour
	youngFor       = 15 * time.Minute // a client that came so lately may have its question on the owner's screen
	agreedKept     = 400 * 24 * time.Hour
	mostMembers    = 64 // of an object
	leastFresh     = 5 * time.Minute
	mostFresh      = 24 * time.Hour
	lastGoodKept   = 30 * 24 * time.Hour
	notAgainBefore = 30 * time.Second
	mostBad        = 1024
)

// metadata is what a client says of itself, as far as it is looked at.
type metadata struct {
	id        string
	name      string
	redirects []string
	method    string
	secret    bool
}

var errMetadata = errors.New("no metadata of a client")

// parseMetadata reads a JSON object. Names of members are compared as they are written, and none comes twice: two readers must not see two clients.
func parseMetadata(b []byte) (m metadata, err error) {
	if len(b) > longMetadata || !utf8.Valid(b) {
		return m, errMetadata
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return m, errMetadata
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		name, _ := t.(string)
		if err != nil || seen[name] || len(seen) >= mostMembers {
			return m, errMetadata
		}
		seen[name] = true
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return m, errMetadata
		}
		switch name {
		case "client_id":
			err = json.Unmarshal(raw, &m.id)
		case "client_name":
			err = json.Unmarshal(raw, &m.name)
		case "redirect_uris":
			err = json.Unmarshal(raw, &m.redirects)
		case "token_endpoint_auth_method":
			err = json.Unmarshal(raw, &m.method)
		case "client_secret", "client_secret_expires_at":
			m.secret = true
		}
		if err != nil {
			return m, errMetadata
		}
	}
	if _, err := d.Token(); err != nil { // its last brace
		return m, errMetadata
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, errMetadata
	}
	if len(m.redirects) == 0 || len(m.redirects) > mostRedirects {
		return m, errMetadata
	}
	m.name = known(m.name)
	return m, nil
}

// known reduces a client's name to a form that can be shown anywhere and looks like no host: Latin letters, digits and a few marks, with single spaces. A name of any other form is
// none.
func known(name string) string {
	if utf8.RuneCountInString(name) > longName || strings.Join(strings.Fields(name), " ") != name || strings.ContainsFunc(name, func(r rune) bool {
		return (!unicode.Is(unicode.Latin, r) || r > '\u1eff') && (r < '0' || r > '9') && !strings.ContainsRune(" -_'()", r) // beyond are letters that look like dots
	}) {
		return ""
	}
	return name
}

// register answers RFC 7591: whoever asks is a client from then on, which alone is worth nothing. What it may be is said by its redirects.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	now := s.o.Now()
	from := s.from(r)
	if !s.registering.take(from, now) || !s.registeringNear.take(wide(from), now) || !s.registeringAll.take(struct{}{}, now) {
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	}
	body, ok := s.body(w, r, jsonType, longMetadata)
	if !ok {
		return
	}
	m, err := parseMetadata(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, invalidMetadata)
		return
	}
	for _, one := range m.redirects {
		if _, ok := s.hosts.redirect(one); !ok {
			refuse(w, http.StatusBadRequest, invalidRedirect)
			return
		}
	}
	id, err := draw(s.o.Rand, clientPrefix, clientBytes)
	if err != nil {
		s.broken(w, "register", err)
		return
	}
	c := Client{ID: id, Name: m.name, Redirects: m.redirects, Created: now}
	err = s.o.Store.Update(r.Context(), func(tx Tx) error {
		if err := sweepClients(tx, now); err != nil {
			return err
		}
		return tx.PutClient(c)
	})
	if errors.Is(err, errLater) {
		refuse(w, http.StatusTooManyRequests, tooMany)
		return
	}
	if err != nil {
		s.broken(w, "register", err)
		return
	}
	s.log.Info("oauth: a client registered")
	// Whatever way of proving itself it asked for, it has none (RFC 7591 3.2.1: the answer says what holds).
	out := map[string]any{
		"client_id": c.ID, "client_id_issued_at": now.Unix(), "redirect_uris": c.Redirects, "token_endpoint_auth_method": noClientSecret,
		"grant_types": []string{authorizationCode, refreshToken}, "response_types": []string{"code"}, "scope": All.String(),
	}
	if c.Name != "" {
		out["client_name"] = c.Name
	}
	answer(w, http.StatusCreated, out)
}

// sweepClients makes room for one more. Clients that the owner never agreed to go a week after they came, and the oldest first where there are too many: errLater if all of those are
// young. Those that the owner agreed to stay as long as one of their grants works, and long after: a client that is asked to sign in again does so by the name that it has.
func sweepClients(tx Tx, now time.Time) error {
	all, err := tx.Clients()
	if err != nil {
		return err
	}
	grants, err := tx.Grants()
	if err != nil {
		return err
	}
	works := map[string]bool{}
	for _, g := range grants {
		if g.Ended.IsZero() {
			works[g.Client] = true
		}
	}
	var waiting, agreed []Client
	for _, c := range all {
		switch {
		case works[c.ID]:
		case c.Granted.IsZero() && now.Sub(latest(c.Created, c.Fetched)) >= waitingKept, !c.Granted.IsZero() && now.Sub(c.Granted) >= agreedKept:
			if err := tx.DropClient(c.ID); err != nil {
				return err
			}
		case c.Granted.IsZero():
			waiting = append(waiting, c)
		default:
			agreed = append(agreed, c)
		}
	}
	slices.SortStableFunc(waiting, func(a, b Client) int { return latest(a.Created, a.Fetched).Compare(latest(b.Created, b.Fetched)) })
	slices.SortStableFunc(agreed, func(a, b Client) int { return a.Granted.Compare(b.Granted) })
	waiting = waiting[:max(0, len(waiting)-mostWaiting+1)]
	for _, c := range waiting {
		if within(latest(c.Created, c.Fetched), now, youngFor) {
			return errLater
		}
	}
	for _, c := range slices.Concat(waiting, agreed[:max(0, len(agreed)-mostAgreed)]) {
		if err := tx.DropClient(c.ID); err != nil {
			return err
		}
	}
	return nil
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
