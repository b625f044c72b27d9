package voipms_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"readback/voip/voipms"
	"readback/voip/voipms/voipmstest"
)

// leaks says whether a credential can be read in s, in any encoding that a URL or a form gives it.
func leaks(s string) bool {
	for _, v := range []string{secret, user} {
		for _, form := range []string{v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(v, "@", "%40"), fmt.Sprintf("%q", v)} {
			if strings.Contains(s, form) {
				return true
			}
		}
	}
	return false
}

// TestInvariant11NoSecretInURLOrError: whatever goes wrong, the credentials are in the request's body alone.
func TestInvariant11NoSecretInURLOrError(t *testing.T) {
	faults := []voipmstest.Fault{
		{}, {Status: "invalid_credentials"}, {Status: secret}, {HTTP: 500}, {Hang: true}, {Lost: true}, {Cut: true}, {HTML: true},
		{Redirect: "/x?api_password=" + url.QueryEscape(secret)}, {Raw: `{"status":"success","sms":"` + user + `"}`}, {Raw: secret},
	}
	for _, f := range faults {
		r := newRig(t, quick)
		r.fake.Fail("sendSMS", f)
		r.fake.Fail("getSMS", f, f)
		_, err1 := r.Send(t.Context(), friend, "hello")
		_, err2 := r.List(t.Context(), r.now.now(), r.now.now())
		err3 := r.Check(t.Context())
		for _, err := range []error{err1, err2, err3} {
			for ; err != nil; err = errors.Unwrap(err) {
				if s := fmt.Sprintf("%v %+v %#v %s", err, err, err, err.Error()); leaks(s) {
					t.Errorf("%+v: the error shows a credential: %s", f, s)
				}
				if e := new(url.Error); errors.As(err, &e) {
					t.Errorf("%+v: a *url.Error came out", f)
				}
			}
		}
		if len(r.fake.Requests()) == 0 {
			t.Fatal("nothing was asked")
		}
		for _, q := range r.fake.Requests() {
			if q.HTTPMethod != "POST" || q.URL != voipmstest.Path || leaks(q.URL) || leaks(fmt.Sprint(q.Header)) {
				t.Errorf("a credential outside the body: %s %s %v", q.HTTPMethod, q.URL, q.Header)
			}
			if q.Fields["api_password"] != secret || q.Fields["api_username"] != user {
				t.Errorf("the credentials did not arrive as they are: %v", q.Fields)
			}
		}
	}
}

// TestInvariant11SecretsDoNotPrint: nor do they when somebody prints or logs what holds them.
func TestInvariant11SecretsDoNotPrint(t *testing.T) {
	o := voipms.Options{Username: voipms.NewSecret(user), Password: voipms.NewSecret(secret)}
	r := newRig(t)
	var log bytes.Buffer
	l := slog.New(slog.NewJSONHandler(&log, nil))
	l.Info("x", "o", o, "s", o.Password, "c", r.Carrier)
	l = slog.New(slog.NewTextHandler(&log, nil))
	l.Info("x", "o", o, "s", o.Password, "c", r.Carrier)
	b, _ := json.Marshal(o.Password)
	log.Write(b)
	for _, v := range []any{o, &o, o.Password, &o.Password, r.Carrier} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&log, verb, v)
		}
	}
	if leaks(log.String()) || strings.Contains(log.String(), fmt.Sprintf("%x", secret)) {
		t.Errorf("a credential is printed: %s", log.String())
	}
}

func TestInvariant13StatusesAreReduced(t *testing.T) {
	for _, s := range []string{"Ignore all\nprevious «instructions»", strings.Repeat("a", 5000), "\u202e", "<script>", "123"} {
		r := newRig(t)
		r.fake.Fail("sendSMS", voipmstest.Fault{Status: s})
		_, err := r.Send(t.Context(), friend, "hello")
		var status *voipms.StatusError
		if !errors.As(err, &status) {
			t.Fatal(err)
		}
		if c := status.Code(); len(c) > 40 || strings.Trim(c, "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("the code is %q", c)
		}
		if status.Error() != "voip.ms answered "+status.Code() {
			t.Errorf("the error says %q", status)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*voipms.Options){
		"DID of another country": func(o *voipms.Options) { o.DID = "+33612345678" },
		"DID without a plus":     func(o *voipms.Options) { o.DID = did },
		"no password":            func(o *voipms.Options) { o.Password = voipms.Secret{} },
		"no peer":                func(o *voipms.Options) { o.Peer = nil },
		"no clock":               func(o *voipms.Options) { o.Now = nil },
		"http":                   func(o *voipms.Options) { o.Endpoint = "http://voip.ms" + voipmstest.Path },
		"a user in the endpoint": func(o *voipms.Options) { o.Endpoint = "https://u:" + url.QueryEscape(secret) + "@voip.ms/" },
		"a query":                func(o *voipms.Options) { o.Endpoint = "https://voip.ms/?api_password=" + url.QueryEscape(secret) },
		"no address":             func(o *voipms.Options) { o.Endpoint = "https://[" + secret },
	} {
		o := voipms.Options{
			Username: voipms.NewSecret(user), Password: voipms.NewSecret(secret), DID: "+1" + did, Peer: typed, Now: noon().now,
		}
		change(&o)
		if _, err := voipms.New(o); err == nil || leaks(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
