package contacts

import (
	"bytes"
	"errors"
	"io"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// The largest contact file that is read.
const (
	maxFile    = 10 << 20 // bytes
	maxEntries = 10_000   // rows or cards
)

// Entry is a contact that a file holds.
type Entry struct {
	At      int // the line of a CSV file, the number of the card in a vCard file, from 1
	Contact smsmcp.Contact
}

// Refused is a row or card that is not taken, whole, and why. At is 0 for the file itself.
type Refused struct {
	At   int
	Name string // as it stands in the file, made safe to draw; may be empty
	Why  error  // a *Refusal
}

// reading gathers what a file holds.
type reading struct {
	region  string
	book    book
	entries []Entry
	refused []Refused
}

// take adds a row or card, or refuses it. A second one with a name or number of the file's own is refused, never merged.
func (r *reading) take(at int, name string, aliases, numbers []string) {
	c, err := New(name, aliases, numbers, r.region)
	if err == nil {
		err = r.book.fits(c)
		var no *Refusal
		switch {
		case !errors.As(err, &no):
		case errors.Is(no, ErrLooksLike):
			err = &Refusal{Err: no.Err, Given: no.Given, Other: no.Other, sentence: lang.ImportTwiceLike, args: []any{no.Other}}
		default:
			other := no.Other
			if other == "" {
				other = no.Given
			}
			err = &Refusal{Err: no.Err, Given: no.Given, Other: other, sentence: lang.ImportTwice, args: []any{other}}
		}
	}
	if err != nil {
		r.refuse(at, name, err)
		return
	}
	r.book.add(c)
	r.entries = append(r.entries, Entry{At: at, Contact: c})
}

func (r *reading) refuse(at int, name string, why error) {
	r.refused = append(r.refused, Refused{At: at, Name: safe(name), Why: why})
}

// full says whether the file has held all the entries it may, and refuses the rest of it if so.
func (r *reading) full(at int) bool {
	if len(r.entries)+len(r.refused) < maxEntries {
		return false
	}
	r.refuse(at, "", badFile(lang.ImportTooMany, maxEntries))
	return true
}

// slurp reads a whole file, without its byte order mark. Nothing of one that is too large or breaks off is used.
func slurp(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	switch {
	case err != nil:
		return nil, badFile(lang.ImportUnreadable)
	case len(data) > maxFile:
		return nil, badFile(lang.ImportTooLarge, maxFile>>20)
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return nil, badFile(lang.ImportNotUTF8)
	}
	return bytes.TrimPrefix(data, []byte("\uFEFF")), nil
}
