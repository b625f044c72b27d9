package frame

import (
	"strings"
	"sync"
	"testing"

	"readback/smsmcp/signs"
	"readback/test/corpora"
)

// TestAMemoChangesNothing: what is remembered is what would be found, for each way to show a body, and from many goroutines at once.
func TestAMemoChangesNothing(t *testing.T) {
	var m Memo
	var bodies []string
	for _, set := range []string{"sms_uci_ham", "attack_deepset", "unicode_blns"} {
		bodies = append(bodies, corpora.Texts(t, set)...)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, b := range bodies {
				for _, q := range []question{{b, 4000, true, true}, {b, 4000, true, false}, {b, 4000, false, true}, {b, 10, true, true}} {
					want, got := q.find(), m.of(q)
					if got.Result != want.Result || got.masked != want.masked || join(got.alarms) != join(want.alarms) {
						t.Errorf("%+v: %+v, want %+v", q, got, want)
					}
				}
			}
		})
	}
	all.Wait()
}

func TestAMemoIsBounded(t *testing.T) {
	var m Memo
	for i := range 3000 {
		m.of(question{body: strings.Repeat("x", 1000) + string(rune('一'+i))})
	}
	held := 0
	for q := range m.kept {
		held += len(q.body)
	}
	if held > memoBytes || held != m.bytes {
		t.Errorf("%d bytes are kept, %d counted", held, m.bytes)
	}
	m.of(question{body: strings.Repeat("y", memoBody+1)})
	for q := range m.kept {
		if len(q.body) > memoBody {
			t.Error("a long body is kept")
		}
	}
}

func join(alarms []signs.Alarm) (out string) {
	for _, a := range alarms {
		out += string(a) + " "
	}
	return out
}
