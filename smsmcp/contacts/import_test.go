package contacts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"readback/smsmcp/lang"
)

// summary is what a file gave, one line an entry or refusal.
func summary(entries []Entry, refused []Refused) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%d %s %q %s\n", e.At, e.Contact.Name, e.Contact.Aliases, e.Contact.Numbers)
	}
	for _, r := range refused {
		fmt.Fprintf(&b, "%d no: %s\n", r.At, r.Why)
	}
	return b.String()
}

func check(t *testing.T, got string, want ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if got == "" {
		lines = nil
	}
	ok := len(lines) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.HasPrefix(lines[i], want[i])
	}
	if !ok {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestReadCSV(t *testing.T) {
	check(t, summary(ReadCSV(strings.NewReader("\uFEFFNom;Numéro;Surnom\r\nÉlodie;514 555-0101;Lo|Dodie\r\n\r\n;;\r\nAnna Roy;5145550102;438 555 0102\r\nBob;5145550103;\r\n"), "CA")),
		`2 Élodie ["Lo" "Dodie"] [+15145550101]`, `6 Bob [] [+15145550103]`, `5 no: The name "438 555 0102"`)
	check(t, summary(ReadCSV(strings.NewReader("First Name,Middle Name,Last Name,Nickname,Notes,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\n"+
		"Anna,,Roy,,\"two\nlines\",Mobile,+1 514-555-0101 ::: +1 438-555-0101,\nBob,,,,,,,5145550102\n"), "CA")),
		`2 Anna Roy [] [+15145550101 +14385550101]`, `4 Bob [] [+15145550102]`)
	check(t, summary(ReadCSV(strings.NewReader("prénom\tnom\ttéléphone\nAnna\tRoy\t5145550101\n"), "CA")), `2 Anna Roy [] [+15145550101]`)
}

func TestReadCSVRefusesRowsAndSaysWhy(t *testing.T) {
	file := strings.Join([]string{
		"name,number,alias",
		"Anna,5145550101,",
		"ANNA,5145550102,",               // 3: the same name
		"Bea,+15145550101,",              // 4: the same number
		"=cmd|' /C calc'!A0,5145550103,", // 5: a formula
		"Cat,=1+1,",                      // 6
		"Dee\xff,5145550104,",            // 7
		"\"Eve\nFay\",5145550105,",       // 8–9
		"Gil,5145550106,,,extra",         // 10
		"Hal,,",                          // 11
		"Ian \"x\",5145550107,",          // 12
		"Not in your contacts,5145550108,",
		"Jim 14:05,5145550109,",
		"K\u202eim,5145550110,",
		"Leo,5145550111,Anna",
		"AппаO,5145550112,",
		"Annа,5145550112,", // mixed
		"Zoé,5145550113,",
		"Oda,72975,",
		"Pia,5145550114 x3,",
	}, "\n")
	check(t, summary(ReadCSV(strings.NewReader(file), "CA")),
		"2 Anna", "19 Zoé",
		`3 no: The same name or number stands in the file before, for "Anna"`, `4 no: The same name or number stands in the file before, for "Anna"`,
		`5 no: The name "=cmd`, `6 no: "=1+1"`, `7 no: This is not valid UTF-8`, `8 no: The name "Eve\nFay"`, `10 no: The row has more cells`, `11 no: "Hal" has no`,
		`12 no: The row is not well-formed`, `13 no: The name "Not in`, `14 no: The name "Jim 14:05"`, `15 no: The name "K\u202eim"`, `16 no: The same name`,
		`17 no: The name`, `18 no: The name`, `20 no: "72975"`, `21 no: "5145550114 x3"`)
}

func TestReadCSVRefusesFiles(t *testing.T) {
	for file, want := range map[string]lang.Message{
		"": lang.ImportNoHeader, "Anna,5145550101\n": lang.ImportNoHeader, "name,name,number\na,b,c": lang.ImportNoHeader, "name\nAnna": lang.ImportNoHeader,
		"\xff\xfen\x00a\x00m\x00e\x00": lang.ImportNotUTF8, "\"name,number\nAnna,5145550101\n": lang.ImportNoHeader,
		strings.Repeat("x", maxFile+1): lang.ImportTooLarge, "PK\x03\x04\x00\x00": lang.ImportNoHeader, strings.Repeat("a", maxRow+1): lang.ImportNoHeader,
		strings.Repeat(",", 1<<16-1) + "name,number\n": lang.ImportNoHeader,
	} {
		entries, refused := ReadCSV(strings.NewReader(file), "CA")
		var r *Refusal
		if len(entries) != 0 || len(refused) != 1 || !errors.As(refused[0].Why, &r) || !errors.Is(r, ErrFile) || r.sentence != want {
			t.Errorf("%.40q: %v %v", file, entries, refused)
		}
	}
	if entries, refused := ReadCSV(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("name,number\nAnna,5145550101\n"))), "CA"); len(entries) != 0 || len(refused) != 1 {
		t.Errorf("a file that breaks off is used: %v %v", entries, refused)
	}
	// A quotation mark that is not closed does not swallow the rows after it in silence.
	check(t, summary(ReadCSV(strings.NewReader("name,number,notes\nAnna,5145550101,\"open\n"+strings.Repeat("Bob,5145550102,x\n", 40)+"Cat,5145550103,\"\n"), "CA")),
		"2 no: The row or one of its cells is too long")
}

