package testbed_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"readback/test/testbed"
)

// TestTheTrunk: the owner's configuration registers over TLS with the sub-account's password, and texts go out, and come in over the connection
// that it made.
func TestTheTrunk(t *testing.T) {
	t.Parallel()
	b := testbed.Start(t, testbed.Config{NoNtfy: true})
	p := testbed.NewProvider(t, b, b.CAFile, b.KeyFile)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p.Registered(ctx)
	// Nobody is subscribed: 404 says that the trunk was recognised, where a stranger would get 401.
	if status, err := p.Text(ctx, testbed.SIPText{From: "5145550101", Body: "hello"}); status != http.StatusNotFound || err != nil {
		t.Errorf("a text from the trunk: %d %v", status, err)
	}
	req, _ := http.NewRequest(http.MethodPut, b.PlainARI+"/endpoints/sendMessage", strings.NewReader(
		`{"to":"pjsip:voipms/sip:+15145550101@`+b.Trunk.String()+`","from":"sip:+15145550100@montreal1.voip.ms","body":"out","variables":{}}`))
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(b.User, b.Password)
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusAccepted {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	select {
	case m := <-p.Texts:
		if m.Body != "out" || m.To != "+15145550101" {
			t.Errorf("%+v", m)
		}
	case <-ctx.Done():
		t.Error("the text did not reach the provider")
	}
}

// TestTheTrunkIsVerified: a server with a certificate of another authority, or for another name, gets no registration, and so no password.
func TestTheTrunkIsVerified(t *testing.T) {
	t.Parallel()
	other := testbed.Start(t, testbed.Config{NoNtfy: true})
	for name, certificate := range map[string]func(b *testbed.Bed) (string, string){
		"another authority": func(*testbed.Bed) (string, string) { return other.CAFile, other.KeyFile },
		"another name":      func(b *testbed.Bed) (string, string) { return b.Certificate("evil.example") },
	} {
		t.Run(name, func(t *testing.T) {
			b := testbed.Start(t, testbed.Config{NoNtfy: true})
			cert, key := certificate(b)
			p := testbed.NewProvider(t, b, cert, key)
			limit := time.After(20 * time.Second)
			tick := time.NewTicker(100 * time.Millisecond)
			defer tick.Stop()
			for !strings.Contains(b.AsteriskLog(), "ertificate") {
				select {
				case why := <-p.Wrong:
					t.Fatal("an impostor was spoken to:", why)
				case <-limit:
					t.Fatalf("nothing was said of it:\n%s", b.AsteriskLog())
				case <-tick.C:
				}
			}
		})
	}
}
