package testbed

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"strconv"
)

// rtpPorts is how many ports a bed has for audio: two for each leg of a call, and a call through an application has two legs.
const rtpPorts = 1000

type ports struct{ http, https, sip, sips, peer, trunk, ntfy, rtp uint16 }

func local(port uint16) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)
}

// choose gives ports that are free now, for TCP and UDP. They lie below the range from which the system takes those of outgoing connections.
func choose() (ports, error) {
	var p ports
	used := map[uint16]bool{}
	for _, port := range []*uint16{&p.http, &p.https, &p.sip, &p.sips, &p.peer, &p.trunk, &p.ntfy} {
		for tries := 0; *port == 0; tries++ {
			if tries > 1000 {
				return p, errors.New("no free port")
			}
			if n := uint16(10_000 + rand.IntN(10_000)); !used[n] && free(n) { //nolint:gosec // chance, not secrecy
				*port, used[n] = n, true
			}
		}
	}
	p.rtp = uint16(20_000 + rtpPorts*rand.IntN(12_000/rtpPorts)) //nolint:gosec // chance, not secrecy
	return p, nil
}

func free(port uint16) bool {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))
	l, err := net.Listen("tcp", address)
	if err != nil {
		return false
	}
	defer l.Close()
	u, err := net.ListenPacket("udp", address)
	if err != nil {
		return false
	}
	return u.Close() == nil
}
