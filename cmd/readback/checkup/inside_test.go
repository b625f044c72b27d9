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
		// Another file may say yes behind this no. The forms of a yes.
		"[options]\nlive_dangerously = no\n#include custom.conf\n":              {false, false},
		"#tryinclude custom.conf\n[options]\nlive_dangerously = no\n":           {false, false},
		"[options]\nlive_dangerously = no\n#exec /bin/true\n":                   {false, false},
		"[options]\n#include custom.conf\nlive_dangerously = Y":                 {true, true},
		"[options]\nlive_dangerously = T":                                       {true, true},
		"[options]\nlive_dangerously = On":                                      {true, true},
		"[options]\nlive_dangerously = 2":                                       {false, true},
		"[options]\nlive_dangerously = no\nlive_dangerously = yes\n":            {true, true},
		"[options](+)\nlive_dangerously += yes\n":                               {true, true},
		"[options]\nlive_dangerously = no\nlive_dangerously += yes\n":           {false, true},
		"[options]\nlive_dangerously = y\nlive_dangerously += es\n":             {true, true},
		"[base](!)\nlive_dangerously = yes\n[options](base)\na = b\n":           {false, false},
		"[base](!)\nlive_dangerously = no\n[options](base)\na = b\n":            {false, true},
		"[base](!)\nlive_dangerously = yes\n[options](!)\na = b\n":              {false, true},
		"[options]\na = b\n[base](!)\nlive_dangerously = on\n[options](+,base)": {false, false},
		// Of two sections Asterisk reads the first, and a blank before (+) makes a second.
		"[options]\nlive_dangerously = yes\n[options]\nlive_dangerously = no\n":     {true, true},
		"[options]\nlive_dangerously = no\n[options]\nlive_dangerously = yes\n":     {false, false},
		"[options]\nlive_dangerously = no\n[options] (+)\nlive_dangerously = yes\n": {false, false},
		"[options]\nlive_dangerously = no\n[OPTIONS](+)\nLIVE_DANGEROUSLY = yEs\n":  {true, true},
		// Comments.
		";--- a rule ---\n[options]\nlive_dangerously = yes\n":      {true, true},
		"[options]\na = b ;-- x\n--;\nlive_dangerously = yes\n":     {true, true},
		"[options]\na = b ;-- x\nlive_dangerously = yes\n--;\n":     {false, true},
		"[options]\n;-- a ;-- b --;\nlive_dangerously = yes\n--;\n": {false, true},
		"[options]\n;-- a --; live_dangerously = yes\n":             {true, true},
		"[options]\na = b\\;c ; d\nlive_dangerously = yes \\;\n":    {false, true},
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
