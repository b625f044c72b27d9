package show

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/page/body"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

// shown is a message as a page reads it.
type shown struct {
	N        int
	Kind     string
	Role     string
	Draft    int
	To       string
	Number   string
	Segments int
	Stage    string
	Count    int
	Cut      bool
	Lines    []struct {
		Pieces []struct{ T, M, L string }
		Folded string
	}
}

func read(t testing.TB, b []byte) (s shown) {
	t.Helper()
	if len(b) > MostBytes {
		t.Errorf("%d bytes", len(b))
	}
	if !utf8.Valid(b) {
		t.Error("it is no UTF-8")
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return s
}

// words are what a page draws as words, and marked says whether anything is not.
func (s shown) words(t testing.TB) (words string, marked bool) {
	t.Helper()
	var b strings.Builder
	for i, l := range s.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		marked = marked || l.Folded != ""
		for _, p := range l.Pieces {
			b.WriteString(p.T)
			for _, r := range p.T { // the joiners and selectors of emoji and of scripts are what body leaves where they belong
				if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\ufeff' || r == '\u200b' || r == '\u2060' {
					t.Errorf("%U is shown as it is", r)
				}
			}
			if p.M != "" {
				if marked = true; p.T != "" || p.L == "" {
					t.Errorf("a mark %+v", p)
				}
			}
		}
	}
	return b.String(), marked
}

// turnOf makes turns: the caller's words, the agent's, a tool's, and a key.
func turnOf(t testing.TB, role voice.Role, words string, key rune) voice.Turn {
	t.Helper()
	tr, ear := voice.NewTranscript(time.Now)
	switch {
	case role == voice.Agent:
		return tr.Agent(untrusted.New(words))
	case role == voice.Tool:
		return tr.Tool(untrusted.New(words))
	case key != 0:
		turn, err := ear.Key(key, 0)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	u, err := ear.Begin(0)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := u.Final(untrusted.New(words))
	if err != nil {
		t.Skip("no words are no turn")
	}
	return turn
}

// flatLines writes lines so that they compare.
func flatLines(all []body.Line) (out []string) {
	for _, l := range all {
		out = append(out, l.Folded)
		for _, p := range l.Pieces {
			out = append(out, p.Text, p.Mark, p.Label)
		}
	}
	return out
}

func (s shown) flat() (out []string) {
	for _, l := range s.Lines {
		out = append(out, l.Folded)
		for _, p := range l.Pieces {
			out = append(out, p.T, p.M, p.L)
		}
	}
	return out
}

// FuzzShow: what goes in comes out, whoever said it and whatever it is; nothing that reorders or hides is among the words; and what is too long is cut and says so, unless it is a draft.
func FuzzShow(f *testing.F) {
	for _, s := range []string{
		"Hello.", " a\n\n\n\nb  ", "x\u202ey\u2066z", "a\x00b\x1b[31m\u0085\u2028", "\xff\xfe", "👨‍👩‍👧 é", "</script><img src=x onerror=1>", `","kind":"stage","stage":"left"`, "{\"t\":\"x\"}",
		strings.Repeat("\u202e", 5000), strings.Repeat("a", 20000), strings.Repeat("<", 9000), strings.Repeat("a   ", 80), strings.Repeat("a\n", 160), strings.Repeat("😀", 4000), "שלום \u200fx",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, words string, french bool) {
		l := lang.EN
		if french {
			l = lang.FR
		}
		for _, role := range []voice.Role{voice.Caller, voice.Agent} {
			got := read(t, message(l, 7, waiting{shown: voice.ShownTurn{Turn: turnOf(t, role, words, 0)}}))
			if got.N != 7 || got.Kind != "turn" || got.Role != role.String() {
				t.Fatalf("%+v", got)
			}
			plain, marked := got.words(t)
			switch {
			case got.Cut:
				if len(words) <= MostBytes/40 {
					t.Errorf("%q was cut", words)
				}
				if !marked && !strings.HasPrefix(words, plain) {
					t.Errorf("%q is no beginning", plain)
				}
			case !slices.Equal(got.flat(), flatLines(body.Lines(l, words))):
				t.Errorf("%q is shown as %q", words, got.flat())
			case !marked && plain != words:
				t.Errorf("%q is shown as %q", words, plain)
			}
		}
		if clean.Drawable(words) != nil || utf8.RuneCountInString(words) > 320 {
			return // it is no draft
		}
		got := read(t, message(l, 1, waiting{shown: voice.ShownDraft{Name: "Marie Tremblay", Number: "+15145550101", Body: words, Segments: 3}}))
		if got.Kind != "draft" || got.To != "Marie Tremblay" || got.Number != "+15145550101" || got.Segments != 3 || got.Cut || !slices.Equal(got.flat(), flatLines(body.Lines(l, words))) {
			t.Errorf("%q is shown as %+v", words, got)
		}
	})
}

