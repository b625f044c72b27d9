package line

import (
	"context"
	"net"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voip/voipms/voipmstest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

const (
	apiUser, apiPassword = "owner@example.com", "correct-horse-battery"
	topic                = "texts"
	ownNumber            = "+15145550100"

	marie, bruno = "+15145550101", "+15145550102"
	nobody       = "+15145550199" // a number of no contact
)

var people = []program.Contact{{Name: "Marie Tremblay", Numbers: []string{marie}}, {Name: "Bruno Roy", Numbers: []string{bruno}}}

// generous is ntfy's configuration without its limit of requests: one visitor, this machine, is all that there is.
var generous = []string{"visitor-request-limit-burst: 1000000", "visitor-message-daily-limit: 1000000", "visitor-subscription-limit: 100"}

// setting is how a scene differs from the usual one: texts go by voip.ms, and come in by Asterisk too.
type setting struct {
	kind     string // of the carrier: "voipms" if empty
	endpoint string // "voipms" if empty
	server   string
	tlsOnly  bool
	viaARI   string // address to reach ARI at, in place of Asterisk's own
	viaNtfy  string // URL to reach ntfy at, in place of its own
	limited  bool   // notifications have their default limits, and not such as no test meets
	every    string // between two polls of the list that nothing wakes: "1h" if empty, so that what the list says within seconds was asked for
}

// scene is a bed, a voip.ms, a running program between them, and a phone at the trunk's address.
type scene struct {
	t       *testing.T
	bed     *testbed.Bed
	api     *voipmstest.Server
	program *program.Program
	trunk   *testbed.Phone
	owner   *testbed.Subscriber // the owner's phone
}

func newBed(t *testing.T) *testbed.Bed {
	t.Helper()
	return testbed.Start(t, testbed.Config{Ntfy: generous})
}

func newScene(t *testing.T, bed *testbed.Bed, o setting) *scene {
	t.Helper()
	s := &scene{t: t, bed: bed}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s.api = voipmstest.New(voipmstest.Account{Username: apiUser, Password: apiPassword, DID: strings.TrimPrefix(ownNumber, "+1"), Zone: zone, Now: time.Now, PerDay: 1000})
	web := httptest.NewServer(s.api)
	t.Cleanup(func() { s.api.Close(); web.Close() })
	toml, files := configuration(t, bed, web.URL+voipmstest.Path, o)
	s.program = program.New(t, people, toml, files)
	s.owner = testbed.NewSubscriber(t, bed, topic, nil)
	s.trunk = testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil)
	s.again("at the start", s.program.Start)
	return s
}

// configuration is what an owner would write, and the files beside it.
func configuration(t *testing.T, bed *testbed.Bed, api string, o setting) (toml string, files map[string]string) {
	t.Helper()
	ari, err := url.Parse(bed.ARI)
	if err != nil {
		t.Fatal(err)
	}
	if o.viaARI != "" {
		ari.Host = o.viaARI
	}
	ntfy, kind, endpoint, only := bed.NtfyURL, "voipms", "voipms", "false"
	if o.viaNtfy != "" {
		ntfy = o.viaNtfy
	}
	if o.kind != "" {
		kind = o.kind
	}
	if o.endpoint != "" {
		endpoint = o.endpoint
	}
	if o.tlsOnly {
		only = "true"
	}
	every := "1h"
	if o.every != "" {
		every = o.every
	}
	account := `
[voipms]
username = "` + apiUser + `"
password_file = "$DIR/api"
did = "` + ownNumber + `"
url = "` + api + `"
`
	if kind != "voipms" {
		account = ""
	}
	limits := `per_sender = 1000
in_all = 10000
window = "1m"
`
	if o.limited {
		limits = ""
	}
	return `
[carrier]
kind = "` + kind + `"
` + account + `
[asterisk]
url = "` + ari.String() + `"
user = "` + bed.User + `"
password_file = "$DIR/ari"
ca_file = "` + bed.CAFile + `"
app = "` + bed.App + `"
endpoint = "` + endpoint + `"
server = "` + o.server + `"
number = "` + ownNumber + `"
tls_only = ` + only + `
[ntfy]
url = "` + ntfy + `"
topic = "` + topic + `"
token_file = "$DIR/ntfy"
` + limits + `[confirm]
wait = "0s"
[sync]
every = "` + every + `"
[limits]
requests_per_minute = 100000
burst = 10000
`, map[string]string{"api": apiPassword + "\n", "ari": bed.Password + "\n", "ntfy": bed.NtfyToken + "\n"}
}

// stands is what the program logs once it has connected to Asterisk and subscribed.
const stands = "the line to Asterisk stands"

// stood is how often the line has come to stand so far.
func (s *scene) stood() int { return strings.Count(s.program.Log(), stands) }

// again does something, and waits until the line has come to stand once more.
func (s *scene) again(what string, do func()) {
	s.t.Helper()
	before := s.stood()
	do()
	testbed.Until(s.t, time.Minute, "the line stands: "+what, func() bool { return s.stood() > before })
}

// text has the trunk send one text, and fails unless Asterisk takes it.
func (s *scene) text(m testbed.SIPText) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	if status, err := s.trunk.Text(ctx, s.bed.SIP, m); status != 202 {
		s.t.Fatalf("a text from the trunk: %d %v", status, err)
	}
}

// listed puts a text into voip.ms's list.
func (s *scene) listed(from, body string) {
	s.api.Receive("sms", strings.TrimPrefix(from, "+1"), body, time.Now(), 0)
}

// notified waits for a notification that is as it should be.
func (s *scene) notified(within time.Duration, what string, so func(testbed.Notification) bool) testbed.Notification {
	s.t.Helper()
	var found testbed.Notification
	testbed.Until(s.t, within, what, func() bool {
		for _, n := range s.owner.Got() {
			if so(n) {
				found = n
				return true
			}
		}
		return false
	})
	return found
}

// host is where a URL points.
func host(t *testing.T, raw string) string {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := net.SplitHostPort(u.Host); err != nil {
		t.Fatal(err)
	}
	return u.Host
}
