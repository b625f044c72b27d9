package contacts

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// What a *Refusal wraps.
var (
	ErrBadName     = errors.New("the name is not allowed")
	ErrNameTaken   = errors.New("another contact has that name or alias")
	ErrLooksLike   = errors.New("the name looks like another contact's")
	ErrBadNumber   = errors.New("not a whole telephone number")
	ErrNumberTaken = errors.New("another contact has that number")
	ErrNoNumber    = errors.New("a contact needs a number")
	ErrTooMany     = errors.New("too many numbers or aliases")
	ErrThere       = errors.New("the contact is there already")
	ErrFile        = errors.New("the file cannot be read")
)

// Refusal says why a contact, a name, a number, a row or a file was not taken. errors.Is finds one of the errors above.
type Refusal struct {
	Err   error
	Given string // the name or number, made safe to draw: no control, hidden or reordering character
	Other string // of ErrNameTaken, ErrLooksLike and ErrNumberTaken: the name of the contact that has it

	sentence lang.Message
	args     []any
}

// Error is the English sentence.
func (r *Refusal) Error() string { return r.say(lang.EN) }

// Unwrap gives one of the package's errors.
func (r *Refusal) Unwrap() error { return r.Err }

func (r *Refusal) say(l lang.Lang) string {
	args := make([]any, len(r.args))
	for i, a := range r.args {
		if m, ok := a.(lang.Message); ok {
			a = m.In(l)
		}
		args[i] = a
	}
	return r.sentence.In(l, args...)
}

// Sentence says in l why err refused, and what would help. Of an error that is no *Refusal it says nothing but that.
func Sentence(l lang.Lang, err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.say(l)
	}
	return lang.ContactRefused.In(l)
}

func badName(raw string, why lang.Message) error {
	return &Refusal{Err: ErrBadName, Given: safe(raw), sentence: lang.ContactBadName, args: []any{safe(raw), why}}
}

func badNumber(raw string, why lang.Message) error {
	return &Refusal{Err: ErrBadNumber, Given: safe(raw), sentence: lang.ContactBadNumber, args: []any{safe(raw), why}}
}

func nameTaken(name, other string) error {
	return &Refusal{Err: ErrNameTaken, Given: name, Other: other, sentence: lang.ContactNameTaken, args: []any{name, other}}
}

func looksLike(name, other string) error {
	return &Refusal{Err: ErrLooksLike, Given: name, Other: other, sentence: lang.ContactLooksLike, args: []any{name, other}}
}

func numberTaken(n smsmcp.Number, other string) error {
	return &Refusal{Err: ErrNumberTaken, Given: string(n), Other: other, sentence: lang.ContactNumberTaken, args: []any{string(n), other}}
}

func noNumber(name string) error {
	return &Refusal{Err: ErrNoNumber, Given: name, sentence: lang.ContactNoNumber, args: []any{name}}
}

func tooMany(name string, limit int) error {
	return &Refusal{Err: ErrTooMany, Given: name, sentence: lang.ContactTooMany, args: []any{name, limit}}
}

func there(name string) error {
	return &Refusal{Err: ErrThere, Given: name, sentence: lang.ContactThere, args: []any{name}}
}

func badFile(m lang.Message, args ...any) error {
	return &Refusal{Err: ErrFile, sentence: m, args: args}
}

// safe makes foreign words safe to draw on a terminal: all but graphic characters and the plain space are escaped, and the end is cut.
func safe(s string) string {
	cut := ""
	for utf8.RuneCountInString(s) > 60 {
		s, cut = string([]rune(s[:min(len(s), 240)])[:60]), "…"
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString("\\x" + strconv.FormatUint(uint64(s[0]), 16))
		case r == ' ' || strconv.IsPrint(r) && !hidden(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		s = s[n:]
	}
	return b.String() + cut
}
