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

// world is what answers a call, and what stands around it: the real desk, door, store and conversation, a carrier that fails at times, and a model that does its worst.
type world struct {
	t      *testing.T
	f      *fixture
	seed   uint64
	set    settings
	counts *tally

	store  *store.Store
	car    *carrier
	desk   *confirm.Desk
	door   *door
	mind   *model
	wire   llmtest.Wire
	server *llmtest.Server
	engine thinker
	log    *record
	logger *slog.Logger
	owner  smsmcp.Number // that the owner calls from
	jumps  bool          // the product's clock is set back at times

	mu   sync.Mutex
	back time.Duration // of the clock
}

func (w *world) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(w.seed, stream)) }

// now is the clock of the product.
func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Add(-w.back)
}

// newWorld makes one, until stop is called.
func newWorld(ctx context.Context, t *testing.T, f *fixture, seed uint64, set settings, counts *tally, r *rand.Rand) (w *world, stop func()) {
	t.Helper()
	w = &world{t: t, f: f, seed: seed, set: set, counts: counts, log: &record{}, owner: owner, wire: llmtest.Wire(seed % 2)}
	dir := t.TempDir()
	file := filepath.Join(dir, "readback.db")
	if err := os.WriteFile(file, f.file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	w.store = s
	box, err := sandbox.Open(filepath.Join(dir, "texts"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	receives(t, s, f, r)
	w.jumps = r.IntN(7) == 0
	w.logger = slog.New(slog.NewTextHandler(w.log, nil))
	w.desk = confirm.New(s, w.now, w.logger, confirm.Channel{Name: smsmcp.Voice, Strong: true, Reachable: func() bool { return true }})
	w.car = &carrier{Carrier: box, r: w.random(2)}
	w.door = &door{r: w.random(3), scale: set.scale, lies: r.IntN(6) == 0, Door: dispatch.New(dispatch.Options{
		Carrier: w.car, Ledger: s, Now: w.now, Timeout: 20 * time.Second, Reachable: w.desk.Reachable, Tell: func(smsmcp.Send) {}, Log: w.logger,
		Guard: guard.Settings{
			Confirm: confirms[r.IntN(2)], PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
			Duplicate: 2 * time.Minute, FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
			NewHosts: true, Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
		},
	})}
	w.desk.Bind(w.door.Door)
	w.mind = &model{r: w.random(4), scale: set.scale, told: map[string]string{}}
	var end func()
	w.server, end = set.wire(w.wire, w.mind.answer)
	w.engine = newEngine(t, w.wire, w.server, set.limit)
	return w, func() {
		end()
		_ = box.Close()
		_ = s.Close()
	}
}

// agent is what leads the call.
func (w *world) agent(l lang.Lang) *agent.Agent {
	observe := func(e smsmcp.Event, label string) {
		if e != smsmcp.SendJudged && e != smsmcp.HoldStarted {
			w.counts.add(strings.TrimSpace(string(e)+" "+label), 1)
		}
	}
	return agent.New(agent.Options{
		Door: w.door, Desk: w.desk, Box: inbox.New(inbox.Options{Store: w.store, Name: "sandbox", Now: w.now, Hold: time.Hour, Alarm: time.Hour}), Book: w.store,
		Gate: newGate(w.store, w.owner), Voicemail: mailbox{}, LLM: w.engine, Lang: l, Zone: time.UTC, Now: w.now, Log: w.logger, Observe: observe,
	})
}

// meddles does what happens beside a call. ctx is the world's.
func (w *world) meddles(ctx context.Context, c *caller, seen *witness, shutDown func()) {
	r := w.random(7)
	for range 3 {
		if !c.waitsBeside(r, w.set.long) {
			return
		}
		switch n := r.IntN(40); {
		case n < 2:
			seen.books = append(seen.books, moves(w.t, w.store))
		case n < 3 && w.set.slack == 0:
			if err := w.store.Freeze(ctx, w.now(), smsmcp.CommandLine); err != nil {
				w.t.Error(err)
			}
			if seen.frozen.IsZero() {
				seen.frozen = time.Now()
			}
		case n == 3:
			shutDown()
		case w.jumps:
			w.mu.Lock()
			w.back += time.Duration(r.IntN(20_000)) * time.Millisecond
			w.mu.Unlock()
		default:
			receives(w.t, w.store, w.f, r)
		}
	}
}

// plays plays one call in memory, and looks at it.
func plays(t *testing.T, f *fixture, seed uint64, set settings, counts *tally) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w, stop := newWorld(ctx, t, f, seed, set, counts, r)
	defer stop()
	m, quiet := newMouth(ctx, w.random(5), set.scale, []int{0, 7, 7, 7, 7, 7, 7, 7, 45, 70}[r.IntN(10)])
	script, ear := voice.NewTranscript(w.now)
	e := newEars()
	c := &caller{
		t: t, r: w.random(6), scale: set.scale, ear: ear, ears: e, gone: e.gone, ends: e.ends, news: m.news, last: m.last,
		pin: pin, lazy: []int{0, 10, 60}[r.IntN(3)], brisk: set.scale < 1,
		until: time.Now().Add(time.Duration(set.least+r.IntN(set.long)) * time.Second),
	}
	call := agent.Call{ID: "call1", Caller: voice.CallerID{Number: string(owner)}, Transcript: script, Ears: e, Mouth: m, HangUp: c.hangUp}
	seen := &witness{pin: pin, books: []book{{people: people}}, slack: set.slack}
	before, stranger := (*caller).proves, false
	switch n := r.IntN(20); {
	case n < 10:
		call.Owner, seen.proven = true, true
		before = func(*caller) {}
	case n < 18:
	case n < 19:
		before, stranger = (*caller).guesses, true
	default:
		call.Caller.Number, stranger = "+15145550199", true
		before = (*caller).guesses
	}
	a := w.agent([]lang.Lang{lang.EN, lang.EN, lang.FR}[r.IntN(3)])
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
	go func() {
		defer close(meddled)
		w.meddles(ctx, c, seen, shutDown)
	}()
	select {
	case <-over:
	case <-time.After(15 * time.Minute):
		t.Fatalf("seed %d: the call does not end\n%s", seed, w.log)
	}
	e.ends()
	<-talked
	<-meddled
	e.ended.Wait()
	cancel()
	quiet()
	seen.speech, seen.given, seen.said = m.log, m.given, c.turns()
	w.judges(seen, stranger)
}

// judges has a witness judge what became of a call that is over.
func (w *world) judges(seen *witness, stranger bool) {
	t, counts := w.t, w.counts
	w.engine.Close()
	asked, told := w.mind.all()
	seen.sent, seen.asked = w.car.sent, asked
	rows, err := w.store.Sends(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	allowed, wrong := seen.judge()
	if len(wrong) == 0 {
		wrong = seen.audit(rows, allowed)
	}
	for _, why := range w.server.Refused() {
		if why != "no JSON of a request" { // one that the engine gave up may arrive in part
			wrong = append(wrong, "the service would refuse: "+why)
		}
	}
	if stranger && len(asked)+len(rows) > 0 {
		wrong = append(wrong, "a stranger reached the model")
	}
	if alone() {
		t.Logf("%s\n%s", seen.tells(), w.log)
	}
	if len(wrong) > 0 {
		t.Errorf("READBACK_SEED=%d (%v): %s\n%s\n%s", w.seed, w.wire, strings.Join(wrong, "\n"), seen.tells(), w.log)
	}
	counts.add("calls", 1)
	counts.add("texts that went", len(seen.sent))
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
	seen.counts(counts)
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
