package smsmcp

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

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

// BodyDigest is the digest of a body's words alone, by which duplicates, fan-out and a carrier's own list are compared: case, accents, punctuation
// and spaces do not make another body, or a model would send one text six times by adding a dot. A body without words is its characters.
func BodyDigest(body string) [32]byte {
	if words := fold.Words(body); len(words) > 0 {
		return sha256.Sum256([]byte(strings.Join(words, " ")))
	}
	return sha256.Sum256([]byte(strings.Join(strings.Fields(body), "")))
}
