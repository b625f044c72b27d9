package sipmsg

import (
	"context"
	"errors"
	"math/bits"
	"net/netip"
	"strconv"
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
// say so: nil, an error of ARI's where it cannot be asked, or one of the faults whose code begins with "trunk_". It cannot see transports and identify objects of
// names that it does not guess: that there are none is for the owner to say.
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
	for _, name := range []string{endpoint, endpoint + "-identify"} { // what people, and Asterisk's wizard, call it
		switch i, err := a.Object(ctx, "identify", name); {
		case missing(err), err == nil && i["endpoint"] != endpoint:
		case err != nil:
			return err
		case i["match_header"] != "" || i["match_request_uri"] != "" || wide(i["match"]):
			return fail("trunk_wide_match")
		}
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

// The shortest prefixes that can be a provider's.
const (
	leastV4 = 8
	leastV6 = 16
)

// wide says whether a list of networks, as Asterisk writes it, has one that cannot be a provider's alone, or one that cannot be read.
func wide(match string) bool {
	for one := range strings.SplitSeq(match, ",") {
		one = strings.TrimSpace(one)
		if one == "" || strings.HasPrefix(one, "!") { // not this one
			continue
		}
		address, mask, masked := strings.Cut(one, "/")
		a, err := netip.ParseAddr(address)
		if err != nil {
			return true
		}
		length := a.BitLen()
		if masked {
			if length, err = ones(mask); err != nil {
				return true
			}
		}
		least := leastV6
		if a.Is4() {
			least = leastV4
		}
		if a.Is4In6() {
			least = 128 - 32 + leastV4
		}
		if length < least {
			return true
		}
	}
	return false
}

// ones gives the length of a prefix that is written as a number or as a mask: ones that come first.
func ones(mask string) (n int, err error) {
	if n, err := strconv.Atoi(mask); err == nil {
		return n, nil
	}
	m, err := netip.ParseAddr(mask)
	if err != nil {
		return 0, err
	}
	for _, b := range m.AsSlice() {
		n += bits.LeadingZeros8(^b)
		if b != 0xff {
			break
		}
	}
	return n, nil
}
