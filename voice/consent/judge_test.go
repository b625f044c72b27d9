package consent

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
)

func TestInvariant10TheZeroVerdictIsUnclear(t *testing.T) {
	var v Verdict
	if v != Unclear || Judge(voice.Turn{}) != Unclear || Verdict(9).String() != "unclear" {
		t.Error("nothing was said, and it is an answer")
	}
}

func TestInvariant10OnlyTheCallerAnswers(t *testing.T) {
	tr, _ := voice.NewTranscript(func() time.Time { return noon })
	for _, words := range []string{"yes send it", "oui", "non", "change it to six"} {
		u := untrusted.New(words)
		for _, turn := range []voice.Turn{tr.Agent(u), tr.Tool(u)} {
			if got := Judge(turn); got != Unclear || Change(turn) {
				t.Errorf("the %v says %q: %v", turn.Role(), words, got)
			}
		}
	}
	if Judge(spoken("yes send it", noon, noon)) != Yes || !Change(spoken("change it to six", noon, noon)) {
		t.Error("the caller is not heard")
	}
}

func TestKeysAreJudged(t *testing.T) {
	for _, k := range voice.Keys {
		want := map[rune]Verdict{'1': Yes, '2': No}[k]
		if turn := pressed(k, noon, noon); Judge(turn) != want || Change(turn) {
			t.Errorf("key %q: %v", k, Judge(turn))
		}
	}
}

// TestInvariant10NoPromptHoldsAYes says that no part of what the program says before and while it waits for an answer would be a yes, if the line brought it back.
func TestInvariant10NoPromptHoldsAYes(t *testing.T) {
	prompts := catalogue(t)
	if len(prompts) < 7 {
		t.Fatalf("%d sentences found", len(prompts))
	}
	for name, m := range prompts {
		for _, l := range []lang.Lang{lang.EN, lang.FR} {
			words := split(argument.ReplaceAllString(m.In(l), "Zoé"))
			for i, w := range words {
				for _, e := range entries[w] {
					if len(e.rest) == 0 && e.kind <= please {
						t.Errorf("%s, %s: %q is a yes", name, l, w)
					}
				}
				for j := i + 1; j <= len(words); j++ {
					if judge(strings.Join(words[i:j], " ")) == Yes {
						t.Errorf("%s, %s: %q is a yes", name, l, words[i:j])
					}
				}
			}
		}
	}
}

// argument is what stands in a sentence for a name or a number.
var argument = regexp.MustCompile(`%(\[\d\])?[sd]`)

// catalogue reads all that is said aloud on a call from its source, so that no sentence can be forgotten here.
func catalogue(t *testing.T) map[string]lang.Message {
	t.Helper()
	names, err := filepath.Glob("../../smsmcp/lang/spoken/*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]lang.Message{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) != 2 {
				return true
			}
			var both [2]string
			for i, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Value
				}
				if b, ok := e.(*ast.BasicLit); !ok || b.Kind != token.STRING {
					return true
				} else if both[i], err = strconv.Unquote(b.Value); err != nil {
					t.Fatal(err)
				}
			}
			all[both[0]] = lang.Message{EN: both[0], FR: both[1]}
			return true
		})
	}
	return all
}

