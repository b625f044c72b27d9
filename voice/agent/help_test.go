package agent_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/store"
	"readback/voice"
	"readback/voice/agent"
	"readback/voice/consent"
	"readback/voice/gate"
	"readback/voice/voicemail"
	"readback/voip/sandbox"
)

// ears are a caller that a test plays: on the real transcript, by its real Ear.
type ears struct {
	t     *testing.T
	ear   *voice.Ear
	heard chan voice.Heard
	once  sync.Once
	mu    sync.Mutex
	gone  bool
	langs []lang.Lang
	deaf  bool
	rec   *recording
}

func (e *ears) Heard() <-chan voice.Heard { return e.heard }
func (e *ears) Speak(l lang.Lang) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.langs = append(e.langs, l)
}

func (e *ears) Deaf(deaf bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.deaf = deaf
}

func (e *ears) isDeaf() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.deaf
}

func (e *ears) Record(longest time.Duration) voice.Recording {
	r := &recording{full: make(chan struct{})}
	r.timer = time.AfterFunc(longest, func() { close(r.full) })
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rec = r
	return r
}

func (e *ears) spoken() []lang.Lang {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.langs)
}

func (e *ears) recording() *recording {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.rec
}

type recording struct {
	full  chan struct{}
	timer *time.Timer
	stops int
}

func (r *recording) Full() <-chan struct{} { return r.full }
func (r *recording) Stop() voice.Frame {
	r.stops++
	r.timer.Stop()
	return voice.Frame{Rate: 8000, Samples: []int16{1, 2, 3}}
}

// bargeAfter is how long an utterance is before it cuts in.
const bargeAfter = 500 * time.Millisecond

// says is an utterance, as long as its words take. Without words it is dropped.
func (e *ears) says(words string) {
	d := max(300*time.Millisecond, time.Duration(len(words))*40*time.Millisecond)
	u := e.begins()
	if d > bargeAfter {
		time.Sleep(bargeAfter)
		e.tell(voice.Barged{})
		d -= bargeAfter
	}
	time.Sleep(d)
	e.ends(u, words)
}

func (e *ears) begins() *voice.Utterance {
	u, err := e.ear.Begin(0)
	if err != nil {
		e.t.Error(err)
	}
	e.tell(voice.Begun{})
	return u
}

func (e *ears) ends(u *voice.Utterance, words string) {
	turn, err := u.Final(untrusted.New(words))
	if err != nil {
		e.tell(voice.Dropped{})
		return
	}
	e.tell(voice.Said{Turn: turn})
}

func (e *ears) presses(keys string) {
	for _, k := range keys {
		add := func() (voice.Turn, error) { return e.ear.Key(k, 80*time.Millisecond) }
		if e.isDeaf() {
			add = func() (voice.Turn, error) { return e.ear.Secret(k) }
		}
		turn, err := add()
		if err != nil {
			e.t.Error(err)
		}
		e.tell(voice.Said{Turn: turn})
		time.Sleep(200 * time.Millisecond)
	}
}

func (e *ears) hangsUp() { e.once.Do(func() { close(e.heard) }) }

// leaves hangs up while the caller may be saying something.
func (e *ears) leaves() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gone = true
	e.hangsUp()
}

func (e *ears) tell(h voice.Heard) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.gone {
		e.heard <- h
	}
}

// mouth plays in the time of the test, at some pace, and keeps what was heard.
type mouth struct {
	mu    sync.Mutex
	queue []*speech
	work  chan struct{}
	log   []heard
	fails func(text string) error
	trip  time.Duration
}

type speech struct {
	l       lang.Lang
	parts   []voice.Part
	started chan struct{}
	done    chan voice.Outcome
	cut     chan struct{}
	once    sync.Once
}

func (s *speech) Started() <-chan struct{}   { return s.started }
func (s *speech) Done() <-chan voice.Outcome { return s.done }

// heard is a part of something that was said.
type heard struct {
	part  voice.Part
	lang  lang.Lang
	from  time.Time
	to    time.Time
	whole bool
}

// newMouth begins to play; it ends with ctx.
func newMouth(ctx context.Context) *mouth {
	m := &mouth{work: make(chan struct{}, 1), trip: 100 * time.Millisecond, fails: func(string) error { return nil }}
	go func() {
		for {
			select {
			case <-ctx.Done():
				m.Stop()
				return
			case <-m.work:
			}
			for s := m.next(); s != nil; s = m.next() {
				m.over(s, m.play(s))
			}
		}
	}()
	return m
}

// next is what is to be said now. It stays in the queue until it is over.
func (m *mouth) next() *speech {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return nil
	}
	return m.queue[0]
}

