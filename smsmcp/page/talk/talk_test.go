package talk

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

func TestWhatThePageConnectsTo(t *testing.T) {
	for address, want := range map[string]string{
		"wss://livekit.example": "wss://livekit.example https://livekit.example", "wss://LiveKit.example:7443/": "wss://livekit.example:7443 https://livekit.example:7443",
		"ws://127.0.0.1:7880": "ws://127.0.0.1:7880 http://127.0.0.1:7880", "ws://localhost:7880": "ws://localhost:7880 http://localhost:7880", "wss://10.0.0.7:7880": "wss://10.0.0.7:7880 https://10.0.0.7:7880",
	} {
		if got, err := Sources(address); got != want || err != nil {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
	for _, bad := range []string{
		"", "livekit.example", "https://livekit.example", "ws://livekit.example", "ws://10.0.0.7:7880", "ws://localhost.example", "wss://", "wss://*", "wss://*.example", "wss://a;script-src", "wss://a b",
		"wss://a,b", "wss://'self'", "wss://user@livekit.example", "wss://livekit.example/path", "wss://livekit.example?x", "wss://livekit.example/?", "wss://livekit.example#x", "wss://[::1]:7880", "ws://[::1]:7880",
		"wss://livekit.example:", "wss://livekit.example:x", "wss://-", "wss://é.example", "data:x", "wss:livekit.example", "\nwss://livekit.example",
	} {
		if got, err := Sources(bad); got != "" || !errors.Is(err, ErrURL) {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
	}
}

// served gives a script of the page to a browser that takes some encodings.
func served(name string, takes ...string) (*httptest.ResponseRecorder, bool) {
	r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	r.Header["Accept-Encoding"] = takes
	return w, Serve(w, r, name)
}

func TestTheScripts(t *testing.T) {
	for name, holds := range map[string]string{"talk.js": "createLocalAudioTrack", "livekit.js": "NOTICE.txt"} {
		whole, ok := served(name)
		if !ok || !strings.Contains(whole.Body.String(), holds) || whole.Header().Get("Content-Encoding") != "" || whole.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%s: %v, %d bytes, %v", name, ok, whole.Body.Len(), whole.Header())
		}
		for _, takes := range [][]string{{"gzip"}, {"gzip, deflate, br, zstd"}, {"br , GZIP"}, {"br", "gzip"}} {
			w, _ := served(name, takes...)
			if got := w.Header(); got.Get("Content-Encoding") != "gzip" || got.Get("Vary") != "Accept-Encoding" || got.Get("Content-Length") != strconv.Itoa(w.Body.Len()) || 2*w.Body.Len() > whole.Body.Len() {
				t.Errorf("%q: %d bytes, %v", takes, w.Body.Len(), got)
				continue
			}
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, whole.Body.Bytes()) {
				t.Errorf("%s is another where it is small: %v", name, err)
			}
		}
		for _, takes := range []string{"", "br", "xgzip", "gzip;q=0", "identity"} {
			if w, _ := served(name, takes); w.Header().Get("Content-Encoding") != "" || w.Body.Len() != whole.Body.Len() {
				t.Errorf("%q: %v", takes, w.Header())
			}
		}
	}
	for _, name := range []string{"", "entry.js", "talk.go", "livekit/livekit.js", "package.json", "../talk.js"} {
		if w, ok := served(name); ok || w.Body.Len() > 0 {
			t.Errorf("%q is a script of the page", name)
		}
	}
}

// TestNoScriptOfACallWritesMarkup: the page forbids it (Trusted Types), and what is drawn in a call is others' words.
func TestNoScriptOfACallWritesMarkup(t *testing.T) {
	for _, name := range []string{"talk.js", "livekit.js"} {
		w, _ := served(name)
		b := w.Body.Bytes()
		if len(b) == 0 {
			t.Fatal(name)
		}
		for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "srcdoc", "new Function", "eval(", "importScripts", "new Worker", "javascript:", "<a ", "<img"} {
			if bytes.Contains(b, []byte(sink)) {
				t.Errorf("%s holds %s", name, sink)
			}
		}
	}
}
