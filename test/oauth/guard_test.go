package oauth

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/test/testbed/program"
)

// evils is a document at a host that the owner named, and that turned bad.
const evils = "https://evil.example/client"

func metadata(id string) string {
	b, _ := json.Marshal(map[string]any{"client_id": id, "client_name": "Evil", "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
	return string(b)
}

// TestAClientsDocumentLeadsNowhereInside: whatever an address of a document is, and wherever its name leads, all of the program's parts connect to public addresses alone, on 443, and only
// for the owner. The names are on another Internet; the guard is the real one.
func TestAClientsDocumentLeadsNowhereInside(t *testing.T) {
	t.Parallel()
	e := newElsewhere(t, "evil.example")
	good := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, metadata(evils))
	}
	e.answers(good)
	s := assemble(t, e.options(), "[oauth]\nhosts = [\"claude.ai\", \"evil.example\", \"not-its-own.example\"]\n")
	p := s.signsIn(t)
	e.resolves("not-its-own.example", []string{aPublic})
	public := []string{aPublic + ":443"}
	// asked is what becomes of a request by a client with this id, a while later.
	asked := func(id string) (r reply, dials, fetches []string) {
		s.later(2 * time.Minute)
		r = p.get(s.asks(id))
		dials, fetches = e.seen()
		if led(r) != "" {
			t.Errorf("%s: leads to %q", id, led(r))
		}
		return r, dials, fetches
	}

	for _, id := range []string{
		"https://127.0.0.1/client", "https://127.0.0.1:443/client", "https://localhost/client", "https://[::1]/client", "https://0.0.0.0/client", "https://127.1/client",
		"https://2130706433/client", "https://0x7f000001/client", "https://0x7f.0.0.1/client", "https://0177.0.0.1/client", "https://017700000001/client", "https://[::ffff:127.0.0.1]/client",
		"https://[::ffff:7f00:1]/client", "https://[::127.0.0.1]/client", "https://[64:ff9b::7f00:1]/client", "https://[fe80::1%25lo]/client", "https://１２７.０.０.１/client", "https://127。0。0。1/client",
		"https://10.0.0.1/client", "https://172.16.0.1/client", "https://192.168.0.1/client", "https://169.254.169.254/latest/meta-data/", "https://[fd00:ec2::254]/latest/meta-data/",
		"https://100.100.100.200/latest/meta-data/", "https://metadata.google.internal/computeMetadata/v1/", "https://[fc00::1]/client",
		"https://evil.example@127.0.0.1/client", "https://127.0.0.1#@evil.example/client", "https://evil.example\\@127.0.0.1/client", "https://evil.example:22/client", "https://evil.example:443/client",
		"https://evil.example./client", "https://EVIL.example/client", "https://evil.example/../client", "https://evil.example/%2e%2e/client", "https://evil.example/client?to=127.0.0.1",
		"https://evil.example/client#x", "https://evil.example", "https://evil.example/", "http://evil.example/client", "http://127.0.0.1/client", "file:///etc/passwd", "gopher://127.0.0.1/", "//127.0.0.1/client",
		"https://nobody-named-it.example/client", "https://sub.evil.example/client", "https://claude.ai.evil.example/client",
	} {
		if r, dials, _ := asked(id); r.status != 400 || len(dials) != 0 {
			t.Errorf("%s: connects to %q: %s", id, dials, r)
		}
	}

	for _, to := range [][]string{
		{"127.0.0.1"}, {"127.255.255.254"}, {"0.0.0.0"}, {"10.1.2.3"}, {"172.31.0.1"}, {"192.168.1.1"}, {"169.254.169.254"}, {"100.100.100.200"}, {"168.63.129.16"}, {"192.0.0.192"}, {"224.0.0.1"},
		{"255.255.255.255"}, {"::1"}, {"::"}, {"::ffff:127.0.0.1"}, {"::ffff:10.0.0.1"}, {"fe80::1"}, {"fd00:ec2::254"}, {"64:ff9b::7f00:1"}, {"64:ff9b::a9fe:a9fe"}, {"2002:7f00:1::1"}, {"ff02::1"},
		{aPublic, "127.0.0.1"}, {"10.0.0.1", aPublic}, {aPublic, "::1"},
	} {
		e.resolves("evil.example", to)
		if r, dials, _ := asked(evils); r.status != 400 || len(dials) != 0 {
			t.Errorf("a name that leads to %q: connects to %q: %s", to, dials, r)
		}
	}

	// A name that changes its mind between the judgement and the connection, and then stays there.
	e.resolves("evil.example", []string{aPublic}, []string{"127.0.0.1"})
	if r, dials, _ := asked(evils); r.status != 200 || !slices.Equal(dials, public) {
		t.Errorf("connects to %q: %s", dials, r)
	}
	s.later(time.Hour)
	if r, dials, _ := asked(evils); r.status != 400 || len(dials) != 0 {
		t.Errorf("once its name leads inside: connects to %q: %s", dials, r)
	}

	e.resolves("evil.example", []string{aPublic})
	id := func(n int) string { return fmt.Sprintf("%s/%d", evils, n) }
	n := 0
	for _, to := range []string{"https://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "https://evil.example/other", "/other", "https://claude.ai/client", "//[::1]/"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			n++
			e.answers(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/client/"+fmt.Sprint(n) {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprint(w, metadata(id(n)))
					return
				}
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			if r, dials, fetches := asked(id(n)); r.status == 200 || !slices.Equal(dials, public) || len(fetches) != 1 {
				t.Errorf("%d to %s: connects to %q, asks for %q: %s", status, to, dials, fetches, r)
			}
		}
	}
	for name, answer := range map[string]func(w http.ResponseWriter, id string){
		"too long": func(w http.ResponseWriter, id string) { fmt.Fprint(w, metadata(id), strings.Repeat(" ", 10<<10)) },
		"too long, in pieces": func(w http.ResponseWriter, id string) {
			fmt.Fprint(w, metadata(id))
			for range 64 {
				w.(http.Flusher).Flush()
				fmt.Fprint(w, strings.Repeat(" ", 1<<10))
			}
		},
		"packed": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, metadata(id))
		},
		"a page": func(w http.ResponseWriter, id string) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, metadata(id))
		},
		"another's": func(w http.ResponseWriter, _ string) {
			fmt.Fprint(w, metadata("https://claude.ai/oauth/mcp-oauth-client-metadata"))
		},
		"with a secret": func(w http.ResponseWriter, id string) {
			fmt.Fprint(w, strings.Replace(metadata(id), "{", `{"client_secret":"x",`, 1))
		},
		"of two": func(w http.ResponseWriter, id string) {
			fmt.Fprint(w, strings.Replace(metadata(id), "{", `{"client_id":"`+id+`",`, 1))
		},
		"sent to another place": func(w http.ResponseWriter, id string) {
			fmt.Fprint(w, strings.ReplaceAll(metadata(id), callback, "https://elsewhere.example/callback"))
		},
	} {
		n++
		e.answers(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			answer(w, id(n))
		})
		if r, dials, _ := asked(id(n)); r.status != 400 || !slices.Equal(dials, public) {
			t.Errorf("%s: connects to %q: %s", name, dials, r)
		}
	}
	if r, dials, fetches := asked("https://not-its-own.example/client"); r.status != 503 || !slices.Equal(dials, public) || len(fetches) != 0 {
		t.Errorf("a certificate for another name: connects to %q, asks for %q: %s", dials, fetches, r)
	}

	// Who is not the owner has nothing fetched.
	e.answers(good)
	if r := s.do(t, s.alone(nil), http.MethodGet, s.asks("https://evil.example/another"), ""); r.status != 303 || !strings.HasPrefix(led(r), "/sign-in") {
		t.Error(r)
	}
	if dials, _ := e.seen(); len(dials) != 0 {
		t.Errorf("signed out: connects to %q", dials)
	}
	// And the same document, as it should be, is one.
	if r, dials, _ := asked(evils); r.status != 200 || !slices.Equal(dials, public) {
		t.Errorf("as it should be: connects to %q: %s", dials, r)
	}
	// Its host is out of order a day later: the last good copy holds.
	s.later(11 * time.Hour)
	e.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) })
	if r, dials, _ := asked(evils); r.status != 200 || !slices.Equal(dials, public) {
		t.Errorf("out of order: connects to %q: %s", dials, r)
	}
}

