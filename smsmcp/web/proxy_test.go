package web

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

func trusted(t *testing.T, list ...string) []netip.Prefix {
	t.Helper()
	out, err := Proxies(list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// seen gives what a handler finds of a request that passed the server.
func seen(t *testing.T, proxies []netip.Prefix, change func(*http.Request)) (source string, secure bool, hsts string) {
	t.Helper()
	f := setUp(t, func(o *Options) {
		o.TrustedProxies, o.PublicHosts = proxies, []string{"texts.example.org"}
		o.Routes = []Route{{Pattern: "/", Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			source, secure = Source(r).String(), Secure(r)
		})}}
	})
	w := f.do("GET", "/", "", func(r *http.Request) { r.Host = "texts.example.org"; change(r) })
	if w.Code != 200 {
		t.Fatal(w.Code, w.Body)
	}
	return source, secure, w.Header().Get("Strict-Transport-Security")
}

func TestWhoIsTheClient(t *testing.T) {
	proxies := trusted(t, "10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48", "::ffff:172.16.0.0/108", " 127.0.0.1 ")
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"nobody between", "203.0.113.9:1", nil, "203.0.113.9"},
		{"an untrusted peer lies", "203.0.113.9:1", []string{"198.51.100.1"}, "203.0.113.9"},
		{"an untrusted peer passes for a proxy", "203.0.113.9:1", []string{"198.51.100.1, 10.0.0.1"}, "203.0.113.9"},
		{"loopback that is not configured", "[::1]:1", []string{"198.51.100.1"}, "::1"},
		{"one proxy", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"a proxy that says nothing", "10.0.0.1:1", nil, "10.0.0.1"},
		{"loopback that is", "127.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"the client invents a hop", "10.0.0.1:1", []string{"192.0.2.99, 198.51.100.1"}, "198.51.100.1"},
		{"the client invents a proxy", "10.0.0.1:1", []string{"10.9.9.9, 198.51.100.1"}, "198.51.100.1"},
		{"in a header of its own", "10.0.0.1:1", []string{"192.0.2.99", "198.51.100.1"}, "198.51.100.1"},
		{"two proxies", "10.0.0.1:1", []string{"192.0.2.99, 198.51.100.1, 192.0.2.7"}, "198.51.100.1"},
		{"two proxies, two headers", "10.0.0.1:1", []string{"198.51.100.1", "192.0.2.7"}, "198.51.100.1"},
		{"all are proxies", "10.0.0.1:1", []string{"10.0.0.3,10.0.0.2"}, "10.0.0.3"},
		{"garbage", "10.0.0.1:1", []string{"what a stranger wrote"}, "10.0.0.1"},
		{"garbage nearest", "10.0.0.1:1", []string{"198.51.100.1, unknown"}, "10.0.0.1"},
		{"garbage beyond", "10.0.0.1:1", []string{"\"><script>, 198.51.100.1"}, "198.51.100.1"},
		{"garbage between proxies", "10.0.0.1:1", []string{"198.51.100.1, , 192.0.2.7"}, "192.0.2.7"},
		{"an empty one", "10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"with a port", "10.0.0.1:1", []string{"198.51.100.1:4711"}, "198.51.100.1"},
		{"IPv6", "[2001:db8:1::1]:1", []string{"2001:db8:2::2"}, "2001:db8:2::2"},
		{"IPv6 in brackets", "10.0.0.1:1", []string{"[2001:db8:2::2]"}, "2001:db8:2::2"},
		{"IPv6 with a port", "10.0.0.1:1", []string{"[2001:db8:2::2]:4711"}, "2001:db8:2::2"},
		{"IPv6 proxy within", "10.0.0.1:1", []string{"198.51.100.1, 2001:db8:1::5"}, "198.51.100.1"},
		{"a mapped peer", "[::ffff:10.0.0.1]:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"a mapped range", "172.16.3.4:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"a mapped client", "10.0.0.1:1", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"a mapped proxy within", "10.0.0.1:1", []string{"198.51.100.1, ::ffff:10.1.2.3"}, "198.51.100.1"},
		{"a mapped stranger", "[::ffff:203.0.113.9]:1", []string{"198.51.100.1"}, "203.0.113.9"},
		{"a number", "10.0.0.1:1", []string{"3325256705"}, "10.0.0.1"},
		{"no address at all", "@", []string{"198.51.100.1"}, "invalid IP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, _ := seen(t, proxies, func(r *http.Request) {
				r.RemoteAddr, r.Header["X-Forwarded-For"] = c.peer, c.forwarded
				r.Header.Set("Forwarded", "for=192.0.2.200")
				r.Header.Set("X-Real-Ip", "192.0.2.200")
			})
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestSecure(t *testing.T) {
	proxies := trusted(t, "10.0.0.1")
	for _, c := range []struct {
		name, peer string
		proto      []string
		ours       bool
		want       bool
	}{
		{"in the clear", "203.0.113.9:1", nil, false, false},
		{"over our TLS", "203.0.113.9:1", nil, true, true},
		{"an untrusted peer says so", "203.0.113.9:1", []string{"https"}, false, false},
		{"a proxy says so", "10.0.0.1:1", []string{"HTTPS"}, false, true},
		{"a proxy says not", "10.0.0.1:1", []string{"http"}, false, false},
		{"a proxy says nothing", "10.0.0.1:1", nil, false, false},
		{"a client wrote first", "10.0.0.1:1", []string{"https, http"}, false, false},
		{"a client wrote first, in a header of its own", "10.0.0.1:1", []string{"https", "http"}, false, false},
		{"two proxies agree", "10.0.0.1:1", []string{"https,https"}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, hsts := seen(t, proxies, func(r *http.Request) {
				r.RemoteAddr, r.Header["X-Forwarded-Proto"] = c.peer, c.proto
				r.Header.Set("X-Forwarded-Ssl", "on")
				if r.TLS = nil; c.ours {
					r.TLS = &tls.ConnectionState{}
				}
			})
			if got != c.want || (hsts != "") != c.want {
				t.Errorf("%v, want %v; HSTS %q", got, c.want, hsts)
			}
		})
	}
	r := httptest.NewRequest("GET", "https://texts.example.org/", nil) // outside the server too
	if r.RemoteAddr = "[::ffff:192.0.2.1]:1"; Source(r).String() != "192.0.2.1" || !Secure(r) {
		t.Error(Source(r), Secure(r))
	}
}

