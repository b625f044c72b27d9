package agent_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/voice"
)

// TestInvariant10RandomCalls plays calls in which caller, model and mouth do anything at any time, and looks at what went: by another reading of the rule, from what was
// heard and said alone.
func TestInvariant10RandomCalls(t *testing.T) {
	sent, read, calls := 0, 0, 80
	if testing.Short() {
		calls = 20
	}
	for seed := range calls {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 10))
			w := newWorld(t)
			w.received(marie, "Yes. Send it.")
			w.options.LLM = &anything{r: rand.New(rand.NewPCG(uint64(seed), 11)), model: w.model}
			w.mouth.trip = time.Duration(r.IntN(400)) * time.Millisecond
			failing := rand.New(rand.NewPCG(uint64(seed), 12))
			w.mouth.breaks(func(string) error {
				if failing.IntN(40) == 0 {
					return errTest
				}
				return nil
			})
			w.begins()
			for range 30 {
				w.acts(r)
				select {
				case <-w.over:
				default:
					continue
				}
				break
			}
			w.ends()
			s, n := w.objects(t, seed)
			sent, read = sent+s, read+n
			eachCallHasOneAnswer(t, w.model.requests())
		})
	}
	t.Logf("%d texts went, %d drafts were read back", sent, read)
	if !testing.Short() && (sent < 50 || read < 150) {
		t.Error("too few: this test sees nothing")
	}
}

// acts has the caller do something.
func (w *world) acts(r *rand.Rand) {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	pause := func(most int) { time.Sleep(time.Duration(r.IntN(most)) * time.Millisecond) }
	switch r.IntN(9) {
	case 0, 1:
		w.ears.says(pick("text marie that i am late", "write to paul", "no, tell her seven instead", "what is new"))
		pause(6000)
	case 2:
		w.ears.says(pick("yes", "yes, send it", "oui"))
	case 3: // after the question, as people answer
		for range 40 {
			time.Sleep(500 * time.Millisecond)
			if n := w.heard(question) + w.heard(keypad); n > w.asked {
				w.asked = n
				break
			}
		}
		w.ears.says(pick("yes", "yes, send it", "no", "hm", "go ahead"))
	case 4:
		w.ears.presses(pick("1", "1", "2", "9", "0", "*", "#", "5"))
	case 5:
		u := w.ears.begins()
		pause(2000)
		w.ears.ends(u, pick("", "yes", "stop", "next"))
	case 6:
		pause(20_000)
	default:
		pause(4000)
	}
}

// anything is a model that does anything.
type anything struct {
	mu sync.Mutex
	r  *rand.Rand
	*model
	n int
}

func (a *anything) Reply(ctx context.Context, r voice.Request) iter.Seq2[voice.Delta, error] {
	a.mu.Lock()
	defer a.mu.Unlock()
	var what []any
	for range 1 + a.r.IntN(3) {
		a.n++
		switch a.r.IntN(10) {
		case 0, 1, 2, 3:
			what = append(what, prepares([]string{"Marie", "Paul"}[a.r.IntN(2)], fmt.Sprintf("Words number %d.", a.n)))
		case 4:
			what = append(what, prepares("Nobody", "Yes."))
		case 5:
			what = append(what, call("read_texts", `{}`))
		case 6:
			what = append(what, time.Duration(a.r.IntN(3000))*time.Millisecond, "Yes. Send it. ")
		case 7:
			what = append(what, call("find_contact", `{"word":"mar"}`))
		case 8:
			what = append(what, errTest)
		default:
			what = append(what, "I see. ", time.Duration(a.r.IntN(500))*time.Millisecond)
		}
	}
	a.then(what...)
	return a.model.Reply(ctx, r)
}

// objects compares what went with what was heard and said. It gives how many texts went, and how many drafts were read back whole.
func (w *world) objects(t *testing.T, seed int) (sent, read int) {
	t.Helper()
	all, err := w.store.Sends(t.Context(), 500)
	if err != nil {
		t.Fatal(err)
	}
	yeses := map[int]bool{} // turns that were used
	for _, s := range all {
		if s.State.Open() {
			t.Errorf("seed %d: a send is left %v", seed, s.State)
		}
		if s.State != smsmcp.Done {
			continue
		}
		sent++
		if !w.allowed(s, yeses) {
			t.Errorf("seed %d: %q went, and nobody had said yes to it\n%s", seed, s.Draft.Body(), w.log)
		}
	}
	if got := w.sent(); len(got) != sent {
		t.Errorf("seed %d: %d texts went, the log has %d", seed, len(got), sent)
	}
	for _, h := range w.mouth.played() {
		if h.whole && h.part.Voice == voice.QuoteVoice && strings.HasPrefix(h.part.Text, "Words number") {
			read++
		}
	}
	return sent, read
}

// allowed looks for a read-back of this text, whole, and for a yes of the caller's that began when its end had been heard, with no other words quoted in between.
func (w *world) allowed(s smsmcp.Send, used map[int]bool) bool {
	log := w.mouth.played()
	for i := 3; i < len(log); i++ {
		head, open, body, end := log[i-3], log[i-2], log[i-1], log[i]
		if !head.whole || !open.whole || !body.whole || !end.whole || !strings.Contains(head.part.Text, s.Name) ||
			open.part.Sound != voice.Opening || body.part.Text != s.Draft.Body() || end.part.Sound != voice.Closing {
			continue
		}
		for _, turn := range w.script.Turns() {
			yes := turn.Key() == '1' || turn.Role() == voice.Caller && strings.Contains("yes, send it oui go ahead", turn.Words().RawForStore()) && turn.Words().Len() > 0
			if !yes || used[turn.Number()] || turn.Began().Before(end.to.Add(w.mouth.trip)) || turn.Ended().After(s.Answered) {
				continue
			}
			between := false
			for _, h := range log[i+1:] {
				between = between || h.part.Voice == voice.QuoteVoice && h.from.Before(turn.Began())
			}
			if !between {
				used[turn.Number()] = true
				return true
			}
		}
	}
	return false
}
