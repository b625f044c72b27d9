package voipms_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/voipms"
	"readback/voip/voipms/voipmstest"
)

func TestSendChoosesByBytes(t *testing.T) {
	r := newRig(t)
	for body, kind := range map[string]smsmcp.Kind{
		strings.Repeat("a", 160): smsmcp.SMS,
		strings.Repeat("é", 80):  smsmcp.SMS,
		strings.Repeat("a", 161): smsmcp.MMS,
		strings.Repeat("é", 81):  smsmcp.MMS,
		"deux\nlignes":           smsmcp.SMS,
	} {
		got, err := r.Send(t.Context(), friend, body)
		if err != nil || got.Key.Kind != kind || got.Key.ID == "" {
			t.Errorf("%d bytes: %+v, %v", len(body), got, err)
		}
	}
	if p, err := r.Plan(strings.Repeat("ê", 80)); err != nil || p.Segments != 2 {
		t.Errorf("160 bytes of UCS-2: %+v, %v", p, err)
	}
	last := r.fake.Sent()[0]
	if last.Contact != "5145550123" {
		t.Errorf("the number on the wire is %q", last.Contact)
	}
}

func TestStatuses(t *testing.T) {
	refused := []string{
		"invalid_credentials", "ip_not_enabled", "api_not_enabled", "api_limit_exceeded", "method_maintenance", "non_sufficient_funds",
		"sms_toolong", "message_empty", "missing_sms", "invalid_dst", "invalid_did", "invalid_sms", "invalid_contact", "limit_reached",
		"missing_method",
	}
	open := []string{"sms_failed", "no_sms", "something_new", "invalid_dst ", "Invalid_Dst", "sent_but_<b>odd</b>", strings.Repeat("x", 300)}
	for _, s := range append(refused, open...) {
		r := newRig(t)
		r.fake.Fail("sendSMS", voipmstest.Fault{Status: s})
		_, err := r.Send(t.Context(), friend, "hello")
		var status *voipms.StatusError
		if !errors.As(err, &status) || status.Code() != smsmcp.Reduce(s) {
			t.Errorf("%q: %v", s, err)
		}
		wantRefused := false
		for _, k := range refused {
			wantRefused = wantRefused || k == s
		}
		if errors.Is(err, smsmcp.ErrRefused) != wantRefused || errors.Is(err, smsmcp.ErrNotSent) {
			t.Errorf("%q: refused is %t, not sent is %t", s, errors.Is(err, smsmcp.ErrRefused), errors.Is(err, smsmcp.ErrNotSent))
		}
	}
}

