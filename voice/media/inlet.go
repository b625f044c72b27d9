package media

import (
	"context"
	"sync"

	"readback/voice"
)

// Inlet holds what came until somebody hears it. It is bounded: who does not come in time loses the oldest frames. It may be used by several goroutines.
type Inlet struct {
	mu     sync.Mutex
	frames []voice.Frame
	max    int
	lost   uint64
	closed bool
	some   chan struct{} // holds one value while there is something to hear, or the inlet is closed
}

// NewInlet makes an inlet that holds so many frames.
func NewInlet(frames int) *Inlet {
	return &Inlet{max: max(frames, 1), some: make(chan struct{}, 1)}
}

// Put adds a copy of a frame.
func (i *Inlet) Put(f *Frame) {
	pcm := append([]int16(nil), f[:]...)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed {
		return
	}
	if len(i.frames) == i.max {
		i.frames = append(i.frames[:0], i.frames[1:]...)
		i.lost++
	}
	i.frames = append(i.frames, voice.Frame{Rate: Rate, Samples: pcm})
	i.tell()
}

// Hear waits for the next frame. The frames that came before the inlet was closed are heard first.
func (i *Inlet) Hear(ctx context.Context) (voice.Frame, error) {
	for {
		i.mu.Lock()
		if len(i.frames) > 0 {
			f := i.frames[0]
			i.frames = append(i.frames[:0], i.frames[1:]...)
			if len(i.frames) > 0 {
				i.tell()
			}
			i.mu.Unlock()
			return f, nil
		}
		if i.closed {
			i.tell()
			i.mu.Unlock()
			return voice.Frame{}, voice.ErrHungUp
		}
		i.mu.Unlock()
		select {
		case <-i.some:
		case <-ctx.Done():
			return voice.Frame{}, ctx.Err()
		}
	}
}

// Lost is how many frames nobody came for in time.
func (i *Inlet) Lost() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lost
}

// Close ends it: who waits is told that the call is over.
func (i *Inlet) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.tell()
}

func (i *Inlet) tell() {
	select {
	case i.some <- struct{}{}:
	default:
	}
}