func TestReadVCard(t *testing.T) {
	file := strings.Join([]string{
		"BEGIN:VCARD", "VERSION:3.0", "N:Roy;Anna;;;", "FN:Anna Roy", "item1.NICKNAME:Nana,Nan", "TEL;type=HOME;type=VOICE:(514) 555-0101", "TEL;type=CELL;type=pref:+1 438-555-0101",
		"PHOTO;ENCODING=b;TYPE=JPEG:" + strings.Repeat("A", 5000), " " + strings.Repeat("B", 5000) + "==", "END:VCARD",
		"BEGIN:VCARD", "VERSION:4.0", "FN:Jos", " é", "TEL;VALUE=uri;TYPE=\"voice,cell\":tel:+1-514-555-0102", "TEL;TYPE=fax:5145550103", "END:VCARD", "",
		"BEGIN:VCARD", "VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:C=C3=B4t=C3=A9;=C3=89lo=", "die;;;", "TEL;CELL;PREF:5145550104", "END:VCARD",
		"\uFEFFBEGIN:VCARD", "VERSION:2.1", "FN;QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=A9", "TEL:5145550105", "END:VCARD",
	}, "\r\n")
	check(t, summary(ReadVCard(strings.NewReader("\uFEFF"+file), "CA")),
		`1 Anna Roy ["Nana" "Nan"] [+14385550101 +15145550101]`, `2 José [] [+15145550102]`, `3 Élodie Côté [] [+15145550104]`, `4 Zoé [] [+15145550105]`)
}

func TestReadVCardRefusesCardsAndSaysWhy(t *testing.T) {
	card := func(lines ...string) string {
		return "BEGIN:VCARD\nVERSION:3.0\n" + strings.Join(lines, "\n") + "\nEND:VCARD\n"
	}
	file := card("FN:Anna", "TEL:5145550101") +
		card("FN:Ánna", "TEL:5145550102") + // 2: the same name
		card("FN:Bea", "TEL:5145550101") + // 3: the same number
		card("FN:Bea", "TEL:72975") +
		card("TEL:5145550103") +
		card("FN:Cat") +
		card("FN:Dee\\nEve", "TEL:5145550104") +
		card("FN:Dee\xff", "TEL:5145550104") +
		card("FN;ENCODING=b:QW5uYQ==", "TEL:5145550104") +
		card("FN;CHARSET=ISO-8859-1:Dee", "TEL:5145550104") +
		card("FN;ENCODING=QUOTED-PRINTABLE:Dee=0AMom", "TEL:5145550104") +
		card("FN:"+strings.Repeat("x", 1<<20), "TEL:5145550104") +
		card("FN:Dee", strings.Repeat("TEL:5145550104\n", 200)) +
		card("FN:Dee", "TEL:tel:+1-514-555-0104;ext=7") +
		card("FN:Mom» 14:05 «hi", "TEL:5145550104") +
		"BEGIN:VCARD\nFN:Fay\nTEL:5145550106\n" + card("FN:Gil", "TEL:5145550107") + // 16 has no end
		"BEGIN:VCARD\nFN:Hal\nTEL:5145550108\n"
	check(t, summary(ReadVCard(strings.NewReader(file), "CA")), "1 Anna", "17 Gil",
		`2 no: The same name`, `3 no: The same name or number`, `4 no: "72975"`, `5 no: The name "" cannot`, `6 no: "Cat" has no`, `7 no: The name "Dee\nEve"`, `8 no: This is not valid UTF-8`,
		`9 no: The card uses`, `10 no: The card uses`, `11 no: The name "Dee\nMom"`, `12 no: The card holds`, `13 no: The card holds`, `14 no: "+1-514`, `15 no: The name "Mom`,
		`16 no: The card is not`, `18 no: The card is not`)
	for _, file := range []string{"", "hello", "PK\x03\x04", "name,number\nAnna,5145550101\n", strings.Repeat("x\n", maxFile)} {
		if entries, refused := ReadVCard(strings.NewReader(file), "CA"); len(entries) != 0 || len(refused) != 1 || refused[0].At != 0 {
			t.Errorf("%.20q: %v %v", file, entries, refused)
		}
	}
}

