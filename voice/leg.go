package voice

import (
	"context"
	"errors"
	"time"
)

// ErrHungUp is what a leg answers when the call is over, whoever ended it.
var ErrHungUp = errors.New("the call is over")

// Frame is a piece of mono sound.
type Frame struct {
	Rate    int     // samples a second: 8000 on a telephone line
	Samples []int16 // PCM, signed; who is given a frame may keep it, who gave it away may not touch it again
}

// Duration is how long the frame sounds; 0 if it has no rate.
func (f Frame) Duration() time.Duration {
	if f.Rate <= 0 {
		return 0
	}
	return time.Duration(len(f.Samples)) * time.Second / time.Duration(f.Rate)
}

// Key is a key that the caller pressed.
type Key struct {
	Rune rune          // one of [Keys]
	Held time.Duration // for how long it was down when the leg told of it; 0 if the line does not say
}

// Mark is what became of a place in the sound that a leg was given.
type Mark struct {
	// Played says that all sound before the mark left the leg, at the pace of speech, and none of it was cleared. The caller hears its end later by
	// the way to them, for which [Leg.RoundTrip] is more than enough.
	Played bool
	At     time.Time     // when that was, or when it was cleared or the call ended
	Left   time.Duration // how much sound before the mark was not played: 0 if Played
}

// CallerID is who the line says is calling. It is what a network claims, and proves nothing.
type CallerID struct {
	Number string // in E.164 with its plus, or empty where the number is hidden or is none
	Line   string // the name of the line or trunk that it came by, from the configuration
}

// Leg is where a call's audio comes from and goes to: an Asterisk channel, a LiveKit room, a terminal. Its methods may be called from several goroutines.
// Once the call is over they answer [ErrHungUp], at once.
type Leg interface {
	// ID names the call. It is ours, and may stand in a log.
	ID() string
	// Caller is who the line says is calling.
	Caller() CallerID
	// Rate is the samples a second of the frames of Hear; those given to Play must have it as well.
	Rate() int

	// Hear waits for the caller's next frame. They come at the pace of speech, silence and missing packets filled in, 10 to 60 ms each. Who does not
	// come for them in time loses the oldest.
	Hear(ctx context.Context) (Frame, error)
	// Keys gives the keys that the caller presses, as the line's signalling tells them, never by listening to the sound. It is closed when the call is over.
	Keys() <-chan Key

	// Play adds sound to what is to be played, and returns when no more than a second of it waits, or ctx is over: then all of the frame was taken,
	// or none.
	Play(ctx context.Context, f Frame) error
	// Mark sets a mark behind all sound that Play has taken so far. Its channel gives one Mark, when that sound was played, or was cleared, or the call is over.
	Mark() <-chan Mark
	// Clear throws away what waits to be played. Marks that wait answer that it was not.
	Clear()
	// RoundTrip is the longest time, as known just now, from a sample leaving this leg to an answer to it arriving: the network there and back, and both jitter
	// buffers. A leg that cannot measure it answers with a bound.
	RoundTrip() time.Duration

	// HangUp ends the call. It may be done again.
	HangUp(ctx context.Context) error
	// Done is closed when the call is over.
	Done() <-chan struct{}
}
