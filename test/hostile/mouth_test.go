package hostile

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/voice"
)

// mouth speaks on a call, at some pace, and writes down what the caller heard of it. It does not always say what it was given.
type mouth struct {
	r      *rand.Rand // of the goroutine that plays
	scale  float64    // of the pace of speech
	faulty int        // of 100 that it speaks, how often something fails

	mu    sync.Mutex
	queue []*speech
	log   []*speech // all of which something was heard, in order
	given []*speech // all, in order
	work  chan struct{}
	news  chan news
	late  sync.WaitGroup
}

// speech is something that was to be said, and what the caller heard of it.
type speech struct {
	lang  lang.Lang
	parts []voice.Part
	given time.Time
	trip  time.Duration
	ends  time.Time // when it ends, if nothing cuts it; set when it begins

	// Guarded by the mouth.
	heard []stretch
	whole bool // all of it was heard, and nothing failed

	started chan struct{}
	done    chan voice.Outcome
	cut     chan struct{}
	once    sync.Once
}

// stretch is a part as it was heard.
type stretch struct {
	from, to time.Time
	whole    bool
}

// news is what a caller who listens notices: that something begins or ends.
type news struct {
	of    *speech
	began bool
}

func (s *speech) Started() <-chan struct{}   { return s.started }
func (s *speech) Done() <-chan voice.Outcome { return s.done }

func (s *speech) text() string {
	var words []string
	for _, p := range s.parts {
		if p.Text != "" {
			words = append(words, p.Text)
		}
	}
	return strings.Join(words, " ")
}

var errVoice = errors.New("no voice")

// newMouth begins to play, until ctx ends. wait waits for the end.
func newMouth(ctx context.Context, r *rand.Rand, scale float64, faulty int) (m *mouth, wait func()) {
	m = &mouth{r: r, scale: scale, faulty: faulty, work: make(chan struct{}, 1), news: make(chan news, 4096)}
	m.late.Go(func() {
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
	})
	return m, m.late.Wait
}

func (m *mouth) Say(l lang.Lang, what ...voice.Part) voice.Speech {
	s := &speech{lang: l, parts: slices.Clone(what), given: time.Now(), started: make(chan struct{}), done: make(chan voice.Outcome, 1), cut: make(chan struct{})}
	m.mu.Lock()
	m.queue = append(m.queue, s)
	m.given = append(m.given, s)
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

func (m *mouth) next() *speech {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		return nil
	}
	return m.queue[0]
}

// over tells what became of a speech, at times a while later.
func (m *mouth) over(s *speech, out voice.Outcome) {
	m.mu.Lock()
	m.queue = slices.DeleteFunc(m.queue, func(q *speech) bool { return q == s })
	m.mu.Unlock()
	m.tell(news{of: s})
	if m.faulty == 0 || m.r.IntN(8) > 0 {
		s.done <- out
		return
	}
	pause := time.Duration(m.r.IntN(400)) * time.Millisecond
	m.late.Go(func() {
		time.Sleep(pause)
		s.done <- out
	})
}

func (m *mouth) tell(n news) {
	select {
	case m.news <- n:
	default: // the caller does not listen
	}
}

func (m *mouth) sounds(p voice.Part) time.Duration {
	d := 200 * time.Millisecond
	if p.Text != "" {
		d += time.Duration(utf8.RuneCountInString(p.Text)) * 45 * time.Millisecond
	}
	return time.Duration(float64(d) * m.scale)
}

// What a mouth may do to a speech.
const (
	fine    = iota
	cuts    // in the middle of a part
	fails   // before a part
	skips   // one part is not said, and it says so, and that all was played
	unbegun // it never tells of the beginning
	faults
)

func (m *mouth) play(s *speech) (out voice.Outcome) {
	fault, at, share := fine, 0, 0.0
	if len(s.parts) > 0 && m.r.IntN(100) < m.faulty {
		fault, at, share = 1+m.r.IntN(faults-1), m.r.IntN(len(s.parts)), m.r.Float64()
	}
	s.trip = time.Duration(float64(m.r.IntN(600))*m.scale) * time.Millisecond
	out.RoundTrip = s.trip
	s.ends = time.Now()
	for _, p := range s.parts {
		s.ends = s.ends.Add(m.sounds(p))
	}
	defer func() { out.At = time.Now() }()
	lied := false
	for i, p := range s.parts {
		select {
		case <-s.cut:
			return out
		default:
		}
		if fault == fails && i == at {
			out.Err = errVoice
			return out
		}
		if i == 0 {
			m.mu.Lock()
			m.log = append(m.log, s)
			m.mu.Unlock()
			if fault != unbegun {
				close(s.started)
			}
			m.tell(news{of: s, began: true})
		}
		if fault == skips && i == at {
			lied = true
			m.heard(s, stretch{from: time.Now(), to: time.Now()})
			continue
		}
		d := m.sounds(p)
		if fault == cuts && i == at {
			d = time.Duration(share * float64(d))
		}
		h := stretch{from: time.Now()}
		t := time.NewTimer(d)
		select {
		case <-t.C:
			h.whole = fault != cuts || i != at
		case <-s.cut:
		}
		t.Stop()
		h.to = time.Now()
		m.heard(s, h)
		if !h.whole {
			return out
		}
		out.Whole++
	}
	out.Played = true
	if lied {
		out.Err = errVoice
		return out
	}
	m.mu.Lock()
	s.whole = true
	m.mu.Unlock()
	return out
}

func (m *mouth) heard(s *speech, h stretch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.heard = append(s.heard, h)
}

// last is what the caller heard last, or hears.
func (m *mouth) last() *speech {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.log) == 0 {
		return nil
	}
	return m.log[len(m.log)-1]
}
