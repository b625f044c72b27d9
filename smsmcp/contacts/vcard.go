package contacts

import (
	"bytes"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-vcard"

	"readback/smsmcp/lang"
)

const (
	maxLine  = 1 << 12 // bytes of an unfolded line that is used
	maxLines = 100     // lines of a card that are used
)

// ReadVCard reads contacts from a vCard file (2.1, 3.0 or 4.0) in UTF-8: the name is FN, or else N; each TEL is a number, those marked as mobile
// first and fax left out where there is another; NICKNAME gives aliases. Photos and the rest are skipped unread. Nothing is merged and no
// card is taken in part.
func ReadVCard(in io.Reader, region string) ([]Entry, []Refused) {
	r := reading{region: region}
	data, err := slurp(in)
	if err != nil {
		r.refuse(0, "", err)
		return nil, r.refused
	}
	n := 0
	var card []string // the lines of the card that is open
	open := false
	var flaw *lang.Message // the first thing that is wrong with it
	shut := func() {
		if flaw != nil {
			r.refuse(n, "", badFile(*flaw))
		} else {
			r.card(n, card)
		}
		card, open, flaw = card[:0], false, nil
	}
	is := func(m *lang.Message) {
		if flaw == nil {
			flaw = m
		}
	}
	for len(data) > 0 {
		var line string
		var long bool
		line, long, data = unfold(data)
		key := property(line)
		begins := key == "BEGIN" && strings.EqualFold(strings.Trim(line[5:], ": "), "VCARD")
		if begins && open {
			is(&lang.ImportBadCard)
			shut()
		}
		switch {
		case begins:
			n++
			if r.full(n) {
				return r.entries, r.refused
			}
			open = true
		case !open:
			continue
		}
		switch {
		case !slices.Contains([]string{"BEGIN", "END", "VERSION", "FN", "N", "TEL", "NICKNAME"}, key):
			continue
		case long || len(card) == maxLines:
			is(&lang.ImportLongCard)
			continue
		case !utf8.ValidString(line):
			is(&lang.ImportNotUTF8)
			continue
		}
		card = append(card, named(line))
		if key == "END" {
			shut()
		}
	}
	if open {
		is(&lang.ImportBadCard)
		shut()
	}
	if n == 0 {
		r.refuse(0, "", badFile(lang.ImportNotVCard))
	}
	return r.entries, r.refused
}

func (r *reading) card(n int, lines []string) {
	card, err := vcard.NewDecoder(strings.NewReader(strings.Join(lines, "\r\n") + "\r\n")).Decode()
	if err != nil {
		r.refuse(n, "", badFile(lang.ImportBadCard))
		return
	}
	for _, key := range []string{vcard.FieldFormattedName, vcard.FieldName, vcard.FieldNickname, vcard.FieldTelephone} {
		for _, f := range card[key] {
			if !decode(f) {
				r.refuse(n, "", badFile(lang.ImportCharset))
				return
			}
		}
	}
	name := strings.Trim(card.Value(vcard.FieldFormattedName), " ")
	if f := card.Get(vcard.FieldName); name == "" && f != nil {
		family, rest, _ := strings.Cut(f.Value, ";")
		given, _, _ := strings.Cut(rest, ";")
		name = strings.Trim(given+" "+family, " ")
	}
	var aliases []string
	for _, v := range card.Values(vcard.FieldNickname) {
		for _, a := range strings.Split(v, ",") {
			if a = strings.Trim(a, " "); a != "" {
				aliases = append(aliases, a)
			}
		}
	}
	r.take(n, name, aliases, phones(card[vcard.FieldTelephone]))
}

// phones gives a card's numbers, mobile ones first: the first is the one that we text to.
func phones(fields []*vcard.Field) (out []string) {
	rank := func(f *vcard.Field) int {
		switch {
		case f.Params.HasType("cell"), f.Params.HasType("mobile"), f.Params.HasType("iphone"):
			return 0
		case f.Params.HasType("fax"), f.Params.HasType("pager"):
			return 2
		}
		return 1
	}
	fields = slices.DeleteFunc(slices.Clone(fields), func(f *vcard.Field) bool { return strings.Trim(f.Value, " ") == "" })
	slices.SortStableFunc(fields, func(a, b *vcard.Field) int { return rank(a) - rank(b) })
	for _, f := range fields {
		if rank(f) == 2 && len(out) > 0 {
			break
		}
		v := f.Value
		if len(v) > 4 && strings.EqualFold(v[:4], "tel:") {
			v = v[4:]
		}
		out = append(out, v)
	}
	return out
}

// decode undoes a field's transfer encoding, and says whether it is one that is read here.
func decode(f *vcard.Field) bool {
	if set := f.Params.Get("CHARSET"); set != "" && !strings.EqualFold(set, "UTF-8") && !strings.EqualFold(set, "US-ASCII") {
		return false
	}
	switch strings.ToUpper(f.Params.Get("ENCODING")) {
	case "", "7BIT", "8BIT":
		return true
	case "QUOTED-PRINTABLE":
		b, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(f.Value)))
		f.Value = string(b)
		return err == nil && utf8.Valid(b)
	}
	return false
}

// unfold takes one line, with those that go on from it: the next line begins with a space or tab (RFC 6350, 3.2), or this one is in
// quoted-printable and ends in "=". No more than maxLine bytes of it are kept; long says that there were more.
func unfold(data []byte) (line string, long bool, rest []byte) {
	var b strings.Builder
	soft := false
	for lines := 1; ; lines++ {
		var part []byte
		part, data = cut(data)
		if b.Len() > 0 && !soft && len(part) > 0 {
			part = part[1:] // the space or tab of the fold
		}
		soft = false
		if b.Len()+len(part) > maxLine {
			part = part[:maxLine-b.Len()]
			long = true
		}
		long = long || lines > maxLine
		b.Write(part)
		if !long && bytes.HasSuffix(part, []byte("=")) && len(data) > 0 && strings.Contains(strings.ToUpper(head(b.String())), "QUOTED-PRINTABLE") {
			kept := b.String()
			b.Reset()
			b.WriteString(kept[:len(kept)-1])
			soft = true
			continue
		}
		if len(data) == 0 || data[0] != ' ' && data[0] != '\t' {
			return strings.TrimPrefix(b.String(), "\uFEFF"), long, data
		}
	}
}

func cut(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), rest
}

// head is what stands before the value: the property and its parameters.
func head(line string) string {
	h, _, _ := strings.Cut(line, ":")
	return h
}

// property is a line's property, without its group, in capitals.
func property(line string) string {
	h, _, _ := strings.Cut(head(line), ";")
	if _, after, ok := strings.Cut(h, "."); ok {
		h = after
	}
	return strings.ToUpper(h)
}

// named gives vCard 2.1's bare parameters (TEL;CELL:) the names that the later versions have for them, which the decoder asks for.
func named(line string) string {
	h, value, ok := strings.Cut(line, ":")
	if !ok || !strings.Contains(h, ";") || strings.Contains(h, `"`) {
		return line
	}
	params := strings.Split(h, ";")
	for i, p := range params[1:] {
		switch {
		case p == "" || strings.Contains(p, "="):
		case strings.EqualFold(p, "QUOTED-PRINTABLE"), strings.EqualFold(p, "BASE64"), strings.EqualFold(p, "8BIT"), strings.EqualFold(p, "7BIT"):
			params[i+1] = "ENCODING=" + p
		default:
			params[i+1] = "TYPE=" + p
		}
	}
	return strings.Join(params, ";") + ":" + value
}
