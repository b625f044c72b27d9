package checkup

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"readback/smsmcp/lang/finding"
)

// Apps are what lets clients in by a browser.
type Apps struct {
	Enabled    bool   // by the configuration
	PublicURL  string // by which they come; "" is nowhere
	Passphrase bool   // there is one: nobody is let in without
	Running    bool   // a server runs on the owner's data now
}

// metadataPath is where an authorization server says what it is (RFC 8414 3).
const metadataPath = "/.well-known/oauth-authorization-server"

// Examine says how it stands with them, and asks at the public address itself whether it is this Readback that answers there.
func (a Apps) Examine(ctx context.Context) []Finding {
	e := &examination{}
	switch {
	case !a.Enabled:
		e.add(OK, finding.Apps, finding.AppsOff)
	case a.PublicURL == "":
		e.add(OK, finding.Apps, finding.AppsNowhere)
	case !a.Passphrase:
		e.add(Warn, finding.Apps, finding.AppsNobody)
	case !a.Running:
		e.add(OK, finding.Apps, finding.AppsNotNow, a.PublicURL)
	case !a.answers(ctx):
		e.add(Warn, finding.Apps, finding.AppsSilent, a.PublicURL)
	case strings.HasPrefix(a.PublicURL, "https:"):
		e.add(OK, finding.Apps, finding.AppsOK, a.PublicURL)
	default:
		e.add(OK, finding.Apps, finding.AppsHere, a.PublicURL)
	}
	return e.found
}

func (a Apps) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.PublicURL+metadataPath, nil)
	if err != nil {
		return false
	}
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	var said struct {
		Issuer string `json:"issuer"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, 16<<10)).Decode(&said)
	return err == nil && resp.StatusCode == http.StatusOK && said.Issuer == a.PublicURL
}
