package checkup_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/cmd/readback/checkup"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
	"readback/smsmcp/ntfy"
	"readback/test/testbed"
	"readback/voip/ari"
)

// options look at a bed as the owner's program would, beside a carrier with a list and an asterisk.conf as it is deployed.
func options(b *testbed.Bed, change ...func(*checkup.Options)) checkup.Options {
	o := checkup.Options{
		Line: &ari.Config{
			URL: b.ARI, App: b.App, User: b.User, Password: func() (string, error) { return b.Password, nil }, Roots: b.Roots,
			Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)), Timeout: 15 * time.Second,
		},
		Endpoint: "voipms", List: true, Addresses: net.InterfaceAddrs, Conf: "../../../deploy/asterisk/asterisk.conf",
	}
	for _, f := range change {
		f(&o)
	}
	return o
}

// rows are findings as the owner reads them: status, check and sentence, in English.
func rows(found []checkup.Finding) string {
	var out strings.Builder
	for _, f := range found {
		fmt.Fprintf(&out, "%s|%s|%s\n", [...]string{"ok", "warn", "FAIL"}[f.Status], f.Check.In(lang.EN), f.In(lang.EN))
	}
	return out.String()
}

// want asserts that a check has this status and a sentence with these words.
func want(t *testing.T, found []checkup.Finding, check lang.Message, s checkup.Status, words string) {
	t.Helper()
	for _, f := range found {
		if f.Check == check {
			if f.Status != s || !strings.Contains(f.In(lang.EN), words) || strings.Contains(f.In(lang.EN)+f.In(lang.FR), "%!") {
				t.Errorf("%s: status %d, %q; want %d, %q", check.EN, f.Status, f.In(lang.EN), s, words)
			}
			return
		}
	}
	t.Errorf("%s: not looked at; found:\n%s", check.EN, rows(found))
}

// only asserts besides that every other check is ok.
func only(t *testing.T, found []checkup.Finding, check lang.Message, s checkup.Status, words string) {
	t.Helper()
	want(t, found, check, s, words)
	for _, f := range found {
		if f.Check != check && f.Status != checkup.OK {
			t.Errorf("%s: %q", f.Check.EN, f.In(lang.EN))
		}
	}
}

// connect holds the events of the bed's application, as a server does, until the test ends or leave is called.
func connect(t *testing.T, o checkup.Options, sources ...string) (leave func()) {
	t.Helper()
	c := *o.Line
	c.Sources = sources
	client, err := ari.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	connected, ended := make(chan struct{}, 100), make(chan struct{})
	go func() {
		defer close(ended)
		_ = client.Run(ctx, ari.Listener{
			Connected: func(context.Context) error { connected <- struct{}{}; return nil },
			Event:     func(context.Context, ari.Event) {}, Down: func(string) {},
		})
	}()
	leave = func() { cancel(); <-ended; client.Close() }
	t.Cleanup(leave)
	select {
	case <-connected:
	case <-time.After(20 * time.Second):
		t.Fatal("not connected")
	}
	return leave
}

// TestAnAsteriskThatIsWell is the deployed one: every check is ok, with and without a server, and nothing that is printed is a secret.
func TestAnAsteriskThatIsWell(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true, TLSOnly: true})
	o := options(b)
	found := checkup.Line(t.Context(), o)
	only(t, found, finding.AsteriskEvents, checkup.OK, "while no server runs")
	want(t, found, finding.Asterisk, checkup.OK, "22.")
	if len(found) != 7 || strings.Contains(rows(found), b.Password) {
		t.Error(rows(found))
	}
	o.Running = true
	only(t, checkup.Line(t.Context(), o), finding.AsteriskEvents, checkup.Fail, "not connected")
	leave := connect(t, o, "endpoint:PJSIP/voipms")
	only(t, checkup.Line(t.Context(), o), finding.AsteriskEvents, checkup.OK, "told of each")
	o.Running = false
	only(t, checkup.Line(t.Context(), o), finding.AsteriskEvents, checkup.Warn, "another program")
	leave()
	o.Running = true
	o.Line.App = "all"
	leave = connect(t, o, "endpoint:PJSIP")
	only(t, checkup.Line(t.Context(), o), finding.AsteriskEvents, checkup.OK, "told of each")
	leave()
	o.Line.App = "deaf"
	connect(t, o)
	only(t, checkup.Line(t.Context(), o), finding.AsteriskEvents, checkup.Fail, "tells it of no text")
}

