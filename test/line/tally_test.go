package line

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/store"
	"readback/test/testbed"
)

// stored reads all received texts out of the store of a program that has ended.
func stored(t *testing.T, data string) (all []smsmcp.Row) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(data, "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	q := smsmcp.Query{Strangers: true, Limit: 500}
	for {
		page, err := s.Texts(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Rows {
			if r.Text.Direction == smsmcp.Received {
				all = append(all, r)
			}
		}
		if !page.Older {
			return all
		}
		q.Before = smsmcp.Cursor{At: page.Rows[0].Text.At, ID: page.Rows[0].Text.ID}
	}
}

// peer names a sender as the tests' own table does.
func peer(p smsmcp.Peer) string {
	switch p.Kind {
	case smsmcp.PeerNumber:
		return string(p.Number)
	case smsmcp.PeerCode:
		return p.Code
	case smsmcp.PeerLabel:
		return "label:" + p.Label.RawForStore()
	}
	return ""
}

// in is how a sender's number is stored.
func (s sender) in() string {
	if len(s.listed) == 10 {
		return "+1" + s.listed
	}
	return s.listed
}

// key is a text as it is counted: who and what.
type key struct{ who, what string }

// missing compares two counts and reports each difference; it gives how many there are.
func missing(t *testing.T, where string, want, got map[key]int) (wrong int) {
	t.Helper()
	for k, n := range want {
		if got[k] != n {
			if wrong++; wrong <= 10 {
				t.Errorf("%s: %d times, not %d: %s: %s", where, got[k], n, k.who, short(k.what))
			}
		}
	}
	for k, n := range got {
		if want[k] == 0 {
			if wrong++; wrong <= 10 {
				t.Errorf("%s: %d times, and was never sent: %s: %s", where, n, k.who, short(k.what))
			}
		}
	}
	if wrong > 10 {
		t.Errorf("%s: %d differences in all", where, wrong)
	}
	return wrong
}

// altered are the forms that a body may have been given on its way, by whichever way it came first: Asterisk takes trailing line breaks off, and a backslash before
// a quote is taken for voip.ms's own, which puts one before every quote, or two.
func altered(body string) []string {
	return []string{body, strings.TrimRight(body, "\r\n"), unquote.Replace(body), unquote.Replace(strings.TrimRight(body, "\r\n"))}
}

var unquote = strings.NewReplacer(`\\"`, `"`, `\\'`, `'`, `\"`, `"`, `\'`, `'`)

// sent finds what a stored text was when it was written, among those that are wanted still.
func sent(want map[key]int, stored key) key {
	if want[stored] > 0 {
		return stored
	}
	for k, n := range want {
		if n > 0 && k.who == stored.who && slices.Contains(altered(k.what), stored.what) {
			return k
		}
	}
	return stored
}

// notes are what ntfy has of a topic: the notifications of each sequence, in the order in which they were published, and how many texts summaries tell of.
type notes struct {
	bySequence map[string][]testbed.Notification
	summed     int
}

var summary = regexp.MustCompile(`^(\d+) more texts?$`)

func read(all []testbed.Notification) notes {
	n := notes{bySequence: map[string][]testbed.Notification{}}
	last := map[string]int{}
	for _, x := range all {
		if m := summary.FindStringSubmatch(x.Title); m != nil {
			last[x.SequenceID], _ = strconv.Atoi(m[1])
			continue
		}
		n.bySequence[x.SequenceID] = append(n.bySequence[x.SequenceID], x)
	}
	for _, c := range last {
		n.summed += c
	}
	return n
}

// counted is each sequence as it stands now: whom it names and the writer's words, as altered as they may be. A sequence whose words changed is reported.
func (n notes) counted(t *testing.T) map[key]int {
	got := map[key]int{}
	for id, all := range n.bySequence {
		end := all[len(all)-1]
		for _, x := range all[:len(all)-1] {
			if t != nil && words(x) != words(end) {
				t.Errorf("the sequence %s is of two texts: %s and %s", id, short(x.Message), short(end.Message))
			}
		}
		got[key{called(end), unquote.Replace(words(end))}]++
	}
	return got
}
