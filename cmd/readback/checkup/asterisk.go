package checkup

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
	"readback/voip/ari"
	"readback/voip/sipmsg"
)

// leastVersion is the oldest Asterisk whose makers may still mend it.
const leastVersion = 20

// Modules of Asterisk's. Each stands in deploy/asterisk/modules.conf.
var (
	forTexts = []string{
		"chan_pjsip.so", "res_ari_applications.so", "res_ari_endpoints.so", "res_ari_events.so", "res_http_websocket.so", "res_pjsip.so",
		"res_pjsip_endpoint_identifier_ip.so", "res_pjsip_messaging.so", "res_pjsip_outbound_authenticator_digest.so", "res_pjsip_outbound_registration.so",
		"res_stasis.so",
	}
	forCalls = []string{
		"app_stasis.so", "bridge_simple.so", "bridge_softmix.so", "chan_rtp.so", "codec_ulaw.so", "res_ari_bridges.so", "res_ari_channels.so",
		"res_ari_playbacks.so", "res_pjsip_sdp_rtp.so", "res_pjsip_session.so", "res_rtp_asterisk.so", "res_srtp.so", "res_stasis_answer.so",
		"res_stasis_playback.so",
	}
)

func (e *examination) line(ctx context.Context) {
	client, err := ari.New(*e.o.Line)
	if err != nil {
		e.add(Fail, finding.Asterisk, finding.AsteriskConfig)
		return
	}
	defer client.Close()
	info, err := client.Info(ctx)
	switch {
	case err != nil:
		e.failed(Fail, finding.Asterisk, err)
	case major(info.Version) < leastVersion:
		e.add(Warn, finding.Asterisk, finding.AsteriskOld, info.Version, leastVersion)
	default:
		e.add(OK, finding.Asterisk, finding.AsteriskOK, info.Version)
	}
	if err != nil && code(err) != ari.CodeUnauthorized {
		return
	}
	e.password(ctx) // also where Asterisk does not take ours: it may take one that everybody knows
	e.address(ctx)
	if err != nil {
		return
	}
	modules, err := client.Modules(ctx)
	if err != nil {
		e.failed(Fail, finding.AsteriskModules, err)
	} else {
		e.modules(modules)
		e.dangers(ctx, client, modules)
	}
	e.trunk(ctx, client)
	e.subscribed(ctx, client)
}

// failed says what an error of Asterisk's means.
func (e *examination) failed(s Status, check lang.Message, err error) {
	e.say(s, check, code(err), lang.CarrierSays)
}

func code(err error) string {
	var c smsmcp.Coded
	if errors.As(err, &c) {
		return smsmcp.Reduce(c.Code())
	}
	return "no_clear_answer"
}

// major gives the first number of a version, or 0 for one that does not begin with one.
func major(version string) int {
	digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

func (e *examination) modules(loaded map[string]bool) {
	missing := func(all []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(m string) bool { return loaded[m] }), ", ")
	}
	texts, calls := missing(forTexts), missing(forCalls)
	switch {
	case texts != "":
		e.add(Fail, finding.AsteriskModules, finding.AsteriskNoTexts, texts)
	case calls != "":
		e.add(Warn, finding.AsteriskModules, finding.AsteriskNoCalls, calls)
	default:
		e.add(OK, finding.AsteriskModules, finding.AsteriskModulesOK)
	}
}

// trunk looks at where texts come from. A trunk that is not what it should be fails where nothing but it tells who a text is from.
func (e *examination) trunk(ctx context.Context, client *ari.Client) {
	check := finding.AsteriskTrunk
	endpoint, err := client.Object(ctx, "endpoint", e.o.Endpoint)
	switch {
	case err != nil && code(err) == ari.CodeNotFound:
		e.say(Fail, check, "trunk_no_endpoint", lang.CarrierSays)
		return
	case err != nil:
		e.failed(Fail, check, err)
		return
	}
	if err := sipmsg.Trunk(ctx, client, e.o.Endpoint); err != nil {
		if e.o.List {
			e.failed(Warn, check, err)
		} else {
			e.failed(Fail, check, err)
		}
		return
	}
	switch texts := endpoint["message_context"]; {
	case texts == "" || texts == endpoint["context"]:
		e.add(Warn, check, finding.AsteriskContext)
	case !e.o.List && !e.o.TLSOnly:
		e.add(Warn, check, finding.AsteriskTLSOnly)
	default:
		e.add(OK, check, finding.AsteriskTrunkOK, e.o.Endpoint)
	}
}

// subscribed looks whether the events of the trunk go to a server that runs, and to no other program.
func (e *examination) subscribed(ctx context.Context, client *ari.Client) {
	check := finding.AsteriskEvents
	got, err := client.Subscribed(ctx)
	nobody := err != nil && code(err) == ari.CodeNotFound
	switch {
	case err != nil && !nobody:
		e.failed(Fail, check, err)
	case nobody && e.o.Running:
		e.add(Fail, check, finding.AsteriskNobody)
	case nobody:
		e.add(OK, check, finding.AsteriskIdle)
	case !e.o.Running:
		e.add(Warn, check, finding.AsteriskOther, e.o.Line.App)
	case !slices.ContainsFunc(got, func(s string) bool { return s == "PJSIP" || s == "PJSIP/" || s == "PJSIP/"+e.o.Endpoint }):
		e.add(Fail, check, finding.AsteriskDeaf)
	default:
		e.add(OK, check, finding.AsteriskEventsOK)
	}
}

// local says whether the configured address is this machine's loopback.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	a, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && a.IsLoopback()
}
