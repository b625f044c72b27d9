package wyoming

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/media/rate"
)

// What a server is given to hear: mono PCM of 16 bits at the rate that recognisers are made for, in pieces of a tenth of a second.
const (
	hearRate  = 16000
	hearPiece = 2 * hearRate / 10
)

// Bounds of one utterance.
const (
	MaxUtterance  = 2 * time.Minute
	maxTranscript = 16 << 10 // bytes: two minutes of fast speech are some 3,000
)

// STTOptions are what an STT is made of. Address is needed.
type STTOptions struct {
	Address string                                                               // tcp://HOST:PORT
	Timeout time.Duration                                                        // from the end of the utterance to its words; 0 for 10 s
	Pause   time.Duration                                                        // before a server that went away after the end of the utterance is asked once more; 0 for 300 ms
	Dial    func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network's own
}

// STT is a voice.STT. It may be used by several goroutines; each utterance has a connection of its own.
type STT struct {
	o STTOptions
	s server
}

var _ voice.STT = (*STT)(nil)

// NewSTT makes one. It does not look for the server: Check does.
func NewSTT(o STTOptions) (*STT, error) {
	s, err := newServer(o.Address, o.Dial)
	if err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Pause <= 0 {
		o.Pause = 300 * time.Millisecond
	}
	return &STT{o, s}, nil
}

// Listen implements voice.STT. The utterance lives no longer than ctx.
func (s *STT) Listen(ctx context.Context, l lang.Lang, from int) (voice.Hearing, error) {
	c, err := rate.New(from, hearRate)
	if err != nil {
		return nil, ErrRate
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &hearing{
		s: s, lang: l, from: from, convert: c,
		more: make(chan struct{}, 1), over: make(chan struct{}), done: make(chan struct{}), interim: make(chan untrusted.Text),
	}
	ctx, h.stop = context.WithCancelCause(ctx)
	go h.run(ctx)
	return h, nil
}

// hearing is one utterance. All of its sound is kept until its words are there, so that a server that went away can be given it again.
type hearing struct {
	s    *STT
	lang lang.Lang
	from int
	stop context.CancelCauseFunc

	more    chan struct{} // there is more to send
	over    chan struct{} // closed when the utterance has ended
	done    chan struct{} // closed when words and err stand
	interim chan untrusted.Text

	mu      sync.Mutex
	convert *rate.Converter
	scratch []int16
	pcm     []byte
	taken   int  // samples, as they came
	ended   bool // by Finish or Cancel
	long    bool

	words untrusted.Text
	err   error
}

// Write implements voice.Hearing. A frame past MaxUtterance is refused, and so is the utterance: half of it must not pass for all.
func (h *hearing) Write(f voice.Frame) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.ended:
		return ErrEnded
	case f.Rate != h.from:
		return ErrRate
	case h.long || h.taken+len(f.Samples) > int(MaxUtterance.Seconds())*h.from:
		h.long = true
		h.stop(ErrTooLong)
		return ErrTooLong
	}
	h.taken += len(f.Samples)
	h.scratch = h.convert.Convert(h.scratch[:0], f.Samples)
	h.keep()
	return nil
}

// keep adds what was converted to what is to be sent.
func (h *hearing) keep() {
	for _, v := range h.scratch {
		h.pcm = binary.LittleEndian.AppendUint16(h.pcm, uint16(v))
	}
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// Interim implements voice.Hearing. It gives nothing before the end.
func (h *hearing) Interim() <-chan untrusted.Text { return h.interim }

// end says that nothing more comes.
func (h *hearing) end(flush bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return false
	}
	h.ended = true
	if flush {
		h.scratch = h.convert.Flush(h.scratch[:0])
		h.keep()
	}
	close(h.over)
	return true
}

// Finish implements voice.Hearing. The words are as the server gave them, but for blanks at both ends; an utterance without sound has none, and no server is asked.
func (h *hearing) Finish(ctx context.Context) (untrusted.Text, error) {
	if !h.end(true) {
		return untrusted.Text{}, ErrEnded
	}
	timeout := time.AfterFunc(h.s.o.Timeout, func() { h.stop(ErrStalled) })
	defer timeout.Stop()
	defer context.AfterFunc(ctx, func() { h.stop(ctx.Err()) })()
	<-h.done
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.long {
		return untrusted.Text{}, ErrTooLong
	}
	return h.words, h.err
}

