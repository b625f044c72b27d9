package page

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"readback/smsmcp/page/seal"
	"readback/smsmcp/page/talk"
)

// Talk lets the owner's browser into a call.
type Talk interface {
	// Begin begins one. talk.ErrAway says that there can be none now; any other error is its own trouble.
	Begin(ctx context.Context) (talk.Visit, error)
	// End ends all that Begin began, also what no browser has come to yet. It may take a moment more than the answer does.
	End(ctx context.Context) error
}

func (p *Page) talkTo(w http.ResponseWriter, r *http.Request, v visit) {
	p.show(w, r, http.StatusOK, "talk", view{Title: "talk.title", visit: &v, Shown: p.seals(v, doing("talk", ""))})
}

// call answers with a page that can be in one call: it alone may connect to the LiveKit server, and use the microphone. A call lasts longer than a proof counts, and every yes in it is a strong
// one; so it takes a proof of its own, and a showing of the question makes one call: a browser that is made to send its form once more, passphrase and all, makes none.
func (p *Page) call(w http.ResponseWriter, r *http.Request, v visit) {
	q, err := p.shown("talk")(r, v)
	if err == nil && !p.seal.Once("shown "+string(q.Key[:]), q.At.Add(whole), p.o.Now()) {
		err = seal.ErrShown
	}
	if err != nil {
		p.failWith(w, r, err)
		return
	}
	in, err := p.o.Talk.Begin(r.Context())
	sources := ""
	if err == nil {
		sources, err = talk.Sources(in.URL)
	}
	if _, still := p.visitor(r); !still { // signed out meanwhile: what ended then need not have been this
		_ = p.endCalls(r.Context()) // it is logged
		http.Redirect(w, r, "/sign-in?next=/talk", http.StatusSeeOther)
		return
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
	p.show(w, r, http.StatusOK, "talk", view{Title: "talk.title", visit: &v, Call: &in, Shown: p.seals(v, doing("talk", ""))})
}

// endCalls ends the calls from browsers. Which session one was begun in nobody keeps: all are the owner's, who signs out.
func (p *Page) endCalls(ctx context.Context) error {
	if p.o.Talk == nil {
		return nil
	}
	err := p.o.Talk.End(context.WithoutCancel(ctx))
	if err != nil {
		p.o.Log.Error("page: the calls were not ended", "error", err)
	}
	return err
}

// endCallsThen ends them, and leads to a page. That a call may go on is not passed over.
func (p *Page) endCallsThen(w http.ResponseWriter, r *http.Request, next string) {
	if err := p.endCalls(r.Context()); err != nil {
		p.failWith(w, r, err)
		return
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
}
