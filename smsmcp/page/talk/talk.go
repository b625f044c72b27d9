// Package talk is what the owner's page has beside itself for a call from the browser: how a browser is let into one, what its one page may connect to, and the scripts of that page.
//
// livekit-client puts the token of a Visit into the query of the address of its WebSocket, and that of the question why it was not let in: LiveKit's protocol has no other place. So it is in the
// log of a proxy before the LiveKit server that logs addresses whole, where it lets into the room for the rest of its two minutes; deploy/livekit/README.md says how to keep it out.
//
// Floor 0: imports nothing of the module.
package talk

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Visit lets one browser into one call, and soon. Its token lets into the room for two minutes, as often as it is shown; whose call it is is known to Readback once, for the first to come.
// Token is a secret until then: of Readback's own it stands in the one answer that it was made for, and nowhere else.
type Visit struct {
	URL   string // the LiveKit server's, as the browser reaches it: wss://host, or ws:// on this machine
	Token string
}

// What Begin of the page's Talk may say, beside its own trouble.
var (
	// ErrAway says that nothing would take the call: the program is not connected to its LiveKit server now.
	ErrAway = errors.New("talk: the LiveKit server cannot be reached")
	// ErrURL says that an address is no LiveKit server's that a page may name in its policy.
	ErrURL = errors.New("talk: the address must be wss:// and a host's name, or ws:// with localhost or 127.0.0.1, and nothing behind")
)

// named is a host as a Content-Security-Policy can name it. It knows no address of IPv6.
var named = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$`)

// Sources gives what a page connects to that joins a call at an address: signalling, and the question why it was not let in. Without TLS there is loopback alone.
func Sources(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", ErrURL
	}
	host := strings.ToLower(u.Host)
	switch {
	case !named.MatchString(host):
	case u.Scheme == "wss":
		return "wss://" + host + " https://" + host, nil
	case u.Scheme == "ws" && near(u.Hostname()):
		return "ws://" + host + " http://" + host, nil
	}
	return "", ErrURL
}

func near(name string) bool {
	addr, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && addr.IsLoopback()
}

//go:embed talk.js livekit/livekit.js
var files embed.FS

// where says in which file a script of the page is, by its name on it.
var where = map[string]string{"talk.js": "talk.js", "livekit.js": "livekit/livekit.js"}

// small is the scripts once more, as most browsers take them: a quarter of the bytes.
var small = sync.OnceValue(func() map[string][]byte {
	out := map[string][]byte{}
	for name, file := range where {
		script, _ := files.ReadFile(file)
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // neither the level nor a buffer can be wrong
		_, _ = w.Write(script)
		_ = w.Close()
		out[name] = b.Bytes()
	}
	return out
})

// Serve answers with a script of the page by its name, and says whether there is one. The rest of its head is the page's.
func Serve(w http.ResponseWriter, r *http.Request, name string) bool {
	script, err := files.ReadFile(where[name])
	if err != nil {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Add("Vary", "Accept-Encoding")
	if zips.MatchString(strings.Join(r.Header.Values("Accept-Encoding"), ",")) {
		h.Set("Content-Encoding", "gzip")
		script = small()[name]
	}
	h.Set("Content-Length", strconv.Itoa(len(script)))
	_, _ = w.Write(script) //nolint:gosec // a script of ours
	return true
}

// zips finds gzip among what a browser takes (RFC 9110, 12.5.3), without a weight: browsers give none.
var zips = regexp.MustCompile(`(?i)(^|,)\s*gzip\s*(,|$)`)
