// Package oauth walks how a client is let in, from outside: the official TypeScript SDK, Claude Code and the conformance suite, with an owner who agrees in a real headless Chromium, and
// attacks over the wire.
//
// Most of it is against the real program, as its owner starts it. What that cannot have on one machine without a name of its own is against all of its parts, in the test's process:
// another Internet, from which a client's document is fetched through the real guard, and a clock that goes ahead.
//
// Without Chromium or npm what needs them fails in CI (CI=true) and is skipped elsewhere, with the reason.
package oauth

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/outside"
	"readback/smsmcp/owner"
	"readback/test/testbed/program"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const contact, number = "Marie Tremblay", "+15145550101"

// The suites ask faster than a person's client does.
const settings = "time_zone = \"UTC\"\n[limits]\nrequests_per_minute = 60000\nburst = 10000\n"

// site is an owner's server at its public address, http://localhost:PORT.
type site struct {
	t       *testing.T
	public  string
	owner   func() *owner.Client // the owner's own commands
	log     func() string
	program *program.Program // nil where it is the parts

	options parts.Options
	app     *parts.App
	handler http.Handler
	carries http.RoundTripper // nil: the wire
	ahead   *atomic.Int64     // how far the clock of the parts is ahead

	behind atomic.Pointer[url.URL] // where it listens
	asked  lines                   // what came, as it came
	secret []string                // what must not be in the log
}

// newSite gives the public address, which has to be known before the server says where it listens. What comes there is passed on.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, err := net.SplitHostPort(ln.Addr().String())
	must(t, err)
	s.public = "http://localhost:" + port
	go func() {
		for {
			near, err := ln.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", s.behind.Load().Host)
			if err != nil {
				_ = near.Close()
				continue
			}
			pass := func(to io.Writer, from io.Reader) {
				_, _ = io.Copy(to, from)
				_, _ = near.Close(), far.Close()
			}
			go pass(far, io.TeeReader(near, &s.asked))
			go pass(near, far)
		}
	}()
	t.Cleanup(func() {
		_ = ln.Close()
		for _, one := range s.secret {
			if strings.Contains(s.log(), one) {
				t.Error("a secret is in the log")
			}
		}
	})
	return s
}

// keeps notes what must not be in the log.
func (s *site) keeps(secret string) string {
	if secret != "" {
		s.secret = append(s.secret, secret)
	}
	return secret
}

var requests = regexp.MustCompile(`(?m)^([A-Z]+ /[^ ?]*)[^ ]* HTTP/1\.1\r?$`)

// came gives the method and the path of all that came by the wire.
func (s *site) came() (out []string) {
	for _, m := range requests.FindAllStringSubmatch(s.asked.String(), -1) {
		out = append(out, m[1])
	}
	return out
}

// run starts the real program.
func run(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	s.program = program.New(t, []program.Contact{{Name: contact, Numbers: []string{number}}}, s.toml(""), nil)
	s.owner, s.log = s.program.Owner, s.program.Log
	s.start()
	return s
}

func (s *site) toml(more string) string {
	return "public_url = \"" + s.public + "\"\n" + settings + more
}

func (s *site) start() {
	s.program.Start()
	u, err := url.Parse(s.program.Base())
	must(s.t, err)
	s.behind.Store(u)
}

// assemble makes the parts that the program is made of, on another Internet and by a clock that goes ahead.
func assemble(t *testing.T, from outside.Options, more string) *site {
	t.Helper()
	s := newSite(t)
	s.ahead = &atomic.Int64{}
	dir, err := os.MkdirTemp("", "rb") // short: it holds a unix socket
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "readback.toml")
	must(t, os.WriteFile(file, []byte(s.toml(more)), 0o600))
	c, err := config.Load(config.Flags{Config: file, Data: filepath.Join(dir, "data"), Listen: "127.0.0.1:0"}, nil)
	must(t, err)
	must(t, machine.Folder(c.Data).Prepare())
	kept := &lines{}
	s.log = kept.String
	s.options = parts.Options{
		Config: c, Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }, Log: slog.New(slog.NewTextHandler(kept, nil)), Version: "test", Outside: from,
	}
	s.open()
	t.Cleanup(func() { must(t, s.app.Close(context.Background())) })
	_, err = owner.AddContact.Do(t.Context(), s.owner(), owner.Contact{Name: contact, Numbers: []string{number}}, "")
	must(t, err)
	_, err = owner.SetPassphrase.Do(t.Context(), s.owner(), owner.Secret{Value: program.Passphrase}, "")
	must(t, err)
	return s
}

// open opens the parts on the store that is there. Nobody listens yet: what asks is handed to them.
func (s *site) open() {
	s.t.Helper()
	a, err := parts.Open(s.t.Context(), s.options)
	must(s.t, err)
	_, err = a.Connect(s.t.Context())
	must(s.t, err)
	s.handler, err = a.Web()
	must(s.t, err)
	cl := owner.Local(a.Owner, lang.EN)
	s.app, s.owner, s.carries = a, func() *owner.Client { return cl }, handed{owner.InProcess(s.handler)}
}

// handed carries a request to a handler without a wire, as one from this machine.
type handed struct{ http.RoundTripper }

func (h handed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.RemoteAddr, r.Host, r.RequestURI = "127.0.0.1:1", cmp.Or(r.Host, r.URL.Host), r.URL.RequestURI()
	return h.RoundTripper.RoundTrip(r)
}

// listens has the parts run and listen, as the program does.
func (s *site) listens() *site {
	s.t.Helper()
	faces, err := parts.OpenFaces(s.t.Context(), s.options.Config, s.options.Log)
	must(s.t, err)
	ctx, end := context.WithCancel(context.Background())
	s.app.Start(ctx, faces.All(s.app, s.handler)...)
	s.t.Cleanup(func() {
		end()
		s.app.Wait(ctx)
		faces.Close()
	})
	s.behind.Store(&url.URL{Scheme: "http", Host: faces.Address()})
	s.carries = nil
	return s
}

// later moves the clock of the parts.
func (s *site) later(d time.Duration) { s.ahead.Add(int64(d)) }

// sent gives how many sends there are, whatever became of them.
func (s *site) sent() (n int) {
	s.t.Helper()
	all, err := owner.ListSends.Do(s.t.Context(), s.owner(), owner.Limit{Limit: 50}, program.Passphrase)
	must(s.t, err)
	return len(all)
}

type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
