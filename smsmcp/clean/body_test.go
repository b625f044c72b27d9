package clean

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What people write comes through unchanged.
func TestBodyKeeps(t *testing.T) {
	for name, s := range map[string]string{
		"english":     "See you at 7:30 -- ok? <3 >_< a<b>c 100% \"sure\" 'yes' it’s",
		"french":      "L’été à Québec\u00a0: où ça\u202f? Dès 18\u00a0h\u202f; œuf, “oui”… €20",
		"emoji":       "👍 😂 🎉",
		"family":      "👨‍👩‍👧‍👦 👩‍❤️‍💋‍👨 🧑🏽‍🤝‍🧑🏻",
		"professions": "👩🏽‍🚀 🕵️‍♀️ 🏃‍➡️ 🐻‍❄️ 👁️‍🗨️ ⛓️‍💥 🧑‍🧑‍🧒‍🧒",
		"flags":       "🏳️‍🌈 🏴‍☠️ 🏳️‍⚧️ 🇨🇦 🇫🇷",
		"tag flags":   "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
		"keycaps":     "1️⃣ #️⃣ *️⃣ 9⃣",
		"selectors":   "❤️ ☺️ ☎︎ ✈︎ ©️ ☝🏽",
		"new emoji":   "\U0001FAE9 \U0001FADC \U0001FA89",
		"arabic":      "مرحباً، كيف حالُكَ؟ شُكْرًا لَّكَ",
		"persian":     "می‌خواهم کتاب‌ها را نمی‌بینم",
		"urdu":        "آپ کیسے ہیں؟ ٹھیک ہوں۔",
		"hebrew":      "שָׁלוֹם! מה שלומך? צה״ל ג׳ירפה",
		"hindi":       "नमस्ते, आप कैसे हैं? क्‍ष क्‌ष र्‍य हिन्दी",
		"bengali":     "র‍্যাব কেমন আছেন?",
		"malayalam":   "അവന്‍ സുഖമാണോ",
		"sinhala":     "ශ්‍රී ලංකා",
		"tamil":       "வணக்கம் எப்படி இருக்கிறீர்கள்",
		"thai":        "สวัสดีครับ เป็นอย่างไรบ้าง น้ำ",
		"vietnamese":  "Chào bạn, bạn có khỏe không? Tiếng Việt ở đường Nguyễn",
		"burmese":     "ကြောင့် မြွှာ နေကောင်းလား",
		"khmer":       "សួស្តី អ្នកសុខសប្បាយទេ",
		"tibetan":     "བཀྲ་ཤིས་བདེ་ལེགས།",
		"chinese":     "你好！明天几点见面？「好的」",
		"japanese":    "こんにちは、元気ですか？『はい』",
		"korean":      "안녕하세요? 잘 지내세요",
		"russian":     "Привет, как дела? ёлка й",
		"greek":       "Καλημέρα, τι κάνεις;",
		"inuktitut":   "ᐃᓄᒃᑎᑐᑦ ᐊᐸᐸᒃ ᐅᐳᐳᖅ ᐊᐅᑎᒃ ᐃᐅᐅᖅ",
		"amharic":     "ሰላም እንዴት ነህ",
		"georgian":    "გამარჯობა",
		"armenian":    "Բարև, ինչպե՞ս ես",
		"mathematics": "≤ ≥ ≠ ± ∑ √ ≯ a ≻ b >̇ x",
		"winding":     "⏩ ⏪ ⏩⏩ ⏩\ufe0f",
		"html":        "<b>x</b> a -> b => c <- d",
		"currency":    "£3 €4 ¥5 ₹6 ₿7",
		"replacement": "a\uFFFDb",
		"nothing":     "",
	} {
		if got := Body(s); got.Text != s || got != (Result{Text: s}) {
			t.Errorf("%s: %q became %q, %+v", name, s, got.Text, got)
		}
	}
}

