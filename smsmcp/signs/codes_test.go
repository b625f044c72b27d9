package signs

import (
	"strings"
	"testing"
	"unicode/utf8"

	"readback/smsmcp/clean"
	"readback/test/corpora"
)

func TestCodes(t *testing.T) {
	for s, want := range map[string]string{
		"Your code is 123456":                                    "123456",
		"G-482913 is your Google verification code.":             "482913",
		"<#> Your WhatsApp code: 123-456 Don't share this code":  "123-456",
		"123 456 is your Instagram code":                         "123 456",
		"Use 4821 to verify your account":                        "4821",
		"482913 est votre code de vérification":                  "482913",
		"Votre NIP temporaire : 9931. Ne le partagez pas.":       "9931",
		"Code à usage unique : 7 7 1 2 0 9":                      "7 7 1 2 0 9",
		"Su código de verificación es 556677":                    "556677",
		"Tu clave es 5566":                                       "5566",
		"OTP:998877":                                             "998877",
		"Your code is 2024":                                      "2024",
		"Bell: 558812. Never share this with anyone.":            "558812",
		"Tangerine security code: 8812 for transfer of $2500.00": "8812",
		"Amazon: Use 123456 to log in. Sent 2026-11-30.":         "123456",
		"Your login is confirmed.\n@example.com #447788":         "447788",
		"ＯＴＰ １２３４５６":                                             "１２３４５６",
		"Codes 1234 and 5678 are your passcode":                  "1234|5678",
		"See you at 1430":                                        "",
		"My postal code is 12345":                                "",
		"Le code de la porte est 4321":                           "",
		"Promo code 20261":                                       "",
		"Call 514-555-0101 for the code":                         "",
		"Verify your order of $1234 by 2026-11-30":               "",
		"Your verification is due 12/31/2026, fee 1,234.50":      "",
		"code rouge":                "",
		"1234":                      "",
		"ref AB1234CD verification": "",
		"Your code will expire in 10 minutes, in 2026 we will meet": "",
	} {
		var got []string
		for _, span := range Codes(s) {
			got = append(got, s[span.Start:span.End])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// How often benign texts are taken to hold a code: masking is a nuisance there, so it must be rare.
func TestCodeRates(t *testing.T) {
	for _, set := range append(corpora.Sets(t, "sms_"), corpora.Sets(t, "benign_")...) {
		all, hit := corpora.Texts(t, set), 0
		for _, s := range all {
			s = clean.Body(s).Text
			if spans := Codes(s); len(spans) > 0 {
				hit++
				t.Logf("%s: %q in %.120q", set, s[spans[0].Start:spans[0].End], s)
			}
		}
		t.Logf("%-20s %5d texts, %d with a code", set, len(all), hit)
		if set != "sms_uci_spam" && hit*100 >= len(all) {
			t.Errorf("%s: %d of %d", set, hit, len(all))
		}
	}
}

func FuzzCodes(f *testing.F) {
	f.Add("Your code is 123-456, or 1 2 3 4")
	f.Add("code 1234\xff٣٤٥٦ #1")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, span := range Codes(s) {
			if span.Start < last || span.End <= span.Start || span.End > len(s) {
				t.Fatalf("%v after %d in %q", span, last, s)
			}
			last = span.End
			part := s[span.Start:span.End]
			if utf8.ValidString(s) && !utf8.ValidString(part) || strings.ContainsAny(part, ".:/ABCabc") {
				t.Errorf("%q is a code in %q", part, s)
			}
		}
		Hosts(s)
		Stop(s)
	})
}
