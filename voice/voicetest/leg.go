package voicetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"readback/voice"
	"readback/voice/media"
)

// ErrRate is what the leg answers to sound of another rate than its own.
var ErrRate = errors.New("the sound has another rate than the leg")

// Options are what a Leg is made of. Zeros have defaults.
type Options struct {
	ID        string // "memory"
	Caller    voice.CallerID
	Rate      int           // 8000
	Frame     time.Duration // of the frames of Hear: 20 ms
	RoundTrip time.Duration // 60 ms
	Late      time.Duration // for how long sound is on its way to the caller and back again, each: 0
	Echo      float64       // how much of what is played comes back to the leg, 0 to 1, after twice Late
	Filter    func(near, far []int16)
	Now       func() time.Time // time.Now: in a bubble of testing/synctest that is its time
}

// Leg is a call in memory. It moves by its own timer, a frame at a time, in a goroutine that HangUp ends: in a bubble of testing/synctest, at its pace.
type Leg struct {
	o    Options
	step int // samples of a frame
	keys chan voice.Key
	done chan struct{}

	mu     sync.Mutex
	over   bool
	ahead  []int16 // what the caller is going to say
	spoke  chan struct{}
	heard  []voice.Frame // what Hear has not been asked for yet
	some   chan struct{}
	lost   int
	stall  bool // the network takes nothing
	play   queue
	played []int16 // all that ever left, silence as well
	frames int
}

// inlet is how many frames wait for Hear: as many as on a line.
const inlet = 50

var _ voice.Leg = (*Leg)(nil)

// New begins a call. End it by HangUp.
func New(o Options) *Leg {
	if o.ID == "" {
		o.ID = "memory"
	}
	if o.Rate == 0 {
		o.Rate = media.Rate
	}
	if o.Frame <= 0 {
		o.Frame = media.FrameTime
	}
	if o.RoundTrip <= 0 {
		o.RoundTrip = 60 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &Leg{
		o: o, step: int(o.Frame * time.Duration(o.Rate) / time.Second),
		keys: make(chan voice.Key, 64), done: make(chan struct{}), some: make(chan struct{}, 1),
		play: queue{rate: o.Rate, wake: make(chan struct{})},
	}
	go l.run()
	return l
}

func (l *Leg) run() {
	tick := time.NewTicker(l.o.Frame)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.slot()
		case <-l.done:
			return
		}
	}
}

// slot is one frame's time: what was sent in the one before has sounded, the next leaves, and what the caller said in it arrives.
func (l *Leg) slot() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	l.play.slot(l.o.Now())
	near := make([]int16, l.step)
	n := copy(near, l.ahead)
	if l.ahead = l.ahead[n:]; len(l.ahead) == 0 && l.spoke != nil {
		close(l.spoke)
		l.spoke = nil
	}
	back := int(2 * l.o.Late * time.Duration(l.o.Rate) / time.Second)
	far := make([]int16, l.step)
	if len(l.played) >= l.step {
		copy(far, l.played[len(l.played)-l.step:])
	}
	for i := range near {
		if l.o.Echo == 0 {
			break
		}
		if k := len(l.played) - l.step - back + i; k >= 0 {
			near[i] = int16(max(-32768, min(32767, float64(near[i])+l.o.Echo*float64(l.played[k]))))
		}
	}
	if l.o.Filter != nil {
		l.o.Filter(near, far)
	}
	if len(l.heard) == inlet {
		l.heard = l.heard[1:]
		l.lost++
	}
	l.heard = append(l.heard, voice.Frame{Rate: l.o.Rate, Samples: near})
	l.tell()
	out := make([]int16, l.step)
	if l.stall {
		l.play.refuse(l.step)
	} else {
		l.play.next(out)
	}
	l.played = append(l.played, out...)
	l.frames++
}

func (l *Leg) tell() {
	select {
	case l.some <- struct{}{}:
	default:
	}
}

// ID implements voice.Leg.
func (l *Leg) ID() string { return l.o.ID }

// Caller implements voice.Leg.
func (l *Leg) Caller() voice.CallerID { return l.o.Caller }

