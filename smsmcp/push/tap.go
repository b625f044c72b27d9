package push

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// tap does what a button stands for, once, and says in a sentence what came of it. The receipt goes to the phone at the same time. The token is not repeated
// anywhere.
func (a *Asker) tap(ctx context.Context, token string) (status int, said string) {
	l := a.o.Lang
	if !a.Reachable() { // the topic may be open to all, and then so is the token: the button is not used up by that
		return a.broken(errUntrusted)
	}
	t, err := a.o.Store.UseTap(ctx, a.o.Now(), sha256.Sum256([]byte(token)))
	switch {
	case errors.Is(err, a.o.NoTap):
		return http.StatusNotFound, lang.PushNoTap.In(l)
	case errors.Is(err, a.o.Used):
		s, err := a.o.Store.Send(ctx, t.Send)
		if err != nil {
			return a.broken(err)
		}
		return http.StatusConflict, a.tell(s, lang.PushUsed.In(l))
	case err != nil:
		return a.broken(err)
	}
	a.o.Log.Info("a button was pressed", "id", t.Send, "action", t.Action)
	var s smsmcp.Send
	switch t.Action {
	case smsmcp.TapSend:
		s, err = a.o.Desk.Yes(ctx, t.Send, t.Digest, smsmcp.Phone)
	case smsmcp.TapDont:
		s, err = a.o.Desk.No(ctx, t.Send, smsmcp.Phone)
	case smsmcp.TapFreeze:
		if err = a.o.Desk.Freeze(ctx, smsmcp.Phone); err == nil {
			if s, err = a.o.Store.Send(ctx, t.Send); err == nil {
				n := a.receipt(s, lang.PushFrozen.In(l), loud)
				n.Tags = []string{tagFrozen}
				a.give(n)
				return http.StatusOK, n.Body
			}
		}
	}
	if err != nil && s.State != smsmcp.Unknown { // that one may have gone, and its log could not be written
		a.again(t.Send)
		return a.broken(err)
	}
	return http.StatusOK, a.tell(s, "")
}

// tell gives the receipt of a tap, and the words of it.
func (a *Asker) tell(s smsmcp.Send, more string) string {
	n := a.receipt(s, more, loud)
	if s.State == smsmcp.Waiting { // the question stays where it is, with its buttons
		n.Sequence += "-tap"
		a.give(n)
		return n.Body
	}
	a.mu.Lock()
	delete(a.asked, s.ID)
	a.mu.Unlock()
	a.give(n)
	return n.Body
}

// again has a send asked for anew, if it still waits: its button is used up, and nothing came of it.
func (a *Asker) again(id smsmcp.SendID) {
	a.mu.Lock()
	delete(a.asked, id)
	a.mu.Unlock()
	a.nudge()
}

var errUntrusted = errors.New("nothing is known of the topic now")

func (a *Asker) broken(err error) (int, string) {
	a.o.Log.Error("a button's work could not be done", "error", err)
	return http.StatusServiceUnavailable, lang.PushBroken.In(a.o.Lang)
}

// Handler takes the taps: a POST of a token and nothing else. Origins are those whose pages may post one, which are ntfy's web app and our own; a phone names none.
func (a *Asker) Handler(origins ...string) http.Handler {
	allowed := map[string]bool{"": true}
	for _, o := range origins {
		allowed[strings.TrimSuffix(o, "/")] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		status, said := http.StatusNotFound, lang.PushNoTap.In(a.o.Lang)
		token, ok := posted(r)
		switch {
		case r.Method != http.MethodPost:
			h.Set("Allow", http.MethodPost)
			status = http.StatusMethodNotAllowed
		case !allowed[r.Header.Get("Origin")]:
			status = http.StatusForbidden
		case ok:
			if from := r.Header.Get("Origin"); from != "" { // ntfy's web app shows as failed what it may not hear of
				h.Set("Access-Control-Allow-Origin", from)
				h.Set("Vary", "Origin")
			}
			status, said = a.tap(context.WithoutCancel(r.Context()), token) // a phone that goes out of reach has pressed it all the same
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, said+"\n")
	})
}

// posted gives the token of a request, if its body is one and it is no form: a form is what a page can have a browser post by a mere link's press.
func posted(r *http.Request) (string, bool) {
	if r.Method != http.MethodPost || r.URL.RawQuery != "" {
		return "", false
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); strings.HasPrefix(kind, "multipart/") || kind == "application/x-www-form-urlencoded" {
		return "", false
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, int64(tokenChars)+1))
	if err != nil || len(b) != tokenChars || strings.Trim(string(b), "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return "", false
	}
	return string(b), true
}
