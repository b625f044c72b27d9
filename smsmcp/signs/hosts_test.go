package signs

import (
	"strings"
	"testing"

	"readback/test/corpora"
)

func TestHosts(t *testing.T) {
	for s, want := range map[string]string{
		"see https://Example.com/a?b=c.":                    "example.com",
		"http://user:pw@evil.example:8080/x":                "evil.example",
		"http://good.com@evil.net/":                         "evil.net",
		"(https://a.org), <http://b.org>; «https://c.org»":  "a.org b.org c.org",
		"bit.ly/3xYz and www.foo.co.uk":                     "bit.ly www.foo.co.uk",
		"go to canada.ca. Now":                              "canada.ca",
		"https://例え.jp/ http://пример.рф":                   "xn--r8jz45g.jp xn--e1afmkfd.xn--p1ai",
		"http://xn--e1afmkfd.xn--p1ai":                      "xn--e1afmkfd.xn--p1ai",
		"https://evil。com/":                                 "evil.com",
		"http://127.0.0.1:80/ http://[::1]:80/ 10.0.0.1/a":  "127.0.0.1 [::1] 10.0.0.1",
		"http://localhost/ http://3232235777/":              "localhost 3232235777",
		"https://a.com/?u=https://b.com":                    "a.com b.com",
		"HTTPS://A.COM a.com A.com":                         "a.com",
		"mail me at marie@example.com":                      "",
		"ok...see you at 7.30, v1.2.3":                      "",
		"Meet me.Still there":                               "",
		"J.-P. a dit 12.50 $":                               "",
		"app.thing.zip/x":                                   "app.thing.zip",
		"evil.rocks a.ninja b.wiki c.run d.fyi e.ing f.ltd": "evil.rocks a.ninja b.wiki c.run d.fyi e.ing f.ltd",
		"a.中国 b.onion c.notatld":                            "a.xn--fiqs8s b.onion",
		"no link: at all":                                   "",
	} {
		if got := strings.Join(Hosts(s), " "); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if n := len(Hosts(strings.Repeat("a.com b.org ", 1<<15))); n != 2 {
		t.Errorf("%d hosts", n)
	}
}

// Most spam has a link or none; a benign text hardly ever has one by mistake.
func TestHostRates(t *testing.T) {
	for _, set := range corpora.Sets(t, "sms_") {
		all, hit := corpora.Texts(t, set), 0
		for _, s := range all {
			if len(Hosts(s)) > 0 {
				hit++
			}
		}
		t.Logf("%-14s %5d texts, %d with a host", set, len(all), hit)
		if set != "sms_uci_spam" && hit*100 >= 3*len(all) {
			t.Errorf("%s: %d of %d", set, hit, len(all))
		}
	}
}

func TestStop(t *testing.T) {
	for _, s := range []string{"STOP", "stop.", " Stop! ", "ARRÊT", "arret", "Unsubscribe", "STOP ALL", "opt-out", "Désabonner", "BAJA", "ＳＴＯＰ"} {
		if !Stop(s) {
			t.Errorf("%q is no STOP", s)
		}
	}
	for _, s := range []string{"", "stop it lol", "don't stop", "Stop by at 5?", "arrête-toi", "ok", strings.Repeat("stop ", 100)} {
		if Stop(s) {
			t.Errorf("%q is a STOP", s)
		}
	}
}
