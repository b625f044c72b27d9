package aloud

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/signs"
	"readback/voice"
)

// Why a draft cannot be read back. [Explain] has the sentence.
var (
	ErrTooLong     = errors.New("too_long_to_say")
	ErrUnspeakable = errors.New("unspeakable")
)

// MaxRunes is how many code points the body of a draft may have. Signs that have long names, and numbers, may bring the bound down.
const MaxRunes = 320

// Reading is a draft as it is read back.
type Reading struct {
	Parts []voice.Part
	Words string // all of it, as a recogniser could hear it: for consent.Prepared. It tells an echo of the read-back from an answer
}

// Draft says a draft: whom it is to, in the program's voice, and its body, between the two sounds, in the other. The question is no part of it: the machine asks it. What all
// holds is only compared with the name. An error is ErrTooLong or ErrUnspeakable, and Explain explains it; the draft is to be refused then, for nobody could say yes to it by ear.
func Draft(l lang.Lang, name string, number smsmcp.Number, body string, all []smsmcp.Contact) (Reading, error) {
	if _, err := smsmcp.ParseNumber(string(number)); err != nil {
		return Reading{}, refusal{badContact}
	}
	if utf8.RuneCountInString(body) > MaxRunes {
		return Reading{}, refusal{tooLong}
	}
	if clean.Drawable(body) != nil {
		return Reading{}, refusal{badDrawable}
	}
	exact := body
	body = norm.NFC.String(body)
	s := say(l, body, false, signs.Codes(body))
	if s.why != sayableAll {
		return Reading{}, refusal{s.why}
	}
	head, digits := recipient(l, name, number, all)
	r := Reading{
		Parts: []voice.Part{
			{Voice: voice.ProgramVoice, Text: head},
			{Sound: voice.Opening},
			{Voice: voice.QuoteVoice, Text: s.text(), Exact: exact},
			{Sound: voice.Closing},
		},
		Words: head + " " + digits + " " + s.heard(),
	}
	if utf8.RuneCountInString(r.Parts[2].Text) > maxSaid || len(fold.Words(r.Words)) > maxHeard {
		return Reading{}, refusal{tooLong}
	}
	return r, nil
}

// recipient says whom a draft is to, and gives the digits that are said as they could be heard.
func recipient(l lang.Lang, name string, number smsmcp.Number, all []smsmcp.Contact) (head, digits string) {
	others := rivals(name, number, all)
	switch {
	case !sayable(name):
		said, heard := numberAloud(l, string(number))
		return spoken.To.In(l, spoken.Nameless.In(l, said)), heard
	case len(others) == 0:
		return spoken.To.In(l, name), ""
	}
	last := number[len(number)-4:]
	for _, c := range others {
		if strings.HasSuffix(string(c.To), string(last)) {
			said, heard := numberAloud(l, string(number))
			return spoken.Whole.In(l, name, said), heard
		}
	}
	said, heard := numberAloud(l, string(last))
	return spoken.EndsIn.In(l, name, said), heard
}

// numberAloud says the digits of a number one by one, in groups of three or four, and gives how they could be heard.
func numberAloud(l lang.Lang, number string) (said, heard string) {
	digits := onlyDigits(number)
	var groups []string
	if len(digits) == 11 && digits[0] == '1' { // North America
		groups = append(groups, digits[:1])
		digits = digits[1:]
	}
	for len(digits) > 4 {
		groups = append(groups, digits[:3])
		digits = digits[3:]
	}
	groups = append(groups, digits)
	for i, g := range groups {
		if i > 0 {
			said += ", "
		}
		said += spoken.Digits(g)
		for _, d := range g {
			heard += spoken.Number(l, int(d-'0')) + " "
		}
		heard += g + " "
	}
	return said, heard + onlyDigits(number)
}

// reason is why a draft is refused.
type reason uint8

const (
	sayableAll reason = iota
	tooLong
	badDrawable
	badScript
	badEmoji
	badSign
	badLink
	longLink
	badWord
	badContact
)

// refusal is an error with its reason. It holds nothing of anybody's words.
type refusal struct{ why reason }

var codes = [...]string{tooLong: "too_long_to_say", badDrawable: "unspeakable_hidden", badScript: "unspeakable_script", badEmoji: "unspeakable_emoji", badSign: "unspeakable_sign",
	badLink: "unspeakable_link", longLink: "unspeakable_long_link", badWord: "unspeakable_word", badContact: "unspeakable_contact"}

func (r refusal) Error() string { return codes[r.why] }

// Code is the error in the form of smsmcp.Coded.
func (r refusal) Code() string { return codes[r.why] }

func (r refusal) Unwrap() error {
	if r.why == tooLong {
		return ErrTooLong
	}
	return ErrUnspeakable
}

// Explain is the sentence for an error of Draft, for the model and the owner; "" for any other.
func Explain(l lang.Lang, err error) string {
	var r refusal
	if !errors.As(err, &r) {
		return ""
	}
	switch r.why {
	case tooLong:
		return lang.AloudTooLong.In(l, MaxRunes)
	case badScript:
		return lang.AloudScript.In(l)
	case badEmoji:
		return lang.AloudEmoji.In(l, maxEmoji)
	case badSign:
		return lang.AloudSign.In(l)
	case badLink:
		return lang.AloudLink.In(l)
	case longLink:
		return lang.AloudLongLink.In(l, maxHost)
	case badWord:
		return lang.AloudWord.In(l)
	case badContact:
		return lang.AloudContact.In(l)
	}
	return lang.AloudDrawable.In(l)
}
