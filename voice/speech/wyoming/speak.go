package wyoming

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"net"
	"regexp"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media/rate"
	"readback/voice/speech/plain"
)

// maxSeconds is the longest that one text may sound.
const maxSeconds = 600

// Pair is the voice of the program and that of quoted words, as the server calls them. An empty one is the server's own choice for the language.
type Pair struct{ Program, Quote string }

// TTSOptions are what a TTS is made of. Address and Now are needed.
type TTSOptions struct {
	Address string // tcp://HOST:PORT
	Voices  map[lang.Lang]Pair
	Now     func() time.Time
	// Patience is for the first sound, and for how far a server may fall behind the pace of speech over a whole text; who listens has all the time they want. 0 for 10 s.
	Patience time.Duration
	Pause    time.Duration                                                        // before a server that went away before its first sound is asked once more; 0 for 300 ms
	Dial     func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network's own
}

// TTS is a voice.TTS. It may be used by several goroutines; each text has a connection of its own.
type TTS struct {
	o TTSOptions
	s server
}

var _ voice.TTS = (*TTS)(nil)

var named = regexp.MustCompile(`^[A-Za-z0-9._:/+@-]{0,128}$`)

// NewTTS makes one. It does not look for the server: Check does.
func NewTTS(o TTSOptions) (*TTS, error) {
	s, err := newServer(o.Address, o.Dial)
	if err != nil {
		return nil, err
	}
	for _, p := range o.Voices {
		if !named.MatchString(p.Program) || !named.MatchString(p.Quote) {
			return nil, ErrVoice
		}
	}
	if o.Now == nil {
		return nil, errors.New("wyoming: Now is needed")
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	if o.Pause <= 0 {
		o.Pause = 300 * time.Millisecond
	}
	return &TTS{o, s}, nil
}

// spoken is a text on its way to sound.
type spoken struct {
	t       *TTS
	request map[string]any
	sounds  bool // something must be heard
	yield   func(voice.Frame, error) bool

	stop     context.CancelCauseFunc
	patience *time.Timer
	began    time.Time     // when it was last waited for the server
	waited   time.Duration // in all
	given    time.Duration // sound
	listened bool          // nobody has ended the loop
}

// Speak implements voice.TTS. The words of text are spoken; nothing in it is markup.
func (t *TTS) Speak(ctx context.Context, l lang.Lang, v voice.Voice, text string) iter.Seq2[voice.Frame, error] {
	return func(yield func(voice.Frame, error) bool) {
		words, err := plain.Text(text)
		if err != nil {
			yield(voice.Frame{}, ErrTextTooLong)
			return
		}
		if words == "" {
			return
		}
		s := &spoken{t: t, request: t.request(l, v, words), sounds: plain.Sounds(words), yield: yield, listened: true}
		if err := s.run(ctx); err != nil && s.listened {
			yield(voice.Frame{}, err)
		}
	}
}

func (t *TTS) request(l lang.Lang, v voice.Voice, words string) map[string]any {
	name := t.o.Voices[l].Program
	if v == voice.QuoteVoice {
		name = t.o.Voices[l].Quote
	}
	chosen := map[string]string{"language": string(l)}
	if name != "" {
		chosen = map[string]string{"name": name}
	}
	return map[string]any{"text": words, "voice": chosen}
}

// run speaks, and once more if the server was not there or went away before anything was heard.
func (s *spoken) run(caller context.Context) error {
	ctx, stop := context.WithCancelCause(caller)
	defer stop(nil)
	s.stop = stop
	s.patience = time.AfterFunc(s.t.o.Patience, func() { stop(ErrStalled) })
	defer s.patience.Stop()
	s.began = s.t.o.Now()
	err := s.once(ctx)
	if again(err) && s.given == 0 && s.listened && ctx.Err() == nil {
		pause := time.NewTimer(s.t.o.Pause)
		defer pause.Stop()
		select {
		case <-pause.C:
			err = s.once(ctx)
		case <-ctx.Done():
		}
	}
	if cause := context.Cause(ctx); cause != nil && err != nil {
		return cause
	}
	return err
}

// once asks the server for the whole text and gives its sound.
func (s *spoken) once(ctx context.Context) error {
	l, err := s.t.s.connect(ctx)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.send("synthesize", s.request, nil); err != nil {
		return err
	}
	var is sound
	for {
		e, err := l.next()
		if err != nil {
			return err
		}
		switch e.kind {
		case "error":
			return ErrFailed
		case "audio-start", "audio-chunk":
			was := is
			if err := e.into(&is); err != nil {
				return err
			}
			if is.Width != 2 || is.Channels < 1 || is.Channels > 2 || is.Rate < rate.Min || is.Rate > rate.Max || was.Rate != 0 && is != was {
				return ErrBroken
			}
			if e.kind == "audio-chunk" {
				if err := s.chunk(l.reader, e.payload, is); err != nil || !s.listened {
					return err
				}
			}
		case "audio-stop":
			if s.given == 0 && s.sounds {
				return ErrFailed
			}
			return nil
		}
	}
}

// chunk gives the sound of one event, a tenth of a second at a time.
func (s *spoken) chunk(r *reader, size int64, is sound) error {
	width := 2 * is.Channels
	if size%int64(width) != 0 {
		return ErrBroken
	}
	b := make([]byte, min(size, int64(is.Rate/10*width)))
	for size > 0 {
		n, err := r.read(b[:min(size, int64(len(b)))])
		if err != nil {
			return err
		}
		size -= int64(n)
		pcm := make([]int16, n/width)
		for i := range pcm {
			v := int(int16(binary.LittleEndian.Uint16(b[i*width:])))
			if is.Channels == 2 {
				v = (v + int(int16(binary.LittleEndian.Uint16(b[i*width+2:])))) / 2
			}
			pcm[i] = int16(v)
		}
		if err := s.give(voice.Frame{Rate: is.Rate, Samples: pcm}); err != nil || !s.listened {
			return err
		}
	}
	return nil
}

// give hands a frame on. Between its end and the beginning of the next it is not waited for the server.
func (s *spoken) give(f voice.Frame) error {
	if !s.patience.Stop() {
		return ErrStalled
	}
	if s.waited += max(0, s.t.o.Now().Sub(s.began)); s.waited > s.t.o.Patience+s.given {
		return ErrStalled
	}
	if s.given += f.Duration(); s.given > maxSeconds*time.Second {
		return ErrTextTooLong
	}
	if s.listened = s.yield(f, nil); !s.listened {
		return nil
	}
	s.began = s.t.o.Now()
	s.patience.Reset(min(s.t.o.Patience, s.t.o.Patience+s.given-s.waited))
	return nil
}
