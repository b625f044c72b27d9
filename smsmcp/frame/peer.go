package frame

import (
	"crypto/sha256"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

const maxName = 40

// Known says whether a text is shown under the name of its row's contact. Only one of a whole number is, and never one of which nothing says
// that it is from that number, whatever the row holds.
func Known(r *smsmcp.Row) bool {
	return r.Contact != nil && r.Text.Peer.Kind == smsmcp.PeerNumber && !r.Text.Unverified
}

// stranger is what is said of whoever is not known.
func stranger(t *smsmcp.Text) lang.Message {
	return pick(t.Unverified, lang.FrameUnverified, lang.FrameStranger)
}

// peer writes who a text is from or to. Whatever the carrier or the contact list holds, what is written is one of the forms of
// FORMAT, and no two senders are written alike.
func (w *writer) peer(r *smsmcp.Row) {
	p, to := &r.Text.Peer, r.Text.Direction == smsmcp.Sent
	switch {
	case Known(r):
		w.say(pick(to, lang.FrameTo, lang.FrameFrom))
		w.b = append(w.b, w.contact(r.Contact)...)
		return
	case p.Kind == smsmcp.PeerNumber && isNumber(string(p.Number)):
		w.say(pick(to, lang.FrameTo, lang.FrameFrom))
		w.b = append(w.b, p.Number...)
		w.say(stranger(&r.Text))
	case p.Kind == smsmcp.PeerCode && isCode(p.Code):
		w.say(pick(to, lang.FrameToCode, lang.FrameFromCode))
		w.b = append(w.b, p.Code...)
		w.say(stranger(&r.Text))
	default:
		w.say(pick(to, lang.FrameToNone, lang.FrameFromNone))
		w.say(stranger(&r.Text))
		w.label(p, p.Label.RawForModel())
	}
}

func pick(first bool, a, b lang.Message) lang.Message {
	if first {
		return a
	}
	return b
}

// label writes what a sender without a number calls itself; raw is its label.
func (w *writer) label(p *smsmcp.Peer, raw string) {
	switch p.Kind {
	case smsmcp.PeerNone:
		return
	case smsmcp.PeerNumber:
		raw = string(p.Number)
	case smsmcp.PeerCode:
		raw = p.Code
	}
	label := clean.UpTo(raw, labelCap).Text
	w.say(lang.FrameLabel, label)
	if label != raw || !isASCII(raw) {
		sum := sha256.Sum256([]byte(raw))
		w.say(lang.FrameMark, base32Lower.EncodeToString(sum[:16]))
	}
}

// contact is how a contact is called in its text's line: by name, or, if the name could pass for anything else, by id.
func (w *writer) contact(c *smsmcp.Contact) string {
	if c != w.known && !isName(c.Name) {
		return w.byID(c)
	}
	w.known = c
	if strings.ContainsFunc(c.Name, leftward) {
		return c.Name + lang.FrameKnown.In(w.o.Lang) // or a body of such a script would be drawn before the name
	}
	return c.Name
}

// subject is how a contact is called in the head.
func (w *writer) subject(c *smsmcp.Contact) string {
	if isName(c.Name) {
		return "«" + c.Name + "»"
	}
	return w.byID(c)
}

func (w *writer) byID(c *smsmcp.Contact) string {
	return lang.FrameContact.In(w.o.Lang, clean.UpTo(c.Name, maxName).Text, int64(c.ID))
}

// leftward says whether a code point is in the blocks of the scripts that are written from right to left (UAX 9, section 3.2: all that is
// R or AL, assigned or not).
func leftward(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFF || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

// isName says that a name can stand without quotes. The contact list takes no others; this is for the day when it does.
func isName(s string) bool {
	n := 0
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		case i > 0 && (r == ' ' || r == '-' || r == '\'' || r == '’' || r == '.' || r == ','):
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || i > 0 && unicode.IsMark(r)):
		default:
			return false
		}
		n++
	}
	return n > 0 && n <= maxName && clean.Body(s) == clean.Result{Text: s}
}

func isNumber(s string) bool {
	_, err := smsmcp.ParseNumber(s)
	return err == nil
}

func isCode(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil && len(s) >= 3 && len(s) <= 8 && s[0] != '+'
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