// TestFaultsOfAsterisk makes each fault in a real Asterisk.
func TestFaultsOfAsterisk(t *testing.T) {
	for name, tt := range map[string]struct {
		conf   map[string]string
		change func(*checkup.Options)
		check  lang.Message
		status checkup.Status
		words  string
	}{
		"no module for texts": {
			map[string]string{"modules.conf": "noload = res_pjsip_messaging.so\n"},
			nil, finding.AsteriskModules, checkup.Fail, "res_pjsip_messaging.so",
		},
		"no module for calls": {
			map[string]string{"modules.conf": "noload = res_ari_playbacks.so\n"},
			nil, finding.AsteriskModules, checkup.Warn, "res_ari_playbacks.so",
		},
		"a user that everybody knows": {
			map[string]string{"ari.conf": "[asterisk]\ntype = user\npassword = asterisk\n"},
			nil, finding.AsteriskPassword, checkup.Fail, "the user asterisk",
		},
		"a user with a password of samples": {
			map[string]string{"ari.conf": "[asterisk]\ntype = user\npassword = secret\n"},
			nil, finding.AsteriskPassword, checkup.Fail, "the user asterisk",
		},
		"no TLS on all addresses": {
			map[string]string{"http.conf": "[general](+)\nbindaddr = 0.0.0.0\n"},
			func(o *checkup.Options) { o.Line.URL = plain }, finding.AsteriskAddress, checkup.Fail, "without TLS",
		},
		"a trunk that is not verified, with a list": {
			map[string]string{"pjsip.conf": "[trunk-tls](+)\nverify_server = no\n"},
			nil, finding.AsteriskTrunk, checkup.Warn, "verify_server = yes",
		},
		"a trunk that is not verified": {
			map[string]string{"pjsip.conf": "[trunk-tls](+)\nverify_server = no\n"},
			func(o *checkup.Options) { o.List, o.TLSOnly = false, true }, finding.AsteriskTrunk, checkup.Fail, "verify_server = yes",
		},
		"no such trunk": {
			nil, func(o *checkup.Options) { o.Endpoint = "nobody" }, finding.AsteriskTrunk, checkup.Fail, "no endpoint",
		},
		"a trunk whose owner did not say that all is TLS": {
			nil, func(o *checkup.Options) { o.List = false }, finding.AsteriskTrunk, checkup.Warn, "tls_only",
		},
		"texts that run the dialplan": {
			map[string]string{"pjsip.conf": "[open](trunk-endpoint)\nmessage_context = from-trunk\naors = voipms\n"},
			func(o *checkup.Options) { o.Endpoint = "open" }, finding.AsteriskTrunk, checkup.Warn, "message_context",
		},
		"live_dangerously, by its file": {
			nil, func(o *checkup.Options) { o.Conf = dangerous }, finding.AsteriskLive, checkup.Fail, "asterisk.conf",
		},
		"live_dangerously, not told": {
			nil, func(o *checkup.Options) { o.Conf = "/nonexistent" }, finding.AsteriskLive, checkup.Warn, "ARI can load one",
		},
		"live_dangerously, not told, with a shell": {
			map[string]string{"modules.conf": "load = func_shell.so\nload = func_env.so\n"},
			func(o *checkup.Options) { o.Conf = "/nonexistent" }, finding.AsteriskLive, checkup.Warn, "func_env.so, func_shell.so",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := testbed.Start(t, testbed.Config{NoNtfy: true, TLSOnly: true, Asterisk: tt.conf})
			o := options(b)
			if tt.change != nil {
				tt.change(&o)
			}
			if o.Line.URL == plain {
				o.Line.URL = b.PlainARI
			}
			if o.Conf == dangerous {
				o.Conf = filepath.Join(t.TempDir(), "asterisk.conf")
				write(t, o.Conf, "[options]\nlive_dangerously = yes ; for a test\n")
			}
			only(t, checkup.Line(t.Context(), o), tt.check, tt.status, tt.words)
		})
	}
}

