package contacts

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

func TestNamesThatPeopleHave(t *testing.T) {
	for _, name := range []string{
		"Anna", "Marie-Ève Tremblay", "Jean-Philippe", "J.-P. Côté", "O'Brien", "Gerard 't Hooft", "Sammy Davis, Jr.", "Dr. Who", "D'Arcy",
		"Nguyễn Thị Hồng", "Łukasz Żółć", "İbrahim", "Ñandú", "Þór", "Γιώργος Παπαδόπουλος", "Дмитрий", "Ґалаґан", "אבי כהן", "דוד", "محمد بن سلمان", "مُحَمَّد",
		"प्रिया शर्मा", "สมชาย ใจดี", "ทำดี", "ນ້ຳ", "王小明", "田中さくら", "サトウ ノリコ", "のり子ちゃん", "スーザン", "佐々木", "김철수", "金哲洙씨", "Հայկ", "գև", "ნინო", "ᐋᓂ ᐱᓚ", "தமிழ்", "অনিতা", "Zoë", "X",
		strings.Repeat("a", MaxName),
	} {
		got, err := Name(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := Name(got); err != nil || again != got {
			t.Errorf("%s: a second time gives %q, %v", name, again, err)
		}
	}
	for raw, want := range map[string]string{"  Marie   Curie ": "Marie Curie", "O’Brien": "O'Brien", "Jean–Luc": "Jean-Luc", "E\u0301lodie": "Élodie"} {
		if got, err := Name(raw); err != nil || got != want {
			t.Errorf("Name(%q) = %q, %v", raw, got, err)
		}
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		why   lang.Message
		names []string
	}{
		{lang.NameEmpty, []string{"", "   "}},
		{lang.NameTooLong, []string{strings.Repeat("a", MaxName+1), strings.Repeat("é", 100_000)}},
		{lang.NameNotUTF8, []string{"An\xffna"}},
		{lang.NameDigit, []string{"Anna 2", "٣ علي", "Anna２", "Louis Ⅻ", "x²", "OllOllO", "lOlO-OlOl", "五一四五五五一二三四", "〇零"}},
		{lang.NameHidden, []string{"An\u200bna", "An\u202ena", "Anna\n", "Anna\r\nBob", "Anna\tB", "An\u00adna", "An\u034fna", "Anna\ufe0f", "Anna\U000e0041", "ㅤ", "ᅠ",
			"\u2028x", "a\x00", "a\x1b", "عل\u200cی", "Anna\u2066"}},
		{lang.NameSign, []string{"Anna «", "Anna: hi", "“Anna”", "Anna \"B\"", "Anna <b>", "=SUM(A)", "@cmd", "-|x", "Anna (work)", "Anna/Bob", "Anna_Bob", "Anna😀", "Anna\u00a0B",
			"𝐀nna", "ﬁona", "Ａｎｎａ", "ªnna", "Annaˮ", "Annaʺ", "ǃkung", "Annaꞌ", "ᐸᐸᐊᓂ", "ᐊᐳᐳ", "Anna›", "a\u20dd", "ℓ", "ᚱᚢᚾ", "ᏣᎳᎩ", "علـي", "a\u2800b", "a\ue000b", "[a]", "a;b", "a*b", "a`b"}},
		{lang.NameMarks, []string{"a" + strings.Repeat("\u0323\u0302", 3), "a\u0361\u0361", "Anna \u0301", "\u0301a"}},
		{lang.NameStart, []string{"-Anna", "'Anna'", ".com", ",", "'"}},
		{lang.NamePunctuation, []string{"Anna''", "Anna--Bob", "A..", "Anna ,B", "Anna - Bob", "Anna'", "Anna,", "Anna-", "O''Brien"}},
		{lang.NameScripts, []string{"Аnna", "Anna王", "Παρiς", "ДJ", "カ金한", "Annaー"}},
		{lang.NameFrame, []string{"You", "YOU.", "vous", "Moi", "Mom, you", "Not in your contacts", "not-in-your-contacts", "Ann not in your contacts", "Pas dans vos contacts",
			"A sender without a number", "un expéditeur sans numéro", "UN EXPEDITEUR SANS NUMERO", "Readback", "Unknown", "Inconnu", "envoyé", "SYSTEM", "Anna, owner"}},
	} {
		for _, name := range c.names {
			got, err := Name(name)
			var r *Refusal
			if !errors.As(err, &r) || !errors.Is(err, ErrBadName) || r.args[1] != c.why {
				t.Errorf("Name(%q) = %q, %v; want %q", name, got, err, c.why.EN)
				continue
			}
			for _, l := range []lang.Lang{lang.EN, lang.FR} {
				s := Sentence(l, err)
				if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x00\x1b\u202e\u2066\u200b") || strings.Contains(s, "%!") || len(s) > 700 {
					t.Errorf("Sentence of %q: %q", name, s)
				}
			}
		}
	}
}

