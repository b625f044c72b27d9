package push

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang/screen"
)

// soon is how long a press waits to hear how a send came out. A phone gives up on one that takes much longer, and the carrier may.
const soon = 3 * time.Second

// tap does what a button stands for, once, and says in a sentence what came of it. The receipt goes to the phone at the same time. The token is not repeated
// anywhere.
func (a *Asker) tap(ctx context.Context, token string) (status int, said string) {
	l := a.o.Lang
	t, err := a.o.Store.UseTap(ctx, a.o.Now(), sha256.Sum256([]byte(token)))
	switch {
	case errors.Is(err, a.o.NoTap):
		return http.StatusNotFound, screen.PushNoTap.In(l)
	case errors.Is(err, a.o.Used):
		return a.nothing(ctx, t, http.StatusConflict, screen.PushUsed.In(l))
	case errors.Is(err, a.o.Late):
		return a.nothing(ctx, t, http.StatusGone, screen.PushLate.In(l))
	case err != nil:
		return a.broken(err)
	}
	a.o.Log.Info("a button was pressed", "id", t.Send, "action", t.Action)
	switch t.Action {
	case smsmcp.TapSend:
		return a.yes(ctx, t)
	case smsmcp.TapDont:
		s, err := a.o.Desk.No(ctx, t.Send, smsmcp.Phone)
		if err != nil {
			return a.undone(t.Send, err)
		}
		return http.StatusOK, a.tell(s, "")
	}
	if err := a.o.Desk.Freeze(ctx, smsmcp.Phone); err != nil {
		return a.undone(t.Send, err)
	}
	return a.nothing(ctx, t, http.StatusOK, screen.PushUsed.In(l))
}

// yes gives the owner's yes, and says how the send came out, or that it is on its way.
func (a *Asker) yes(ctx context.Context, t smsmcp.Tap) (int, string) {
	if !a.Reachable() { // the topic may be open to all, and then so is the token
		return a.undone(t.Send, errUntrusted)
	}
	type answer struct {
		status int
		said   string
	}
	a.mu.Lock()
	a.pressed[t.Send] = false
	a.mu.Unlock()
	answered := make(chan answer, 1)
	go func() {
		out := answer{http.StatusServiceUnavailable, screen.PushBroken.In(a.o.Lang)}
		defer func() {
			_ = recover() // in a goroutine of its own a crash would end the program
			answered <- out
		}()
		s, err := a.o.Desk.Yes(ctx, t.Send, t.Digest, smsmcp.Phone)
		a.mu.Lock()
		told := a.pressed[t.Send]
		delete(a.pressed, t.Send)
		a.mu.Unlock()
		switch {
		case err != nil && s.State != smsmcp.Unknown: // that one may have gone, and its log could not be written
			out.status, out.said = a.undone(t.Send, err)
		case told: // by the door: it has its receipt
			out = answer{http.StatusOK, a.stands(s)}
		default:
			out = answer{http.StatusOK, a.tell(s, "")}
		}
	}()
	patience := time.NewTimer(soon)
	defer patience.Stop()
	select {
	case out := <-answered:
		return out.status, out.said
	case <-patience.C:
	}
	return a.nothing(ctx, t, http.StatusAccepted, "")
}

// nothing answers a press by which no more was done than that: how the send stands, and whether all are stopped.
func (a *Asker) nothing(ctx context.Context, t smsmcp.Tap, status int, more string) (int, string) {
	s, err := a.o.Store.Send(ctx, t.Send)
	if err != nil {
		return a.broken(err)
	}
	if t.Action != smsmcp.TapFreeze {
		return status, a.tell(s, more)
	}
	frozen, err := a.o.Desk.Frozen(ctx)
	if err != nil {
		return a.broken(err)
	}
	if frozen {
		more = screen.PushFrozen.In(a.o.Lang)
	}
	return status, a.tell(s, more)
}

// undone is for a press of which nothing came: a question that still waits is asked anew, with other buttons.
func (a *Asker) undone(id smsmcp.SendID, err error) (int, string) {
	a.mu.Lock()
	delete(a.asked, id)
	a.mu.Unlock()
	a.nudge()
	return a.broken(err)
}

// tell gives the receipt of a tap, and the words of it.
func (a *Asker) tell(s smsmcp.Send, more string) string {
	n := a.receipt(s, more, loud)
	switch s.State {
	case smsmcp.Waiting: // the question stays where it is, with its buttons
		n.Sequence += "-tap"
	case smsmcp.Reserved: // the door tells how it comes out
	default:
		a.mu.Lock()
		delete(a.asked, s.ID)
		a.mu.Unlock()
	}
	a.give(n)
	return n.Body
}

var errUntrusted = errors.New("nothing is known of the topic now")

func (a *Asker) broken(err error) (int, string) {
	a.o.Log.Error("a button's work could not be done", "error", err)
	return http.StatusServiceUnavailable, screen.PushBroken.In(a.o.Lang)
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
		status, said := http.StatusNotFound, screen.PushNoTap.In(a.o.Lang)
		token, ok := posted(r)
		ok = ok && !a.o.ReceiptsOnly
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
