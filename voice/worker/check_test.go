package worker

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"

	"readback/smsmcp"
)

// TestCheck: what a server says of the key, and of the time; the token lets list rooms and nothing else, and goes to no other address.
func TestCheck(t *testing.T) {
	const secret = "a-secret-of-thirty-two-characters"
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the token went on") }))
	defer elsewhere.Close()
	for status, want := range map[int]string{200: "", 401: CodeRefused, 403: CodeRefused, 404: CodeNotFound, 500: CodeBadAnswer, 307: CodeBadAnswer} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			v, err := auth.ParseAPIToken(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			if err != nil {
				t.Error(err)
				return
			}
			_, grants, err := v.Verify(secret)
			if err != nil || v.APIKey() != "key" || grants.Video == nil || !reflect.DeepEqual(*grants.Video, auth.VideoGrant{RoomList: true}) {
				t.Errorf("%v %+v", err, grants)
			}
			if r.Method != http.MethodPost || r.URL.Path != "/twirp/livekit.RoomService/ListRooms" {
				t.Errorf("%s %s", r.Method, r.URL.Path)
			}
			w.Header().Set("Date", now.Add(90*time.Second).Format(http.TimeFormat))
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(status)
		}))
		ahead, err := Check(t.Context(), Options{URL: strings.Replace(s.URL, "http", "ws", 1), Key: "key", Secret: secret, Now: func() time.Time { return now }})
		s.Close()
		got := ""
		var coded smsmcp.Coded
		if errors.As(err, &coded) {
			got = coded.Code()
		}
		if got != want || err == nil != (want == "") || ahead != 90*time.Second {
			t.Errorf("%d: %v, %v ahead", status, err, ahead)
		}
	}
	if _, err := Check(t.Context(), Options{URL: "ws://127.0.0.1:1", Key: "key", Secret: secret, Now: time.Now}); code(err) != CodeUnreachable {
		t.Errorf("nobody is there: %v", err)
	}
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	if _, err := Check(t.Context(), Options{URL: strings.Replace(s.URL, "http", "ws", 1), Key: "key", Secret: secret, Now: time.Now}); code(err) != CodeUntrusted {
		t.Errorf("a certificate of nobody: %v", err)
	}
}