// What a case cannot know before its bed runs.
const plain, dangerous = "the plain address", "a file that says yes"

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLiveDangerouslyBesideACall: what runs counts, whatever the file says now; and where func_env is not loaded a call tells nothing.
func TestLiveDangerouslyBesideACall(t *testing.T) {
	for name, tt := range map[string]struct {
		set, modules, file string
		status             checkup.Status
	}{
		"yes":                   {"yes", "load = func_env.so\n", "no", checkup.Fail},
		"no":                    {"no", "load = func_env.so\n", "yes", checkup.OK},
		"yes, without func_env": {"yes", "", "yes", checkup.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := testbed.Start(t, testbed.Config{NoNtfy: true, TLSOnly: true, Asterisk: map[string]string{
				"asterisk.conf": "[options](+)\nlive_dangerously = " + tt.set + "\n", "modules.conf": tt.modules,
			}})
			o := options(b, func(o *checkup.Options) { o.Running = true })
			o.Conf = filepath.Join(t.TempDir(), "asterisk.conf")
			write(t, o.Conf, "[options]\nlive_dangerously = "+tt.file+"\n")
			connect(t, o, "endpoint:PJSIP")
			call(t, b)
			only(t, checkup.Line(t.Context(), o), finding.AsteriskLive, tt.status, "")
		})
	}
}

// call has a call stand in the application.
func call(t *testing.T, b *testbed.Bed) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.PlainARI+"/channels?"+url.Values{"endpoint": {"Local/app@from-trunk"}, "app": {b.App}}.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(b.User, b.Password)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status)
	}
}

// TestPasswords: a short one, the right one and a wrong one, in one Asterisk.
func TestPasswords(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true, TLSOnly: true})
	was := b.Password
	for _, weak := range []string{"short", "aaaaaaaaaaaaaaaaaaaaaaaa", "readbackREADBACKreadback"} {
		b.SetPassword(weak)
		found := checkup.Line(t.Context(), options(b))
		only(t, found, finding.AsteriskPassword, checkup.Fail, "guessed")
		if strings.Contains(rows(found), weak) {
			t.Error(rows(found))
		}
	}
	b.SetPassword("CHANGEME")
	wrong := options(b, func(o *checkup.Options) { o.Line.Password = func() (string, error) { return was, nil } })
	found := checkup.Line(t.Context(), wrong)
	want(t, found, finding.Asterisk, checkup.Fail, "does not accept")
	want(t, found, finding.AsteriskPassword, checkup.Fail, "the user readback")
	if len(found) != 3 {
		t.Error(rows(found))
	}
	b.SetPassword(was + "2")
	found = checkup.Line(t.Context(), wrong)
	want(t, found, finding.Asterisk, checkup.Fail, "does not accept")
	want(t, found, finding.AsteriskPassword, checkup.OK, "none of those")
	lost := options(b, func(o *checkup.Options) { o.Line.Password = func() (string, error) { return "", os.ErrNotExist } })
	if found := checkup.Line(t.Context(), lost); len(found) != 1 || found[0].Status != checkup.Fail || !strings.Contains(rows(found), "cannot be read") {
		t.Error(rows(found))
	}
	untrusted := options(b, func(o *checkup.Options) { o.Line.Roots = nil })
	if found := checkup.Line(t.Context(), untrusted); len(found) != 1 || !strings.Contains(rows(found), "certificate") {
		t.Error(rows(found))
	}
	b.Asterisk.Kill()
	if found := checkup.Line(t.Context(), options(b)); len(found) != 1 || !strings.Contains(rows(found), "does not answer") {
		t.Error(rows(found))
	}
}

