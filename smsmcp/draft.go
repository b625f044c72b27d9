package smsmcp

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode"

	"readback/smsmcp/fold"
)

// Draft is a contact, a number and a body. It is immutable: a change is a new draft.
type Draft struct {
	contact  ContactID
	revision int64
	to       Number
	body     string
}

// NewDraft makes a draft for a contact as it is now.
func NewDraft(c Contact, body string) Draft {
	return Draft{contact: c.ID, revision: c.Revision, to: c.To, body: body}
}

// RestoreDraft makes the draft that a store kept.
func RestoreDraft(contact ContactID, revision int64, to Number, body string) Draft {
	return Draft{contact, revision, to, body}
}

// Contact is whom the draft is for.
func (d Draft) Contact() ContactID { return d.contact }

// Revision is the contact's revision when the draft was made.
func (d Draft) Revision() int64 { return d.revision }

// To is the number that the text goes to.
func (d Draft) To() Number { return d.to }

// Body is what is sent, byte for byte (invariant 14).
func (d Draft) Body() string { return d.body }

// Digest binds a confirmation to the draft: SHA-256 over contact id, number and body, each with its length first.
func (d Draft) Digest() [32]byte {
	var b []byte
	b = binary.BigEndian.AppendUint64(b, 8)
	b = binary.BigEndian.AppendUint64(b, uint64(d.contact))
	b = binary.BigEndian.AppendUint64(b, uint64(len(d.to)))
	b = append(b, d.to...)
	b = binary.BigEndian.AppendUint64(b, uint64(len(d.body)))
	b = append(b, d.body...)
	return sha256.Sum256(b)
}

// BodyDigest is the digest of what makes a body the same to a person, by which duplicates, fan-out and a carrier's own list are compared: case,
// accents, spaces and the punctuation between words do not make another body, or a model would send one text six times by adding a dot. A
// question mark, a symbol or an emoji does, and so does what joins two letters or digits: 1,5 and 15, a.b and ab.
func BodyDigest(body string) [32]byte {
	var b strings.Builder
	var prev rune
	joint := "" // punctuation since prev, as long as nothing else came
	for _, r := range fold.Key(body) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			if prev != 0 {
				b.WriteString(joint)
			} else if strings.HasSuffix(joint, "-") && unicode.IsDigit(r) {
				b.WriteByte('-') // a sign
			}
			b.WriteRune(r)
			prev, joint = r, ""
		case unicode.IsSpace(r):
			prev, joint = 0, ""
		case r == '?', unicode.IsSymbol(r):
			b.WriteRune(r)
			prev, joint = 0, ""
		default:
			joint += string(r)
		}
	}
	if b.Len() == 0 {
		return sha256.Sum256([]byte(strings.Join(strings.Fields(body), "")))
	}
	return sha256.Sum256([]byte(b.String()))
}