// The frame's own words in either language are no names, and the catalogue's list of them holds all that the frame says of a sender.
func TestInvariant03NoNameIsTheFramesOwnWord(t *testing.T) {
	for _, w := range append(append([]string{}, lang.FrameWords...), lang.FramePhrases...) {
		for _, form := range []string{w, strings.ToUpper(w), strings.ReplaceAll(w, " ", "-"), "Anna, " + w} {
			if got, err := Name(form); err == nil {
				t.Errorf("%q is allowed as %q", form, got)
			}
		}
	}
	said := []lang.Message{lang.FrameFrom, lang.FrameFromCode, lang.FrameFromNone, lang.FrameTo, lang.FrameToCode, lang.FrameToNone, lang.FrameStranger, lang.FrameLabel}
	for _, m := range said {
		for _, s := range []string{m.EN, m.FR} {
			s, _, _ = strings.Cut(s, "«")
			s = strings.Trim(strings.NewReplacer("(", "", ")", "", ",", "").Replace(s), " ")
			for _, form := range []string{s, "Anna " + s + " Bob", strings.ReplaceAll(s, " ", "")} {
				if got, err := Name(form); err == nil {
					t.Errorf("%q is allowed as %q", form, got)
				}
			}
		}
	}
}

func contact(t *testing.T, id smsmcp.ContactID, name, alias, number string) smsmcp.Contact {
	t.Helper()
	var aliases []string
	if alias != "" {
		aliases = []string{alias}
	}
	c, err := New(name, aliases, []string{number}, "CA")
	if err != nil {
		t.Fatal(err)
	}
	c.ID = id
	return c
}

func TestFits(t *testing.T) {
	all := []smsmcp.Contact{contact(t, 1, "Alex", "Lex", "5145550101"), contact(t, 2, "Marie-Claude", "Mam", "5145550102"), contact(t, 3, "Bill", "Bob", "5145550103")}
	for _, c := range []struct {
		name, alias, number string
		want                error
		other               string
	}{
		{"Zoé", "", "5145550199", nil, ""},
		{"alex", "", "5145550199", ErrNameTaken, "Alex"},
		{"ÁLEX", "", "5145550199", ErrNameTaken, "Alex"},
		{"lex", "", "5145550199", ErrNameTaken, "Alex"},
		{"Zoé", "LEX", "5145550199", ErrNameTaken, "Alex"},
		{"Zoé", "", "+1 (514) 555-0102", ErrNumberTaken, "Marie-Claude"},
		{"AIex", "", "5145550199", ErrLooksLike, "Alex"},
		{"ВоЬ", "", "5145550199", ErrLooksLike, "Bill"},
		{"Marie Claude", "", "5145550199", ErrLooksLike, "Marie-Claude"},
		{"MarieClaude", "", "5145550199", ErrLooksLike, "Marie-Claude"},
		{"Marn", "", "5145550199", ErrLooksLike, "Marie-Claude"},
		{"BiII", "", "5145550199", ErrLooksLike, "Bill"},
		{"Zoé", "Bil.l", "5145550199", ErrLooksLike, "Bill"},
		{"Alex", "", "5145550101", ErrThere, ""},
		{"Alex", "Sandro", "5145550101", ErrNameTaken, "Alex"},
		{"Alexander", "", "5145550199", nil, ""},
	} {
		err := Fits(all, contact(t, 0, c.name, c.alias, c.number))
		var r *Refusal
		switch {
		case !errors.Is(err, c.want):
			t.Errorf("%s/%s/%s: %v, want %v", c.name, c.alias, c.number, err, c.want)
		case err != nil && (!errors.As(err, &r) || r.Other != c.other):
			t.Errorf("%s: names %q", c.name, r.Other)
		case err != nil && c.other != "" && !strings.Contains(Sentence(lang.FR, err), c.other):
			t.Errorf("%s: %s", c.name, Sentence(lang.FR, err))
		}
	}
	changed := all[0]
	changed.Aliases = []string{"Sandro"}
	if err := Fits(all, changed); err != nil {
		t.Errorf("a contact stands in its own way: %v", err)
	}
	changed.Numbers = append(changed.Numbers, all[1].To)
	if err := Fits(all, changed); !errors.Is(err, ErrNumberTaken) {
		t.Errorf("a contact takes another's number: %v", err)
	}
}

