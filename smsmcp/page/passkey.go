package page

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/page/seal"
	"readback/store"
)

// secretKeys is under what name the store keeps the passkeys.
const secretKeys = "passkeys"

const mostKeys, mostName = 20, 40

// keyring is the owner as WebAuthn knows them.
type keyring struct {
	Handle []byte    `json:"handle"` // names the owner to authenticators: random, and of no meaning elsewhere
	Keys   []passkey `json:"keys"`
}

type passkey struct {
	Name       string              `json:"name"`
	Added      time.Time           `json:"added"`
	Used       time.Time           `json:"used,omitzero"`
	Credential webauthn.Credential `json:"credential"` // the whole record
}

func (k passkey) id() string { return base64.RawURLEncoding.EncodeToString(k.Credential.ID) }

func (k *keyring) WebAuthnID() []byte          { return k.Handle }
func (k *keyring) WebAuthnName() string        { return "owner" }
func (k *keyring) WebAuthnDisplayName() string { return "Readback" }
func (k *keyring) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, 0, len(k.Keys))
	for _, one := range k.Keys {
		out = append(out, one.Credential)
	}
	return out
}

// ring reads the passkeys. Who writes them back holds p.keys from before.
func (p *Page) ring(ctx context.Context) (*keyring, error) {
	b, err := p.o.Store.Secret(ctx, secretKeys)
	if errors.Is(err, store.ErrNoSecret) {
		return &keyring{}, nil
	}
	if err != nil {
		return nil, err
	}
	k := &keyring{}
	if err := json.Unmarshal(b, k); err != nil {
		return nil, fmt.Errorf("the passkeys cannot be read: %w", err)
	}
	return k, nil
}

func (p *Page) keep(ctx context.Context, k *keyring) error {
	b, err := json.Marshal(k)
	if err != nil {
		return fmt.Errorf("the passkeys: %w", err)
	}
	return p.o.Store.SetSecret(ctx, secretKeys, b)
}

var errNoPasskeys = errors.New("passkeys do not work at this address")

// party is this page to an authenticator: the public address, or http://localhost at whatever port, which browsers trust as they do TLS.
func (p *Page) party(r *http.Request) (*webauthn.WebAuthn, error) {
	var id, origin string
	switch {
	case p.public != nil && strings.EqualFold(r.Host, p.public.Host):
		id, origin = p.public.Hostname(), p.public.Scheme+"://"+p.public.Host
	case p.public == nil && hostname(strings.ToLower(r.Host)) == "localhost":
		id, origin = "localhost", "http://"+strings.ToLower(r.Host)
	default:
		return nil, errNoPasskeys
	}
	if protocol.ValidateRPID(id) != nil {
		return nil, errNoPasskeys
	}
	return webauthn.New(&webauthn.Config{
		RPID: id, RPDisplayName: "Readback", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		// Some keepers of passkeys answer more than they were asked. None of it is looked at.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
		Timeouts:                          webauthn.TimeoutsConfig{Login: twoMinutes, Registration: twoMinutes},
	})
}

// twoMinutes is for the browser. That it is kept to is seen to by the ticket, whose clock is passed in.
var twoMinutes = webauthn.TimeoutConfig{Timeout: fresh, TimeoutUVD: fresh}

// script wraps what the page's script asks: signed in, with the session's token in a header.
func (p *Page) script(do func(http.ResponseWriter, *http.Request, visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := p.visitor(r)
		if !ok || !same(r.Header.Get("X-Readback-Token"), v.csrf) {
			p.tell(w, r, http.StatusForbidden, "signed_out")
			return
		}
		do(w, r, v)
	}
}

// tell answers the script with words for the owner.
func (p *Page) tell(w http.ResponseWriter, r *http.Request, status int, key string) {
	answer(w, status, map[string]string{"error": screen.Page(p.speaks(r), key)})
}

func (p *Page) tellBroken(w http.ResponseWriter, r *http.Request, err error) {
	p.o.Log.Error("page: a passkey's request failed", "error", err)
	p.tell(w, r, http.StatusInternalServerError, "broken")
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // of a kind that is always encoded
}

// read reads what the script sends.
func read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Type") != "application/json" {
		return nil, errors.New("not JSON")
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, scriptBytes))
}

// What a challenge was made for. One made for another end is no good.
const (
	toSignIn = "sign_in"
	toProve  = "prove"
	toAdd    = "add"
)

