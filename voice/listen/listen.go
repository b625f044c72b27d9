package listen

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/ear"
)

// Why an utterance was dropped, or the ears gave up. None of them holds anything of what was said, and each is a code that may be shown or logged.
var (
	ErrNoEngine = errors.New("no_recogniser")      // there is none
	ErrSlow     = errors.New("recogniser_slow")    // it did not answer in time
	ErrCrashed  = errors.New("recogniser_crashed") // it panicked
	ErrEngine   = errors.New("recogniser_failed")  // it answered with an error, which is wrapped, and not printed
	ErrBehind   = errors.New("nobody_listens")     // of Run: nobody took what was heard, and the call was ended
)

// What is held.
const (
	backlog = 256                    // events that nobody has taken yet; with one more, the call is over
	preroll = 300 * time.Millisecond // sound before the first that was detected: an s is softer than an a
	kept    = 64                     // frames before now that are held for an utterance to begin with: more than a detector looks back, and the pre-roll
	longest = 10 * time.Minute       // of a recording
)

// VAD tells speech from all else in the sound of one call, 20 ms (160 samples) at a time.
type VAD interface {
	Frame(pcm []int16) ear.Heard
}

// Options are what ears are made of.
type Options struct {
	Leg    voice.Leg
	Ear    *voice.Ear // of the call's transcript
	STT    voice.STT  // nil: speech is noticed, and not understood
	Lang   lang.Lang  // in which the caller is understood until Speak; "" for English
	VAD    VAD        // finds speech in this call's sound, and in no other's; nil: ear's own
	Limits ear.Limits // of utterances; zeros have their defaults
	Now    func() time.Time

	Patience time.Duration // for the words, once an utterance has ended; 0 for 10 s
	Grace    time.Duration // for the words of utterances that have ended, once the call is over; 0 for 3 s
}

// Ears are voice.Ears over a leg.
type Ears struct {
	o Options

	mu      sync.Mutex
	lang    lang.Lang
	deaf    bool
	events  chan voice.Heard
	closed  bool
	behind  bool
	queue   []*utterance // those that are not settled yet, in the order in which they began
	tapes   []*tape
	settled chan struct{} // holds a value when one of the queue was settled
	stop    context.CancelFunc
	wg      sync.WaitGroup
}

var _ voice.Ears = (*Ears)(nil)

// New makes the ears of one call. Nothing is heard until Run.
func New(o Options) *Ears {
	if o.Lang == "" {
		o.Lang = lang.EN
	}
	if o.VAD == nil {
		o.VAD = &ear.VAD{}
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	if o.Grace <= 0 {
		o.Grace = 3 * time.Second
	}
	return &Ears{o: o, lang: o.Lang, events: make(chan voice.Heard, backlog), settled: make(chan struct{}, 1)}
}

// Heard implements voice.Ears. A turn that is a key comes when it is pressed, also between the Begun and the end of an utterance.
func (e *Ears) Heard() <-chan voice.Heard { return e.events }

// Speak implements voice.Ears.
func (e *Ears) Speak(l lang.Lang) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lang = l
}

// Deaf implements voice.Ears. What is being said when they become deaf is dropped, and what is being said when they are so no longer is not heard either: speech is understood whole.
func (e *Ears) Deaf(deaf bool) {
	e.mu.Lock()
	e.deaf = deaf
	var open []*utterance
	if deaf {
		open = append(open, e.queue...)
	}
	e.mu.Unlock()
	for _, u := range open {
		u.cancel(nil)
		e.settle(u, result{})
	}
}

// Run hears until the call is over or ctx ends, and then closes Heard. What had ended by then may still be recognised, for the grace; an utterance that was going on is
// dropped, for nobody knows what it would have become. It is called once, and answers voice.ErrHungUp, ctx's error, ErrBehind, or why the leg's sound cannot be used.
func (e *Ears) Run(ctx context.Context) (err error) {
	run, stop := context.WithCancel(ctx)
	e.mu.Lock()
	e.stop = stop
	e.mu.Unlock()
	defer func() { // after a panic as well: who waits for what is heard is told that no more comes
		stop()
		e.finish(run)
		e.wg.Wait()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.closed = true
		close(e.events)
		if e.behind {
			err = ErrBehind
		}
	}()
	e.wg.Go(func() { e.keys(run) })
	err = e.hear(run)
	e.finish(run)
	return err
}