func TestBodyChanges(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"breaks":            {"a\r\nb\nc\vd\fe\u0085f\u2028g\u2029h\x1ci\x1ej\tk", "a b c d e f g h i j k"},
		"controls":          {"a\x00b\x1b[31mc\bd\x7fe", "a b [31mc d e"},
		"spaces":            {"  a \u2003 b\u3000c \u00a0 d  ", "a b c d"},
		"guillemets":        {"a » 14:05 « b", `a " 14:05 " b`},
		"single":            {"‹a› 〈b〉 《c》 ≪d≫ ＜e＞", `"a" "b" "c" "d" "e"`},
		"doubled":           {"<<a>> <<<b", `"a" "b`},
		"doubled mixed":     {"<ᐸa ᐳ>b ᐸᐸ ᐳᐳ", `"a "b " "`},
		"marks in between":  {">\u0307> >\u20d2\u0307>\u0307 <\u0338< x", "\" \"\u0307 \" x"},
		"drawn doubled":     {"≻≻ ≺≺ ⪼ ⪻ ❩❩ ❨❨ ❫❫ ≯≯ >≻", `" " " " " " " " "`},
		"syllables":         {"ᐅᐅ ᐊᐊ ᐳᐸᐸᐳ x", `" " ᐳ"ᐳ x`},
		"told to a font":    {"a\U00016fe4b\U0001bc9dc\u2d7fd", "abcd"},
		"hidden in between": {"<\u200b<a >\u2060> b", `"a " b`},
		"made by NFC":       {"\u2329a\u232a", `"a"`},
		"bidi":              {"a\u202eb\u2066c\u2069\u200e\u200f\u061cd", "abcd"},
		"hidden":            {"a\u00adb\u034fc\u200bd\ufeffe\u3164f\U000e0041g", "abcdefg"},
		"smuggled bytes":    {"😀\ufe00\U000e0101\U000e01ef", "😀"},
		"two selectors":     {"❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"},
		"selector on text":  {"a\ufe0f1\ufe0fb", "a1b"},
		"joiner on text":    {"a\u200db\u200cc", "abc"},
		"joiner at the end": {"👩\u200d", "👩"},
		"joiner, hidden":    {"👩\u200d\u202e👧", "👩\u200d👧"},
		"two joiners":       {"👩\u200d\u200d👧", "👩\u200d👧"},
		"broken flag":       {"🏴\U000e0067\U000e0062a", "🏴a"},
		"braille blank":     {"a\u2800\u2800b", "a b"},
		"private":           {"a\ue000\U000f0000\ufdd0\uffffb\U00050000", "ab"},
		"NFC":               {"e\u0301", "é"},
		"mark on nothing":   {" \u0338a", "a"},
		"zalgo":             {"x" + strings.Repeat("\u0336", 50) + "y", "x" + strings.Repeat("\u0336", maxLoose) + "y"},
		"not UTF-8":         {"a\xffb\xc3", "a\uFFFDb\uFFFD"},
		"blank":             {" \n\u200b ", ""},
	} {
		got := Body(c.in)
		if got.Text != c.out {
			t.Errorf("%s: %q became %q, want %q", name, c.in, got.Text, c.out)
		}
		if again := Body(got.Text); again != (Result{Text: got.Text}) {
			t.Errorf("%s: %q changes again, to %q", name, got.Text, again.Text)
		}
	}
}

