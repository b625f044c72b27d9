package outside

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// Addresses of every class that is not for everybody, and the first and last of their networks.
var shut = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255", "127.0.0.1", "127.255.255.254",
	"168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.31.196.1",
	"192.52.193.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
	"239.255.255.255", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254",
	"64:ff9b:1::8.8.8.8", "100::1", "100:0:0:1::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1",
	"2002:7f00:1::1", "2002:808:808::1", "2620:4f:8000::1", "3fff::1", "3fff:fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "fdff::1", "fe80::1", "febf::1",
	"fec0::1", "ff02::1", "ff0e::1", "4000::1", "2606:4700::5efe:127.0.0.1", "2606:4700::200:5efe:8.8.8.8",
}

var open = []string{
	"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "93.184.216.34", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1", "168.63.129.17", "169.253.255.255",
	"172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.255.255", "198.17.255.255", "198.20.0.1", "223.255.255.255",
	"2606:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2a00:1450:4001::1", "64:ff9b::8.8.8.8", "2003::1", "3ffe::1",
}

func TestPublic(t *testing.T) {
	for _, s := range shut {
		if Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is taken for public", s)
		}
	}
	for _, s := range open {
		if !Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is not taken for public", s)
		}
	}
	if Public(netip.Addr{}) || Public(netip.MustParseAddr("2606:4700::1%eth0")) {
		t.Error("no address, or one of a zone, is taken for public")
	}
}

func TestForms(t *testing.T) {
	for s, want := range map[string]*Error{
		"":                                 ErrForm,
		"http://example.com/":              ErrForm,
		"HTTP://example.com/":              ErrForm,
		"ftp://example.com/":               ErrForm,
		"file:///etc/passwd":               ErrForm,
		"gopher://example.com/":            ErrForm,
		"https:example.com":                ErrForm,
		"https:/example.com":               ErrForm,
		"https:///example.com":             ErrForm,
		"//example.com/":                   ErrForm,
		"example.com":                      ErrForm,
		"https://u@example.com/":           ErrForm,
		"https://u:p@example.com/":         ErrForm,
		"https://example.com@127.0.0.1/":   ErrForm,
		"https://example.com/#f":           ErrForm,
		"https://example.com\\@127.0.0.1/": ErrForm,
		"https://example.com /":            ErrForm,
		"https://exa\tmple.com/":           ErrForm,
		"https://example.com/\r\nHost: x":  ErrForm,
		"https://[::1/":                    ErrForm,
		"https://%31%32%37.0.0.1/":         ErrForm,
		"https://example.com/" + strings.Repeat("a", 2048):     ErrForm,
		"https://example.com:/":                                ErrPort,
		"https://example.com:80/":                              ErrPort,
		"https://example.com:8443/":                            ErrPort,
		"https://example.com:0443/":                            ErrPort,
		"https://example.com:65979/":                           ErrPort,
		"https://localhost/":                                   ErrHost,
		"https://intranet/":                                    ErrHost,
		"https://example.com./":                                ErrHost,
		"https://.example.com/":                                ErrHost,
		"https://a..example.com/":                              ErrHost,
		"https://-a.example.com/":                              ErrHost,
		"https://a-.example.com/":                              ErrHost,
		"https://a_b.example.com/":                             ErrHost,
		"https://*.example.com/":                               ErrHost,
		"https://" + strings.Repeat("a", 64) + ".example.com/": ErrHost,
		"https://" + strings.Repeat("abcdefg.", 40) + "com/":   ErrHost,
		"https://2130706433/":                                  ErrHost, // one number
		"https://0x7f000001/":                                  ErrHost,
		"https://017700000001/":                                ErrHost,
		"https://127.1/":                                       ErrHost, // short forms
		"https://127.0.1/":                                     ErrHost,
		"https://0x7f.0.0.1/":                                  ErrHost,
		"https://0177.0.0.1/":                                  ErrHost,
		"https://127.0.0.01/":                                  ErrHost,
		"https://127.0.0.0x1/":                                 ErrHost,
		"https://8.8.8.010/":                                   ErrHost,
		"https://127.0.0.1./":                                  ErrHost,
		"https://256.256.256.256/":                             ErrHost,
		"https://１２７.０.０.１/":                                   ErrHost, // becomes 127.0.0.1
		"https://①②⑦.0.0.1/":                                   ErrHost,
		"https://127。0。0。1/":                                   ErrHost,
		"https://127.0.0.1/":                                   ErrAddress,
		"https://169.254.169.254/latest/meta-data/":            ErrAddress,
		"https://[::1]/":                                       ErrAddress,
		"https://[::ffff:127.0.0.1]/":                          ErrAddress,
		"https://[::ffff:8.8.8.8]/":                            ErrAddress,
		"https://[0:0:0:0:0:ffff:7f00:1]/":                     ErrAddress,
		"https://[64:ff9b::7f00:1]/":                           ErrAddress,
		"https://[fe80::1%25eth0]/":                            ErrAddress,
		"https://[2606:4700::1%25eth0]/":                       ErrAddress,
		"https://[8.8.8.8]/":                                   ErrForm,
		"https://ⓛocalhost/":                                   ErrHost,
		"https://example.com/a b":                              ErrForm,
		"https://example.com/a\\b":                             ErrForm,
		"https://example.com/\x7f":                             ErrForm,
		"https://\u05d0a.example.com/":                         ErrHost, // two directions in one label
		"https://0.\xbc/":                                      ErrHost,
		"https://0.%bc/":                                       ErrHost,
		"https://xn--a.example.com/":                           ErrHost, // no punycode of anything
		"https://a\u200db.example.com/":                        ErrHost,
		"https://\u202eexample.com/":                           ErrHost,
		"https://exa\u00admple/":                               ErrHost,
	} {
		if got, err := parse(s, 443); !errors.Is(err, want) {
			t.Errorf("%q: %v (host %q), want %v", s, err, got.host, want)
		}
	}
	for s, want := range map[string]string{
		"https://example.com":                   "https://example.com",
		"https://example.com:443/a?b=c":         "https://example.com/a?b=c",
		"HTTPS://EXAMPLE.com/A%2Fb":             "https://example.com/A%2Fb",
		"https://1.example.com/":                "https://1.example.com/",
		"https://r3---sn-h.example.com/":        "https://r3---sn-h.example.com/",
		"https://8.8.8.8/dns":                   "https://8.8.8.8/dns",
		"https://[2606:4700:0:0::1111]/":        "https://[2606:4700::1111]/",
		"https://Bücher.example/":               "https://xn--bcher-kva.example/",
		"https://xn--bcher-kva.example/":        "https://xn--bcher-kva.example/",
		"https://ＥＸＡＭＰＬＥ。com/":                  "https://example.com/",
		"https://straße.example/":               "https://xn--strae-oqa.example/",
		"https://मराठी.example/":                "https://xn--d2b1ag0dl.example/",
		"https://example.com/%E2%80%A6?q=%00":   "https://example.com/%E2%80%A6?q=%00",
		"https://example.com/a/../b?u=http://x": "https://example.com/a/../b?u=http://x",
	} {
		got, err := parse(s, 443)
		if err != nil || got.url.String() != want {
			t.Errorf("%q: %v, %q, want %q", s, err, got.url.String(), want)
		}
	}
	if _, err := parse("https://example.com/", 8443); !errors.Is(err, ErrPort) {
		t.Errorf("443 where only another port may be: %v", err)
	}
	if got, err := parse("https://example.com:8443/", 8443); err != nil || got.url.String() != "https://example.com:8443/" {
		t.Errorf("the port that may be: %v, %v", err, got.url.String())
	}
}

