package sipmsg

import (
	"context"
	"errors"
	"strings"

	"readback/smsmcp"
	"readback/voip/ari"
)

// Asker says what Asterisk holds of one object of its SIP configuration; an [ari.Client] does. Where there is none the error has the code
// ari.CodeNotFound.
type Asker interface {
	Object(ctx context.Context, kind, id string) (map[string]string, error)
}

// usualTransports are names that people, examples and FreePBX give to transports: ARI gives an object by its name alone, and lists none.
var usualTransports = []string{
	"transport-udp", "transport-tcp", "transport-ws", "transport-wss", "transport-tls", "transport-udp-nat", "transport-tcp-nat", "transport-udp6", "transport-tcp6",
	"transport-udp-ipv6", "transport-tcp-ipv6", "transport-ipv4", "transport-ipv6", "transport", "simpletrans", "udp", "tcp", "ws", "wss", "tls",
	"udp-transport", "tcp-transport", "ws-transport", "tls-transport", "transport_udp", "transport_tcp", "transport_ws", "udp_transport", "tcp_transport",
	"0.0.0.0-udp", "0.0.0.0-tcp", "0.0.0.0-ws", "0.0.0.0-wss", "0.0.0.0-tls", "127.0.0.1-udp", "127.0.0.1-tcp", "system-udp", "system-tcp",
	"trunk-udp", "trunk-tcp", "udp4", "udp6", "tcp4", "tcp6", "default", "main", "sip", "pjsip", "nat", "external", "internal", "lan", "wan",
}

// Trunk says whether a text by that endpoint can only have come from the trunk's server, over TLS with a verified certificate, as far as Asterisk can
// say so: nil, an error of ARI's where it cannot be asked, or one of the faults whose code begins with "trunk_". It cannot see transports of names
// that it does not guess: that there are none is for the owner to say.
func Trunk(ctx context.Context, a Asker, endpoint string) error {
	e, err := a.Object(ctx, "endpoint", endpoint)
	switch {
	case missing(err):
		return fail("trunk_no_endpoint")
	case err != nil:
		return err
	case strings.TrimSpace(e["identify_by"]) != "ip":
		return fail("trunk_identified_by_more")
	case e["transport"] == "":
		return fail("trunk_no_transport")
	}
	t, err := a.Object(ctx, "transport", e["transport"])
	switch {
	case missing(err):
		return fail("trunk_no_transport")
	case err != nil:
		return err
	case t["protocol"] != "tls":
		return fail("trunk_not_tls")
	case !strings.EqualFold(t["verify_server"], "yes"):
		return fail("trunk_not_verified")
	case t["method"] != "tlsv1_2" && t["method"] != "tlsv1_3":
		return fail("trunk_old_tls")
	}
	for _, name := range usualTransports {
		switch other, err := a.Object(ctx, "transport", name); {
		case missing(err), err == nil && other["protocol"] == "tls":
		case err != nil:
			return err
		default:
			return fail("trunk_other_transport")
		}
	}
	return nil
}

func missing(err error) bool {
	var c smsmcp.Coded
	return errors.As(err, &c) && c.Code() == ari.CodeNotFound
}
