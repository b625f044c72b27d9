package speak

import (
	"context"
	"strings"
	"time"
	"unicode"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media/rate"
)

// Bounds of one part.
const (
	longestPause = time.Minute
	longestWords = 10 * time.Minute
)

// The least sound that words can have. An engine whose answer was cut off may end without an error, and half of a read-back must not pass for all of it. Speech at 300
// words a minute has 35 ms and more for a letter.
const (
	perLetter = 10 * time.Millisecond
	leastWord = 50 * time.Millisecond
)

// engineError is an engine's error. What it says may hold anything, and is not printed.
type engineError struct{ err error }

func (e engineError) Error() string   { return ErrEngine.Error() }
func (e engineError) Unwrap() []error { return []error{ErrEngine, e.err} }

// compose makes the sound of what is to be said, in order, ahead of the leg.
func (m *Mouth) compose(ctx context.Context) {
	for {
		m.mu.Lock()
		var s *speech
		for _, q := range m.queue {
			if !q.made {
				s = q
				break
			}
		}
		wake := m.wake
		m.mu.Unlock()
		if s != nil {
			m.whole(s)
			continue
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

// whole makes all of one speech, by one engine.
func (m *Mouth) whole(s *speech) {
	var err error
	engines := m.engines()
	for i, e := range engines {
		err = nil
		for _, p := range s.parts {
			if err = m.part(s, e.tts, p); err != nil {
				break
			}
		}
		if err == nil || !m.anew(s, e, i+1 < len(engines)) {
			break
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !s.made { // else the leg has refused it
		s.made, s.ready = true, true
		s.err = err
	}
	m.stir()
}

// engine is one that may speak.
type engine struct {
	tts  voice.TTS
	main bool
}

// engines are those that may speak, the first to be tried first.
func (m *Mouth) engines() []engine {
	m.mu.Lock()
	defer m.mu.Unlock()
	main, second := engine{m.o.TTS, true}, engine{m.o.Second, false}
	switch left := m.rested.Sub(m.o.Now()); {
	case m.o.Second == nil:
		return []engine{main}
	case m.o.TTS == nil:
		return []engine{second}
	case left > 0 && left <= m.o.Again: // a clock that jumped back does not make it longer
		return []engine{second, main}
	}
	return []engine{main, second}
}

// anew throws away what a failed engine made of a speech, if there is another and nothing of it was given to the leg.
func (m *Mouth) anew(s *speech, failed engine, another bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.over || s.made { // it was stopped, or the leg refused it: no engine's fault
		return false
	}
	if failed.main {
		m.rested = m.o.Now().Add(m.o.Again)
	}
	if !another || s.given {
		return false
	}
	m.forget(s)
	s.ready = false
	return true
}

// part makes the sound of one part.
func (m *Mouth) part(s *speech, tts voice.TTS, p voice.Part) error {
	var err error
	switch {
	case p.Sound != voice.NoSound:
		err = m.add(s, m.sounds[p.Sound], false)
	case p.Pause > 0:
		err = m.add(s, m.silence(p.Pause), false)
	case strings.TrimSpace(p.Text) != "":
		err = m.words(s, tts, p)
	}
	if err != nil {
		return err
	}
	return m.put(s, piece{end: true})
}

// add adds sound, in pieces that a stop does not have to wait for.
func (m *Mouth) add(s *speech, pcm []int16, words bool) error {
	for len(pcm) > 0 {
		n := min(len(pcm), max(1, m.o.Leg.Rate()/10))
		if err := m.put(s, piece{pcm: pcm[:n:n], words: words}); err != nil {
			return err
		}
		pcm = pcm[n:]
	}
	return nil
}

func (m *Mouth) put(s *speech, p piece) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.over || s.made {
		return context.Canceled
	}
	p.pcm = append([]int16(nil), p.pcm...) // the leg may keep it
	s.pieces = append(s.pieces, p)
	s.ready = s.ready || p.words
	m.count(p, 1)
	m.stir()
	return nil
}

// spoken is what an engine gives, or that it is at its end.
type spoken struct {
	f    voice.Frame
	err  error
	done bool
}

// words has an engine speak.
func (m *Mouth) words(s *speech, tts voice.TTS, p voice.Part) error {
	if tts == nil {
		return ErrNoEngine
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	out := make(chan spoken)
	go ask(ctx, tts, s.l, p, out) // one that does not mind its context is left to itself
	var (
		conv    *rate.Converter
		from    int
		pcm     []int16
		made    int
		patient = time.NewTimer(m.o.Patience)
	)
	defer patient.Stop()
	for {
		if err := m.room(ctx); err != nil {
			return err
		}
		patient.Reset(m.o.Patience)
		var next spoken
		select {
		case next = <-out:
		case <-patient.C:
			return ErrStalled
		case <-ctx.Done():
			return ctx.Err()
		}
		if next.err != nil {
			return next.err
		}
		if next.done {
			break
		}
		if conv == nil {
			c, err := rate.New(next.f.Rate, m.o.Leg.Rate())
			if err != nil {
				return ErrSound
			}
			conv, from = c, next.f.Rate
		}
		if next.f.Rate != from {
			return ErrSound
		}
		pcm = conv.Convert(pcm[:0], next.f.Samples)
		made += len(pcm)
		if m.lasts(made) > longestWords {
			return ErrEndless
		}
		if err := m.add(s, pcm, true); err != nil {
			return err
		}
	}
	if conv != nil {
		pcm = conv.Flush(pcm[:0])
		made += len(pcm)
	}
	if m.lasts(made) < least(p) {
		return ErrShort
	}
	return m.add(s, pcm, true)
}

func (m *Mouth) lasts(samples int) time.Duration {
	return time.Duration(samples) * time.Second / time.Duration(m.o.Leg.Rate())
}

// least is the shortest that words can be. Of the program's own, a sentence of nothing but marks may have no sound; what is quoted must have some.
func least(p voice.Part) time.Duration {
	letters, others := 0, p.Voice != voice.ProgramVoice
	for _, r := range p.Text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
		case unicode.IsSymbol(r):
			others = true
		}
	}
	if letters == 0 && !others {
		return 0
	}
	return max(leastWord, time.Duration(letters)*perLetter)
}

// room waits until not too much is made that the leg has not yet taken.
func (m *Mouth) room(ctx context.Context) error {
	for {
		m.mu.Lock()
		wake, room := m.wake, m.lasts(m.ahead) < m.o.Ahead
		m.mu.Unlock()
		if room {
			return ctx.Err()
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask is the engine's part.
func ask(ctx context.Context, tts voice.TTS, l lang.Lang, p voice.Part, out chan<- spoken) {
	give := func(s spoken) bool {
		select {
		case out <- s:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if recover() != nil {
			give(spoken{err: ErrCrashed}) // what it panicked with may be anything
		}
	}()
	for f, err := range tts.Speak(ctx, l, p.Voice, p.Text) {
		if err != nil {
			give(spoken{err: engineError{err}})
			return
		}
		if !give(spoken{f: f}) {
			return
		}
	}
	give(spoken{done: true})
}