func (m *mouth) over(s *speech, out voice.Outcome) {
	m.mu.Lock()
	m.queue = slices.DeleteFunc(m.queue, func(q *speech) bool { return q == s })
	m.mu.Unlock()
	s.done <- out
}

func (m *mouth) play(s *speech) (out voice.Outcome) {
	defer func() { out.At = time.Now() }()
	out.RoundTrip = m.trip
	for i, p := range s.parts {
		select {
		case <-s.cut:
			return out
		default:
		}
		if out.Err = m.say(p.Text); out.Err != nil {
			return out
		}
		if i == 0 {
			close(s.started)
		}
		h := heard{part: p, lang: s.l, from: time.Now()}
		select {
		case <-time.After(200*time.Millisecond + time.Duration(len(p.Text))*50*time.Millisecond):
			h.whole = true
		case <-s.cut:
		}
		h.to = time.Now()
		m.mu.Lock()
		m.log = append(m.log, h)
		m.mu.Unlock()
		if !h.whole {
			return out
		}
		out.Whole++
	}
	out.Played = true
	return out
}

func (m *mouth) Say(l lang.Lang, what ...voice.Part) voice.Speech {
	s := &speech{l: l, parts: what, started: make(chan struct{}), done: make(chan voice.Outcome, 1), cut: make(chan struct{})}
	m.mu.Lock()
	m.queue = append(m.queue, s)
	m.mu.Unlock()
	select {
	case m.work <- struct{}{}:
	default:
	}
	return s
}

func (m *mouth) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.queue {
		s.once.Do(func() { close(s.cut) })
	}
}

// said gives what was heard whole, or in part too.
func (m *mouth) said(cut bool) (out []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range m.log {
		if h.part.Text != "" && (h.whole || cut) {
			out = append(out, h.part.Text)
		}
	}
	return out
}

// played gives all that was heard.
func (m *mouth) played() []heard {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.log)
}

// breaks has the engine fail at what it is given.
func (m *mouth) breaks(fails func(text string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fails = fails
}

func (m *mouth) say(text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fails(text)
}

// speaking says what is being said, and what waits.
func (m *mouth) speaking() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.queue) > 0
}

// model answers as a test has written down, one answer for each request.
type model struct {
	t       *testing.T
	mu      sync.Mutex
	answers []func(ctx context.Context, r voice.Request, yield func(voice.Delta, error) bool)
	asked   []voice.Request
}

func (m *model) Reply(ctx context.Context, r voice.Request) iter.Seq2[voice.Delta, error] {
	return func(yield func(voice.Delta, error) bool) {
		m.mu.Lock()
		m.asked = append(m.asked, r)
		if len(m.answers) == 0 {
			m.mu.Unlock()
			m.t.Error("the model was asked once more than the test expects")
			yield(voice.Delta{Text: "I have nothing to say."}, nil)
			return
		}
		answer := m.answers[0]
		m.answers = m.answers[1:]
		m.mu.Unlock()
		answer(ctx, r, yield)
	}
}

// then adds an answer: words, and calls of tools.
func (m *model) then(what ...any) *model {
	return m.thenDo(func(ctx context.Context, _ voice.Request, yield func(voice.Delta, error) bool) {
		for _, w := range what {
			d := voice.Delta{}
			switch w := w.(type) {
			case string:
				d.Text = w
			case voice.ToolCall:
				d.Call = &w
			case error:
				yield(d, w)
				return
			case time.Duration:
				select {
				case <-time.After(w):
				case <-ctx.Done():
					return
				}
				continue
			}
			if !yield(d, nil) {
				return
			}
		}
	})
}

func (m *model) thenDo(f func(ctx context.Context, r voice.Request, yield func(voice.Delta, error) bool)) *model {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = append(m.answers, f)
	return m
}

func (m *model) requests() []voice.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

func call(name, args string) voice.ToolCall {
	return voice.ToolCall{ID: "c", Name: name, Args: []byte(args)}
}

func prepares(to, body string) voice.ToolCall {
	return call("prepare_text", fmt.Sprintf(`{"to":%q,"body":%q}`, to, body))
}

// world is a call, and all that is around it: the real store, door, desk and inbox, the carrier of the sandbox.
type world struct {
	t       *testing.T
	store   *store.Store
	carrier *sandbox.Carrier
	door    *dispatch.Door
	desk    *confirm.Desk
	ledger  *ledger
	ears    *ears
	mouth   *mouth
	model   *model
	gate    *keeper
	mail    *mailbox
	script  *voice.Transcript
	log     *record
	counts  sync.Map
	options agent.Options
	call    agent.Call
	hungUp  chan struct{}
	over    chan struct{}
	texts   int
	asked   int
	cancel  context.CancelFunc
}

// ledger is the store's, until a test breaks it.
type ledger struct {
	dispatch.Ledger
	mu            sync.Mutex
	begin, answer error
	slow          time.Duration
}