func TestBodyCounts(t *testing.T) {
	if got := Body("a\u2d7f\U00016fe4\U0001bc9db>\u0307>"); got != (Result{Text: `ab"`, Hidden: 3, Quotes: 2}) {
		t.Errorf("%+v", got)
	}
	got := Body("a\u200b\u200b«b»\u202e\x00\xff" + "x" + strings.Repeat("\u0301", 9))
	want := Result{Text: got.Text, Hidden: 2, Reordering: 1, Controls: 1, Quotes: 2, Marks: 5, Broken: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestUpTo(t *testing.T) {
	for _, c := range []struct {
		in, out string
		limit   int
		cut     int
	}{
		{"abcdef", "abc", 3, 3},
		{"abc", "abc", 3, 0},
		{"ab cd", "ab", 3, 2},
		{"ééé", "ééé", 3, 0},
		{"👩\u200d👧", "👩", 2, 1},
		{"a\u200bbc", "ab", 2, 1},
	} {
		got := UpTo(c.in, c.limit)
		if got.Text != c.out || got.Cut != c.cut {
			t.Errorf("%q up to %d: %q, %d cut; want %q, %d", c.in, c.limit, got.Text, got.Cut, c.out, c.cut)
		}
	}
}

// safe fails the test on a text that could leave its quotes.
func safe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not UTF-8", s)
	}
	if strings.Contains(s, "<<") || strings.Contains(s, ">>") {
		t.Errorf("%q holds a doubled angle", s)
	}
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	if strings.Contains(bare, "<<") || strings.Contains(bare, ">>") || strings.Contains(bare, "≻≻") || strings.Contains(bare, "≺≺") {
		t.Errorf("%q holds a doubled angle under its marks", s)
	}
	for _, r := range s {
		if unicode.Is(unicode.Cc, r) || r == 0x2028 || r == 0x2029 || strings.ContainsRune("«»‹›《》≪≫⪻⪼⟪⟫⟨⟩〈〉❮❯❰❱＜＞", r) ||
			unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%q holds U+%04X", s, r)
		}
	}
}

// Every code point, alone and between letters: safe, and the same the second time.
func TestInvariant03EveryCodePoint(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if many := r >= 0x3400 && r < 0xD800 || r >= 0x20000 && r < 0xE0000 || r >= 0xF0000; many && r&0xFF > 1 && r&0xFF < 0xFE {
			continue // Han, Hangul, unassigned, private: alike
		}
		for _, s := range [...]string{string(r), "a" + string(r) + "b", "<" + string(r) + "<", "👩\u200d" + string(r) + "\u200d👩", "क्" + string(r) + "\u0301ک"} {
			once := Body(s)
			safe(t, once.Text)
			if again := Body(once.Text); again != (Result{Text: once.Text}) {
				t.Fatalf("%q became %q and then %q, %+v", s, once.Text, again.Text, again)
			}
			if plain(s) && once.Text != s {
				t.Fatalf("%q takes the short way, but changes", s)
			}
			if plain(s) {
				w := washer{}
				if long := w.fix(s); long != s {
					t.Fatalf("%q takes the short way; the long one gives %q", s, long)
				}
			}
		}
	}
}

func FuzzBody(f *testing.F) {
	for _, s := range []string{"a « b", "<\u200b<", "👩\u200d👧", "x\u0344\u0344\u0344\u0344", "\u0958\u093c", "می\u200cخ", "\u1100\u1161\u11a8", "🏴\U000e0067"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		once := Body(s)
		safe(t, once.Text)
		if again := Body(once.Text); again != (Result{Text: once.Text}) {
			t.Errorf("%q became %q and then %q, %+v", s, once.Text, again.Text, again)
		}
		w := washer{}
		if long := w.fix(s); long != once.Text {
			t.Errorf("%q: the short way gives %q, the long one %q", s, once.Text, long)
		}
		if limit > 0 {
			cut := UpTo(s, limit)
			safe(t, cut.Text)
			if again := UpTo(cut.Text, limit); again != (Result{Text: cut.Text}) {
				t.Errorf("%q up to %d became %q and then %q", s, limit, cut.Text, again.Text)
			}
			if utf8.RuneCountInString(cut.Text) > limit {
				t.Errorf("%q is longer than %d", cut.Text, limit)
			}
		}
		if Drawable(s) == nil && (once.Hidden+once.Reordering+once.Controls+once.Marks+once.Broken > 0 || once.Text == "") {
			t.Errorf("%q counts as drawable, but %+v", s, once)
		}
	})
}
