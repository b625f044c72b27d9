package card

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// TestInvariant14TheCardWritesNoHTML: the script has no word by which a text could become markup, code or a request, and the document names no other place.
func TestInvariant14TheCardWritesNoHTML(t *testing.T) {
	for _, word := range []string{
		"innerHTML", "outerHTML", "insertAdjacent", "document.write", "parseFromString", "setHTML", "createContextualFragment", "srcdoc", "eval", "Function(", "import(", "fetch", "XMLHttp",
		"WebSocket", "EventSource", "sendBeacon", "Image(", ".src", ".href", "location", "localStorage", "sessionStorage", "cookie", "indexedDB", "cssText", "setProperty",
	} {
		if strings.Contains(script, word) {
			t.Errorf("the script says %s", word)
		}
	}
	if names := regexp.MustCompile(`setAttribute\("([a-z-]+)"`).FindAllStringSubmatch(script, -1); len(names) != strings.Count(script, "setAttribute") {
		t.Error("an attribute's name is not written out")
	} else {
		for _, n := range names {
			if !slices.Contains([]string{"role", "aria-label"}, n[1]) {
				t.Errorf("it sets %s", n[1])
			}
		}
	}
	for name, s := range map[string]string{"script": script, "style": style, "page": page} {
		if regexp.MustCompile(`(?i)https?:|//[a-z]|@import|url\(|<(img|iframe|object|embed|link|base|form|a)\b| on[a-z]+=`).MatchString(regexp.MustCompile(`(?m)^\s*//.*$|; // .*$`).ReplaceAllString(s, "")) {
			t.Errorf("the %s leads elsewhere", name)
		}
	}
}

// TestInvariant14TheCardRunsItsOwnScriptAlone: the policy stands before all else that the browser obeys, and names the hashes of what follows.
func TestInvariant14TheCardRunsItsOwnScriptAlone(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR, ""} {
		var order []string
		var policy string
		words := map[string]string{}
		z := html.NewTokenizer(strings.NewReader(Document(l)))
		for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
			tok := z.Token()
			switch {
			case kind == html.StartTagToken && (tok.Data == "style" || tok.Data == "script"):
				order = append(order, tok.Data)
				if len(tok.Attr) > 0 {
					t.Errorf("%s has %v", tok.Data, tok.Attr)
				}
				z.Next()
				words[tok.Data] = string(z.Raw())
			case kind == html.StartTagToken && tok.Data == "meta":
				if slices.Contains(tok.Attr, html.Attribute{Key: "http-equiv", Val: "Content-Security-Policy"}) {
					order = append(order, "policy")
					policy = tok.Attr[1].Val
				}
			}
		}
		if !slices.Equal(order, []string{"policy", "style", "script"}) {
			t.Errorf("%s: %v", l, order)
		}
		of := func(what string) string {
			sum := sha256.Sum256([]byte(words[what]))
			return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
		if want := "default-src 'none'; script-src " + of("script") + "; style-src " + of("style") + "; base-uri 'none'; form-action 'none'"; policy != want {
			t.Errorf("%s: %s\nwant %s", l, policy, want)
		}
		if strings.Contains(Document(l), "ZgotmplZ") || len(Document(l)) > 20_000 {
			t.Errorf("%s: %d bytes", l, len(Document(l)))
		}
	}
	if !strings.Contains(Document(lang.FR), lang.CardDont.FR) || !strings.Contains(Document(lang.FR), `lang="fr"`) || Document("") != Document(lang.EN) {
		t.Error("the languages are mixed up")
	}
}

// TestInvariant14TheCardIsHandedTheWholeBody: its pieces are the body, and what would not be seen is a mark.
func TestInvariant14TheCardIsHandedTheWholeBody(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 10, 0, 0, time.UTC)
	body := "Hi  \n\n\n\n<b>bold</b> & «x» \\u003c\nbye"
	d := Of(lang.EN, smsmcp.Send{
		ID: "abcdefghij", Name: "Marie", By: "laptop", Kind: smsmcp.SMS, Segments: 1, Expires: at,
		Draft: smsmcp.NewDraft(smsmcp.Contact{ID: 1, To: "+15145550101"}, body),
	}, at.Add(-90*time.Second), "s3cret", []string{"because"}, "noon", "")
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	want := `[{"Folded":"","Pieces":[{"Label":"","Mark":"","Text":"Hi"},{"Label":"2 spaces","Mark":"␣␣","Text":""}]},{"Folded":"3 empty lines","Pieces":null},` +
		`{"Folded":"","Pieces":[{"Label":"","Mark":"","Text":"<b>bold</b> & «x» \\u003c"}]},{"Folded":"","Pieces":[{"Label":"","Mark":"","Text":"bye"}]}]`
	if b, _ := marshal(got["body"]); b != want {
		t.Errorf("%s\nwant %s", b, want)
	}
	if got["secret"] != "s3cret" || got["to"] != "Marie" || got["number"] != "+15145550101" || got["id"] != "abcdefghij" || int64(got["left"].(float64)) != 90_000 ||
		got["size"] != "6 lines, 31 characters, 1 segment (SMS)" || got["instead"] != nil {
		t.Errorf("%s", raw)
	}
}

func marshal(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
