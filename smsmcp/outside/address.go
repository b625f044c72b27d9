package outside

import "net/netip"

// Networks that are not for everybody, or that lead to others. IANA's registries of special-purpose addresses (RFC 6890 and its updates) name most of them. Of IPv6
// only 2000::/3 is given out at all (RFC 4291 2.4): what lies beside it needs no line here.
var closed = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // carrier-grade NAT; a cloud's metadata (100.100.100.200)
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // a cloud's own host, by a public address (Azure)
	"169.254.0.0/16",   // link-local; most clouds' metadata (169.254.169.254)
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments; a cloud's metadata (192.0.0.192)
	"192.0.2.0/24",     // documentation
	"192.31.196.0/24",  // AS112
	"192.52.193.0/24",  // AMT relays
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"192.175.48.0/24",  // AS112
	"198.18.0.0/15",    // benchmarking
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved; broadcast

	"2001::/23",         // protocol assignments: Teredo, benchmarking, ORCHID
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4: an IPv4 address inside
	"2620:4f:8000::/48", // AS112
	"3fff::/20",         // documentation
)

var (
	given = netip.MustParsePrefix("2000::/3")
	nat64 = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: an IPv4 address in the last 32 bits
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// Public says whether an address is everybody's to reach. One of IPv4 that is written in IPv6 (::ffff:a.b.c.d) is not, whatever it is, nor is one with a zone: they are in
// no network of those that are given out. One of NAT64's well-known prefix is where the address inside is: on a network without IPv4 every name has such.
func Public(a netip.Addr) bool {
	if !a.IsValid() {
		return false
	}
	if nat64.Contains(a) {
		b := a.As16()
		return Public(netip.AddrFrom4([4]byte(b[12:])))
	}
	if a.Is6() && (!given.Contains(a) || isatap(a)) {
		return false
	}
	for _, p := range closed {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// isatap says whether an address has an IPv4 address inside as RFC 5214 6.1 puts it there: a host that speaks ISATAP would unwrap it.
func isatap(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^0x03 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
