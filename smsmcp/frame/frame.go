package frame

import (
	"crypto/rand"
	"encoding/base32"
	"io"
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
	tagBytes        = 7 // 56 bits drawn, of which the tag shows 50
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
	w.b = make([]byte, 0, 512+len(rows)*192)
	starts := make([]int, len(rows)+1)
	for i := range rows {
		starts[i] = len(w.b)
		w.text(&rows[i])
	}
	starts[len(rows)] = len(w.b)

	first := 0                // the oldest one shown: the others must fit, the newest always does
	room := o.MaxChars - 1000 // for the head and the foot
	if len(w.b) > room {
		left := utf8.RuneCount(w.b)
		for ; first < len(rows)-1 && left > room; first++ {
			left -= utf8.RuneCount(w.b[starts[first]:starts[first+1]])
		}
	}
	f := Framed{Shown: len(rows) - first}
	if f.Shown > 0 && (l.Page.Older || first > 0) {
		f.Next = smsmcp.Cursor{At: rows[first].Text.At, ID: rows[first].Text.ID}
	}
	texts := w.b[starts[first]:]
	w.b = make([]byte, 0, len(texts)+1024)
	w.head(f)
	w.b = append(w.b, texts...)
	w.foot(f)
	f.Text = string(w.b)
	return f, strings.Count(f.Text, tag) == f.Shown+3
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