// Rate implements voice.Leg.
func (l *Leg) Rate() int { return l.o.Rate }

// RoundTrip implements voice.Leg.
func (l *Leg) RoundTrip() time.Duration { return l.o.RoundTrip }

// Keys implements voice.Leg.
func (l *Leg) Keys() <-chan voice.Key { return l.keys }

// Done implements voice.Leg.
func (l *Leg) Done() <-chan struct{} { return l.done }

// Hear implements voice.Leg.
func (l *Leg) Hear(ctx context.Context) (voice.Frame, error) {
	for {
		l.mu.Lock()
		if l.over {
			l.mu.Unlock()
			return voice.Frame{}, voice.ErrHungUp
		}
		if len(l.heard) > 0 {
			f := l.heard[0]
			if l.heard = l.heard[1:]; len(l.heard) > 0 {
				l.tell()
			}
			l.mu.Unlock()
			return f, nil
		}
		l.mu.Unlock()
		select {
		case <-l.some:
		case <-l.done:
		case <-ctx.Done():
			return voice.Frame{}, ctx.Err()
		}
	}
}

// Play implements voice.Leg.
func (l *Leg) Play(ctx context.Context, f voice.Frame) error {
	if f.Rate != l.o.Rate {
		return ErrRate
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for began := l.play.clears; l.play.waiting() > l.o.Rate && !l.over; {
		l.play.blocked += len(f.Samples)
		wake := l.play.wake
		l.mu.Unlock()
		var err error
		select {
		case <-wake:
		case <-ctx.Done():
			err = ctx.Err()
		}
		l.mu.Lock()
		if l.over {
			break
		}
		if l.play.clears != began {
			return nil
		}
		l.play.blocked -= len(f.Samples)
		if err != nil {
			return err
		}
	}
	if l.over {
		return voice.ErrHungUp
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	l.play.pcm = append(l.play.pcm, f.Samples...)
	return nil
}

// Mark implements voice.Leg.
func (l *Leg) Mark() <-chan voice.Mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.play.mark(l.o.Now(), l.over)
}

// Clear implements voice.Leg.
func (l *Leg) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.play.clear(l.o.Now(), false)
}

// HangUp implements voice.Leg.
func (l *Leg) HangUp(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return nil
	}
	l.over = true
	l.play.clear(l.o.Now(), true)
	if l.spoke != nil {
		close(l.spoke)
		l.spoke = nil
	}
	close(l.keys)
	close(l.done)
	return nil
}

// Speak has the caller say something, behind what they are saying already. Its channel is closed when the last of it has come to the leg.
func (l *Leg) Speak(pcm []int16) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead = append(l.ahead, pcm...)
	if l.spoke == nil {
		l.spoke = make(chan struct{})
	}
	ch := l.spoke
	if l.over || len(l.ahead) == 0 {
		close(ch)
		l.spoke = nil
	}
	return ch
}

// Hush makes the caller silent at once.
func (l *Leg) Hush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead = nil
}

// Press has the caller press keys, each held so long.
func (l *Leg) Press(keys string, held time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range keys {
		if !l.over {
			select {
			case l.keys <- voice.Key{Rune: k, Held: held}:
			default: // as on a line: nobody reads them
			}
		}
	}
}

// Listen gives all that the caller was sent so far, silence as well: the n-th sample at n / Rate after the call began.
func (l *Leg) Listen() []int16 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]int16(nil), l.played...)
}

// Lost is how many frames Hear was not asked for in time.
func (l *Leg) Lost() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Refuse has the network take nothing from now on, or everything again.
func (l *Leg) Refuse(refuse bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stall = refuse
}

// Far is the caller's end, for the contract of legs.
func (l *Leg) Far() Far { return far{l} }

type far struct{ l *Leg }

func (f far) Send(pcm []int16)      { f.l.Speak(pcm) }
func (f far) Received() []int16     { return f.l.Listen() }
func (f far) Press(key rune)        { f.l.Press(string(key), 0) }
func (f far) HangUp()               { _ = f.l.HangUp(context.Background()) }
func (f far) Done() <-chan struct{} { return f.l.Done() }