// breaks has it fail, or take its time.
func (l *ledger) breaks(begin, answer error, slow time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin, l.answer, l.slow = begin, answer, slow
}

func (l *ledger) state() (slow time.Duration, begin, answer error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.slow, l.begin, l.answer
}

// Door is what the real one is to the agent.
type Door = agent.Door

func (l *ledger) Begin(ctx context.Context, now time.Time, to smsmcp.Recipient, need guard.Need, decide func(guard.State) smsmcp.Ruling) error {
	slow, begin, _ := l.state()
	if begin != nil {
		return begin
	}
	time.Sleep(slow)
	return l.Ledger.Begin(ctx, now, to, need, decide)
}

func (l *ledger) Answer(ctx context.Context, now time.Time, id smsmcp.SendID, need func(smsmcp.Send) guard.Need,
	decide func(smsmcp.Send, guard.State) smsmcp.Send) (smsmcp.Send, error) {
	slow, _, answer := l.state()
	if answer != nil {
		return smsmcp.Send{}, answer
	}
	time.Sleep(slow)
	return l.Ledger.Answer(ctx, now, id, need, decide)
}

// record is a log that may be read while it is written.
type record struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}

// keeper is a gate with a PIN in clear.
type keeper struct {
	mu    sync.Mutex
	known string
	pin   string
	delay time.Duration
	err   error
	tries []string
}

func (k *keeper) Known(c voice.CallerID) bool { return k.known != "" && c.Number == k.known }
func (k *keeper) Try(ctx context.Context, _ string, pin string) (gate.Answer, error) {
	time.Sleep(k.delay)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tries = append(k.tries, pin)
	switch {
	case k.err != nil:
		return gate.Wrong, k.err
	case pin == k.pin:
		return gate.Right, nil
	case len(k.tries) >= gate.TriesPerCall:
		return gate.OutOfTries, nil
	}
	return gate.Wrong, nil
}

type mailbox struct{ kept []voicemail.Message }

func (m *mailbox) Keep(_ context.Context, v voicemail.Message) error {
	m.kept = append(m.kept, v)
	return nil
}

const (
	marie = smsmcp.Number("+15145550101")
	paul  = smsmcp.Number("+15145550102")
)

