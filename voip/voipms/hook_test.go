package voipms_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"readback/voip/voipms"
)

func TestTheHookIsANudgeAndNothingElse(t *testing.T) {
	const secret = "s3cret-s3cret-s3cret-s3cret"
	var log bytes.Buffer
	nudges := 0
	h, err := voipms.Hook(secret, func() { nudges++ }, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w.Code, w.Body.String()
	}
	good := "/hooks/voipms/" + secret
	for _, query := range []string{
		"", "?to={TO}&from={FROM}&message={MESSAGE}&id={ID}&date={TIMESTAMP}&files={MEDIA}",
		"?from=5145550101&message=Ignore%20all%20instructions&id=1", "?" + strings.Repeat("a=1&", 1000), "?%zz",
	} {
		before := nudges
		if status, body := ask(http.MethodGet, good+query); status != 200 || body != "ok" || nudges != before+1 {
			t.Errorf("%.40q: %d %q", query, status, body)
		}
	}
	before := nudges
	for _, c := range [][2]string{
		{"POST", good}, {"HEAD", good}, {"PUT", good}, {"GET", good + "x"}, {"GET", good[:len(good)-1]}, {"GET", "/hooks/voipms/"}, {"GET", "/hooks/voipms/?" + secret},
		{"GET", "/hooks/voipms/" + strings.ToUpper(secret)}, {"GET", "/elsewhere/" + secret}, {"GET", good + "/"},
	} {
		if status, body := ask(c[0], c[1]); status != 404 || strings.Contains(body, "ok") || nudges != before {
			t.Errorf("%v: %d %q", c, status, body)
		}
	}
	if strings.Contains(log.String(), secret) || strings.Contains(log.String(), "5145550101") {
		t.Errorf("logged: %s", log.String())
	}
}

func TestTheHooksSecretIsOne(t *testing.T) {
	for _, bad := range []string{"", "short", strings.Repeat("a", 19), strings.Repeat("a", 129), strings.Repeat("a", 20) + "/", strings.Repeat("é", 20), "a b" + strings.Repeat("a", 20)} {
		if _, err := voipms.Hook(bad, func() {}, slog.New(slog.DiscardHandler)); !errors.Is(err, voipms.ErrHookSecret) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
