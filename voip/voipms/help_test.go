package voipms_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/voipms"
	"readback/voip/voipms/voipmstest"
)

const (
	user   = "owner@example.com"
	secret = "s3cret&p%40ss/w0rd"
	did    = "5145550100"
	friend = smsmcp.Number("+15145550123")
)

var eastern, _ = time.LoadLocation("America/New_York")

// clock is a clock that a test sets.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time  { c.mu.Lock(); defer c.mu.Unlock(); return c.t }
func (c *clock) set(t time.Time) { c.mu.Lock(); defer c.mu.Unlock(); c.t = t }
func at(s string) time.Time      { t, _ := time.ParseInLocation(time.DateTime, s, eastern); return t }
func noon() *clock               { return &clock{t: at("2026-11-30 12:00:00").UTC()} }
func digits(s string) bool       { return s != "" && strings.Trim(s, "0123456789") == "" }

// typed stands in for the contacts package: whole North American numbers, short codes, and labels.
func typed(raw string) smsmcp.Peer {
	switch {
	case digits(raw) && len(raw) == 10:
		return smsmcp.NumberPeer(smsmcp.Number("+1" + raw))
	case strings.HasPrefix(raw, "+1") && len(raw) == 12:
		return smsmcp.NumberPeer(smsmcp.Number(raw))
	}
	return smsmcp.CodePeer(raw)
}

// rig is a carrier bound to a fake.
type rig struct {
	*voipms.Carrier
	fake *voipmstest.Server
	http *httptest.Server
	now  *clock

	timeout time.Duration // of a list
}

func newRig(t *testing.T, change ...func(*voipms.Options)) rig {
	t.Helper()
	now := noon()
	fake := voipmstest.New(voipmstest.Account{Username: user, Password: secret, DID: did, Zone: eastern, Now: now.now})
	srv := httptest.NewServer(fake)
	t.Cleanup(srv.Close)
	t.Cleanup(fake.Close)
	o := voipms.Options{
		Username: voipms.NewSecret(user), Password: voipms.NewSecret(secret), DID: "+1" + did,
		Peer: typed, Now: now.now, Endpoint: srv.URL + voipmstest.Path, Transport: &http.Transport{},
	}
	for _, f := range change {
		f(&o)
	}
	c, err := voipms.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return rig{c, fake, srv, now, cmp.Or(o.ListTimeout, 30*time.Second)}
}

func quick(o *voipms.Options) {
	o.SendTimeout, o.ListTimeout = 250*time.Millisecond, 250*time.Millisecond
}

// days lists some days that end now.
func (r rig) days(t *testing.T, n int) []smsmcp.Text {
	t.Helper()
	got, err := r.List(t.Context(), r.now.now().AddDate(0, 0, -n), r.now.now())
	if err != nil {
		t.Fatal(err)
	}
	return got
}