// newWorld makes it, in the bubble of the test.
func newWorld(t *testing.T, change ...func(*world)) *world {
	t.Helper()
	ctx := t.Context()
	dir := t.TempDir()
	w := &world{t: t, log: &record{}, hungUp: make(chan struct{}), over: make(chan struct{}), gate: &keeper{}, mail: &mailbox{}, model: &model{t: t}}
	var err error
	if w.store, err = store.Open(ctx, filepath.Join(dir, "readback.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.store.Close() })
	if w.carrier, err = sandbox.Open(filepath.Join(dir, "texts"), time.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.carrier.Close() })
	for name, n := range map[string]smsmcp.Number{"Marie Tremblay": marie, "Paul Gagnon": paul} {
		c := smsmcp.Contact{Name: name, Aliases: []string{strings.Fields(name)[0]}, Numbers: []smsmcp.Number{n}, To: n}
		if _, err := w.store.AddContact(ctx, c, func([]smsmcp.Contact) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	log := slog.New(slog.NewTextHandler(w.log, nil))
	observe := func(e smsmcp.Event, label string) {
		n, _ := w.counts.LoadOrStore(string(e)+" "+label, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
	}
	w.desk = confirm.New(w.store, time.Now, log, confirm.Channel{Name: smsmcp.Voice, Strong: true, Reachable: func() bool { return true }})
	w.ledger = &ledger{Ledger: w.store}
	w.door = dispatch.New(dispatch.Options{
		Carrier: w.carrier, Ledger: w.ledger, Now: time.Now, Timeout: 20 * time.Second, Reachable: w.desk.Reachable, Tell: func(smsmcp.Send) {}, Log: log,
		Guard: guard.Settings{
			Confirm: guard.ConfirmAuto, PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
			Duplicate: 2 * time.Minute, FanOut: 3, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
			NewHosts: true, Zone: time.UTC, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
		},
	})
	w.desk.Bind(w.door)
	mouthCtx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	w.mouth = newMouth(mouthCtx)
	script, ear := voice.NewTranscript(time.Now)
	w.script = script
	w.ears = &ears{t: t, ear: ear, heard: make(chan voice.Heard, 64)}
	w.options = agent.Options{
		Door: w.door, Desk: w.desk, Box: inbox.New(inbox.Options{Store: w.store, Name: "sandbox", Now: time.Now, Hold: time.Hour, Alarm: time.Hour}), Book: w.store,
		Gate: w.gate, Voicemail: w.mail, LLM: w.model, Lang: lang.EN, Zone: time.UTC, Now: time.Now, Log: log, Observe: observe,
	}
	var once sync.Once
	w.call = agent.Call{
		ID: "call1", Caller: voice.CallerID{Number: "+15145550100", Line: "test"}, Transcript: script, Ears: w.ears, Mouth: w.mouth, Owner: true,
		HangUp: func(context.Context) error { once.Do(func() { close(w.hungUp) }); return nil },
	}
	for _, f := range change {
		f(w)
	}
	return w
}

// french has the call in French.
func french(w *world) { w.options.Lang = lang.FR }

// begins has the call answered.
func (w *world) begins() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	w.t.Cleanup(cancel)
	go func() {
		defer close(w.over)
		agent.New(w.options).Answer(ctx, w.call)
	}()
}

// ends has the caller hang up, and waits for the end.
func (w *world) ends() {
	w.t.Helper()
	w.ears.hangsUp()
	w.isOver()
}

func (w *world) isOver() {
	w.t.Helper()
	select {
	case <-w.over:
	case <-time.After(3 * time.Minute):
		w.t.Fatalf("the call does not end; heard: %q\n%s", w.mouth.said(true), w.log)
	}
}

// until waits for something.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	for range 3000 {
		synctest.Wait()
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.t.Fatalf("%s: in vain; heard: %q\n%s", what, w.mouth.said(true), w.log)
}

// hears waits until the caller has heard something that contains words, whole, so many times; of a question, until no echo of it can come.
func (w *world) hears(words string, times ...int) {
	w.t.Helper()
	want := 1
	if len(times) > 0 {
		want = times[0]
	}
	w.until("hear "+words, func() bool { return w.heard(words) >= want })
	for _, q := range []string{spoken.Ask.In(lang.EN), spoken.Ask.In(lang.FR), spoken.Keypad.In(lang.EN)} {
		if strings.Contains(q, words) {
			time.Sleep(w.mouth.trip + consent.Margin)
		}
	}
}

func (w *world) heard(words string) (n int) {
	for _, s := range w.mouth.said(false) {
		if strings.Contains(s, words) {
			n++
		}
	}
	return n
}

// quiet waits until nothing is being said.
func (w *world) quiet() {
	w.t.Helper()
	w.until("silence", func() bool { return !w.mouth.speaking() })
}

// sent is what the carrier has taken.
func (w *world) sent() (out []string) {
	w.t.Helper()
	list, err := w.carrier.List(w.t.Context(), time.Now().Add(-24*time.Hour), time.Now().Add(time.Hour))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, x := range list {
		if x.Direction == smsmcp.Sent {
			out = append(out, string(x.Peer.Number)+" "+x.Body.RawForStore())
		}
	}
	return out
}

// nothingWent says that nothing was sent, and no draft waits.
func (w *world) nothingWent(states ...smsmcp.SendState) {
	w.t.Helper()
	if got := w.sent(); len(got) > 0 {
		w.t.Errorf("sent: %q", got)
	}
	w.states(states...)
}

// lasts is when something that holds words was heard whole, last.
func (w *world) lasts(words string) (from, to time.Time) {
	w.mouth.mu.Lock()
	defer w.mouth.mu.Unlock()
	for _, h := range w.mouth.log {
		if h.whole && strings.Contains(h.part.Text, words) {
			from, to = h.from, h.to
		}
	}
	return from, to
}

// starts waits until something that holds words is being said.
func (w *world) starts(words string) {
	w.t.Helper()
	w.until("the beginning of "+words, func() bool {
		s := w.mouth.next()
		return s != nil && slices.ContainsFunc(s.parts, func(p voice.Part) bool { return strings.Contains(p.Text, words) })
	})
}

// told is the conversation as the model was told it in its last request, a line each.
func (w *world) told() (out []string) {
	all := w.model.requests()
	for _, m := range all[len(all)-1].Messages {
		line := m.Role.String() + ": " + m.Text
		for _, c := range m.Calls {
			line += " " + c.Name
		}
		out = append(out, line)
	}
	return out
}

// counted says how often an event was counted.
func (w *world) counted(e smsmcp.Event, label string) int {
	n, ok := w.counts.Load(string(e) + " " + label)
	if !ok {
		return 0
	}
	return int(n.(*atomic.Int64).Load())
}

// states compares the sends in the log, the newest first.
func (w *world) states(want ...smsmcp.SendState) {
	w.t.Helper()
	all, err := w.store.Sends(w.t.Context(), 100)
	if err != nil {
		w.t.Fatal(err)
	}
	var got []smsmcp.SendState
	for _, s := range all {
		got = append(got, s.State)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the log has %v, want %v\n%s", got, want, w.log)
	}
}

var errTest = errors.New("broken by the test")
