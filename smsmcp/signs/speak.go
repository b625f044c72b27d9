package signs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/fold"
)

// How far from a word a number is still what the word speaks of, in bytes.
const (
	farReach  = 100 // for words that speak of little else
	nearReach = 40  // for "code" and "PIN", which have other uses
	glueReach = 20  // for these, where a letter stands before the number
	yearReach = 16  // for a number that could be a year, where the word has no other use
)

// speaksOf says whether a word of a one-time code speaks of n.
func speaksOf(s string, words []word, n number) bool {
	far, near := farReach, nearReach
	if n.kind == prefixed {
		near = glueReach
	}
	for i, w := range words {
		if w.Start > n.End+far {
			break
		}
		if n.kind == named && w.End == n.End {
			return !otherBefore(s, words, i)
		}
		strength, length := w.strength, w.length
		if strength == 0 || w.Start >= n.Start && w.Start < n.End {
			continue
		}
		end := words[i+length-1].End
		gap := max(n.Start-end, w.Start-n.End)
		switch {
		case gap < 0 || gap > far:
		case n.kind == mixture && !beside(words, i, length, n):
		case n.kind == yearNumber && (gap > yearReach || strength == weak) && !beside(words, i, length, n):
		case strength == strong:
			return true
		case strength == asks:
			if gap > 2 || n.kind == yearNumber || strings.Trim(s[min(end, n.Start):n.Start], " :\u00a0\"") != "" || !goesOn(words, n.Span) {
				continue
			}
			return true
		case (gap <= near || leads(words[i+length:], end, n.Span)) && !otherBefore(s, words, i) && !otherAfter(s, words, i+length):
			return true
		}
	}
	return false
}

// The strengths of a word: that it speaks of little but a one-time code, that it may, that it asks for the number right after it.
const (
	strong = iota + 1
	weak
	asks
)

// says gives the strength of the word, or of the phrase, that words begin with, and of how many words that is.
func says(words []word) (strength, length int) {
	first := words[0].text
	for _, rest := range strongPhrases[first] {
		if len(words) > len(rest) && slices.EqualFunc(words[1:len(rest)+1], rest, func(w word, r string) bool { return w.text == r }) {
			return strong, 1 + len(rest)
		}
	}
	switch {
	case strongWords[first]:
		return strong, 1
	case weakWords[first]:
		if first == "confirmation" && len(words) > 1 && bookingWords[words[1].text] {
			return 0, 0
		}
		return weak, 1
	case askWords[first]:
		return asks, 1
	}
	if first[0] < utf8.RuneSelf {
		return 0, 0
	}
	for _, w := range unspacedWords {
		if strings.Contains(first, w) {
			return strong, 1
		}
	}
	return 0, 0
}

// leads says that the word that ends at i leads to n: all words from it on to the number only say so, as is, the following.
func leads(words []word, end int, n Span) bool {
	if end > n.Start {
		return false
	}
	for _, w := range words {
		if w.Start >= n.Start {
			return true
		}
		if !fillers[w.text] {
			return false
		}
	}
	return false
}

// beside says that a word stands right before n, or right after it and a verb: A4F9K2 is your … code.
func beside(words []word, i, length int, n number) bool {
	if words[i].Start < n.Start {
		return leads(words[i+length:], words[i+length-1].End, n.Span)
	}
	for k := i - 1; k >= max(0, i-5); k-- {
		if words[k].Start < n.End {
			return k+1 < i && verbs[words[k+1].text]
		}
	}
	return false
}

// goesOn says that a sentence that asks for a number goes on after it as such a sentence does, or ends.
func goesOn(words []word, n Span) bool {
	for _, w := range words {
		if w.Start >= n.End {
			return afterAsked[w.text]
		}
	}
	return true
}

// otherBefore says that the word before the one at i tells another use: postal code, Marc's alarm code. A name of several words, in capitals, tells none.
func otherBefore(s string, words []word, i int) bool {
	k := i - 1
	if k > 0 && words[k].text == "s" {
		k--
	}
	if k < 0 || !usesBefore[words[k].text] || strings.Trim(s[words[k].End:words[i].Start], " -_'’s\u00a0") != "" {
		return false
	}
	return k == 0 || !capital(s, words[k]) || !capital(s, words[k-1]) || words[k].Start-words[k-1].End > 1
}

