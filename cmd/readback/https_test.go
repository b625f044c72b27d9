package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// certify writes a certificate for localhost and its key, and gives who trusts it.
func certify(t *testing.T, certFile, keyFile string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))))
	return pool
}

// TestTheServerSpeaksTLSAndTheOwnerSignsIn goes the owner's way: a configuration with a certificate, the page over TLS, the passphrase, and a send that waits.
func TestTheServerSpeaksTLSAndTheOwnerSignsIn(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		t.Fatal(err)
	}
	pool := certify(t, h.config("cert.pem"), h.config("key.pem"))
	port := freePort(t)
	write(t, h.config("readback.toml"), fmt.Sprintf("public_url = \"https://localhost:%[1]d\"\n%[2]s[guard]\nconfirm = \"always\"\n"+
		"[tls]\nlisten = \"127.0.0.1:%[1]d\"\ncert_file = \"cert.pem\"\nkey_file = \"key.pem\"\n", port, noWait))
	h.setPassphrase()
	s := h.serve()
	onTerminal := func(answers []string, args ...string) {
		t.Helper()
		if screen, code := h.onTerminal(answers, args...); code != 0 {
			t.Fatalf("%q", screen)
		}
	}
	onTerminal([]string{passphrase}, "contacts", "add", "Marie Tremblay", "418-555-0123")

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
	base := fmt.Sprintf("https://localhost:%d", port)
	see := func(path string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v %s", path, resp.StatusCode, err, b)
		}
		return string(b)
	}
	post := func(path, page string, more url.Values) string {
		t.Helper()
		form := hidden(page, path)
		for k, v := range more {
			form[k] = v
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", base)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		resp, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if page := post("/sign-in", see("/sign-in"), url.Values{"passphrase": {"not the passphrase"}}); strings.Contains(page, "Sign out") {
		t.Fatal("a wrong passphrase signs in")
	}
	post("/sign-in", see("/sign-in"), url.Values{"passphrase": {passphrase}})
	if !strings.Contains(see("/contacts"), "Marie Tremblay") {
		t.Fatal("not signed in")
	}
	for _, c := range jar.Cookies(&url.URL{Scheme: "https", Host: fmt.Sprintf("localhost:%d", port)}) {
		if !strings.HasPrefix(c.Name, "__Host-") { // browsers take one of that name over TLS alone
			t.Errorf("the cookie %s", c.Name)
		}
	}
	answer := s.call("send_text", map[string]any{"to": "Marie Tremblay", "body": "On my way"})
	id := regexp.MustCompile(`send ([a-z2-7]{10})`).FindStringSubmatch(answer)
	if id == nil {
		t.Fatal(answer)
	}
	path := "/sends/" + id[1]
	page := see(path)
	if !strings.Contains(page, "On my way") || !strings.Contains(page, "14185550123") {
		t.Fatalf("%s", page)
	}
	ask := post(path+"/yes", page, nil) // the sign-in was before the question
	if !strings.Contains(ask, "Is it you?") || !strings.Contains(ask, "On my way") {
		t.Fatalf("%s", ask)
	}
	post(path+"/yes", ask, url.Values{"passphrase": {passphrase}})
	if answer := s.call("check_send", map[string]any{"id": id[1]}); !strings.Contains(answer, "was sent") {
		t.Errorf("%s", answer)
	}
	if out := h.ok("sends", "--json"); !strings.Contains(out, `"confirmed_by":"page"`) {
		t.Errorf("%s", out)
	}
	// The clients of this machine still come by the plain address.
	if status, _ := s.get("/healthz"); status != http.StatusOK {
		t.Error(status)
	}
	// Another passphrase signs everybody out.
	onTerminal([]string{passphrase, "another four words", "another four words"}, "passphrase")
	if strings.Contains(see("/contacts"), "Marie Tremblay") {
		t.Error("a session outlives its passphrase")
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

var (
	formTag  = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)".*?</form>`)
	inputTag = regexp.MustCompile(`<input[^>]*>`)
	attrs    = regexp.MustCompile(`(name|value|type)="([^"]*)"`)
)

// hidden gives what the form of an action carries unseen.
func hidden(page, action string) url.Values {
	out := url.Values{}
	for _, f := range formTag.FindAllStringSubmatch(page, -1) {
		if f[1] != action {
			continue
		}
		for _, in := range inputTag.FindAllString(f[0], -1) {
			a := map[string]string{}
			for _, m := range attrs.FindAllStringSubmatch(in, -1) {
				a[m[1]] = m[2]
			}
			if a["type"] == "hidden" {
				out.Set(a["name"], a["value"])
			}
		}
	}
	return out
}

func TestServeListensToTheNetworkOverTLSAlone(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.refused("would let anyone on the network read your texts", "serve", "--listen", "0.0.0.0:0")
	write(t, h.config("proxy.toml"), "trusted_proxies = [\"0.0.0.0/0\"]\n")
	h.refused("every address there is", "serve", "--config", h.config("proxy.toml"))
	if out, _, code := h.run("doctor", "--config", h.config("proxy.toml")); code != 1 || !strings.Contains(out, "every address there is") {
		t.Errorf("doctor: %d\n%s", code, out)
	}
	write(t, h.config("here.toml"), "trusted_proxies = [\"127.0.0.1\"]\n")
	h.refused("listen there", "serve", "--config", h.config("here.toml"), "--listen", "0.0.0.0:0")
	write(t, h.config("half.toml"), "[tls]\nlisten = \"127.0.0.1:0\"\ncert_file = \"c.pem\"\n")
	h.refused("go together", "serve", "--config", h.config("half.toml"))
	write(t, h.config("none.toml"), "[tls]\nlisten = \"127.0.0.1:0\"\n")
	h.refused("tls.acme", "serve", "--config", h.config("none.toml"))
}

// TestPlainHTTPIsClosedToOtherMachines: where a proxy elsewhere needs an address that others reach too. This machine, by that address as by loopback, is let in.
func TestPlainHTTPIsClosedToOtherMachines(t *testing.T) {
	var own string
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			own = n.IP.String()
		}
	}
	if own == "" {
		t.Skip("this machine has no address beside loopback")
	}
	h := newHome(t)
	if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, h.config("readback.toml"), "trusted_proxies = [\"192.0.2.1\"]\n")
	s := h.serve("--listen", "0.0.0.0:0")
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(from, to string) error {
		from4 := &net.TCPAddr{IP: net.ParseIP(from)}
		client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{LocalAddr: from4}).DialContext}}
		resp, err := client.Get("http://" + net.JoinHostPort(to, port) + "/healthz")
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	for _, to := range []string{"127.0.0.1", own} {
		if err := ask("", to); err != nil {
			t.Errorf("this machine at %s: %v", to, err)
		}
	}
	// An address that is not the one called, nor loopback's: for all that the server sees, another machine.
	if err := ask(own, "127.0.0.1"); err == nil {
		t.Error("another machine is answered")
	}
	until(t, "the log says so", func() bool { return strings.Contains(s.log.String(), "from="+own) })
}

// TestAProxyThatNobodyNamedIsWarnedOf, when the server starts, in its log and by doctor, until it is named.
func TestAProxyThatNobodyNamedIsWarnedOf(t *testing.T) {
	const sentence = "Set trusted_proxies to the proxy's address"
	for proxies, warned := range map[string]bool{"": true, "trusted_proxies = [\"127.0.0.1\"]\n": false} {
		h := newHome(t)
		if err := os.MkdirAll(filepath.Join(h.dir, ".config/readback"), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, h.config("readback.toml"), "public_url = \"https://texts.example.com\"\n"+proxies)
		words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if out := words(h.ok("doctor")); strings.Contains(out, sentence) != warned {
			t.Errorf("doctor: %s", out)
		}
		s := h.serve()
		if out := words(h.heard()); strings.Count(out, sentence) != map[bool]int{true: 2}[warned] { // doctor's, and the greeting's
			t.Errorf("serve: %s", out)
		}
		until(t, "the log is written", func() bool { return strings.Contains(s.log.String(), "msg=serving") })
		if strings.Contains(s.log.String(), "trusted_proxies does not name the proxy") != warned {
			t.Errorf("the log: %s", s.log.String())
		}
	}
}
