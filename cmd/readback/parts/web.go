package parts

import (
	crand "crypto/rand"
	"net/http"

	"readback/smsmcp/mcptools"
	"readback/smsmcp/web"
	"readback/store"
	"readback/store/questions"
)

// Web gives the whole of what the network reaches, once Connect has made what is behind it.
func (a *App) Web() (http.Handler, error) {
	c, now, log := a.o.Config, a.o.Now, a.o.Log
	var shown mcptools.Images // nil: a model sees none
	if c.Read.Images {
		shown = a.images
	}
	tools, err := mcptools.New(mcptools.Options{
		Reader: a.box, Book: a.Store, Door: a.door, Who: web.Who,
		Now: now, Random: crand.Reader, Lang: c.Lang, Zone: c.Zone, Version: a.o.Version, Log: log,
		MaskCodes: c.Read.MaskCodes, MaxChars: c.Read.MaxChars, BodyChars: c.Read.BodyChars,
		Questions: questions.New(a.Store.DB()), Desk: a.desk, Images: shown,
		Timeout: c.Limits.RequestTimeout.Duration * 5 / 6, Wait: c.Confirm.Wait.Duration, Prompt: c.Confirm.ClientPrompt,
	})
	if err != nil {
		return nil, err
	}
	proxies, err := web.Proxies(c.TrustedProxies)
	if err != nil {
		return nil, err
	}
	routes, err := a.routes()
	if err != nil {
		return nil, err
	}
	var clients web.OAuth // nil, and not a nil server
	if a.oauth != nil {
		clients = a.oauth
	}
	return web.New(web.Options{
		OAuth: clients, Needs: mcptools.Needs,
		MCP: tools, Tokens: a.Store, NoToken: store.ErrNoToken, Now: now, Log: log, Lang: c.Lang, Parts: a.Parts, Metrics: a.metrics.Handler(), Routes: routes,
		TrustedProxies: proxies, PublicHosts: c.PublicHosts, AllowedOrigins: c.AllowedOrigins,
		RequestsPerMinute: c.Limits.RequestsPerMinute, Burst: c.Limits.Burst, BodyBytes: c.Limits.BodyBytes,
		RequestTimeout: c.Limits.RequestTimeout.Duration, AtOnce: c.Limits.AtOnce,
	}), nil
}