// otherAfter says that what follows a word tells another use: code postal, code de la porte, code 4321 for the front door.
func otherAfter(s string, words []word, i int) bool {
	for k := i; k < min(len(words), i+6); k++ {
		w := words[k]
		if k > 0 && strings.ContainsAny(s[words[k-1].End:w.Start], ".!?;,\n") {
			return false
		}
		switch {
		case usesAfter[w.text]:
			name := k+1 < len(words) && words[k+1].Start-w.End == 1 && (capital(s, w) && capital(s, words[k+1]) || s[w.End] == '-' || s[w.End] == '.')
			return !name
		case digits(w.text):
			if k+1 < len(words) && !prepositions[words[k+1].text] {
				return false
			}
		case !fillers[w.text] && !prepositions[w.text]:
			return false
		}
	}
	return false
}

func capital(s string, w word) bool {
	r, _ := utf8.DecodeRuneInString(s[w.Start:])
	return unicode.IsUpper(r)
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// The words, folded.
var (
	strongWords = set(`otp 2fa tfa mfa passcode verification verify verifying authentication authenticate authenticator onetime
		password login signin validation authentification authentifier identification nip mdp motdepasse
		verificacion verificar autenticacion contrasena validacion verifica autenticazione senha verificacao passwort bestatigungscode пароль подтверждения`)
	strongPhrases = sequences(`one time|log in|sign in|security code|confirmation code|access code|not share|never share|t share|dont share|it s you|your identity
		usage unique|mot de passe|partagez jamais|jamais partager|ne partagez|ne partager|ne pas partager|ne le partagez|ne la partagez|ne les partagez|ne partage
		communiquez jamais|ne communiquez|ne le communiquez|ne divulguez|ne le divulguez|code secret|cle d acces|cle acces|vous connecter|votre identite
		no compartas|no comparta|no lo compartas|no lo comparta|codigo secreto|iniciar sesion|solo uso|non condividere`)
	weakWords     = set(`code codes pin clave codigo codigos codice codici kod код token jeton confirmation`)
	bookingWords  = set(`number numero no n nr order commande page`)
	askWords      = set(`enter type saisissez saisir entrez entrer tapez ingrese ingresa introduzca inserisci`)
	unspacedWords = strings.Fields(fold.Key("验证码 驗證碼 校验码 校驗碼 动态码 動態碼 动态密码 動態密碼 確認コード 認証コード 認証番号 인증번호 인증코드"))

	fillers = set(`is are est es e è ist lautet sera was the le la les l el il lo un une your votre ton ta tu su suo tuo here voici following suivant suivante
		temporary temporaire unique new nouveau own front back main side avant arriere s c ci`)
	verbs        = set(`is est es e ist as`)
	prepositions = set(`for pour de du des d of to para del della di au a aux`)
	afterAsked   = set(`to pour para per sur on in into dans when quand lorsque as comme at en`)

	usesBefore = set(`zip postal promo promotion promotional rabais discount coupon voucher offer area country door gate garage building entry wifi fi
		alarm dress bar qr source error lockbox house porte portail alarme`)
	usesAfter = set(`postal promo promotionnel rabais reduction descuento porte portail garage alarme alarm wifi door gate building immeuble batiment entree puerta
		barres source pays regional parrainage`)
)

// sequences makes phrases, parted by | or a line's end, a list of the rest of each by its first word.
func sequences(list string) map[string][][]string {
	out := map[string][][]string{}
	for _, p := range strings.FieldsFunc(list, func(r rune) bool { return r == '|' || r == '\n' }) {
		w := strings.Fields(p)
		out[w[0]] = append(out[w[0]], w[1:])
	}
	return out
}

// placed says that a number is part of an address, as in 4500 boul. Saint-Martin and 1200 Crescent St, or a flight's.
func placed(s string, words []word, n Span) bool {
	next := len(words)
	for i, w := range words {
		if w.Start >= n.End {
			next = i
			break
		}
		if (w.text == "vol" || w.text == "flight") && n.Start-w.End <= 4 {
			return true
		}
	}
	if next == len(words) || strings.Trim(s[n.End:words[next].Start], " \u00a0\u202f,") != "" {
		return false
	}
	for i, w := range words[next:min(next+3, len(words))] {
		if i == 0 && streetsFirst[w.text] || i > 0 && streetsLast[w.text] {
			return true
		}
	}
	return false
}

var (
	streetsFirst = set(`boul boulevard bd bld blvd rue av ave avenue ch chemin rang cote montee place square saint sainte st ste route rte autoroute impasse quai allee`)
	streetsLast  = set(`street st str road rd avenue ave av boulevard blvd drive dr lane ln crescent cres court ct way square sq highway hwy`)
)
