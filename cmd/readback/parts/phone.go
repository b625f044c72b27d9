package parts

import (
	crand "crypto/rand"
	"net/url"
	"strings"

	"readback/cmd/readback/config"
	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
	"readback/smsmcp/push"
	"readback/smsmcp/web"
	"readback/store"
	"readback/voip/voipms"
)

// makeAsker makes what asks on the owner's phone, and opens the channel by which the answer comes: the phone is not in the model's hands, so it is a strong one.
func (a *App) makeAsker() (ntfy.Approvals, error) {
	c := a.o.Config
	to, err := Approvals(c)
	if err != nil {
		return ntfy.Approvals{}, err
	}
	topic, err := ntfy.NewApprovals(to)
	if err != nil {
		return topic, err
	}
	a.closing = append(a.closing, closer(topic.Close))
	a.asker = push.New(push.Options{
		Desk: a.desk, Store: a.Store, Messenger: topic, Used: store.ErrTapUsed, Late: store.ErrTapLate, NoTap: store.ErrNoTap, Address: c.PublicURL,
		Now: a.o.Now, Random: crand.Reader, Rand: jitter(), Lang: c.Lang, Zone: c.Zone, Log: a.o.Log, Observe: a.metrics.Observe,
		ReceiptsOnly: a.o.Joins,
	})
	if a.o.Joins { // the server asks there
		return topic, nil
	}
	a.desk.Open(confirm.Channel{Name: smsmcp.Phone, Strong: true, Reachable: a.asker.Reachable})
	return topic, nil
}

// tapBytes bounds what a button posts: a token.
const tapBytes = 256

// routes are what is answered beside /mcp: the owner's page and phone, and voip.ms.
func (a *App) routes() (all []web.Route, err error) {
	c := a.o.Config
	all = append(all, web.Route{Pattern: "/", Handler: a.page, CrossSite: true}) // it judges by itself, by more than an origin
	all = append(all, a.oauthRoutes()...)
	all = append(all, a.rooms.routes()...)
	if a.asker != nil && c.PublicURL != "" {
		all = append(all, web.Route{Pattern: push.TapPath, Handler: a.asker.Handler(origin(c.Ntfy.URL), c.PublicURL), CrossSite: true, BodyBytes: tapBytes})
	}
	if file := c.VoipMS.HookSecretFile; file != "" && c.Carrier.Kind == config.VoipMS {
		read, err := secret("voipms.hook_secret_file", file)
		if err != nil {
			return nil, err
		}
		word, err := read()
		if err != nil {
			return nil, err
		}
		hook, err := voipms.Hook(word, a.box.Expect, a.o.Log)
		if err != nil {
			return nil, lang.Say(lang.CLIHookSecret)
		}
		all = append(all, web.Route{Pattern: voipms.HookPath, Handler: hook, CrossSite: true})
	}
	return all, nil
}

// origin is the origin of an address, as a browser writes it.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Scheme+"://"+strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