// fake is an ARI of any version and with any certificate, at any address.
func fake(t *testing.T, listen string, withTLS bool, version string, tried func(user string)) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, ok := r.BasicAuth()
		if ok && tried != nil {
			tried(user + "/" + password)
		}
		switch {
		case !ok || password != secret:
			w.Header().Set("WWW-Authenticate", `Basic realm="Asterisk REST Interface"`)
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasSuffix(r.URL.Path, "/asterisk/info"):
			fmt.Fprintf(w, `{"system":{"version":%q}}`, version)
		case strings.HasSuffix(r.URL.Path, "/asterisk/modules"):
			fmt.Fprint(w, "[]")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	ln, err := net.Listen("tcp", listen)
	if err != nil {
		t.Fatal(err)
	}
	s.Listener.Close()
	s.Listener = ln
	if withTLS {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

const secret = "a-password-that-nobody-guesses"

func fakeOptions(t *testing.T, s *httptest.Server) checkup.Options {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	o := options(&testbed.Bed{ARI: u.Scheme + "://127.0.0.1:" + u.Port() + "/ari", App: "readback", User: "readback", Password: secret})
	if s.Certificate() != nil {
		o.Line.Roots = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	}
	return o
}

func TestOldAndUnknownVersions(t *testing.T) {
	t.Parallel()
	for version, status := range map[string]checkup.Status{
		"18.26.4": checkup.Warn, "13.1": checkup.Warn, "": checkup.Warn, "GIT-master-1234": checkup.Warn, "99999999999999999999": checkup.Warn,
		"20.0.0": checkup.OK, "22.10.1+dfsg": checkup.OK, "23": checkup.OK,
	} {
		s := fake(t, "127.0.0.1:0", false, version, nil)
		want(t, checkup.Line(t.Context(), fakeOptions(t, s)), finding.Asterisk, status, "version")
	}
}

// TestAddresses: TLS on all addresses is a warning, another machine's too, and what is no ARI is none.
func TestAddresses(t *testing.T) {
	t.Parallel()
	all := fake(t, ":0", true, "22", nil)
	want(t, checkup.Line(t.Context(), fakeOptions(t, all)), finding.AsteriskAddress, checkup.Warn, "others can reach it")
	one := fake(t, "127.0.0.1:0", true, "22", nil)
	want(t, checkup.Line(t.Context(), fakeOptions(t, one)), finding.AsteriskAddress, checkup.OK, "this machine alone")

	o := fakeOptions(t, all)
	o.Addresses = func() ([]net.Addr, error) { return nil, os.ErrPermission }
	want(t, checkup.Line(t.Context(), o), finding.AsteriskAddress, checkup.Warn, "bindaddr")
	for _, a := range must(net.InterfaceAddrs()) {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		own, roots := certified(t, ip.IP)
		defer own.Close()
		o = fakeOptions(t, own)
		o.Line.URL, o.Line.Roots = own.URL+"/ari", roots
		want(t, checkup.Line(t.Context(), o), finding.AsteriskAddress, checkup.Warn, "firewall")
		return
	}
	t.Error("this machine has no address of its own")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestTriesAreFew: eight at most, each once, none with the configured password, and none after something that is no answer.
func TestTriesAreFew(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var tried []string
	s := fake(t, "127.0.0.1:0", false, "22", func(pair string) {
		mu.Lock()
		defer mu.Unlock()
		tried = append(tried, pair)
	})
	checkup.Line(t.Context(), fakeOptions(t, s))
	mu.Lock()
	defer mu.Unlock()
	guesses := slices.DeleteFunc(slices.Clone(tried), func(p string) bool { return strings.HasSuffix(p, "/"+secret) })
	n := len(guesses)
	slices.Sort(guesses)
	if n == 0 || n > 8 || len(slices.Compact(guesses)) != n {
		t.Error(n, guesses)
	}
}

func TestNothingToLookAt(t *testing.T) {
	if found := append(checkup.Line(t.Context(), checkup.Options{}), checkup.Ntfy(t.Context(), checkup.Options{})...); len(found) != 0 {
		t.Error(rows(found))
	}
	o := options(&testbed.Bed{ARI: "http://192.0.2.1:8088/ari", App: "readback", User: "readback"})
	o.Ntfy = &ntfy.Config{URL: "http://192.0.2.1", Topic: "t", Token: func() (string, error) { return "tk_x", nil }}
	want(t, checkup.Line(t.Context(), o), finding.Asterisk, checkup.Fail, "cannot be used")
	want(t, checkup.Ntfy(t.Context(), o), finding.Ntfy, checkup.Fail, "takes https")
}

// TestEveryModuleIsDeployed: what is missed is what deploy/asterisk loads.
func TestEveryModuleIsDeployed(t *testing.T) {
	conf, err := os.ReadFile("../../../deploy/asterisk/modules.conf")
	if err != nil {
		t.Fatal(err)
	}
	s := fake(t, "127.0.0.1:0", false, "22", nil)
	missing := ""
	for _, f := range checkup.Line(t.Context(), fakeOptions(t, s)) {
		if f.Check == finding.AsteriskModules {
			missing = f.In(lang.EN)
		}
	}
	n := 0
	for _, word := range strings.FieldsFunc(missing, func(r rune) bool { return strings.ContainsRune(" ,:;", r) }) {
		if strings.HasSuffix(word, ".so") {
			n++
			if !strings.Contains(string(conf), "load = "+word+"\n") {
				t.Errorf("%s is not in modules.conf", word)
			}
		}
	}
	if n < 10 {
		t.Error(missing)
	}
}
