package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/outside"
)

const (
	issuer   = "https://readback.example"
	resource = issuer + "/mcp"
	callback = "https://claude.ai/api/mcp/auth_callback"
	verifier = "a-verifier-that-is-long-enough-for-rfc-7636-0001"
	document = "https://claude.ai/oauth/mcp-oauth-client-metadata"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var somewhere = netip.MustParseAddr("198.51.100.7")

func s256(v string) string {
	sum := sha256.Sum256([]byte(v))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// world is a server with its clock, its store and its log.
type world struct {
	t     *testing.T
	now   time.Time
	store *memory
	log   bytes.Buffer
	docs  docs
	told  []Grant
	from  string // whence requests come
	said  strings.Builder
	*Server
}

type docs struct {
	at    map[string]outside.Doc
	err   error
	asked int
}

func (d *docs) Get(_ context.Context, address string) (outside.Doc, error) {
	d.asked++
	if d.err != nil {
		return outside.Doc{}, d.err
	}
	doc, ok := d.at[address]
	if !ok {
		return doc, outside.ErrGone
	}
	return doc, nil
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, now: noon, store: newMemory(), docs: docs{at: map[string]outside.Doc{}}, from: "198.51.100.7:1234"}
	w.restart()
	return w
}

// restart loses all that the process has, and keeps the store.
func (w *world) restart() {
	s, err := New(Options{
		Issuer: issuer, Path: "/mcp", Store: w.store, Documents: &w.docs, Now: func() time.Time { return w.now },
		Log: slog.New(slog.NewTextHandler(&w.log, nil)), Notify: func(g Grant) { w.told = append(w.told, g) },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.Server = s
}

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

func (w *world) do(r *http.Request) (int, map[string]any, http.Header) {
	w.t.Helper()
	r.RemoteAddr = w.from
	rec := httptest.NewRecorder()
	w.Handler().ServeHTTP(rec, r)
	body, _ := io.ReadAll(rec.Result().Body)
	w.said.Write(body)
	out := map[string]any{}
	if err := json.Unmarshal(body, &out); err != nil && rec.Code < 404 {
		w.t.Errorf("%s %s: %d, no JSON: %q", r.Method, r.URL.Path, rec.Code, body)
	}
	if rec.Header().Get("Cache-Control") != "no-store" && rec.Code != 404 && rec.Code != 405 {
		w.t.Errorf("%s: Cache-Control is %q", r.URL.Path, rec.Header().Get("Cache-Control"))
	}
	return rec.Code, out, rec.Header()
}

func (w *world) post(path, kind, body string) (int, map[string]any) {
	r := httptest.NewRequest("POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	code, out, _ := w.do(r)
	return code, out
}

// form posts parameters: pairs of name and value.
func (w *world) form(path string, kv ...string) (int, map[string]any) {
	return w.post(path, formType, query(kv...))
}

func query(kv ...string) string {
	q := url.Values{}
	for i := 0; i < len(kv); i += 2 {
		q.Add(kv[i], kv[i+1])
	}
	return q.Encode()
}

// registered gives the id of a client that registered itself.
func (w *world) registered(redirects ...string) string {
	w.t.Helper()
	b, _ := json.Marshal(map[string]any{"client_name": "Claude", "redirect_uris": redirects, "token_endpoint_auth_method": "none"})
	code, out := w.post(registerPath, jsonType, string(b))
	if code != 201 {
		w.t.Fatalf("register: %d, %v", code, out)
	}
	return out["client_id"].(string)
}

// asks gives the query of a request for consent, with changes: pairs of name and value; an empty one takes the parameter out.
func asks(client string, kv ...string) string {
	q := url.Values{
		"response_type": {"code"}, "client_id": {client}, "redirect_uri": {callback}, "state": {"st&te =1"}, "scope": {"texts:read texts:send"},
		"code_challenge": {s256(verifier)}, "code_challenge_method": {"S256"}, "resource": {resource},
	}
	for i := 0; i < len(kv); i += 2 {
		if q.Set(kv[i], kv[i+1]); kv[i+1] == "" {
			q.Del(kv[i])
		}
	}
	return q.Encode()
}

// consents gives what is to be shown.
func (w *world) consents(q string) Consent {
	w.t.Helper()
	a := w.Authorize(w.t.Context(), q, somewhere)
	if a.Consent == nil || a.Back != "" || a.Problem != "" {
		w.t.Fatalf("no consent: %+v", a)
	}
	return *a.Consent
}

// code gives a code that the owner agreed to.
func (w *world) code(q string) string {
	w.t.Helper()
	at, err := w.Grant(w.t.Context(), w.consents(q), "owner")
	if err != nil {
		w.t.Fatal(err)
	}
	u, err := url.Parse(at)
	if err != nil {
		w.t.Fatal(err)
	}
	return u.Query().Get("code")
}

type tokens struct{ access, refresh string }

func (w *world) exchange(client, code string, kv ...string) (tokens, string) {
	w.t.Helper()
	all := append([]string{"grant_type", "authorization_code", "client_id", client, "code", code, "redirect_uri", callback, "code_verifier", verifier, "resource", resource}, kv...)
	return w.tokens(w.form(tokenPath, all...))
}

func (w *world) refreshes(client, token string, kv ...string) (tokens, string) {
	w.t.Helper()
	all := append([]string{"grant_type", "refresh_token", "client_id", client, "refresh_token", token, "resource", resource}, kv...)
	return w.tokens(w.form(tokenPath, all...))
}

func (w *world) tokens(status int, out map[string]any) (tokens, string) {
	w.t.Helper()
	if code, _ := out["error"].(string); code != "" {
		if status < 400 || len(out) != 1 {
			w.t.Errorf("an error as %d, %v", status, out)
		}
		return tokens{}, code
	}
	t := tokens{out["access_token"].(string), out["refresh_token"].(string)}
	if status != 200 || out["token_type"] != "Bearer" || out["expires_in"] != 3600.0 || !IsAccess(t.access) {
		w.t.Errorf("%d, %v", status, out)
	}
	return t, ""
}

// in gives a client that was let in.
func (w *world) in() (client string, t tokens) {
	w.t.Helper()
	client = w.registered(callback)
	t, fault := w.exchange(client, w.code(asks(client)))
	if fault != "" {
		w.t.Fatal(fault)
	}
	return client, t
}

func (w *world) works(token string) bool {
	w.t.Helper()
	_, err := w.Check(w.t.Context(), token)
	if err != nil && !errors.Is(err, ErrToken) {
		w.t.Error(err)
	}
	return err == nil
}

func (w *world) only() Grant {
	w.t.Helper()
	all, err := w.Grants(w.t.Context())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("%d grants, %v", len(all), err)
	}
	return all[0]
}
