package consent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"readback/test/corpora"
)

// ironies begin rows of the public sets that are labelled "no" for their tone: the words are assent or praise. They were picked by reading the rows.
var ironies = strings.Split("oh |ah oui|ah ouais|ah bravo|ah clairement|sure |suure |k sure|riight |riiight |right |yeah |yea right|yep clearly|yes because|yes clearly|totally |cool story|wow |like yeah right|"+
	"oui oui|oui quel|oui bien sur|ouais bien sur|bien sur |bien entendu |c est ca |mais oui|vraiment mais oui|evidemment |naturellement |certainement |assurement |absolument |super |genial |carrement |on est vraiment", "|")

func ironic(s string) bool {
	s = strings.Join(split(s), " ") + " "
	for _, i := range ironies {
		if strings.HasPrefix(s, i) {
			return true
		}
	}
	return false
}

// beginnings are rows of the public sets that are labelled "yes", and no yes here by a rule of this project: a pause after them makes a turn of how "please wait" or a word to the driver
// ahead begins. They are counted, and left out of the recall.
var beginnings = []string{"please", "s il vous plait", "allez"}

// count is what was measured of one set.
type count struct {
	begun                  int // rows left out: beginnings
	two                    int // rows left out: the same words carry another label as well
	yes, no, other, irony  int // rows
	hit                    int // yes rows that are judged Yes
	lost                   int // yes rows that are judged No
	onNo, onOther, onIrony []string
	refused                int // no rows that are judged No
}

func measure(rows []sample) (c count) {
	labels := map[string]map[string]bool{}
	key := func(a sample) string {
		asks := strings.Contains(a.words, "?")
		return fmt.Sprint(a.lang, asks, foreign(a.words), split(a.words))
	}
	for _, a := range rows {
		if labels[key(a)] == nil {
			labels[key(a)] = map[string]bool{}
		}
		labels[key(a)][a.label] = true
	}
	for _, a := range rows {
		verdict := judge(a.words)
		said := func(list *[]string) {
			if verdict == Yes {
				*list = append(*list, a.words)
			}
		}
		switch {
		case len(labels[key(a)]) > 1:
			c.two++
		case a.label == "yes" && slices.Contains(beginnings, strings.Join(split(a.words), " ")):
			c.begun++
			if verdict != Unclear {
				c.onOther = append(c.onOther, a.words)
			}
		case a.label == "yes":
			c.yes++
			switch verdict {
			case Yes:
				c.hit++
			case No:
				c.lost++
			}
		case a.label == "no" && verdict != No && ironic(a.words):
			c.irony++
			said(&c.onIrony)
		case a.label == "no":
			c.no++
			said(&c.onNo)
			if verdict == No {
				c.refused++
			}
		default:
			c.other++
			said(&c.onOther)
		}
	}
	return c
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// TestInvariant10Measured prints what `make consent` is for, and holds its aims: no false yes on rows that say no; on the others only where all the words are a yes, which are
// listed here; and the recall.
func TestInvariant10Measured(t *testing.T) {
	sets := []string{"clinc150", "clinc150_dialog", "hwu64", "forsure_train", "leon", "mycroft"}
	expected := map[string]string{"clinc150": "okay thanks"}
	sarcastic := map[string]string{"forsure_train": "oui bien sûr, évidemment"} // the tone alone could tell
	var table, lists strings.Builder
	line := func(name string, c count) {
		fmt.Fprintf(&table, "| %s | %d of %d | %d of %d | %d of %d | %s (%d of %d) | %d | %s | %d | %d |\n",
			name, len(c.onNo), c.no, len(c.onOther), c.other, len(c.onIrony), c.irony, percent(c.hit, c.yes), c.hit, c.yes, c.lost, percent(c.refused, c.no), c.two, c.begun)
		for kind, list := range map[string][]string{"no": c.onNo, "other": c.onOther, "sarcasm": c.onIrony} {
			for _, s := range list {
				fmt.Fprintf(&lists, "false yes, %s, %s: %q\n", name, kind, s)
			}
		}
	}
	for _, name := range sets {
		var rows []sample
		for _, f := range corpora.Table(t, "consent/"+name) {
			rows = append(rows, sample{f[0], f[1], f[2], ""})
		}
		c := measure(rows)
		line(name, c)
		if len(c.onNo) > 0 {
			t.Errorf("%s: a yes where they say no: %q", name, c.onNo)
		}
		if got := strings.Join(c.onOther, "|"); got != expected[name] {
			t.Errorf("%s: a yes where they say something else: %q", name, c.onOther)
		}
		if got := strings.Join(c.onIrony, "|"); got != sarcastic[name] {
			t.Errorf("%s: a yes where they are sarcastic: %q", name, c.onIrony)
		}
		if (name == "leon" || name == "mycroft") && c.hit*100 < 95*c.yes {
			t.Errorf("%s: recall %s", name, percent(c.hit, c.yes))
		}
	}
	own := answers(t)
	c := measure(own)
	line("our own answers", c)
	if len(c.onNo)+len(c.onOther)+len(c.onIrony) > 0 || c.hit*100 < 95*c.yes || c.two > 0 {
		t.Errorf("our own answers: %+v", c)
	}
	t.Logf("\n| set | false yes on no | false yes on other | false yes on sarcasm | recall of yes | yes judged no | no judged no | two labels, left out | beginnings, left out |\n|---|---|---|---|---|---|---|---|---|\n%s\n%s", &table, &lists)
}

// TestOurOwnAnswers holds every row of the project's own list, with its reason.
func TestOurOwnAnswers(t *testing.T) {
	all := answers(t)
	if len(all) < 300 {
		t.Errorf("%d answers", len(all))
	}
	seen := map[string]bool{}
	for _, a := range all {
		if got := judge(a.words).String(); got != a.label {
			t.Errorf("%q is judged %s, and is %s: %s", a.words, got, a.label, a.why)
		}
		if seen[a.lang+a.words] {
			t.Errorf("%q stands there twice", a.words)
		}
		seen[a.lang+a.words] = true
	}
}
