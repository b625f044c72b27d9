package checkup

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// TestWhatLooksLikeARI: what wants a user and a password by HTTP, at ARI's path, and nothing else.
func TestWhatLooksLikeARI(t *testing.T) {
	for name, tt := range map[string]struct {
		status    int
		challenge string
		want      bool
	}{
		"ARI":             {401, `Basic realm="Asterisk REST Interface"`, true},
		"another realm":   {401, `Basic realm="phones"`, true},
		"a page":          {200, `Basic realm="x"`, false},
		"nothing":         {404, "", false},
		"bearer":          {401, `Bearer realm="x"`, false},
		"no challenge":    {401, "", false},
		"a way elsewhere": {302, "", false},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, _, ok := r.BasicAuth(); ok {
				t.Error("a password was sent")
			}
			w.Header().Set("WWW-Authenticate", tt.challenge)
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(tt.status)
		}))
		if got := answersAsARI(t.Context(), s.URL+"/ari/asterisk/ping"); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
		s.Close()
		if answersAsARI(t.Context(), s.URL) {
			t.Error("nobody is there, and answers")
		}
	}
}

// TestWhatAsteriskConfSays reads the file as Asterisk does, and says nothing where it cannot know.
func TestWhatAsteriskConfSays(t *testing.T) {
	for content, want := range map[string][2]bool{
		"":                                                               {false, true}, // Asterisk's own default
		"[options]\nlive_dangerously = no\n":                             {false, true},
		"[options]\nlive_dangerously = yes\n":                            {true, true},
		"[options]\nlive_dangerously=>YES\n":                             {true, true},
		"[Options](!)\n Live_Dangerously = 1 ":                           {true, true},
		"[options]\r\nlive_dangerously = on\r\n":                         {true, true},
		"[options]\n;live_dangerously = yes\n":                           {false, true},
		"[options]\nlive_dangerously = no ; yes\n":                       {false, true},
		"[options]\n;-- live_dangerously\nlive_dangerously = yes\n--;\n": {false, true},
		"[files]\nlive_dangerously = yes\n":                              {false, true},
		"[options]\nlive_dangerously = no\n[files]\na = b\n[options](+)\nlive_dangerously = true": {true, true},
		"[options]\nlive_dangerously = yes\nlive_dangerously = no\n":                              {false, true},
		"#include more.conf\n":                                    {false, false},
		"[options]\n#exec /bin/true\n":                            {false, false},
		"#include more.conf\n[options]\nlive_dangerously = yes\n": {true, true},
	} {
		file := filepath.Join(t.TempDir(), "asterisk.conf")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if live, told := written(file); live != want[0] || told != want[1] {
			t.Errorf("%q: live %v, told %v", content, live, told)
		}
	}
	if _, told := written("/nonexistent"); told {
		t.Error("a file that is not there tells")
	}
	if live, told := written("../../../deploy/asterisk/asterisk.conf"); live || !told {
		t.Error("the deployed one is not safe")
	}
}
