package consent

import (
	"strings"
	"testing"
	"time"

	"readback/smsmcp/untrusted"
	"readback/voice"
)

var (
	draftA, draftB = Digest{'a'}, Digest{'b'}
	testPrompts    = Prompts{Ask: "Shall it leave?", Keypad: "Press a key."}
)

// The read-back of both drafts holds a yes, so that an echo of it would be one.
const spokenBack = "The text says: yes send it"

// symbol is a letter of the alphabet of histories: how the clock moves before it, and the event, which may be none.
type symbol struct {
	name  string
	clock time.Duration
	event func(c *course) (Event, said)
}

// course is what a history knows of itself: the clock, and the read-backs that the machine asked for.
type course struct {
	now      time.Time
	reading  int
	draft    Digest // of the last ReadBack
	question int    // of the last Ask
}

func plain(name string, e Event) symbol {
	return symbol{name: name, event: func(*course) (Event, said) { return e, said{} }}
}

func turn(name, words string, key rune, ago time.Duration, means said) symbol {
	return symbol{name: name, event: func(c *course) (Event, said) {
		if key != 0 {
			return Final{Turn: pressed(key, c.now.Add(-ago), c.now)}, means
		}
		return Final{Turn: spoken(words, c.now.Add(-ago), c.now)}, means
	}}
}

// more is a turn behind which the caller was saying something else already.
func more(s symbol) symbol {
	event := s.event
	s.event = func(c *course) (Event, said) {
		e, means := event(c)
		return Final{e.(Final).Turn, true}, means
	}
	return s
}

func others(name string, role voice.Role) symbol {
	return symbol{name: name, event: func(c *course) (Event, said) {
		tr, _ := voice.NewTranscript(func() time.Time { return c.now })
		if role == voice.Agent {
			return Final{Turn: tr.Agent(untrusted.New("oui"))}, said{}
		}
		return Final{Turn: tr.Tool(untrusted.New("oui"))}, said{}
	}}
}

var alphabet = []symbol{
	{name: "0.5s", clock: 500 * time.Millisecond},
	{name: "16s", clock: 16 * time.Second},
	{name: "back", clock: -20 * time.Second},
	plain("owner", Owner{true}),
	plain("nobody", Owner{}),
	plain("prepared-a", Prepared{draftA, spokenBack}),
	plain("prepared-b", Prepared{draftB, spokenBack}),
	plain("withdrawn", Withdrawn{}),
	{name: "started", event: func(c *course) (Event, said) { return Started{c.reading, c.draft}, said{} }},
	{name: "started-before", event: func(c *course) (Event, said) { return Started{c.reading - 1, c.draft}, said{} }},
	{name: "started-other", event: func(c *course) (Event, said) { return Started{c.reading, Digest{'c'}}, said{} }},
	{name: "played", event: func(c *course) (Event, said) { return Played{c.reading, 100 * time.Millisecond}, said{} }},
	{name: "played-sooner", event: func(c *course) (Event, said) { return Played{c.reading, -time.Minute}, said{} }},
	{name: "played-before", event: func(c *course) (Event, said) { return Played{c.reading - 1, 100 * time.Millisecond}, said{} }},
	{name: "cut", event: func(c *course) (Event, said) { return Interrupted{c.reading}, said{} }},
	{name: "cut-before", event: func(c *course) (Event, said) { return Interrupted{c.reading - 1}, said{} }},
	{name: "asked", event: func(c *course) (Event, said) { return Asked{c.question}, said{} }},
	{name: "asked-before", event: func(c *course) (Event, said) { return Asked{c.question - 1}, said{} }},
	plain("begun", Begun{}),
	plain("dropped", Dropped{}),
	plain("dropped-deaf", Dropped{Failed: true}),
	turn("yes", "oui", 0, 0, said{yes: true}),
	turn("yes-early", "oui", 0, 700*time.Millisecond, said{yes: true}),
	more(turn("yes-and-more", "oui", 0, 0, said{yes: true})),
	turn("no", "non", 0, 0, said{no: true}),
	turn("unclear", "euh", 0, 0, said{}),
	turn("change", "mais plutôt demain", 0, 0, said{change: true}),
	turn("echo", "yes send it", 0, 0, said{yes: true, echoes: true}),
	others("agent-yes", voice.Agent),
	others("tool-yes", voice.Tool),
	turn("1", "", '1', 0, said{yes: true}),
	turn("1-early", "", '1', 700*time.Millisecond, said{yes: true}),
	turn("2", "", '2', 0, said{no: true}),
	turn("5", "", '5', 0, said{}),
	plain("silence", Silence{}),
	plain("model", ModelSpoke{}),
	plain("tool", ToolAnswered{}),
	plain("hang-up", HungUp{}),
}