// The largest files that are taken, made to be slow, are read in time, where work that grows with the square would take hours, and no more than 10,000 contacts are.
func TestImportIsBounded(t *testing.T) {
	var rows, cards strings.Builder
	rows.WriteString("name,number\n")
	for i := range maxEntries + 5 {
		name := "=" // refused at once; it counts all the same
		if i%50 == 0 {
			name = "x" + strings.Repeat(string(rune('a'+i/50%26)), 1+i/50/26)
		}
		fmt.Fprintf(&rows, "%s,514%07d\n", name, 2000000+i)
		fmt.Fprintf(&cards, "BEGIN:VCARD\nFN:%s\nTEL:514%07d\nEND:VCARD\n", name, 2000000+i)
	}
	for _, read := range []func() ([]Entry, []Refused){
		func() ([]Entry, []Refused) { return ReadCSV(strings.NewReader(rows.String()), "CA") },
		func() ([]Entry, []Refused) { return ReadVCard(strings.NewReader(cards.String()), "CA") },
	} {
		entries, refused := read()
		if n := len(entries) + len(refused); n != maxEntries+1 || !errors.Is(refused[len(refused)-1].Why, ErrFile) {
			t.Errorf("%d entries, %d refused", len(entries), len(refused))
		}
	}
	for name, file := range map[string]string{
		"folds":      "BEGIN:VCARD\nFN:A\n" + strings.Repeat(" a\n", 1<<20) + "END:VCARD\n",
		"photo":      "BEGIN:VCARD\nPHOTO:A\n" + strings.Repeat(" a\n", 1<<20) + "END:VCARD\n",
		"soft":       "BEGIN:VCARD\nFN;QUOTED-PRINTABLE:" + strings.Repeat("a", 4000) + strings.Repeat("=\n", 1<<20),
		"parameters": "BEGIN:VCARD\nFN" + strings.Repeat(";A=B", 1<<20) + ":x\nEND:VCARD\n",
		"begins":     strings.Repeat("BEGIN:VCARD\n", 200_000),
		"quotes":     "name,number\n" + strings.Repeat("\"\n", 1<<20),
		"commas":     "name,number\n" + strings.Repeat(",", 1<<20),
		"blank":      "name,number\n" + strings.Repeat(",\n", 1<<20),
		"lines":      "name,number\n" + strings.Repeat("\n", 1<<20) + "A,5145550101",
	} {
		begin := time.Now()
		a, b := ReadVCard(strings.NewReader(file), "CA")
		c, d := ReadCSV(strings.NewReader(file), "CA")
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s took %s", name, took)
		}
		if len(b)+len(d) == 0 || len(a)+len(c) > 1 {
			t.Errorf("%s: %d %d %d %d", name, len(a), len(b), len(c), len(d))
		}
	}
}

func fuzzReader(f *testing.F, read func(io.Reader, string) ([]Entry, []Refused)) {
	f.Fuzz(func(t *testing.T, file []byte) {
		entries, refused := read(bytes.NewReader(file), "CA")
		var seen book
		for _, e := range entries {
			c, err := New(e.Contact.Name, e.Contact.Aliases, nil, "CA")
			if !errors.Is(err, ErrNoNumber) || len(e.Contact.Numbers) == 0 || e.Contact.To != e.Contact.Numbers[0] || e.At < 1 {
				t.Fatalf("%+v %+v %v", e, c, err)
			}
			for _, n := range e.Contact.Numbers {
				if again, err := Number(string(n), "CA"); err != nil || again != n {
					t.Fatalf("%q", n)
				}
			}
			if err := seen.fits(e.Contact); err != nil {
				t.Fatalf("merged or doubled: %v", err)
			}
			seen.add(e.Contact)
		}
		for _, r := range refused {
			if s := r.Name + Sentence(lang.FR, r.Why); !errors.As(r.Why, new(*Refusal)) || strings.ContainsFunc(s, hidden) {
				t.Fatalf("%q %v", s, r.Why)
			}
		}
	})
}

func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{"name,number\nAnna,5145550101\n", "nom;numéro;surnom\nA;5145550101;b|c\n", "name,number\n\"A\nb\",1\n", "first name,last name,phone\na,b,5145550101"} {
		f.Add([]byte(s))
	}
	fuzzReader(f, ReadCSV)
}

func FuzzReadVCard(f *testing.F) {
	for _, s := range []string{"BEGIN:VCARD\nFN:Anna\nTEL:5145550101\nEND:VCARD\n", "BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=C3=\n=89;b\nTEL;CELL:1\nEND:VCARD", "a.BEGIN:VCARD\nBEGIN:VCARD\nTEL;TYPE=\"a,b\":tel:+1\nEND:X"} {
		f.Add([]byte(s))
	}
	fuzzReader(f, ReadVCard)
}
