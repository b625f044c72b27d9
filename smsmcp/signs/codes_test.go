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
		// Separators, and what digits and letters look like.
		"Votre code de vérification est 482\u00a0913.": "482\u00a0913", "Votre code est 482\u202f913": "482\u202f913", "Your code is 482–913": "482–913",
		"Your code is 482‑913": "482‑913", "Your code is 482.913": "482.913", "Your code is 482_913": "482_913", "Your code is 482/913": "482/913",
		"Your code is ①②③④⑤⑥": "①②③④⑤⑥", "Your code is 4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣": "4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣", "Your code is ❶ ❷ ❸ ❹ ⓿ ⓪": "❶ ❷ ❸ ❹ ⓿ ⓪", "Code: 4\u03328\u03322\u03329": "4\u03328\u03322\u03329",
		"code482913": "482913", "Your PIN4471": "4471", "G482913 is your Google verification code": "482913", "FB482913 is your confirmation code": "482913",
		"Your verification code is A4F9K2": "A4F9K2", "A4F9K2 is your Steam code": "A4F9K2", "NIP : 7b3c9d": "7b3c9d", "Code : A4F-9K2": "A4F-9K2", "code AB12-CD34-EF56": "AB12-CD34-EF56",
		"backup codes: 12345 67890, 23456 78901": "12345|67890|23456|78901",
		// Whose code it is cancels nothing.
		"Alarm.com: your code is 482913": "482913", "Garage Clothing code: 482913": "482913", "Wifi Plus: your code 482913": "482913", "Country Bank code 482913": "482913",
		"Your code for Alarm.com is 482913": "482913", "Your code for Area 51 Cinemas is 482913": "482913", "Votre code Porte-monnaie est 482913": "482913",
		"Apple ID code 482913 (offer ends)": "482913", "Your code: 4829. Door Dash": "4829", "Your code for Door Dash is 4829": "4829", "The Country Garage code: 482913": "482913",
		// Other words for it, in other languages.
		"482913 - don't share this with anyone.": "482913", "482913. Ne le partagez pas. Banque": "482913", "Ne partagez pas 482913": "482913", "Saisissez 482913 pour confirmer": "482913",
		"Entrez 482913 sur le site": "482913", "Enter 482913 to confirm it's you": "482913", "Utilisez 482913 pour vous connecter": "482913", "Votre mdp temporaire: 482913": "482913",
		"Votre clé d'accès: 482913": "482913", "Confirmation: 482913": "482913", "Token: 482913": "482913", "Jeton : 482913": "482913", "Il tuo codice è 482913": "482913",
		"验证码：482913": "482913", "您的验证码是482913，请勿泄露": "482913", "【银行】482913（验证码）": "482913", "Код: 482913": "482913", "Ingrese 482913 para entrar": "482913",
		"votre code à usage unique est le suivant 2026": "2026", "인증번호 482913": "482913",
		// What people write to each other.
		"The alarm code is 4471": "", "Marc's alarm code is 4471": "", "code postal 12345": "", "Le code de la porte d'entrée est 4321": "", "code 4321 pour le garage": "",
		"the code for the front door is 4321": "", "Wifi code: 12345678": "", "Code wifi 12345678": "", "zip code 90210": "", "area code 4389": "", "dress code 1980": "", "code promo 20261": "",
		"Enter at 4500 Main Street": "", "Entrez par le 4500 rue Principale": "", "type 2024 in the box": "", "Confirmation number 482913": "", "Code rouge, je suis là à 18h30": "",
		"dress code is 80s, bring 10min of music": "", "covid19 code jaune": "", "The code of conduct of 2019": "", "We need code for iphone15": "", "code: 10 000 $": "",
		"My new token of love, see you on 12.05.2026": "", "The pin is at 45.5017 N": "", "see you at 12/31, code red": "", "Your 2003 statement. Call us for the identifier": "",
		"Confirmation rdv 3 dec 14h15 au 4500 boul. Saint-Martin": "", "your table for 4, confirmation at 1200 Crescent St": "", "mot de passe du wifi chez moi au 4521 Saint-Denis": "",
		"Vol 1234 demain, confirmation de réservation à suivre": "", "Mot de la fin: 1984 est un bon livre": "", "Le code du bâtiment est 4521": "",
		"Your verification code is 4521. Street parking is free": "4521", "code: 4521\nrue X": "4521",
		"See you at 1430":                                   "",
		"My postal code is 12345":                           "",
		"Le code de la porte est 4321":                      "",
		"Promo code 20261":                                  "",
		"Call 514-555-0101 for the code":                    "",
		"Verify your order of $1234 by 2026-11-30":          "",
		"Your verification is due 12/31/2026, fee 1,234.50": "",
		"code rouge":                                        "",
		"1234":                                              "",
		"ref AB1234CD verification":                         "",
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

func TestMaskLeavesNothing(t *testing.T) {
	for s, want := range map[string]string{
		"Your code is 482\u202f913.": "Your code is •••\u202f•••.", "Code : A4F-9K2": "Code : •••-•••", "Your code is 4️⃣8️⃣2️⃣9️⃣": "Your code is ••••",
		"G482913 is your Google code": "G•••••• is your Google code", "Code: 4\u03328\u03322\u03329 ok": "Code: •••• ok", "Code ①②③④": "Code ••••",
	} {
		if got, n := Mask(s); got != want || n != 1 {
			t.Errorf("%q: %q, %d", s, got, n)
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
	f.Add("A0 \u032b")
	f.Add("0A أ0")
	f.Add("code A4F-9K2 ①②③④ 4️⃣8️⃣2️⃣9️⃣ 您的验证码是482913")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, span := range Codes(s) {
			if span.Start < last || span.End <= span.Start || span.End > len(s) {
				t.Fatalf("%v after %d in %q", span, last, s)
			}
			last = span.End
			part := s[span.Start:span.End]
			if utf8.ValidString(s) && !utf8.ValidString(part) || strings.ContainsAny(part, ":,«»\n") {
				t.Errorf("%q is a code in %q", part, s)
			}
		}
		if masked, n := Mask(s); utf8.ValidString(s) && !utf8.ValidString(masked) || n > 0 && masked == s {
			t.Errorf("%q is masked as %q", s, masked)
		}
		Hosts(s)
		Stop(s)
	})
}