// take plays one symbol.
func take(m Machine, c course, s symbol) (Machine, course, happened) {
	c.now = c.now.Add(s.clock)
	h := happened{at: c.now}
	if s.event == nil {
		return m, c, h
	}
	h.event, h.means = s.event(&c)
	m, h.effects = m.Step(c.now, h.event)
	if r, ok := did[ReadBack](h); ok {
		c.reading, c.draft = r.Reading, r.Draft
	}
	if a, ok := did[Ask](h); ok {
		c.question = a.Question
	}
	return m, c, h
}

// wrong says what is wrong with the last step of a history: a send that the oracle objects to, or an effect that a turn of somebody else, or the end, may not have.
func wrong(hs []happened) string {
	last := hs[len(hs)-1]
	sends := 0
	for _, e := range last.effects {
		switch e.(type) {
		case Send:
			sends++
		case Hand:
			if t, ok := callers(last); !ok || t.Key() != 0 {
				return "the model is handed what is not the caller's speech"
			}
		}
	}
	if sends > 1 {
		return "two sends at once"
	}
	if f, ok := last.event.(Final); ok && f.Turn.Role() != voice.Caller {
		for _, e := range last.effects {
			if v, ok := e.(Void); !ok || v.Why != ClockBack {
				if _, ok := e.(Stop); !ok {
					return "a turn of somebody else has an effect"
				}
			}
		}
	}
	if _, ok := last.event.(ToolAnswered); ok && len(last.effects) > 0 {
		if v, ok := did[Void](last); !ok || v.Why != ClockBack {
			return "a tool's answer has an effect"
		}
	}
	if sends == 1 {
		return objection(hs)
	}
	return ""
}

// node is a state that the walk has reached, and how.
type node struct {
	m      Machine
	c      course
	past   past
	parent *node
	name   string
	happened
}

func (n *node) history() (hs []happened, names []string) {
	for ; n.parent != nil; n = n.parent {
		if n.event != nil {
			hs = append(hs, n.happened)
		}
		names = append(names, n.name)
	}
	for i, j := 0, len(hs)-1; i < j; i, j = i+1, j-1 {
		hs[i], hs[j] = hs[j], hs[i]
	}
	for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
		names[i], names[j] = names[j], names[i]
	}
	return hs, names
}

// place is what two histories have in common that no future and no oracle can tell apart.
type place struct {
	m    Machine
	past past
	c    course
}

func (n *node) place() place {
	p := place{n.m, n.past.settled(), n.c}
	// Times count from now. A beginning is at most 0.7 s ago, so one that is longer past is past; a limit that no number of the short pauses left can reach is far.
	from := func(t *time.Time, least time.Duration) {
		if t.IsZero() {
			return
		}
		d := max(t.Sub(n.c.now), least)
		if d > 8*time.Second && d < 16*time.Second {
			d = 15 * time.Second
		}
		*t = noon.Add(d)
	}
	from(&p.m.last, 0)
	from(&p.m.opens, -time.Second)
	from(&p.m.until, -time.Second)
	from(&p.m.free, -time.Second)
	from(&p.past.last, 0)
	from(&p.past.end, -time.Second)
	from(&p.past.until, -time.Second)
	from(&p.past.free, -time.Second)
	p.c.now = noon
	// Read-backs and questions count from the last one.
	p.m.reading, p.past.reading, p.c.reading = n.m.reading-n.c.reading, p.past.reading-n.c.reading, 0
	p.m.question, p.past.question, p.c.question = n.m.question-n.c.question, p.past.question-n.c.question, 0
	// What the drafts are called changes nothing.
	if p.m.draft == draftB || p.m.draft == (Digest{}) && (p.past.draft == draftB || p.past.draft == (Digest{}) && p.c.draft == draftB) {
		for _, d := range []*Digest{&p.m.draft, &p.past.draft, &p.c.draft} {
			switch *d {
			case draftA:
				*d = draftB
			case draftB:
				*d = draftA
			}
		}
	}
	return p
}