// TestTheListsAgree says that each phrase that is to be a yes is one, and that none holds a refusal.
func TestTheListsAgree(t *testing.T) {
	n := 0
	for _, rows := range [][]row{yesRows, sendRows} {
		for _, phrase := range phrases(rows) {
			n++
			if s := strings.Join(phrase, " "); judge(s) != Yes {
				t.Errorf("%q is %v", s, judge(s))
			}
		}
	}
	for _, rows := range [][]row{pleaseRows, bareRows, politeRows, hasteRows, answerRows, supportRows, openerRows, joinerRows, doubtRows, murmurRows, changeRows, maskRows} {
		for _, phrase := range phrases(rows) {
			n++
			if s := strings.Join(phrase, " "); judge(s) != Unclear {
				t.Errorf("%q is %v", s, judge(s))
			}
		}
	}
	for _, phrase := range phrases(noRows) {
		n++
		for _, s := range []string{strings.Join(phrase, " "), "yes " + strings.Join(phrase, " "), "oui envoie le " + strings.Join(phrase, " ") + " d'accord", strings.Join(phrase, " ") + " ?"} {
			if judge(s) != No {
				t.Errorf("%q is %v", s, judge(s))
			}
		}
	}
	t.Logf("%d phrases", n)
	for _, rows := range [][]row{yesRows, pleaseRows, sendRows, bareRows, politeRows, hasteRows, answerRows, supportRows, openerRows, joinerRows, doubtRows, murmurRows, noRows, maskRows, changeRows} {
		for _, r := range rows {
			for phrase := range strings.SplitSeq(r.words, ",") {
				if phrase = strings.TrimSpace(phrase); strings.Join(fold.Words(phrase), " ") != phrase {
					t.Errorf("%q is not written as it is seen: %q", phrase, fold.Words(phrase))
				}
			}
			if r.lang != "en" && r.lang != "fr" || r.why == "" {
				t.Errorf("%q has no language or no reason", r.words)
			}
		}
	}
}

// guises writes a turn as other recognisers would.
func guises(s string) map[string]string {
	words := strings.Fields(s)
	return map[string]string{
		"upper case":             strings.ToUpper(s),
		"lower case":             strings.ToLower(s),
		"no accents":             fold.Key(s),
		"commas":                 strings.Join(words, ", ") + ".",
		"dots":                   "… " + strings.Join(words, " … ") + " …",
		"exclamations":           "¡" + strings.Join(words, " ") + "!!",
		"quotes and brackets":    "«" + strings.Join(words, " ") + "» [" + "]",
		"spaces":                 "\t " + strings.Join(words, "   ") + "\n",
		"no apostrophes":         strings.NewReplacer("'", " ", "’", " ").Replace(s),
		"typographic":            strings.ReplaceAll(s, "'", "’"),
		"hyphens":                strings.Join(words, "-"),
		"no-break spaces":        strings.Join(words, "\u00a0"),
		"apostrophes at the end": s + "'",
	}
}

// TestTheGuiseOfATurnChangesNothing: case, accents, punctuation and spaces.
func TestTheGuiseOfATurnChangesNothing(t *testing.T) {
	all := answers(t)
	for _, a := range all {
		for how, s := range guises(a.words) {
			if got := judge(s).String(); got != a.label {
				t.Errorf("%q, %s, is %s: %q is %s", a.words, how, got, s, a.label)
			}
		}
	}
}

var parts = func() (parts [][][]string) {
	for _, rows := range [][]row{yesRows, pleaseRows, sendRows, bareRows, politeRows, hasteRows, answerRows, supportRows, openerRows, joinerRows} {
		parts = append(parts, phrases(rows))
	}
	return parts
}()

// composed makes a random turn of entries.
func composed(r *rand.Rand) string {
	var words []string
	for range 1 + r.IntN(4) {
		p := parts[r.IntN(len(parts))]
		words = append(words, p[r.IntN(len(p))]...)
	}
	return strings.Join(words, " ")
}

var strangers = strings.Fields("mais but if si marie mom maman six 7 tomorrow demain late retard because que to à her lui if not pas the le i je we on would peut-être maybe what quoi why pourquoi love aime 👎 yesterday nope " +
	"yes-ter ouistiti okapi surely-not envoient sender surge nonante noon knot 我 да sí ja и oui\u200boui %")

func TestInvariant10AWordMoreIsNoYes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	yes := 0
	for range 20000 {
		s := composed(r)
		if judge(s) != Yes {
			continue
		}
		yes++
		for how, g := range guises(s) {
			if judge(g) != Yes {
				t.Errorf("%q is a yes, and with %s %q is not", s, how, g)
			}
		}
		words := strings.Fields(s)
		w := strangers[r.IntN(len(strangers))]
		if !outside(w) {
			continue
		}
		at := r.IntN(len(words) + 1)
		if more := strings.Join(slices.Insert(slices.Clone(words), at, w), " "); judge(more) == Yes {
			t.Errorf("%q is a yes, and so is %q", s, more)
		}
	}
	if yes < 2000 {
		t.Errorf("%d turns are a yes: this test sees too little", yes)
	}
}

