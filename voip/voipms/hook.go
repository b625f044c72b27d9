package voipms

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
)

// HookPath is where voip.ms may say that a text came, followed by a secret ("SMS/MMS URL Callback" in its portal).
const HookPath = "/hooks/voipms/"

// minHookSecret is the shortest secret that is taken, in characters.
const minHookSecret = 20

// ErrHookSecret says that the hook's secret is too short, or would not stand in a path as it is.
var ErrHookSecret = errors.New("voipms: the hook's secret must be 20 to 128 letters, digits, - and _")

// Hook takes voip.ms's word that something came. It is a nudge and nothing else: nobody signs these requests, so not one of their parameters is read, and the texts
// come from the list. nudge has the poller look soon, however often it is called: many requests are one look, so a flood costs the list nothing. "ok" is
// answered after that; a nudge that a crash loses is made up for by the look with which the program starts. What is not a GET with the secret is answered as if
// there were nothing here.
func Hook(secret string, nudge func(), log *slog.Logger) (http.Handler, error) {
	if len(secret) < minHookSecret || len(secret) > 128 || strings.Trim(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return nil, ErrHookSecret
	}
	want := sha256.Sum256([]byte(secret))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.URL.Path, HookPath)
		got := sha256.Sum256([]byte(given))
		same := subtle.ConstantTimeCompare(got[:], want[:]) == 1
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !ok || !same || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "not found\n")
			return
		}
		nudge()
		log.Debug("voip.ms says that a text came")
		_, _ = io.WriteString(w, "ok")
	}), nil
}