// TestHSTSSparesLoopback: it would hold for every port of localhost, and for a name that is not ours.
func TestHSTSSparesLoopback(t *testing.T) {
	f := setUp(t, nil)
	for _, host := range []string{"localhost:8787", "127.0.0.1", "[::1]:8787", "evil.example"} {
		w := f.do("GET", "/healthz", "", func(r *http.Request) { r.Host, r.TLS = host, &tls.ConnectionState{} })
		if h := w.Header().Get("Strict-Transport-Security"); h != "" {
			t.Errorf("%s: %q", host, h)
		}
	}
}

// TestFailuresBehindAProxy: the failures of one client count against that one, and what it invents takes it nowhere.
func TestFailuresBehindAProxy(t *testing.T) {
	f := setUp(t, func(o *Options) { o.TrustedProxies = trusted(t, "10.0.0.1") })
	try := func(peer, forwarded string) int {
		return f.do("POST", "/mcp", "{}", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.RemoteAddr = peer
			r.Header.Set("X-Forwarded-For", forwarded)
		}).Code
	}
	for i := range failuresBurst {
		if c := try("10.0.0.1:1", netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}).String()+", 198.51.100.1"); c != 401 {
			t.Fatal(i, c)
		}
	}
	if c := try("10.0.0.1:1", "198.51.100.1"); c != 429 {
		t.Fatal(c)
	}
	if c := try("10.0.0.1:1", "198.51.100.2"); c != 401 {
		t.Fatal("another client pays:", c)
	}
	for i := range failuresBurst {
		if c := try("203.0.113.9:1", netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}).String()); c != 401 {
			t.Fatal(i, c)
		}
	}
	if c := try("203.0.113.9:1", "192.0.2.250"); c != 429 {
		t.Fatal("a stranger chose its own address:", c)
	}
	if log := f.log.String(); !strings.Contains(log, "from=198.51.100.1") || !strings.Contains(log, "from=203.0.113.9") || strings.Contains(log, "192.0.2.") {
		t.Fatal(log)
	}
}