func TestCheckerSeesWhatWasAddedAndWhatIsGone(t *testing.T) {
	check := Checker()
	a, b := contact(t, 1, "Anna", "", "5145550101"), contact(t, 2, "Bob", "", "5145550102")
	if err := check(nil, a); err != nil {
		t.Fatal(err)
	}
	if err := check([]smsmcp.Contact{a}, b); err != nil {
		t.Fatal(err)
	}
	if err := check([]smsmcp.Contact{a, b}, contact(t, 0, "Bob", "", "5145550103")); !errors.Is(err, ErrNameTaken) {
		t.Fatal(err)
	}
	if err := check([]smsmcp.Contact{b}, contact(t, 0, "Anna", "", "5145550101")); err != nil {
		t.Fatalf("a contact that is gone still stands: %v", err)
	}
}

func TestNew(t *testing.T) {
	c, err := New("Anna Roy", []string{"ANNA ROY", "Nana", "nana"}, []string{"5145550101", "+15145550101", "438 555 0102"}, "CA")
	if err != nil || len(c.Aliases) != 1 || len(c.Numbers) != 2 || c.To != "+15145550101" {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := New("Anna", nil, nil, "CA"); !errors.Is(err, ErrNoNumber) {
		t.Error(err)
	}
	if _, err := New("Anna", nil, []string{"5145550101", "72975"}, "CA"); !errors.Is(err, ErrBadNumber) {
		t.Error(err)
	}
	if _, err := New("Anna", []string{"you"}, []string{"5145550101"}, "CA"); !errors.Is(err, ErrBadName) {
		t.Error(err)
	}
	many := strings.Split("Ann,Bea,Cat,Dee,Eve,Fay,Gil,Hal,Ian,Jim,Kim", ",")
	if _, err := New("Zoé", many, []string{"5145550101"}, "CA"); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	var all []smsmcp.Contact
	for i, n := range []string{"Marie Tremblay", "Marianne", "Anne-Marie Roy", "Mario", "Élodie", "Martin", "Bob"} {
		all = append(all, smsmcp.Contact{ID: smsmcp.ContactID(i + 1), Name: n, To: "+15145550101"})
	}
	all[6].Aliases = []string{"Papa"}
	for word, want := range map[string]string{
		"marie": "Anne-Marie Roy,Marie Tremblay,Mario,Martin", "MAR": "Anne-Marie Roy,Marianne,Marie Tremblay,Mario,Martin", "elodie": "Élodie", "elodei": "Élodie",
		"marie tremblay": "Marie Tremblay", "roy": "Anne-Marie Roy", "papa": "Bob", "bib": "Bob", "zz": "", "": "", "5145550101": "", "+1514": "", "mblay": "", "tremblai": "Marie Tremblay", "marie zz": "",
	} {
		if got := strings.Join(Find(all, word), ","); got != want {
			t.Errorf("Find(%q) = %s; want %s", word, got, want)
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"Anna", "An\u202ena", "‹‹", "J.-P.", "é\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := Name(raw)
		if err != nil {
			if out := Sentence(lang.FR, err); !utf8.ValidString(out) || strings.ContainsFunc(out, hidden) {
				t.Fatalf("%q: unsafe sentence %q", raw, out)
			}
			return
		}
		if again, err := Name(s); err != nil || again != s {
			t.Fatalf("%q becomes %q becomes %q (%v)", raw, s, again, err)
		}
		if utf8.RuneCountInString(s) > MaxName || strings.ContainsAny(s, "«»<>\"0123456789:\n") || strings.ContainsFunc(s, hidden) {
			t.Fatalf("%q is allowed", s)
		}
	})
}
