package contacts

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Region is the home region where none is configured: an ISO 3166-1 code.
const Region = "CA"

// Known says whether a home region is one that numbers can be read in.
func Known(region string) bool { return phonenumbers.GetSupportedRegions()[region] }

// Number reads a number that a person typed or a file held: ASCII digits, after an optional plus, with spaces (also no-break ones), hyphens, dots,
// parentheses or slashes between them. It must be valid as dialled from the region; letters, extensions and other digits are
// refused, not dropped. The error is a *Refusal.
func Number(raw, region string) (smsmcp.Number, error) {
	if len(raw) > 64 {
		return "", badNumber(raw, lang.NumberTooLong)
	}
	var digits strings.Builder
	for i, r := range strings.Trim(raw, " ") {
		switch {
		case r >= '0' && r <= '9', r == '+' && i == 0:
			digits.WriteByte(byte(r))
		case strings.ContainsRune(" -.()/\u00A0\u202F\u2011", r):
		case r == '+':
			return "", badNumber(raw, lang.NumberForm)
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', strings.ContainsRune("#*,;=", r):
			return "", badNumber(raw, lang.NumberLetters)
		default:
			return "", badNumber(raw, lang.NumberForm)
		}
	}
	n, ok := whole(digits.String(), region)
	switch {
	case ok:
		return n, nil
	case strings.Trim(raw, " ") == "":
		return "", badNumber(raw, lang.NumberForm)
	case digits.Len() < 7:
		return "", badNumber(raw, lang.NumberShort)
	}
	return "", badNumber(raw, lang.NumberNotValid)
}

// whole reads digits after an optional plus as a valid number that is read again as the same, and ends as s does.
func whole(s, region string) (smsmcp.Number, bool) {
	if region == "" {
		region = Region
	}
	n, ok := parse(s, region)
	if !ok || !strings.HasSuffix(string(n), s[max(0, len(s)-7):]) {
		return "", false
	}
	again, ok := parse(string(n), region)
	return n, ok && again == n
}

func parse(s, region string) (smsmcp.Number, bool) {
	p, err := phonenumbers.Parse(s, region)
	if err != nil || p.GetExtension() != "" || !phonenumbers.IsValidNumber(p) {
		return "", false
	}
	n, err := smsmcp.ParseNumber(phonenumbers.Format(p, phonenumbers.E164))
	return n, err == nil
}

// Peer reads the one field in which a carrier names the other side of a text. Short codes and letters come first, since the rest
// would make numbers of them: 3 to 8 digits are a code, as are 5 or 6 after 011 (voip.ms writes a code 732873 as 011732873). A whole
// valid number, of digits after an optional plus alone, is a number. Anything else is a label and names nobody; nothing is stripped.
func Peer(raw, region string) smsmcp.Peer {
	digits, plus := strings.CutPrefix(raw, "+")
	switch {
	case digits == "" || len(digits) > 20 || strings.Trim(digits, "0123456789") != "":
		return smsmcp.LabelPeer(raw)
	case !plus && strings.HasPrefix(digits, "011") && (len(digits) == 8 || len(digits) == 9) && digits[3] > '1':
		return smsmcp.CodePeer(digits[3:])
	case !plus && len(digits) <= 8:
		return smsmcp.CodePeer(digits)
	}
	if n, ok := whole(raw, region); ok {
		return smsmcp.NumberPeer(n)
	}
	return smsmcp.LabelPeer(raw)
}