func TestProxiesAsTheOwnerWritesThem(t *testing.T) {
	got := trusted(t, "10.1.2.3/8", "192.0.2.7", "::1", "::ffff:192.0.2.9")
	want := "10.0.0.0/8 192.0.2.7/32 ::1/128 192.0.2.9/32"
	var all []string
	for _, p := range got {
		all = append(all, p.String())
	}
	if strings.Join(all, " ") != want {
		t.Fatal(all)
	}
	for _, bad := range []string{"", "proxy.example", "10.0.0.0/33", "10.7.0", "10.0.0.1:80", "0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"} {
		_, err := Proxies([]string{"10.0.0.1", bad})
		if s, ok := lang.Heard(lang.FR, err); !ok || !strings.Contains(s, "2") || bad != "" && strings.Contains(s, bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestNothingIsExposedInTheClear(t *testing.T) {
	for addr, alone := range map[string]bool{
		"127.0.0.1:8787": true, "127.9.9.9:1": true, "[::1]:8787": true, "localhost:8787": true, "[::ffff:127.0.0.1]:1": true,
		":8787": false, "0.0.0.0:8787": false, "[::]:8787": false, "192.168.1.7:8787": false, "[fe80::1%eth0]:1": false, "texts.example.org:443": false,
		"localhost.example:1": false, "[::ffff:192.0.2.1]:1": false, "127.0.0.1": false, "": false,
	} {
		err := Exposed(addr, false, nil)
		if (err == nil) != alone {
			t.Errorf("%q: %v", addr, err)
		}
		if s, ok := lang.Heard(lang.EN, err); err != nil && (!ok || !strings.Contains(s, "trusted_proxies")) {
			t.Errorf("%q: %v", addr, err)
		}
		if Exposed(addr, true, nil) != nil || Exposed(addr, false, trusted(t, "127.0.0.1", "10.0.0.1")) != nil {
			t.Errorf("%q: refused with TLS, or behind a proxy", addr)
		}
		// A proxy on this machine needs no address that others reach.
		for _, p := range []string{"127.0.0.1", "127.0.0.0/8", "::1", "::ffff:127.0.0.1"} {
			if err := Exposed(addr, false, trusted(t, p, "127.9.9.9")); (err == nil) != alone {
				t.Errorf("%q behind %s: %v", addr, p, err)
			}
		}
		for _, p := range []string{"126.0.0.0/7", "::/1"} { // ranges that loopback is a part of
			if err := Exposed(addr, false, trusted(t, p)); err != nil {
				t.Errorf("%q behind %s: %v", addr, p, err)
			}
		}
	}
}

// TestBrowsersThatCannotBeToldApart: behind a proxy that is not named, everybody pays for anybody's guesses.
func TestBrowsersThatCannotBeToldApart(t *testing.T) {
	proxy := trusted(t, "127.0.0.1")
	for _, c := range []struct {
		public  string
		tls     bool
		proxies []netip.Prefix
		warned  bool
	}{
		{"https://texts.example.com", false, nil, true}, {"https://192.0.2.1:8443", false, nil, true}, {"https://localhost.example", false, nil, true},
		{"https://texts.example.com", true, nil, false}, {"https://texts.example.com", false, proxy, false}, {"", false, nil, false},
		{"http://localhost:8787", false, nil, false}, {"https://localhost:8443", false, nil, false}, {"https://[::1]:8443", false, nil, false},
	} {
		err := Alike(c.public, c.tls, c.proxies)
		if s, ok := lang.Heard(lang.EN, err); (err != nil) != c.warned || c.warned && (!ok || !strings.Contains(s, "Set trusted_proxies")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
