package openai

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/rate"
)

// Bounds of one utterance, and the rate that recognisers are made for.
const (
	MaxUtterance  = 2 * time.Minute
	maxTranscript = 16 << 10 // bytes: two minutes of fast speech are some 3,000
	hearRate      = 16000
)

// STTOptions are what an STT is made of. Server.URL and Model are needed.
type STTOptions struct {
	Server  Server
	Model   string        // such as whisper-1, as the server calls it
	Timeout time.Duration // from the end of the utterance to its words; 0 for 10 s
}

// STT is a voice.STT. It may be used by several goroutines.
type STT struct {
	o STTOptions
	c *client
}

var _ voice.STT = (*STT)(nil)

// NewSTT makes one. It does not look for the server: Check does.
func NewSTT(o STTOptions) (*STT, error) {
	c, err := newClient(o.Server)
	if err != nil {
		return nil, err
	}
	if !named.MatchString(o.Model) {
		return nil, ErrName
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	return &STT{o, c}, nil
}

// Check says that the server is there, takes the key and lists the model, whose name it gives; or why not.
func (s *STT) Check(ctx context.Context) (string, error) {
	return s.o.Model, s.c.listed(ctx, s.o.Model, s.o.Timeout)
}

// Listen implements voice.STT. Nothing leaves before the utterance is finished.
func (s *STT) Listen(ctx context.Context, l lang.Lang, from int) (voice.Hearing, error) {
	c, err := rate.New(from, hearRate)
	if err != nil {
		return nil, ErrRate
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h := &hearing{s: s, lang: l, from: from, convert: c, interim: make(chan untrusted.Text)}
	h.ctx, h.stop = context.WithCancelCause(ctx)
	return h, nil
}

// hearing is one utterance.
type hearing struct {
	s       *STT
	lang    lang.Lang
	from    int
	ctx     context.Context
	stop    context.CancelCauseFunc
	interim chan untrusted.Text

	mu      sync.Mutex
	convert *rate.Converter
	pcm     []int16
	taken   int // samples, as they came
	ended   bool
	long    bool
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
		h.long, h.pcm = true, nil
		return ErrTooLong
	}
	h.taken += len(f.Samples)
	h.pcm = h.convert.Convert(h.pcm, f.Samples)
	return nil
}

// Interim implements voice.Hearing. It gives nothing before the end.
func (h *hearing) Interim() <-chan untrusted.Text { return h.interim }

// end takes the sound, once.
func (h *hearing) end() (pcm []int16, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return nil, ErrEnded
	}
	h.ended = true
	if h.long {
		return nil, ErrTooLong
	}
	pcm, h.pcm = h.convert.Flush(h.pcm), nil
	return pcm, nil
}

// Finish implements voice.Hearing. The words are as the server gave them, but for blanks at both ends; an utterance without sound has none, and no server is asked.
func (h *hearing) Finish(ctx context.Context) (untrusted.Text, error) {
	pcm, err := h.end()
	if err == ErrEnded { //nolint:errorlint // end gives its own
		return untrusted.Text{}, err
	}
	defer close(h.interim)
	defer h.stop(nil)
	if err != nil || len(pcm) == 0 {
		return untrusted.Text{}, err
	}
	defer context.AfterFunc(ctx, func() { h.stop(context.Cause(ctx)) })()
	timeout := time.AfterFunc(h.s.o.Timeout, func() { h.stop(ErrStalled) })
	defer timeout.Stop()
	return h.s.transcribe(h.ctx, h.lang, pcm)
}

// Cancel implements voice.Hearing. It may be done after Finish, and again.
func (h *hearing) Cancel() {
	h.stop(ErrEnded)
	if _, err := h.end(); err != ErrEnded { //nolint:errorlint // end gives its own
		close(h.interim)
	}
}

// upload is a file with the name and the type by which servers know what it is.
type upload struct{ *bytes.Reader }

func (upload) Filename() string    { return "speech.wav" }
func (upload) ContentType() string { return "audio/wav" }

func (s *STT) transcribe(ctx context.Context, l lang.Lang, pcm []int16) (untrusted.Text, error) {
	var wav bytes.Buffer
	if err := media.WriteWAV(&wav, hearRate, pcm); err != nil {
		return untrusted.Text{}, ErrBroken
	}
	var answer *sdk.AudioTranscriptionNewResponseUnion
	err := s.c.twice(ctx, func(opts ...option.RequestOption) (err error) {
		service := sdk.NewAudioTranscriptionService(opts...)
		answer, err = service.New(ctx, sdk.AudioTranscriptionNewParams{
			File:           upload{bytes.NewReader(wav.Bytes())},
			Model:          s.o.Model,
			Language:       sdk.String(string(l)),
			Temperature:    sdk.Float(0), // the same sound has the same words
			ResponseFormat: sdk.AudioResponseFormatJSON,
		})
		return err
	})
	if err != nil {
		return untrusted.Text{}, err
	}
	if answer == nil || !answer.JSON.Text.Valid() || len(answer.Text) > maxTranscript {
		return untrusted.Text{}, ErrBroken
	}
	return untrusted.New(strings.TrimSpace(answer.Text)), nil
}
