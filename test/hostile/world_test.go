package hostile

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/store"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/llm"
	"readback/voice/llm/llmtest"
	"readback/voip/sandbox"
)

// tally counts what happened, in all calls.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(what string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[what] += n
}

// tells gives all counts, in order.
func (c *tally) tells() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, what := range slices.Sorted(func(yield func(string) bool) {
		for k := range c.n {
			if !yield(k) {
				return
			}
		}
	}) {
		fmt.Fprintf(&b, "%8d %s\n", c.n[what], what)
	}
	return b.String()
}

// settings are how a call is played.
type settings struct {
	scale float64 // of the pace at which people speak, wait and think
	wire  func(llmtest.Wire, func(llmtest.Request) []llmtest.Step) (*llmtest.Server, func())
	slack time.Duration // of the oracle's, for what a busy machine takes
	least int           // seconds that a caller stays
	long  int           // and seconds more, at most
	limit llm.Limits
}

// plays plays one call, and looks at it.
func plays(t *testing.T, f *fixture, seed uint64, set settings, counts *tally) {
	t.Helper()
	random := func(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
	r := random(1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	file := filepath.Join(dir, "readback.db")
	if err := os.WriteFile(file, f.file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	box, err := sandbox.Open(filepath.Join(dir, "texts"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	receives(t, s, f, r)

	// The clock of the product; in some calls it is set back at times.
	var clockMu sync.Mutex
	var back time.Duration
	now := func() time.Time {
		clockMu.Lock()
		defer clockMu.Unlock()
		return time.Now().Add(-back)
	}
	jumps := r.IntN(7) == 0

	log := &record{}
	logger := slog.New(slog.NewTextHandler(log, nil))
	observe := func(e smsmcp.Event, label string) {
		if e != smsmcp.SendJudged && e != smsmcp.HoldStarted {
			counts.add(strings.TrimSpace(string(e)+" "+label), 1)
		}
	}
	desk := confirm.New(s, now, logger, confirm.Channel{Name: smsmcp.Voice, Strong: true, Reachable: func() bool { return true }})
	car := &carrier{Carrier: box, r: random(2)}
	out := &door{r: random(3), scale: set.scale, lies: r.IntN(6) == 0, Door: dispatch.New(dispatch.Options{
		Carrier: car, Ledger: s, Now: now, Timeout: 20 * time.Second, Reachable: desk.Reachable, Tell: func(smsmcp.Send) {}, Log: logger,
		Guard: guard.Settings{
			Confirm: confirms[r.IntN(2)], PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
			Duplicate: 2 * time.Minute, FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
			NewHosts: true, Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
		},
	})}
	desk.Bind(out.Door)

	wire := llmtest.Wire(seed % 2)
	mind := &model{r: random(4), scale: set.scale, told: map[string]string{}}
	server, stop := set.wire(wire, mind.answer)
	defer stop()
	engine := newEngine(t, wire, server, set.limit)

	m, quiet := newMouth(ctx, random(5), set.scale, []int{0, 7, 7, 7, 7, 7, 7, 7, 45, 70}[r.IntN(10)])
	script, ear := voice.NewTranscript(now)
	e := newEars()
	c := &caller{
		t: t, r: random(6), scale: set.scale, ear: ear, ears: e, mouth: m, pin: pin, lazy: []int{0, 10, 60}[r.IntN(3)], brisk: set.scale < 1,
		until: time.Now().Add(time.Duration(set.least+r.IntN(set.long)) * time.Second),
	}
	call := agent.Call{ID: "call1", Caller: voice.CallerID{Number: string(owner)}, Transcript: script, Ears: e, Mouth: m, HangUp: c.hangUp}
	w := &witness{pin: pin, books: []book{{people: people}}, slack: set.slack}
	before, stranger := (*caller).proves, false
	switch n := r.IntN(20); {
	case n < 10:
		call.Owner, w.proven = true, true
		before = func(*caller) {}
	case n < 18:
	case n < 19:
		before, stranger = (*caller).guesses, true
	default:
		call.Caller.Number, stranger = "+15145550199", true
		before = (*caller).guesses
	}
	a := agent.New(agent.Options{
		Door: out, Desk: desk, Box: inbox.New(inbox.Options{Store: s, Name: "sandbox", Now: now, Hold: time.Hour, Alarm: time.Hour}), Book: s,
		Gate: newGate(s), Voicemail: mailbox{}, LLM: engine, Lang: []lang.Lang{lang.EN, lang.EN, lang.FR}[r.IntN(3)], Zone: time.UTC, Now: now, Log: logger, Observe: observe,
	})
	over, meddled, talked := make(chan struct{}), make(chan struct{}), make(chan struct{})
	answering, shutDown := context.WithCancel(ctx)
	defer shutDown()
	go func() {
		defer close(over)
		a.Answer(answering, call)
	}()
	go func() {
		defer close(talked)
		c.calls(before)
	}()
	go func() { // what happens beside the call
		defer close(meddled)
		r := random(7)
		for range 3 {
			if !c.waitsBeside(r, set.long) {
				return
			}
			switch n := r.IntN(40); {
			case n < 2:
				w.books = append(w.books, moves(t, s))
			case n < 3 && set.slack == 0:
				if err := s.Freeze(ctx, now(), smsmcp.CommandLine); err != nil {
					t.Error(err)
				}
				if w.frozen.IsZero() {
					w.frozen = time.Now()
				}
			case n < 4:
				shutDown()
			case jumps:
				clockMu.Lock()
				back += time.Duration(r.IntN(20_000)) * time.Millisecond
				clockMu.Unlock()
			default:
				receives(t, s, f, r)
			}
		}
	}()
	select {
	case <-over:
	case <-time.After(15 * time.Minute):
		t.Fatalf("seed %d: the call does not end\n%s", seed, log)
	}
	e.ends()
	<-talked
	<-meddled
	e.ended.Wait()
	cancel()
	quiet()
	engine.Close()

	asked, told := mind.all()
	w.speech, w.given, w.said, w.sent, w.asked = m.log, m.given, c.turns(), car.sent, asked
	rows, err := s.Sends(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	allowed, wrong := w.judge()
	if len(wrong) == 0 {
		wrong = w.audit(rows, allowed)
	}
	for _, why := range server.Refused() {
		if why != "no JSON of a request" { // one that the engine gave up may arrive in part
			wrong = append(wrong, "the service would refuse: "+why)
		}
	}
	if stranger && len(asked)+len(rows) > 0 {
		wrong = append(wrong, "a stranger reached the model")
	}
	if alone() {
		t.Logf("%s\n%s", w.tells(), log)
	}
	if len(wrong) > 0 {
		t.Errorf("READBACK_SEED=%d (%v): %s\n%s\n%s", seed, wire, strings.Join(wrong, "\n"), w.tells(), log)
	}
	counts.add("calls", 1)
	counts.add("texts that went", len(car.sent))
	counts.add("requests to the model", len(asked))
	for _, kind := range told {
		counts.add("told the model: "+kind, 1)
	}
	for _, s := range rows {
		if s.State == smsmcp.Refused && len(s.Reasons) > 0 {
			counts.add("refused by the guard: "+string(s.Reasons[0].Rule), 1)
		}
	}
	for _, x := range allowed {
		if x.read != nil && x.answers[0].key != 0 {
			counts.add("a yes by key", 1)
		} else if x.read != nil {
			counts.add("a yes by voice", 1)
		}
	}
	w.counts(counts)
}

// counts counts the moments at which a caller said yes.
func (w *witness) counts(c *tally) {
	for _, s := range w.speech {
		if len(s.parts) < 4 || s.parts[len(s.parts)-2].Voice != voice.QuoteVoice {
			continue
		}
		end := s.heard[len(s.heard)-1].to
		for _, a := range w.said {
			if a.means != yes {
				continue
			}
			switch {
			case a.began.Before(s.heard[0].from):
			case a.began.Before(end):
				c.add("a yes over a quote", 1)
			case a.began.Before(end.Add(s.trip + margin)):
				c.add("a yes in the margin", 1)
			}
		}
	}
}

// waitsBeside waits some time, unless the call is over.
func (c *caller) waitsBeside(r *rand.Rand, most int) bool {
	return c.waits(time.Duration(r.IntN(most*1000)) * time.Millisecond)
}
