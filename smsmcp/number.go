package smsmcp

import (
	"errors"
	"strings"

	"readback/smsmcp/untrusted"
)

// Number is a whole telephone number in E.164: a plus, then 7 to 15 digits, the first of them not 0 (ITU-T E.164, 6.2.1).
type Number string

// ErrNotE164 says that a string is no E.164 number.
var ErrNotE164 = errors.New("not an E.164 number")

// ParseNumber checks the form and nothing else: it strips nothing and guesses nothing.
func ParseNumber(s string) (Number, error) {
	if len(s) < 8 || len(s) > 16 || s[0] != '+' || s[1] == '0' {
		return "", ErrNotE164
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return "", ErrNotE164
		}
	}
	return Number(s), nil
}

// PeerKind says what the carrier's one typed field for the other side held.
type PeerKind uint8

// The kinds of peer.
const (
	PeerNone   PeerKind = iota // nothing at all
	PeerNumber                 // a whole E.164 number
	PeerCode                   // a short code: 3 to 8 digits
	PeerLabel                  // letters, or anything else: names nobody
)

// Peer is the other side of a text, as the carrier typed it. Only a PeerNumber can ever be a contact.
type Peer struct {
	Kind   PeerKind
	Number Number         // for PeerNumber
	Code   string         // for PeerCode: ASCII digits
	Label  untrusted.Text // for PeerLabel
}

// NumberPeer is a peer known by a whole number.
func NumberPeer(n Number) Peer { return Peer{Kind: PeerNumber, Number: n} }

// CodePeer is a peer known by a short code; anything but 3 to 8 ASCII digits becomes a label.
func CodePeer(code string) Peer {
	if len(code) < 3 || len(code) > 8 || strings.Trim(code, "0123456789") != "" {
		return LabelPeer(code)
	}
	return Peer{Kind: PeerCode, Code: code}
}

// LabelPeer is a peer without a number. An empty label is PeerNone.
func LabelPeer(label string) Peer {
	if label == "" {
		return Peer{}
	}
	return Peer{Kind: PeerLabel, Label: untrusted.New(label)}
}

// Same says whether two peers are the same sender.
func (p Peer) Same(q Peer) bool {
	return p.Kind == q.Kind && p.Number == q.Number && p.Code == q.Code && p.Label.Equal(q.Label)
}
