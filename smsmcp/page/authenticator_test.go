package page

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// authenticator is a security key with one passkey, as the tests need it: what it says can be bent.
type authenticator struct {
	t      *testing.T
	key    *ecdsa.PrivateKey
	id     []byte
	handle []byte
	count  uint32

	origin, rpID string
	unverified   bool // it did not verify its user
}

func newAuthenticator(t *testing.T) *authenticator {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &authenticator{t: t, key: key, id: id, origin: "http://localhost:8787", rpID: "localhost"}
}

var raw64 = base64.RawURLEncoding.EncodeToString

// text is a CBOR text string of less than 24 bytes, data a CBOR byte string.
func text(s string) []byte { return append([]byte{0x60 | byte(len(s))}, s...) }
func data(b []byte) []byte {
	if len(b) < 24 {
		return append([]byte{0x40 | byte(len(b))}, b...)
	}
	return append(binary.BigEndian.AppendUint16([]byte{0x59}, uint16(len(b))), b...)
}

func (a *authenticator) client(kind, challenge string) []byte {
	b, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

func (a *authenticator) data(attested bool) []byte {
	rp := sha256.Sum256([]byte(a.rpID))
	flags := byte(0x01) // the user is there
	if !a.unverified {
		flags |= 0x04
	}
	if attested {
		flags |= 0x40
	}
	out := append(rp[:], flags)
	out = binary.BigEndian.AppendUint32(out, a.count)
	if attested {
		out = append(out, make([]byte, 16)...) // no model
		out = binary.BigEndian.AppendUint16(out, uint16(len(a.id)))
		out = append(out, a.id...)
		out = append(out, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01) // a COSE key: EC2, ES256, P-256
		point, err := a.key.PublicKey.Bytes()
		if err != nil {
			a.t.Fatal(err)
		}
		out = append(append(out, 0x21, 0x58, 0x20), point[1:33]...)
		out = append(append(out, 0x22, 0x58, 0x20), point[33:]...)
	}
	return out
}

// create answers options for a new passkey.
func (a *authenticator) create(options []byte) map[string]any {
	var o struct {
		PublicKey struct {
			Challenge string
			User      struct{ ID string }
		}
	}
	if err := json.Unmarshal(options, &o); err != nil {
		a.t.Fatal(err)
	}
	a.handle, _ = base64.RawURLEncoding.DecodeString(o.PublicKey.User.ID)
	object := bytes.Join([][]byte{{0xa3}, text("fmt"), text("none"), text("attStmt"), {0xa0}, text("authData"), data(a.data(true))}, nil)
	return map[string]any{"id": raw64(a.id), "rawId": raw64(a.id), "type": "public-key", "clientExtensionResults": map[string]any{}, "response": map[string]any{
		"attestationObject": raw64(object), "clientDataJSON": raw64(a.client("webauthn.create", o.PublicKey.Challenge)),
	}}
}

// sign answers options for a passkey.
func (a *authenticator) sign(options []byte) map[string]any {
	var o struct{ PublicKey struct{ Challenge string } }
	if err := json.Unmarshal(options, &o); err != nil {
		a.t.Fatal(err)
	}
	a.count++
	client, auth := a.client("webauthn.get", o.PublicKey.Challenge), a.data(false)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(bytes.Clone(auth), sum[:]...))
	sig, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return map[string]any{"id": raw64(a.id), "rawId": raw64(a.id), "type": "public-key", "clientExtensionResults": map[string]any{}, "response": map[string]any{
		"authenticatorData": raw64(auth), "clientDataJSON": raw64(client), "signature": raw64(sig), "userHandle": raw64(a.handle),
	}}
}

// script posts what the page's script posts.
func (b *browser) script(path string, body any) *httptest.ResponseRecorder {
	b.h.t.Helper()
	js, err := json.Marshal(body)
	if err != nil {
		b.h.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, b.base+path, bytes.NewReader(js))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if f, err := form(b.get("/history"), "/sign-out"); err == nil {
		r.Header.Set("X-Readback-Token", f.Get("csrf"))
	}
	return b.do(r)
}

// unlock gives the passphrase for one more passkey.
func (b *browser) unlock(words string) *httptest.ResponseRecorder {
	b.h.t.Helper()
	csrf, err := form(b.get("/history"), "/sign-out")
	if err != nil {
		b.h.t.Fatal(err)
	}
	return b.post("/passkeys/unlock", url.Values{"csrf": csrf["csrf"], "passphrase": {words}})
}

// addKey adds a passkey to the page, by its whole way.
func (b *browser) addKey(a *authenticator, name string) *httptest.ResponseRecorder {
	b.h.t.Helper()
	if w := b.unlock(theWords); w.Code != http.StatusSeeOther {
		return w
	}
	options := b.script("/passkeys/options", struct{}{})
	if options.Code != 200 {
		return options
	}
	return b.script("/passkeys/add", map[string]any{"name": name, "credential": a.create(options.Body.Bytes())})
}

// show signs in, or proves, with a passkey.
func (b *browser) show(a *authenticator, base string) *httptest.ResponseRecorder {
	b.h.t.Helper()
	return b.script(base+"/passkey", a.sign(b.script(base+"/options", struct{}{}).Body.Bytes()))
}
