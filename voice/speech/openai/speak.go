package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/rate"
	"readback/voice/speech/plain"
)

// pcmRate is that of sound without a header, by OpenAI's own word.
const pcmRate = 24000

// maxSeconds is the longest that one text may sound.
const maxSeconds = 600

// Pair is the voice of the program and that of quoted words, as the server calls them.
type Pair struct{ Program, Quote string }

// usual are OpenAI's own voices.
var usual = Pair{"onyx", "nova"}

// TTSOptions are what a TTS is made of. Server.URL, Model and Now are needed.
type TTSOptions struct {
	Server Server
	Model  string             // such as tts-1, as the server calls it
	Voices map[lang.Lang]Pair // where one is missing or empty, onyx for the program and nova for what is quoted
	PCM    bool               // sound without a header, 24 kHz, instead of WAV: for servers that stream nothing else
	Now    func() time.Time
	// Patience is for the first sound, and for how far a server may fall behind the pace of speech over a whole text; who listens has all the time they want. 0 for 10 s.
	Patience time.Duration
}

// TTS is a voice.TTS. It may be used by several goroutines.
type TTS struct {
	o TTSOptions
	c *client
}

var _ voice.TTS = (*TTS)(nil)

// NewTTS makes one. It does not look for the server: Check does.
func NewTTS(o TTSOptions) (*TTS, error) {
	c, err := newClient(o.Server)
	if err != nil {
		return nil, err
	}
	voices := map[lang.Lang]Pair{}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		p := o.Voices[l]
		if p.Program == "" {
			p.Program = usual.Program
		}
		if p.Quote == "" {
			p.Quote = usual.Quote
		}
		if !named.MatchString(p.Program) || !named.MatchString(p.Quote) {
			return nil, ErrName
		}
		voices[l] = p
	}
	o.Voices = voices
	if !named.MatchString(o.Model) {
		return nil, ErrName
	}
	if o.Now == nil {
		return nil, errors.New("openai: Now is needed")
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	return &TTS{o, c}, nil
}

// Check says that the server is there, takes the key and lists the model, whose name it gives; or why not. It says nothing without need: speech is paid for.
func (t *TTS) Check(ctx context.Context) (string, error) {
	return t.o.Model, t.c.listed(ctx, t.o.Model, t.o.Patience)
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
		s := &spoken{t: t, yield: yield, listened: true}
		if err := s.run(ctx, t.voice(l, v), words); err != nil && s.listened {
			yield(voice.Frame{}, err)
		}
	}
}

func (t *TTS) voice(l lang.Lang, v voice.Voice) string {
	p, ok := t.o.Voices[l]
	if !ok {
		p = t.o.Voices[lang.EN]
	}
	if v == voice.QuoteVoice {
		return p.Quote
	}
	return p.Program
}

// spoken is a text on its way to sound.
type spoken struct {
	t     *TTS
	yield func(voice.Frame, error) bool

	patience *time.Timer
	began    time.Time     // when it was last waited for the server
	waited   time.Duration // in all
	given    time.Duration // sound
	listened bool          // nobody has ended the loop
}

func (s *spoken) run(caller context.Context, name, words string) error {
	ctx, stop := context.WithCancelCause(caller)
	defer stop(nil)
	s.patience = time.AfterFunc(s.t.o.Patience, func() { stop(ErrStalled) })
	defer s.patience.Stop()
	s.began = s.t.o.Now()
	format := sdk.AudioSpeechNewParamsResponseFormatWAV
	if s.t.o.PCM {
		format = sdk.AudioSpeechNewParamsResponseFormatPCM
	}
	var res *http.Response
	err := s.t.c.twice(ctx, func(opts ...option.RequestOption) (err error) {
		service := sdk.NewAudioSpeechService(opts...)
		res, err = service.New(ctx, sdk.AudioSpeechNewParams{ //nolint:bodyclose // below
			Input: words, Model: s.t.o.Model, ResponseFormat: format,
			Voice: sdk.AudioSpeechNewParamsVoiceUnion{OfString: sdk.String(name)},
		})
		return err
	})
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if err := s.sound(res); err != nil {
		return reduce(ctx, err)
	}
	if s.listened && s.given == 0 && plain.Sounds(words) {
		return ErrFailed
	}
	return nil
}

// sound reads the answer.
func (s *spoken) sound(res *http.Response) error {
	if !whole(res) {
		return ErrBroken
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || kind == "audio/mpeg" || kind == "audio/ogg" || kind == "audio/opus" || kind == "audio/flac" || kind == "audio/aac" {
		return ErrBroken
	}
	in := bufio.NewReaderSize(res.Body, 32<<10)
	head, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(head) == 0 {
		return nil
	}
	var sound io.Reader = in
	if s.t.o.PCM && !bytes.Equal(head, []byte("RIFF")) { // there are servers that send a WAV whatever they are asked for
		sound = io.MultiReader(bytes.NewReader(endless()), in)
	}
	w, err := media.NewWAV(sound)
	if err != nil {
		return err
	}
	if w.Rate < rate.Min || w.Rate > rate.Max {
		return ErrBroken
	}
	return s.frames(w)
}

// endless is the header of a WAV whose length is not known.
func endless() []byte {
	var b bytes.Buffer
	_ = media.WriteWAV(&b, pcmRate, nil)
	binary.LittleEndian.PutUint32(b.Bytes()[40:], 1<<32-1)
	return b.Bytes()
}

// whole says whether the wire will tell that the answer is whole: by its length, in chunks, or by HTTP/2.
func whole(res *http.Response) bool {
	return res.ProtoMajor >= 2 || res.ContentLength >= 0 || len(res.TransferEncoding) > 0
}

// frames gives the sound as it comes, a tenth of a second at a time.
func (s *spoken) frames(w *media.WAV) error {
	for {
		pcm := make([]int16, w.Rate/10)
		n, err := 0, error(nil)
		for n < len(pcm) && err == nil {
			var m int
			m, err = w.Read(pcm[n:])
			n += m
		}
		if n > 0 {
			if err := s.give(voice.Frame{Rate: w.Rate, Samples: pcm[:n]}); err != nil || !s.listened {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
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
