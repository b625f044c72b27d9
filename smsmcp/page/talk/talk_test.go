package talk

import (
	"bytes"
	"errors"
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

func TestTheScripts(t *testing.T) {
	for name, holds := range map[string]string{"talk.js": "createLocalAudioTrack", "livekit.js": "NOTICE.txt"} {
		if b, ok := Asset(name); !ok || !bytes.Contains(b, []byte(holds)) {
			t.Errorf("%s: %v, %d bytes", name, ok, len(b))
		}
	}
	for _, name := range []string{"", "entry.js", "talk.go", "livekit/livekit.js", "package.json", "../talk.js"} {
		if _, ok := Asset(name); ok {
			t.Errorf("%q is a script of the page", name)
		}
	}
}

// TestNoScriptOfACallWritesMarkup: the page forbids it (Trusted Types), and what is drawn in a call is others' words.
func TestNoScriptOfACallWritesMarkup(t *testing.T) {
	for _, name := range []string{"talk.js", "livekit.js"} {
		b, _ := Asset(name)
		for _, sink := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "createContextualFragment", "srcdoc", "new Function", "eval(", "importScripts", "new Worker", "javascript:", "<a ", "<img"} {
			if bytes.Contains(b, []byte(sink)) {
				t.Errorf("%s holds %s", name, sink)
			}
		}
	}
}