// TestHostsOfClientsAreNames: the configuration takes no address for one of them.
func TestHostsOfClientsAreNames(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "[::1]", "2130706433", "0x7f.1", "localhost", "evil.example:22", "*.example", "EVIL.example", "evil.example/", "https://evil.example", ""} {
		file := t.TempDir() + "/readback.toml"
		must(t, os.WriteFile(file, fmt.Appendf(nil, "public_url = \"http://localhost:1\"\n[oauth]\nhosts = [%q]\n", host), 0o600))
		if _, err := config.Load(config.Flags{Config: file, Data: t.TempDir()}, nil); err == nil {
			t.Errorf("%q is taken for a host", host)
		}
	}
}

// TestByTheClock: what was good for a while is not after it.
func TestByTheClock(t *testing.T) {
	t.Parallel()
	e := newElsewhere(t, "claude.ai")
	s := assemble(t, e.options(), "")
	p := s.signsIn(t)
	client := s.registers(t, "Claude", callback)

	code := p.agrees(s.asks(client)).Get("code")
	s.later(time.Minute)
	if got := s.exchanges(t, client, code); !got.refused() {
		t.Error("a code is good after its minute")
	}
	page := p.get(s.asks(client))
	s.later(31 * 24 * time.Hour)
	if r := p.press(page, "/oauth/authorize/yes", "passphrase", program.Passphrase); strings.Contains(led(r), "code=") {
		t.Errorf("a page of last month lets a client in: %q", led(r))
	}
	p = s.signsIn(t)
	have := p.lets(client)
	s.later(time.Hour - time.Minute)
	if !s.works(t, have.access) {
		t.Error("an access token does not last its hour")
	}
	s.later(time.Minute)
	r := s.tool(t, have.access, "read_texts", nil)
	if h := r.header.Get("WWW-Authenticate"); r.status != 401 || !strings.Contains(h, `error="invalid_token"`) || !strings.Contains(h, "resource_metadata=") {
		t.Errorf("after its hour: %s, %q", r, h)
	}
	s.later(179 * 24 * time.Hour)
	next := s.refreshes(t, client, have.refresh)
	if next.fault != "" || !s.works(t, next.access) {
		t.Errorf("after half a year of silence: %q", next.fault)
	}
	s.later(180 * 24 * time.Hour)
	if got := s.refreshes(t, client, next.refresh); !got.refused() {
		t.Error("it is good for ever")
	}
}