// outside says that a word is in none of the lists: some part of it is not.
func outside(w string) bool {
	return foreign(w) || slices.ContainsFunc(split(w), func(p string) bool { return entries[p] == nil && !inner(p) })
}

// inner says that a word stands inside an entry.
func inner(w string) bool {
	for _, es := range entries {
		for _, e := range es {
			if slices.Contains(e.rest, w) {
				return true
			}
		}
	}
	return false
}

func TestBoundsOfATurn(t *testing.T) {
	for s, want := range map[string]Verdict{
		"":                                 Unclear,
		" \n":                              Unclear,
		"?!…":                              Unclear,
		strings.Repeat("yes ", 16):         Yes,
		strings.Repeat("yes ", 17):         Unclear,
		strings.Repeat("yes ", 900) + "no": No,
		strings.Repeat("no ", 2000):        Unclear,
		"yes\xff":                          Unclear,
		"y\u00ads":                         Unclear,
		"yes\u202e":                        Unclear,
		"ｙｅｓ":                              Yes,
		"yes\x00":                          Unclear,
	} {
		if got := judge(s); got != want {
			t.Errorf("%.20q (%d bytes) is %v", s, len(s), got)
		}
	}
	if !change(strings.Repeat("x", 5000)) {
		t.Error("a very long turn is no request")
	}
}

func TestChange(t *testing.T) {
	for s, want := range map[string]bool{
		"non dis plutôt six heures": true, "yes but make it seven": true, "change it to tomorrow": true, "send it to dad instead": true, "turn left in two hundred feet": true,
		"no": false, "non merci": false, "euh": false, "what": false, "yes um": false, "ben mais oui": false, "send the message please": false, "": false, "merci beaucoup": false,
	} {
		if got := change(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func TestInvariant10AnEchoIsNoAnswer(t *testing.T) {
	prompt := "Text to Zoé: yes I will send it, see you at home. Shall it leave?"
	for s, want := range map[string]bool{
		"yes I will send it":         true,
		"YES, i'll send it!":         true,
		"yes send it":                true,
		"see you at home":            true,
		"yes":                        true, // by chance: the body holds it
		"see you at the homes shall": true,
		"home shall it leave":        true,
		"oui":                        false,
		"yeah go ahead":              false,
		"home at you see":            false, // another order
		"yes please":                 false, // half of it
		"no":                         false,
	} {
		if got := Echo(spoken(s, noon, noon), prompt); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
	if Echo(pressed('1', noon, noon), prompt) || Echo(spoken("oui", noon, noon), "") {
		t.Error("a key, or a word after nothing, is an echo")
	}
	if !echo(strings.Repeat("oui ", 65), "x") || !echo("oui", strings.Repeat("x ", 1025)) || !echo(strings.Repeat("x", 5000), "") {
		t.Error("what is too long to compare is no echo")
	}
}

func FuzzJudge(f *testing.F) {
	for _, a := range answers(f) {
		f.Add(a.words, "maman", uint(1))
	}
	f.Add("yes\xff", "👎", uint(0))
	f.Fuzz(func(t *testing.T, s, w string, at uint) {
		verdict := judge(s)
		change(s)
		echo(s, w)
		echo(w, s)
		if verdict != Yes {
			return
		}
		for how, g := range map[string]string{"dot": s + ".", "comma": ", " + s, "space": " " + s + "\t"} {
			if judge(g) != Yes {
				t.Errorf("%q is a yes, and with a %s not", s, how)
			}
		}
		words := strings.Fields(s)
		if !outside(w) {
			return
		}
		i := int(at % uint(len(words)+1))
		if more := strings.Join(slices.Insert(slices.Clone(words), i, w), " "); judge(more) == Yes {
			t.Errorf("%q is a yes, and so is %q", s, more)
		}
	})
}