// Cancel implements voice.Hearing. It may be done after Finish, and again.
func (h *hearing) Cancel() {
	h.stop(ErrEnded)
	h.end(false)
}

// run sees the utterance through: as it is spoken, and once more from the beginning if the server was not there or went away.
func (h *hearing) run(ctx context.Context) {
	defer close(h.interim)
	defer close(h.done)
	defer h.stop(nil)
	words, err := h.once(ctx)
	if again(err) && ctx.Err() == nil && h.wait(ctx) {
		words, err = h.once(ctx)
	}
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	if err == nil {
		h.words = untrusted.New(words)
	}
	h.err = err
}

// wait is until the server may be asked again: when the utterance has ended, which gives it the most time to come back, and a moment later if it had ended already.
func (h *hearing) wait(ctx context.Context) bool {
	select {
	case <-h.over:
		pause := time.NewTimer(h.s.o.Pause)
		defer pause.Stop()
		select {
		case <-pause.C:
			return true
		case <-ctx.Done():
			return false
		}
	default:
	}
	select {
	case <-h.over:
		return true
	case <-ctx.Done():
		return false
	}
}

// piece gives what is to be sent from a place on, waiting for it; last says that the utterance ends behind it.
func (h *hearing) piece(ctx context.Context, at int) (b []byte, last bool, err error) {
	for {
		h.mu.Lock()
		b, last = h.pcm[at:min(len(h.pcm), at+hearPiece)], h.ended && at+hearPiece >= len(h.pcm)
		h.mu.Unlock()
		if last || len(b) == hearPiece {
			return b, last, nil
		}
		select {
		case <-h.more:
		case <-h.over:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// once gives the server the utterance and reads its words.
func (h *hearing) once(ctx context.Context) (string, error) {
	if b, last, err := h.piece(ctx, 0); err != nil || last && len(b) == 0 {
		return "", err
	}
	l, err := h.s.s.connect(ctx)
	if err != nil {
		return "", err
	}
	defer l.close()
	var whole atomic.Bool // the server was told that the utterance is over
	type answer struct {
		words string
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		words, err := transcript(l.reader, &whole)
		if err != nil {
			_ = l.Close() // whoever writes is not to wait for one that has given up
		}
		answers <- answer{words, err}
	}()
	sent := h.send(ctx, l, &whole)
	if sent != nil {
		_ = l.Close()
	}
	a := <-answers
	if sent != nil && (a.err == nil || errors.Is(a.err, ErrGone)) {
		return "", sent
	}
	return a.words, a.err
}

func (h *hearing) send(ctx context.Context, l *link, whole *atomic.Bool) error {
	format := sound{Rate: hearRate, Width: 2, Channels: 1}
	if err := l.send("transcribe", map[string]string{"language": string(h.lang)}, nil); err != nil {
		return err
	}
	if err := l.send("audio-start", format, nil); err != nil {
		return err
	}
	for at, last := 0, false; !last; {
		b, end, err := h.piece(ctx, at)
		if err != nil {
			return err
		}
		if len(b) > 0 {
			if err := l.send("audio-chunk", format, b); err != nil {
				return err
			}
		}
		at, last = at+len(b), end
	}
	whole.Store(true)
	return l.send("audio-stop", struct{}{}, nil)
}

// transcript reads to the words of the utterance. Words of one that was not over are no words of it: more may have followed them.
func transcript(r *reader, whole *atomic.Bool) (string, error) {
	for {
		e, err := r.next()
		if err != nil {
			return "", err
		}
		switch e.kind {
		case "error":
			return "", ErrFailed
		case "transcript":
			var d struct {
				Text *string `json:"text"`
			}
			if err := e.into(&d); err != nil {
				return "", err
			}
			if d.Text == nil || len(*d.Text) > maxTranscript || !whole.Load() {
				return "", ErrBroken
			}
			return strings.TrimSpace(*d.Text), nil
		}
	}
}