// ticket opens the one that the browser holds, with the challenge in it.
func (p *Page) ticket(r *http.Request, end string, in [32]byte) (t seal.Ticket, asked webauthn.SessionData, err error) {
	if t, err = p.seal.Open(p.cookie(r, ticketCookie), end, in, p.o.Now(), fresh); err == nil {
		err = json.Unmarshal(t.Data, &asked)
	}
	return t, asked, err
}

// challenge gives the browser a challenge, and its ticket: about is the showing of a question that its answer is for; zeros for none.
func (p *Page) challenge(w http.ResponseWriter, r *http.Request, end string, in, about [32]byte, options any, data *webauthn.SessionData) {
	b, err := json.Marshal(data)
	if err != nil {
		p.tellBroken(w, r, err)
		return
	}
	sealed, err := p.seal.Seal(seal.Ticket{For: end, Session: in, About: about, Until: p.o.Now().Add(fresh), Data: b})
	if err != nil {
		p.tellBroken(w, r, err)
		return
	}
	p.setCookie(w, ticketCookie, sealed, fresh)
	answer(w, http.StatusOK, options)
}

func (p *Page) signInOptions(w http.ResponseWriter, r *http.Request) {
	p.loginOptions(w, r, toSignIn, [32]byte{}, [32]byte{})
}

func (p *Page) proveOptions(w http.ResponseWriter, r *http.Request, v visit) {
	var in struct {
		For string `json:"for"` // what says when a question was shown, where the proof is for that alone
	}
	body, err := read(w, r)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	var about [32]byte
	if err == nil && in.For != "" {
		about, err = seal.Key(in.For)
	}
	if err != nil {
		p.tell(w, r, http.StatusBadRequest, "bad_request")
		return
	}
	p.loginOptions(w, r, toProve, v.key, about)
}

func (p *Page) loginOptions(w http.ResponseWriter, r *http.Request, end string, in, about [32]byte) {
	party, err := p.party(r)
	if err != nil {
		p.tell(w, r, http.StatusConflict, "passkeys_off")
		return
	}
	options, data, err := party.BeginDiscoverableLogin()
	if err != nil {
		p.tellBroken(w, r, err)
		return
	}
	p.challenge(w, r, end, in, about, options, data)
}

func (p *Page) signInPasskey(w http.ResponseWriter, r *http.Request) {
	body, err := read(w, r)
	if err == nil {
		_, err = p.present(r, body, toSignIn, [32]byte{})
	}
	p.setCookie(w, ticketCookie, "", 0)
	if err != nil {
		p.refusePasskey(w, r, err)
		return
	}
	if err := p.enter(w, r, byPasskey); err != nil {
		p.tellBroken(w, r, err)
		return
	}
	answer(w, http.StatusOK, map[string]string{"to": safe(r.URL.Query().Get("next"))})
}

func (p *Page) provePasskey(w http.ResponseWriter, r *http.Request, v visit) {
	var about [32]byte
	body, err := read(w, r)
	if err == nil {
		about, err = p.present(r, body, toProve, v.key)
	}
	p.setCookie(w, ticketCookie, "", 0)
	if err != nil {
		p.refusePasskey(w, r, err)
		return
	}
	if about == [32]byte{} {
		p.sessions.prove(v.key, p.o.Now(), byPasskey)
	} else {
		p.sessions.answer(v.key, about, p.o.Now())
	}
	p.o.Log.Info("page: proved", "proof", byPasskey)
	answer(w, http.StatusOK, map[string]string{})
}

func (p *Page) refusePasskey(w http.ResponseWriter, r *http.Request, err error) {
	var known *protocol.Error
	kind := "other"
	if errors.As(err, &known) {
		kind = known.Type // one of the library's few; what it details may be the browser's words
	}
	p.o.Log.Warn("page: a passkey was refused", "from", p.from(r).String(), "kind", kind)
	p.tell(w, r, http.StatusForbidden, "passkey_refused")
}

var errCount = errors.New("the passkey's counter went back: it may have been copied")

// present judges an answer to a challenge, once, and gives what it is about.
func (p *Page) present(r *http.Request, body []byte, end string, in [32]byte) (none [32]byte, err error) {
	t, asked, err := p.ticket(r, end, in)
	if err != nil {
		return none, err
	}
	party, err := p.party(r)
	if err != nil {
		return none, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(body)
	if err != nil {
		return none, err
	}
	p.keys.Lock()
	defer p.keys.Unlock()
	ring, err := p.ring(r.Context())
	if err != nil {
		return none, err
	}
	_, good, err := party.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return ring, nil }, asked, parsed)
	if err != nil {
		return none, err
	}
	if good.Authenticator.CloneWarning {
		return none, errCount
	}
	if !p.seal.Once(asked.Challenge, t.Until, p.o.Now()) {
		return none, seal.ErrTicket
	}
	for i := range ring.Keys {
		if string(ring.Keys[i].Credential.ID) == string(good.ID) {
			ring.Keys[i].Credential, ring.Keys[i].Used = *good, p.o.Now()
		}
	}
	return t.About, p.keep(r.Context(), ring)
}