// TestInvariant07UnknownStaysUnknown: after these answers a text may have gone, so the error may claim neither that it did not leave nor
// that it was refused; and nothing is tried twice.
func TestInvariant07UnknownStaysUnknown(t *testing.T) {
	for name, f := range map[string]voipmstest.Fault{
		"failed but sent": {SaysFailed: true},
		"hangs":           {Hang: true},
		"late":            {Late: time.Hour},
		"lost":            {Lost: true},
		"cut":             {Cut: true},
		"a page":          {HTML: true},
		"500":             {HTTP: 500},
		"502":             {HTTP: 502},
		"429":             {HTTP: 429},
		"403":             {HTTP: 403},
		"redirect":        {Redirect: "/elsewhere"},
		"64 MiB":          {Size: 64 << 20},
		"nothing":         {Raw: " "},
		"not JSON":        {Raw: "success"},
		"two answers":     {Raw: `{"status":"success","sms":"5"}{"status":"success"}`},
		"no status":       {Raw: `{"sms":"5"}`},
		"no id":           {Raw: `{"status":"success"}`},
		"id 0":            {Raw: `{"status":"success","sms":0}`},
		"id is a list":    {Raw: `{"status":"success","sms":[{"id":"5"}]}`},
		"id is words":     {Raw: `{"status":"success","sms":"five <b>"}`},
		"status is a map": {Raw: `{"status":{"a":"success"},"sms":"5"}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, quick)
			r.fake.Fail("sendSMS", f)
			got, err := r.Send(t.Context(), friend, "hello")
			if err == nil || got != (smsmcp.Receipt{}) {
				t.Fatalf("%+v, %v", got, err)
			}
			if errors.Is(err, smsmcp.ErrNotSent) || errors.Is(err, smsmcp.ErrRefused) {
				t.Errorf("%v claims that it did not go", err)
			}
			var c smsmcp.Coded
			if !errors.As(err, &c) || c.Code() == "" || c.Code() != smsmcp.Reduce(c.Code()) {
				t.Errorf("%v has no code", err)
			}
			if n := r.fake.Calls("sendSMS"); n != 1 {
				t.Errorf("%d calls were made", n)
			}
			if (name == "hangs" || name == "late") && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v is no time-out", err)
			}
		})
	}
}

// TestInvariant07NoRetryOnAKeptConnection: net/http replays a request by itself when a kept connection turns out dead. Sends have none.
func TestInvariant07NoRetryOnAKeptConnection(t *testing.T) {
	r := newRig(t)
	for range 3 {
		r.fake.Fail("sendSMS", voipmstest.Fault{}, voipmstest.Fault{Lost: true})
		if _, err := r.Send(t.Context(), friend, "one"); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Send(t.Context(), friend, "two"); err == nil {
			t.Fatal("a lost answer is no error")
		}
	}
	if n := len(r.fake.Sent()); n != 6 {
		t.Fatalf("6 sends put %d texts out", n)
	}
	for _, q := range r.fake.Requests() {
		if q.Header.Get("Connection") != "close" {
			t.Fatalf("a send keeps its connection: %v", q.Header)
		}
	}
}

func TestNotSentOnlyWithoutAConnection(t *testing.T) {
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing.Close()
	noTLS := httptest.NewUnstartedServer(http.NotFoundHandler())
	noTLS.Config.ErrorLog = log.New(io.Discard, "", 0)
	noTLS.StartTLS()
	t.Cleanup(noTLS.Close)
	for name, o := range map[string]func(*voipms.Options){
		"refused": func(o *voipms.Options) { o.Endpoint = "http://" + refusing.Addr().String() + voipmstest.Path },
		"certificate": func(o *voipms.Options) {
			o.Endpoint = noTLS.URL + voipmstest.Path
		},
		"no name": func(o *voipms.Options) {
			o.Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Err: "no such host " + secret, Name: secret}
			}}
		},
		"dial hangs": func(o *voipms.Options) {
			o.SendTimeout = 50 * time.Millisecond
			o.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}
		},
		"no password": func(o *voipms.Options) {
			o.Password = voipms.SecretFrom(func() (string, error) { return "", errors.New("open " + secret) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, o)
			_, err := r.Send(t.Context(), friend, "hello")
			if !errors.Is(err, smsmcp.ErrNotSent) {
				t.Fatal(err)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
			if len(r.fake.Requests()) != 0 {
				t.Error("a request was made")
			}
		})
	}
}

func TestSendRefusesWhatItCannotCarry(t *testing.T) {
	r := newRig(t)
	for _, n := range []smsmcp.Number{"+33612345678", "", "5145550123", "+10005550123", "+151455501234"} {
		if _, err := r.Send(t.Context(), n, "hello"); !errors.Is(err, smsmcp.ErrNotSent) {
			t.Errorf("to %q: %v", n, err)
		}
	}
	if len(r.fake.Requests()) != 0 {
		t.Error("a request was made")
	}
}

func TestCheck(t *testing.T) {
	r := newRig(t)
	if err := r.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.fake.Fail("getSMS", voipmstest.Fault{Status: "ip_not_enabled"})
	var status *voipms.StatusError
	if err := r.Check(t.Context()); !errors.As(err, &status) || status.Code() != "ip_not_enabled" {
		t.Fatal(err)
	}
	r.http.Close()
	if err := r.Check(t.Context()); !errors.Is(err, smsmcp.ErrDown) {
		t.Fatal(err)
	}
	wrong := newRig(t, func(o *voipms.Options) { o.Password = voipms.NewSecret("wrong") })
	if err := wrong.Check(t.Context()); !errors.As(err, &status) || status.Code() != "invalid_credentials" {
		t.Fatal(err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	r := newRig(t)
	r.fake.Fail("sendSMS", voipmstest.Fault{Redirect: voipmstest.Path})
	_, err := r.Send(t.Context(), friend, "hello")
	var c smsmcp.Coded
	if !errors.As(err, &c) || c.Code() != "redirected" {
		t.Errorf("%v", err)
	}
	if n := len(r.fake.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// TestTheCallerMayGiveUp: the caller's context bounds a send that hangs, and what was handed over stays unknown.
func TestTheCallerMayGiveUp(t *testing.T) {
	r := newRig(t)
	r.fake.Fail("sendSMS", voipmstest.Fault{Late: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(r.fake.Sent()) == 0 && ctx.Err() == nil {
			runtime.Gosched()
		}
		cancel()
	}()
	_, err := r.Send(ctx, friend, "hello")
	if !errors.Is(err, context.Canceled) || errors.Is(err, smsmcp.ErrNotSent) || errors.Is(err, smsmcp.ErrRefused) {
		t.Fatal(err)
	}
}

// TestAnswersAreBounded: of an answer without end no more is read than the bound.
func TestAnswersAreBounded(t *testing.T) {
	var wrote atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := make([]byte, 64<<10)
		for wrote.Load() < 256<<20 {
			n, err := w.Write(chunk)
			if wrote.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(srv.Close)
	r := newRig(t, func(o *voipms.Options) { o.Endpoint = srv.URL + voipmstest.Path })
	_, err := r.Send(t.Context(), friend, "hello")
	var c smsmcp.Coded
	if !errors.As(err, &c) || c.Code() != "answer_too_big" || errors.Is(err, smsmcp.ErrRefused) || errors.Is(err, smsmcp.ErrNotSent) {
		t.Errorf("%v", err)
	}
	srv.Close()
	if n := wrote.Load(); n > 32<<20 { // what the sockets hold comes on top of the 8 MiB
		t.Errorf("%d MiB were taken", n>>20)
	}
}
