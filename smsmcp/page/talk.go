package page

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"readback/smsmcp/page/talk"
)

// Talk lets the owner's browser into a call. talk.ErrAway says that there can be none now; any other error is its own trouble.
type Talk interface {
	Begin(ctx context.Context) (talk.Visit, error)
}

func (p *Page) talkTo(w http.ResponseWriter, r *http.Request, v visit) {
	p.show(w, r, http.StatusOK, "talk", view{Title: "talk.title", visit: &v})
}

// call answers with a page that can be in one call: it alone may connect to the LiveKit server, and use the microphone.
func (p *Page) call(w http.ResponseWriter, r *http.Request, v visit) {
	in, err := p.o.Talk.Begin(r.Context())
	sources := ""
	if err == nil {
		sources, err = talk.Sources(in.URL)
	}
	if errors.Is(err, talk.ErrAway) {
		p.fail(w, r, http.StatusServiceUnavailable, "error_title", "talk.away")
		return
	}
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	p.o.Log.Info("page: a call begins", "proof", v.proof)
	h := w.Header()
	h.Set("Content-Security-Policy", strings.Replace(policy, "connect-src 'self'", "connect-src 'self' "+sources, 1))
	h.Set("Permissions-Policy", strings.NewReplacer("microphone=()", "microphone=(self)", "autoplay=()", "autoplay=(self)").Replace(permissions))
	p.show(w, r, http.StatusOK, "talk", view{Title: "talk.title", visit: &v, Call: &in})
}
