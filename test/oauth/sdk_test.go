package oauth

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/test/testbed/npm"
)

// clients are those of test/clients: one lock says which.
func clients(t *testing.T) npm.Kit {
	t.Helper()
	return npm.Install(t, filepath.Join("..", "clients", "testdata"), "clients")
}

// walked is what a client says of its way.
type walked struct {
	Unauthorized, Client, Iss, Mixed, Scope, Read, Send, Refreshed, After string
	Discovery, MixedAsked, Exchange, Refresh, AfterAsked, Secrets         []string
	State, Another, Again                                                 bool
	Revoked, Status                                                       int
}

// walks runs testdata/walk.mjs against a site, and has somebody open what it asks to have opened.
func (s *site) walks(k npm.Kit, how map[string]string, open func(address string)) walked {
	s.t.Helper()
	ask := map[string]string{"modules": k.Modules, "url": s.public + "/mcp", "to": contact}
	for name, v := range how {
		ask[name] = v
	}
	b, err := json.Marshal(ask)
	must(s.t, err)
	script, err := filepath.Abs(filepath.Join("testdata", "walk.mjs"))
	must(s.t, err)
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
	defer cancel()
	cmd := k.Command(ctx, s.t, script, string(b))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	must(s.t, err)
	must(s.t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var said struct {
			Open string
			Done *walked
		}
		must(s.t, json.Unmarshal(lines.Bytes(), &said))
		if said.Done != nil {
			for _, one := range said.Done.Secrets {
				s.keeps(one)
			}
			return *said.Done
		}
		open(said.Open)
	}
	s.t.Fatalf("the client ended early:\n%s", errs.Bytes())
	return walked{}
}

// TestTheSDKsClient walks the whole way against the running program: it registers itself, the owner agrees in a real browser, it calls tools, refreshes and signs out.
func TestTheSDKsClient(t *testing.T) {
	for _, c := range []struct {
		line    string
		passkey bool
	}{{"v2", false}, {"v1", true}} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			k, s, b := clients(t), run(t), browse(t)
			if c.passkey {
				b.authenticator()
				b.addKey(s.public)
			}
			w := s.walks(k, map[string]string{"line": c.line, "name": "Walker"}, func(address string) {
				b.agrees(address, c.passkey, "It is let in by way of", "localhost", "It calls itself “Walker”.")
				b.says("You may close this window.")
			})
			s.walkedWell(t, c.line, w)
			if !strings.HasPrefix(w.Client, "rbclient_") || !slices.Contains(w.Discovery, "POST /oauth/register 201") {
				t.Errorf("it did not register itself: %s, %q", w.Client, w.Discovery)
			}
		})
	}
}

// document is where this client's document would be.
const document = "https://claude.ai/oauth/walker-client-metadata"

// TestTheSDKsClientByItsDocument walks the same way, of a client that is known by a document: against all of the program's parts, with the name claude.ai leading to a site of the
// test's on another Internet. All else is as it is in the program, the guard and TLS too.
func TestTheSDKsClientByItsDocument(t *testing.T) {
	t.Parallel()
	k, b, e := clients(t), browse(t), newElsewhere(t, "claude.ai")
	e.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"client_id":%q,"client_name":"Walker","redirect_uris":["http://localhost/callback"],"token_endpoint_auth_method":"none"}`, document)
	})
	s := assemble(t, e.options(), "").listens()
	w := s.walks(k, map[string]string{"line": "v2", "name": "Walker", "document": document}, func(address string) {
		if u, err := url.Parse(address); err != nil || u.Query().Get("client_id") != document {
			t.Errorf("it is not known by its document: %s", address)
		}
		b.agrees(address, false, "It is let in by way of", "localhost", "It calls itself “Walker", "claude.ai")
		b.says("You may close this window.")
	})
	s.walkedWell(t, "v2", w)
	if slices.ContainsFunc(w.Discovery, func(r string) bool { return strings.Contains(r, "register") }) {
		t.Errorf("it registered: %q", w.Discovery)
	}
	if dials, fetches := e.seen(); !slices.Equal(dials, []string{aPublic + ":443"}) || !slices.Equal(fetches, []string{"claude.ai/oauth/walker-client-metadata"}) {
		t.Errorf("fetched %q from %q", fetches, dials)
	}
}

func (s *site) walkedWell(t *testing.T, line string, w walked) {
	t.Helper()
	for _, want := range []string{"POST /mcp 401", "GET /.well-known/oauth-protected-resource/mcp 200", "GET /.well-known/oauth-authorization-server 200"} {
		if !slices.Contains(w.Discovery, want) {
			t.Errorf("no %s: %q", want, w.Discovery)
		}
	}
	if !strings.HasPrefix(w.Unauthorized, "UnauthorizedError") || !w.State || w.Iss != s.public {
		t.Errorf("%q, state %v, iss %s", w.Unauthorized, w.State, w.Iss)
	}
	if line != "v1" && (!strings.HasPrefix(w.Mixed, "IssuerMismatchError") || slices.ContainsFunc(w.MixedAsked, func(r string) bool { return strings.HasPrefix(r, "POST") })) {
		t.Errorf("another server's answer: %q, %q", w.Mixed, w.MixedAsked)
	}
	if !slices.Contains(w.Exchange, "POST /oauth/token 200 authorization_code") || w.Scope != "texts:read texts:send" {
		t.Errorf("%q, %q", w.Exchange, w.Scope)
	}
	if w.Read == "" || !strings.Contains(w.Send, "Sent to "+contact) || s.sent() != 1 {
		t.Errorf("%q, %q, %d sent", w.Read, w.Send, s.sent())
	}
	if !strings.Contains(w.Refreshed, contact) || !w.Another || !slices.Contains(w.Refresh, "POST /mcp 401") || !slices.Contains(w.Refresh, "POST /oauth/token 200 refresh_token") {
		t.Errorf("%q, %v, %q", w.Refreshed, w.Another, w.Refresh)
	}
	if w.Revoked != 200 || w.Status != 401 || w.After == "" || !w.Again || !slices.Contains(w.AfterAsked, "POST /oauth/token 400 refresh_token") {
		t.Errorf("after it signed out: %d, %d, %q, %v, %q", w.Revoked, w.Status, w.After, w.Again, w.AfterAsked)
	}
}
