package sipmsg

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/voip/ari"
)

// Received makes a text of a message that came in, or says what it is instead: ErrLost, ErrNotTrunk or ErrNoText. The sender is a claim:
// whether the trunk's word for it is enough is for the [Line] to say.
func (c *Carrier) Received(m ari.TextMessageReceived, now time.Time) (smsmcp.Text, error) {
	switch {
	case m.Endpoint != c.o.Endpoint:
		return smsmcp.Text{}, ErrNotTrunk
	case m.Lost():
		return smsmcp.Text{}, ErrLost
	case m.Body.Len() == 0 || !plainText(m):
		return smsmcp.Text{}, ErrNoText
	}
	return c.text(m, now), nil
}

// text is what a message is, whatever body it has.
func (c *Carrier) text(m ari.TextMessageReceived, now time.Time) smsmcp.Text {
	at := m.At
	if at.IsZero() {
		at = now
	}
	return smsmcp.Text{
		Key:        smsmcp.Key{Carrier: c.Name(), Kind: smsmcp.SMS, ID: identity(m)},
		Direction:  smsmcp.Received,
		Peer:       c.sender(m.From.RawForStore()),
		Body:       m.Body,
		At:         at.UTC().Truncate(time.Second),
		Unverified: true,
	}
}

// plainText says whether a message is words: phones also send "is typing" and receipts this way.
func plainText(m ari.TextMessageReceived) bool {
	kind := header(m, "Content-Type")
	kind, _, _ = strings.Cut(kind, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "" || kind == "text/plain"
}

// sender types the user part of the From address, whole: nothing is stripped from it, so a number with anything around it is a label.
func (c *Carrier) sender(from string) smsmcp.Peer {
	// A display name can hold anything, angle brackets too, but stands before the address, and an address holds none.
	if i := strings.LastIndexByte(from, '<'); i >= 0 {
		inside, after, closed := strings.Cut(from[i+1:], ">")
		if !closed || strings.TrimSpace(after) != "" {
			return smsmcp.LabelPeer(from)
		}
		from = inside
	}
	scheme, rest, ok := strings.Cut(from, ":")
	if scheme = strings.ToLower(scheme); !ok || scheme != "sip" && scheme != "sips" {
		return smsmcp.LabelPeer(from)
	}
	user, _, ok := strings.Cut(rest, "@")
	if !ok || user == "" {
		return smsmcp.Peer{} // a host alone
	}
	return c.o.Peer(user)
}

// identity names a message at its sender: RFC 3261 gives every request a Call-ID and a CSeq of its own, so a repeated one has the same and twins have not.
// Each part goes in with its length, so that none can pass for another.
func identity(m ari.TextMessageReceived) string {
	h := sha256.New()
	for _, s := range []string{
		header(m, "Call-ID"), header(m, "CSeq"), m.From.RawForStore(), m.Body.RawForStore(),
	} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	if header(m, "Call-ID") == "" {
		h.Write([]byte(m.At.UTC().Format(time.RFC3339Nano)))
	}
	return "in-" + hex.EncodeToString(h.Sum(nil)[:16])
}

func header(m ari.TextMessageReceived, name string) string {
	for n, v := range m.Vars {
		if strings.EqualFold(n, name) {
			return v.RawForStore()
		}
	}
	return ""
}