// past is what the oracle can ask of a history, folded as it grows, so that the walk may hold two histories for one only if the oracle would. It is not the machine's
// state: it is computed from the events and effects alone.
type past struct {
	last         time.Time
	owner, ended bool
	draft        Digest
	clean        bool // since it was prepared, nothing has forbidden to send it
	reading      int
	readings     int
	started      bool
	spoiled      bool // since it started: cut, another draft, the model
	played       bool
	end, until   time.Time
	question     int
	free         time.Time
	asks         int
	early        bool
	begun        bool
	answered     bool // sent or void
	sends        int  // in the whole history, up to 2
}

// settled forgets what can make no difference: of a draft that the oracle will let nobody send, and of a read-back that can no longer count.
func (p past) settled() past {
	switch {
	case !p.clean || p.answered || p.ended:
		return past{last: p.last, owner: p.owner, ended: p.ended, question: p.question, sends: p.sends}
	case p.spoiled:
		return past{last: p.last, owner: p.owner, draft: p.draft, clean: true, readings: p.readings, reading: p.reading, started: true, spoiled: true, question: p.question, sends: p.sends}
	}
	return p
}

func (p past) then(h happened) past {
	if h.event == nil {
		return p
	}
	if h.at.Before(p.last) {
		p.clean = false
	}
	p.last = h.at
	switch e := h.event.(type) {
	case Owner:
		p.owner = e.Known
		p.clean = p.clean && e.Known
	case Prepared:
		p = past{last: p.last, owner: p.owner, ended: p.ended, draft: e.Draft, clean: p.owner, reading: -1, question: p.question, sends: p.sends}
	case Withdrawn:
		p.clean = false
	case HungUp:
		p.ended = true
	case Started:
		if e.Reading == p.reading {
			p.started = p.started || e.Draft == p.draft
			p.spoiled = p.spoiled || e.Draft != p.draft
		}
	case Played:
		if e.Reading == p.reading && p.started && !p.played {
			p.played, p.end = true, h.at.Add(max(0, e.RoundTrip)+oracleMargin)
			p.until = p.end.Add(oracleWindow)
		}
	case Asked:
		if p.asks > 0 && e.Question == p.question && p.free.IsZero() {
			p.free = h.at
			p.until = p.free.Add(oracleWindow)
		}
	case Interrupted:
		p.spoiled = p.spoiled || e.Reading == p.reading
	case ModelSpoke:
		p.spoiled = p.spoiled || p.started
	case Begun:
		p.begun = p.played && !h.at.Before(p.end)
	case Dropped:
		p.begun = false
	}
	if t, ok := callers(h); ok {
		speech := t.Key() == 0
		early := !p.played || t.Began().Before(p.end) || speech && !p.begun
		p.early = p.early || p.started && early
		if h.means.no && (!h.means.echoes || p.asks > 1) || h.means.change && !early {
			p.clean = false
		}
		if speech {
			p.begun = false
		}
	}
	for _, e := range h.effects {
		switch e := e.(type) {
		case Ask:
			p.question, p.free = e.Question, time.Time{}
			if p.asks++; p.asks > 1 {
				p.until = h.at.Add(oracleWindow)
			}
		case Send:
			p.answered, p.sends = true, min(p.sends+1, 2)
		case Void:
			if _, ok := h.event.(Prepared); !ok {
				p.answered = true
			}
		case ReadBack:
			p.reading, p.readings = e.Reading, min(p.readings+1, 4)
			p.started, p.spoiled, p.played, p.early, p.begun, p.asks, p.end, p.until, p.free = false, false, false, false, false, 0, time.Time{}, time.Time{}, time.Time{}
		}
	}
	p.asks = min(p.asks, 3)
	return p
}

// depth covers two drafts: each takes seven steps (prepared, started, played, asked, 0.5s, begun, yes), and two more may go wrong.
const depth = 16