// keys adds what is pressed, at once: a key is not held back behind a recogniser that is slow. So a key's turn may be told of, and numbered, before that of speech which
// began sooner. Any order of the two is safe: each turn carries when it began, an answer counts only if that is after the end of this very read-back, and the draft is sent, or
// is no more, with the first clear answer; what comes later finds nothing that waits. Who says something and then presses a key has answered with the key, which came last.
func (e *Ears) keys(ctx context.Context) {
	over := ctx.Done()
	for {
		select {
		case k, ok := <-e.o.Leg.Keys():
			if !ok {
				return
			}
			e.key(k)
		case <-over:
			select {
			case k, ok := <-e.o.Leg.Keys(): // pressed just before
				if !ok {
					return
				}
				e.key(k)
			default:
				return
			}
		}
	}
}

func (e *Ears) key(k voice.Key) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deaf {
		if turn, err := e.o.Ear.Secret(k.Rune); err == nil {
			e.tell(voice.Said{Turn: turn})
		}
		return
	}
	if turn, err := e.o.Ear.Key(k.Rune, k.Held); err == nil {
		e.tell(voice.Said{Turn: turn})
	}
}

// tell hands out an event; e.mu is held. It never waits. When too many wait, the call is ended: a turn that was lost without a word would be worse.
func (e *Ears) tell(h voice.Heard) {
	if e.closed || e.behind {
		return
	}
	select {
	case e.events <- h:
	default:
		e.behind = true
		e.stop()
		go func() { // it may wait for a network, and may ask for nothing of ours
			ctx, cancel := context.WithTimeout(context.Background(), e.o.Grace)
			defer cancel()
			_ = e.o.Leg.HangUp(ctx)
		}()
	}
}

// hear takes the leg's frames and finds the utterances in them.
func (e *Ears) hear(ctx context.Context) error {
	var (
		frames reframer
		turns  = ear.NewTurns(e.o.Limits)
		past   = ring{}
		clock  = newLateness(e.o.Now)
		open   *utterance
	)
	defer func() {
		if open != nil {
			e.drop(open)
		}
	}()
	for {
		clock.waiting()
		f, err := e.o.Leg.Hear(ctx)
		if err != nil {
			return err
		}
		clock.took(f.Duration())
		pcm, err := frames.take(f)
		if err != nil {
			return err
		}
		for ; len(pcm) >= media.FrameSamples; pcm = pcm[media.FrameSamples:] {
			frame := append([]int16(nil), pcm[:media.FrameSamples]...)
			at := past.add(frame)
			e.record(frame)
			event := turns.Frame(e.o.VAD.Frame(frame), zero.Add(at))
			if open != nil {
				open.write(frame)
			}
			switch event.Kind {
			case ear.Begun:
				open = e.begin(ctx, &past, clock, event.Began.Sub(zero))
			case ear.Barged:
				e.barged(open)
			case ear.Ended:
				past.bar(event.Last.Sub(zero))
				if event.Cut { // what goes on is another turn from here on
					past.bar(at + media.FrameTime)
				}
				if open != nil {
					open.end()
				}
				open = nil
			}
		}
		frames.keep(pcm)
	}
}

// begin starts an utterance with the sound that was heard of it already, and some before. It is said to have begun with the first sample of that: what was detected may have
// been preceded by softer words, and a recogniser has better ears than the detector.
func (e *Ears) begin(ctx context.Context, past *ring, clock *lateness, first time.Duration) *utterance {
	from, frames := past.since(first - preroll)
	u, err := e.o.Ear.Begin(clock.ago(from))
	if err != nil {
		return nil // an ear of no transcript: nothing can be said here
	}
	e.mu.Lock()
	l := e.lang
	e.mu.Unlock()
	heard := newUtterance(u, frames)
	e.mu.Lock()
	if e.deaf {
		e.mu.Unlock()
		u.Drop()
		return nil
	}
	e.queue = append(e.queue, heard)
	heard.later = append(heard.later, voice.Begun{})
	e.flush()
	e.mu.Unlock()
	e.wg.Go(func() { e.recognise(ctx, heard, l) })
	return heard
}

func (e *Ears) barged(u *utterance) {
	if u == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	u.later = append(u.later, voice.Barged{})
	e.flush()
}

// drop gives up an utterance that has not ended.
func (e *Ears) drop(u *utterance) {
	u.cancel(nil)
	e.settle(u, result{})
}

// finish waits for the words of what has ended, no longer than the grace, and drops the rest.
func (e *Ears) finish(ctx context.Context) {
	grace := time.NewTimer(e.o.Grace)
	defer grace.Stop()
	var why error
	for {
		e.mu.Lock()
		left := len(e.queue)
		e.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-e.settled:
			continue
		case <-grace.C:
			why = ErrSlow
		case <-ctx.Done():
		}
		break
	}
	e.mu.Lock()
	rest := append([]*utterance(nil), e.queue...)
	e.mu.Unlock()
	for _, u := range rest {
		u.cancel(why)
		e.settle(u, result{err: why})
	}
}
