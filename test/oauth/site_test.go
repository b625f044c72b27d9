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
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
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
	program *program.Program     // nil where it is the parts
	ahead   *atomic.Int64        // how far the clock of the parts is ahead
	owner   func() *owner.Client // the owner's own commands
	log     func() string

	behind atomic.Pointer[url.URL] // where it listens
	mu     sync.Mutex
	asked  []string // what came: the method and the path
	secret []string // what must not be in the log
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
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		s.mu.Lock()
		s.asked = append(s.asked, r.In.Method+" "+r.In.URL.Path)
		s.mu.Unlock()
		r.SetURL(s.behind.Load())
		r.Out.Host = r.In.Host
	}}}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() {
		_ = srv.Close()
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

// came gives what came since it was last asked for.
func (s *site) came() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.asked = nil }()
	return slices.Clone(s.asked)
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

// assemble starts the parts that the program is made of, on another Internet and by a clock that goes ahead.
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
	log := slog.New(slog.NewTextHandler(kept, nil))
	s.log = kept.String
	now := func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }
	a, err := parts.Open(t.Context(), parts.Options{Config: c, Now: now, Log: log, Version: "test", Outside: from})
	must(t, err)
	cl := owner.Local(a.Owner, lang.EN)
	s.owner = func() *owner.Client { return cl }
	_, err = owner.AddContact.Do(t.Context(), cl, owner.Contact{Name: contact, Numbers: []string{number}}, "")
	must(t, err)
	_, err = owner.SetPassphrase.Do(t.Context(), cl, owner.Secret{Value: program.Passphrase}, "")
	must(t, err)
	faces, err := parts.OpenFaces(t.Context(), c, log)
	must(t, err)
	_, err = a.Connect(t.Context())
	must(t, err)
	h, err := a.Web()
	must(t, err)
	ctx, end := context.WithCancel(context.Background())
	a.Start(ctx, faces.All(a, h)...)
	t.Cleanup(func() {
		end()
		a.Wait(ctx)
		faces.Close()
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s.behind.Store(&url.URL{Scheme: "http", Host: faces.Address()})
	return s
}

// later moves the clock of the parts.
func (s *site) later(d time.Duration) { s.ahead.Add(int64(d)) }

// sent gives how many texts were sent.
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

var _ io.Writer = (*lines)(nil)