// TestInvariant10EveryInterleaving walks every history of the alphabet up to a depth, from a call whose caller has just become the owner. Two histories that lead to the
// same place are walked on once.
func TestInvariant10EveryInterleaving(t *testing.T) {
	m, c, h := take(New(testPrompts), course{now: noon}, plain("owner", Owner{true}))
	root := &node{}
	first := &node{m: m, c: c, past: past{}.then(h), parent: root, name: "owner", happened: h}
	seen := map[place]bool{first.place(): true}
	level := []*node{first}
	steps, sends, both := 0, 0, 0
	for d := 1; d <= depth; d++ {
		var next []*node
		for _, n := range level {
			for _, s := range alphabet {
				m, c, h := take(n.m, n.c, s)
				steps++
				after := n.past.then(h)
				why := odd(n, m, h)
				if why == "" {
					why = alone(n, m, after, h)
				}
				if why != "" {
					_, names := n.history()
					t.Errorf("%s: %s, %s", why, strings.Join(names, ", "), s.name)
					return
				}
				if len(h.effects) > 0 {
					to := &node{parent: n, name: s.name, happened: h}
					if bad, isSend := check(t, to); bad {
						return
					} else if isSend {
						sends++
						if before, _ := to.history(); countSends(before) == 2 {
							both++
						}
					}
				}
				if d == depth {
					continue
				}
				to := &node{m: m, c: c, past: after, parent: n, name: s.name, happened: h}
				if at := to.place(); !seen[at] {
					seen[at] = true
					next = append(next, to)
				}
			}
		}
		t.Logf("after %d steps: %d states more", d, len(next))
		level = next
	}
	t.Logf("%d states, %d steps, %d sends, %d of them the second of their history", len(seen), steps, sends, both)
	if sends == 0 || both == 0 {
		t.Error("too little was sent: this test sees nothing")
	}
}

// odd says what a step did that would not show in a send: what belongs to a read-back changed an idle machine, or one that is at another; or the number of a read-back
// was used before.
func odd(n *node, m Machine, h happened) string {
	if r, ok := did[ReadBack](h); ok && r.Reading <= n.c.reading {
		return "a read-back has the number of another"
	}
	if h.event == nil || h.at.Before(n.m.last) {
		return ""
	}
	m.last = n.m.last
	changed := m != n.m || len(h.effects) > 0
	old := false
	switch e := h.event.(type) {
	case Started:
		old = e.Reading != n.c.reading
	case Played:
		old = e.Reading != n.c.reading
	case Interrupted:
		old = e.Reading != n.c.reading
	case Asked:
		old = e.Question != n.c.question
	case Begun, Dropped, Silence, ModelSpoke, ToolAnswered, Withdrawn:
	default:
		return ""
	}
	switch {
	case changed && old:
		return "what is left of a read-back, or question, before changed something"
	case changed && n.m.stage == idle:
		return "an idle machine changed"
	}
	return ""
}

// alone says what is wrong with what the machine says of keys: they alone count once somebody has spoken into the last read-back that there may be, and as long as the draft is pending. Then
// no speech sends, and a call that has no keys can end it: a read-back that is cut is never heard whole.
func alone(n *node, m Machine, after past, h happened) string {
	_, pending := m.Pending()
	if m.KeysAlone() != (pending && after.readings == 1+MaxRestarts && after.early) {
		return "keys alone count, or do not, at a wrong time"
	}
	if !n.m.KeysAlone() || h.event == nil {
		return ""
	}
	switch e := h.event.(type) {
	case Final:
		if _, sent := did[Send](h); sent && e.Turn.Key() == 0 {
			return "speech sent where keys alone count"
		}
	case Interrupted:
		if v, ok := did[Void](h); e.Reading == n.c.reading && (!ok || v.Why != Cut && v.Why != ClockBack || pending) {
			return "a draft that waits for a key alone cannot be ended"
		}
	}
	return ""
}

// check holds the last step of a history against the oracle.
func check(t *testing.T, n *node) (bad, sent bool) {
	t.Helper()
	_, sent = did[Send](n.happened)
	if _, final := n.event.(Final); !sent && !final {
		if _, tool := n.event.(ToolAnswered); !tool {
			if _, hands := did[Hand](n.happened); !hands {
				return false, false
			}
		}
	}
	var hs []happened
	if hs = []happened{n.happened}; sent {
		hs, _ = n.history()
	}
	if why := wrong(hs); why != "" {
		_, names := n.history()
		t.Errorf("%s: %s", why, strings.Join(names, ", "))
		return true, sent
	}
	return false, sent
}

func countSends(hs []happened) (n int) {
	for _, h := range hs {
		if _, ok := did[Send](h); ok {
			n++
		}
	}
	return n
}
