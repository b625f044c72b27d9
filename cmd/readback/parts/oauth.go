package parts

import (
	"errors"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/oauth"
	"readback/smsmcp/outside"
	"readback/smsmcp/web"
	"readback/store/grants"
)

// What is fetched of a client's document.
const (
	documentBytes = 10 << 10
	documentTime  = 5 * time.Second
)

// mcpPath is where the MCP endpoint is.
const mcpPath = "/mcp"

// makeOAuth makes what lets clients in that the owner agreed to on the page. There is none without a public address, by which they come.
func (a *App) makeOAuth() (err error) {
	c := a.o.Config
	if !c.OAuthOn() {
		return nil
	}
	from := a.o.Outside
	from.Bytes, from.Timeout, from.Redirects, from.Now = documentBytes, documentTime, 0, a.o.Now
	a.oauth, err = oauth.New(oauth.Options{
		Issuer: c.PublicURL, Path: mcpPath, Store: grants.New(a.Store.DB()), Hosts: append([]string{}, c.OAuth.Hosts...), Now: a.o.Now, Log: a.o.Log, Address: web.Source, Notify: a.letIn,
		Documents: outside.New(from),
	})
	if errors.Is(err, oauth.ErrIssuer) { // http://127.0.0.2, say: for this machine, and nothing that a client would take
		a.o.Log.Warn("no client is let in by a browser: public_url is not an address of that kind", "error", err)
		err = nil
	}
	return err
}

// oauthRoutes are what clients ask before they have a token.
func (a *App) oauthRoutes() (all []web.Route) {
	if a.oauth == nil {
		return nil
	}
	h := web.Open(a.oauth.Handler())
	for _, path := range a.oauth.Routes() {
		all = append(all, web.Route{Pattern: path, Handler: h, CrossSite: true})
	}
	return all
}

// letIn has the owner's phone told, where there is one, of who was let in, and of whose key two have.
func (a *App) letIn(g oauth.Grant) {
	if a.asker == nil {
		return
	}
	l := a.o.Config.Lang
	if body := told(l, g); body != "" {
		a.asker.Warn("client", screen.PushPage.In(l), body)
	}
}

// told is what the phone is told of a grant; "" for nothing. The host that its codes went to is a fact, its name is its own word: that comes second, and between quotes.
func told(l lang.Lang, g oauth.Grant) string {
	m := screen.PushClientIn
	switch {
	case g.Ended.IsZero():
	case g.Why == oauth.CodeTwice || g.Why == oauth.RefreshTwice:
		m = screen.PushClientTwice
	default: // by the owner, by itself, or by time
		return ""
	}
	who := screen.PushClientNameless.In(l)
	if g.Name != "" {
		who = screen.PushClientNamed.In(l, g.Name)
	}
	return m.In(l, g.To, who)
}