// TestInvariant14ADraftIsShownWholeOnAPage, the longest and the worst that may be one.
func TestInvariant14ADraftIsShownWholeOnAPage(t *testing.T) {
	for _, one := range []string{"a", "a   ", "a\n", "a \n", "<", "\"", "\n", "é", "😀", "👨‍👩‍👧‍👦", "\u00a0\u00a0\u00a0x", "&\u2009\u2009\u2009"} {
		words := strings.Repeat(one, 320/utf8.RuneCountInString(one))
		got := read(t, message(lang.FR, 1, waiting{shown: voice.ShownDraft{Name: strings.Repeat("É", 40), Number: "+15145550101", Body: words, Segments: 1}}))
		if !slices.Equal(got.flat(), flatLines(body.Lines(lang.FR, words))) {
			t.Errorf("%q is not shown whole", one)
		}
	}
}

// TestInvariant11NoDigitIsShown: a key is a key.
func TestInvariant11NoDigitIsShown(t *testing.T) {
	var first []byte
	for _, k := range voice.Keys {
		b := message(lang.EN, 1, waiting{shown: voice.ShownTurn{Turn: turnOf(t, voice.Caller, "", k)}})
		if first == nil {
			first = b
			if words, marked := read(t, b).words(t); words != "" || !marked {
				t.Errorf("a key is shown as %s", b)
			}
		}
		if string(b) != string(first) {
			t.Errorf("the key %q is shown as %s", k, b)
		}
	}
}

// TestWhatIsNotShown: what a tool answers to the model, and a turn of nobody.
func TestWhatIsNotShown(t *testing.T) {
	for what, x := range map[string]voice.Shown{"a tool's answer": voice.ShownTurn{Turn: turnOf(t, voice.Tool, "a frame", 0)}, "nobody's turn": voice.ShownTurn{}, "nothing": nil} {
		if b := message(lang.EN, 1, waiting{shown: x}); b != nil {
			t.Errorf("%s is shown as %s", what, b)
		}
	}
}

// TestTheWire is what the page is built on, byte for byte.
func TestTheWire(t *testing.T) {
	for want, x := range map[string]voice.Shown{
		`{"n":1,"kind":"turn","role":"agent","lines":[{"pieces":[{"t":"Hello."}]}]}`:         voice.ShownTurn{Turn: turnOf(t, voice.Agent, "Hello.", 0)},
		`{"n":1,"kind":"turn","role":"caller","lines":[{"pieces":[{"m":"⌨","l":"a key"}]}]}`: voice.ShownTurn{Turn: turnOf(t, voice.Caller, "", '1')},
		`{"n":1,"kind":"stage","draft":3,"stage":"reading"}`:                                 voice.ShownStage{Stage: voice.StageReading},
		`{"n":1,"kind":"others","count":0}`:                                                  voice.ShownOthers{},
		`{"n":1,"kind":"turn","role":"caller","lines":[{"pieces":[{"t":"a"},{"m":"U+202E","l":"U+202E"},{"t":"b"}]},{"folded":"3 empty lines"},{"pieces":[{"t":"c"}]}]}`: voice.ShownTurn{Turn: turnOf(t, voice.Caller, "a\u202eb\n\n\n\nc", 0)},
		`{"n":1,"kind":"draft","draft":3,"to":"Marie U+202Ex","number":"+15145550101","segments":1,"lines":[{"pieces":[{"t":"Late."}]}]}`:                                voice.ShownDraft{Name: "Marie \u202ex", Number: "+15145550101", Body: "Late.", Segments: 1},
	} {
		if got := string(message(lang.EN, 1, waiting{shown: x, draft: 3})); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