func (p *Page) addOptions(w http.ResponseWriter, r *http.Request, v visit) {
	if !seal.Within(v.adding, p.o.Now(), fresh) {
		p.tell(w, r, http.StatusForbidden, "add_late")
		return
	}
	party, err := p.party(r)
	if err != nil {
		p.tell(w, r, http.StatusConflict, "passkeys_off")
		return
	}
	p.keys.Lock()
	defer p.keys.Unlock()
	ring, err := p.ring(r.Context())
	if err != nil {
		p.tellBroken(w, r, err)
		return
	}
	if len(ring.Handle) == 0 { // kept from here on: an authenticator must not come to know the owner by two
		ring.Handle = make([]byte, 32)
		if _, err = io.ReadFull(p.o.Rand, ring.Handle); err == nil {
			err = p.keep(r.Context(), ring)
		}
		if err != nil {
			p.tellBroken(w, r, err)
			return
		}
	}
	options, data, err := party.BeginRegistration(ring, webauthn.WithExclusions(webauthn.Credentials(ring.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		p.tellBroken(w, r, err)
		return
	}
	p.challenge(w, r, toAdd, v.key, [32]byte{}, options, data)
}

func (p *Page) addPasskey(w http.ResponseWriter, r *http.Request, v visit) {
	if !seal.Within(v.adding, p.o.Now(), fresh) {
		p.tell(w, r, http.StatusForbidden, "add_late")
		return
	}
	body, err := read(w, r)
	if err != nil {
		p.tell(w, r, http.StatusBadRequest, "bad_request")
		return
	}
	key, err := p.newKey(r, v, body)
	p.setCookie(w, ticketCookie, "", 0)
	switch {
	case errors.Is(err, errName):
		p.tell(w, r, http.StatusBadRequest, "add_bad_name")
	case errors.Is(err, errFull):
		p.tell(w, r, http.StatusConflict, "add_full")
	case errors.Is(err, errLate):
		p.tell(w, r, http.StatusForbidden, "add_late")
	case err != nil:
		p.o.Log.Warn("page: a passkey was not added")
		p.tell(w, r, http.StatusForbidden, "add_refused")
	default:
		p.o.Log.Info("page: a passkey was added", "format", key.Credential.AttestationFormat)
		p.notify(Notice{What: PasskeyAdded})
		answer(w, http.StatusOK, map[string]string{"to": "/passkeys"})
	}
}

var (
	errName = errors.New("a passkey's name has 1 to 40 characters, all of them drawn")
	errFull = errors.New("there are as many passkeys as there can be")
	errLate = errors.New("the passphrase was used up by another passkey")
)

func (p *Page) newKey(r *http.Request, v visit, body []byte) (passkey, error) {
	var in struct {
		Name       string          `json:"name"`
		Credential json.RawMessage `json:"credential"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return passkey{}, err
	}
	in.Name = strings.TrimSpace(in.Name)
	if utf8.RuneCountInString(in.Name) > mostName || clean.Drawable(in.Name) != nil || strings.Contains(in.Name, "\n") {
		return passkey{}, errName
	}
	t, asked, err := p.ticket(r, toAdd, v.key)
	if err != nil {
		return passkey{}, err
	}
	party, err := p.party(r)
	if err != nil {
		return passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(in.Credential)
	if err != nil {
		return passkey{}, err
	}
	p.keys.Lock()
	defer p.keys.Unlock()
	ring, err := p.ring(r.Context())
	if err != nil {
		return passkey{}, err
	}
	if len(ring.Keys) >= mostKeys {
		return passkey{}, errFull
	}
	made, err := party.CreateCredential(ring, asked, parsed)
	if err != nil {
		return passkey{}, err
	}
	for _, one := range ring.Keys {
		if string(one.Credential.ID) == string(made.ID) {
			return passkey{}, errors.New("that passkey is here already")
		}
	}
	if !p.seal.Once(asked.Challenge, t.Until, p.o.Now()) {
		return passkey{}, seal.ErrTicket
	}
	if !p.sessions.spend(v.key, p.o.Now()) {
		return passkey{}, errLate
	}
	key := passkey{Name: in.Name, Added: p.o.Now(), Credential: *made}
	ring.Keys = append(ring.Keys, key)
	return key, p.keep(r.Context(), ring)
}
