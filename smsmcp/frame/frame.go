package frame

import (
	"crypto/rand"
	"encoding/base32"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// List is what is shown: a page of texts, and what it answers.
type List struct {
	Page    smsmcp.Page
	Query   smsmcp.Query
	Contact *smsmcp.Contact // of Query.Contact, where one was asked for
	Now     time.Time
	Sync    smsmcp.SyncState // of the carrier; a Failure is told in the foot
}

// Options say how texts are shown.
type Options struct {
	Lang      lang.Lang
	Zone      *time.Location // of the owner; nil is UTC
	MaskCodes bool           // received one-time codes stand as bullets
	Rand      io.Reader      // of the tag; nil is crypto/rand
	MaxChars  int            // of the whole answer, in code points; the oldest texts are left off. 0 is 100,000
	BodyCap   int            // of a body, in code points; 0 is 4,000
	Memo      *Memo          // of what was found in bodies; nil looks each time
}

// Framed is an answer.
type Framed struct {
	Text  string
	Shown int           // how many texts it shows
	Next  smsmcp.Cursor // where to go on for older ones; zero if there are none
}

const (
	defaultMaxChars = 100_000
	defaultBodyCap  = 4_000
	labelCap        = 40 // of a sender's label
	searchCap       = 200
	headAndFoot     = 1_000 // room kept for them
	tagBytes        = 7     // 56 bits drawn, of which the tag shows 50
	tagChars        = 10
)

// Render frames a list, as FORMAT says. It never fails: where o.Rand does, crypto/rand takes its place, which cannot.
func Render(l List, o Options) Framed {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.MaxChars <= 0 {
		o.MaxChars = defaultMaxChars
	}
	if o.BodyCap <= 0 {
		o.BodyCap = defaultBodyCap
	}
	source := o.Rand
	for {
		tag := newTag(source)
		out, ok := render(l, o, tag)
		if ok {
			return out
		}
		source = nil // somebody's words held the tag: a coincidence of 2^-50, or a source that is not random
	}
}

// render writes the answer, and says whether the tag stands where it must and nowhere else.
func render(l List, o Options, tag string) (Framed, bool) {
	w := writer{l: l, o: o, tag: tag, offset: mixedOffsets(l.Page.Rows, o.Zone)}
	rows := l.Page.Rows
	room := o.MaxChars - headAndFoot
	w.b = make([]byte, 0, min(512+len(rows)*192, 4*o.MaxChars))
	ends := make([]int, 0, len(rows)+1) // of the lines in w.b, the newest first
	ends = append(ends, 0)
	for i := len(rows) - 1; i >= 0; i-- {
		w.text(&rows[i])
		if room -= chars(w.b[ends[len(ends)-1]:]); room < 0 && len(ends) > 1 { // the newest is shown always
			break
		}
		ends = append(ends, len(w.b))
	}
	f := Framed{Shown: len(ends) - 1}
	if first := len(rows) - f.Shown; f.Shown > 0 && (l.Page.Older || first > 0) {
		f.Next = smsmcp.Cursor{At: rows[first].Text.At, ID: rows[first].Text.ID}
	}
	w.claims = slices.ContainsFunc(rows[len(rows)-f.Shown:], func(r smsmcp.Row) bool { return r.Text.Unverified })
	lines := w.b
	w.b = make([]byte, 0, len(lines)+headAndFoot)
	w.head(f)
	for i := len(ends) - 1; i > 0; i-- {
		w.b = append(w.b, lines[ends[i-1]:ends[i]]...)
	}
	w.foot(f)
	f.Text = string(w.b)
	return f, strings.Count(f.Text, tag) == f.Shown+3
}

// chars counts code points.
func chars(b []byte) (n int) {
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

func newTag(source io.Reader) string {
	var b [tagBytes]byte
	if source == nil {
		_, _ = rand.Read(b[:]) // never fails
	} else if _, err := io.ReadFull(source, b[:]); err != nil {
		_, _ = rand.Read(b[:])
	}
	return base32Lower.EncodeToString(b[:])[:tagChars]
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// mixedOffsets says whether the rows' times have more than one offset from UTC, so that the same clock time can mean two.
func mixedOffsets(rows []smsmcp.Row, zone *time.Location) bool {
	first := 0
	for i := range rows {
		_, offset := rows[i].Text.At.In(zone).Zone()
		if i == 0 {
			first = offset
		} else if offset != first {
			return true
		}
	}
	return false
}