func TestBrackets(t *testing.T) {
	for _, s := range []string{"8.8.8.8", "example.com", "v1.example"} {
		if got, _, err := host(s, true); err == nil {
			t.Errorf("%q in brackets is taken for %q", s, got)
		}
	}
	if got, _, err := host("2606:4700::1111", false); err == nil {
		t.Errorf("an address of IPv6 without brackets is taken for %q", got)
	}
}

// Whatever passes is https, at the one port, by a public address in its one form or by a name that no resolver takes for a number; and it passes again as it was written.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{
		"https://example.com/a?b=c#d", "https://u:p@[::ffff:127.0.0.1]:443/", "https://0x7f.1/", "https://１２７.０.０.１/", "https://Bücher.example:443/", "https://[2606:4700::1111]/",
		"https://127.0.0.1.example.com", "https://8.8.8.8", "https://a\\b.example/", "https://xn--a.b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parse(s, 443)
		if err != nil {
			var own *Error
			if !errors.As(err, &own) {
				t.Fatalf("%q: %v is none of ours", s, err)
			}
			return
		}
		if got.url.Scheme != "https" || got.port != 443 || got.url.User != nil || got.url.Fragment != "" {
			t.Fatalf("%q: %+v", s, got)
		}
		last := got.host[strings.LastIndexByte(got.host, '.')+1:]
		switch a, err := netip.ParseAddr(got.host); {
		case err == nil:
			if a != got.addr || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || !a.IsGlobalUnicast() || a.Is4In6() {
				t.Fatalf("%q: the address %s", s, a)
			}
		case got.addr.IsValid() || !strings.Contains(got.host, ".") || strings.Trim(last, "0123456789abcdefx") == "" && last[0] <= '9' || strings.ToLower(got.host) != got.host:
			t.Fatalf("%q: the host %q", s, got.host)
		}
		again, err := parse(got.url.String(), 443)
		if err != nil || again.host != got.host || again.url.String() != got.url.String() {
			t.Fatalf("%q: %q, and again %q, %v", s, got.url.String(), again.url.String(), err)
		}
	})
}
