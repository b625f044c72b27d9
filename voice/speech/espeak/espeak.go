// Package espeak speaks by the program espeak-ng: the voices that work on any machine, with no service.
//
// The text goes to the program's standard input, never to its arguments, and no shell is in between. All arguments are fixed. What espeak-ng would read as
// something else than words (phonemes in double brackets, markup, control characters) is taken away first, so a stranger's words are spoken and nothing more (invariant
// 4). A text is spoken whole or ends with an error: half of a read-back must not pass for all of it (invariant 10). The program is given no environment of ours
// (invariant 11), and is killed when nobody listens any more or it stops speaking.
//
// Floor 3: imports smsmcp/lang, voice, voice/media, voice/speech/plain.
package espeak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/speech/plain"
)

// What may go wrong. Advice says it in a sentence.
var (
	ErrMissing = errors.New("espeak-ng is not installed")
	ErrFailed  = errors.New("espeak-ng failed")
	ErrStalled = errors.New("espeak-ng stopped speaking")
	ErrTooLong = plain.ErrTooLong
	ErrVoice   = errors.New("not the name of a voice")
)

// Bounds of one text.
const (
	MaxRunes   = plain.MaxRunes
	maxSeconds = 600
)

// Options are what a Speaker is made of. All may be left at zero.
type Options struct {
	Program  string             // its name or path; "" for espeak-ng
	Voices   map[lang.Lang]Pair // instead of the usual ones
	Speed    int                // words a minute: 80 to 300; 0 for 160
	Patience time.Duration      // for the next piece of sound, while it is waited for; 0 for 10 s
}

// Pair is the voice of the program and that of quoted words.
type Pair struct{ Program, Quote string }

// usual are a man for the program and a woman for what is quoted. The French voice goes by its short name: espeak-ng finds no variant of "fr-fr", and says nothing.
var usual = map[lang.Lang]Pair{
	lang.EN: {"en-us", "en-us+f3"},
	lang.FR: {"fr", "fr+f3"},
}

// named is what a voice may be called: nothing that could pass for an option or a file.
var named = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{1,12}){0,3}(\+[A-Za-z][A-Za-z0-9]{0,15})?$`)

// Speaker is a voice.TTS. It may be used by several goroutines; each text is spoken by a process of its own.
type Speaker struct {
	o Options
}

var _ voice.TTS = (*Speaker)(nil)

// New makes a speaker. It does not look for the program: Check does.
func New(o Options) (*Speaker, error) {
	if o.Program == "" {
		o.Program = "espeak-ng"
	}
	if o.Speed == 0 {
		o.Speed = 160
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	o.Speed = min(max(o.Speed, 80), 300)
	voices := map[lang.Lang]Pair{}
	for l, p := range usual {
		if own, ok := o.Voices[l]; ok {
			p = own
		}
		if !named.MatchString(p.Program) || !named.MatchString(p.Quote) {
			return nil, ErrVoice
		}
		voices[l] = p
	}
	o.Voices = voices
	return &Speaker{o: o}, nil
}

// Speak implements voice.TTS. The words of text are spoken; nothing in it is markup.
func (s *Speaker) Speak(ctx context.Context, l lang.Lang, v voice.Voice, text string) iter.Seq2[voice.Frame, error] {
	return func(yield func(voice.Frame, error) bool) {
		words, err := plain.Text(text)
		if err != nil {
			yield(voice.Frame{}, err)
			return
		}
		if words == "" {
			return
		}
		heard, err := s.speak(ctx, s.voice(l, v), words, func(f voice.Frame) bool { return yield(f, nil) })
		if err != nil && heard {
			yield(voice.Frame{}, err)
		}
	}
}

func (s *Speaker) voice(l lang.Lang, v voice.Voice) string {
	p, ok := s.o.Voices[l]
	if !ok {
		p = s.o.Voices[lang.EN]
	}
	if v == voice.QuoteVoice {
		return p.Quote
	}
	return p.Program
}

// speak runs the program for one text. heard says that somebody still listens.
func (s *Speaker) speak(caller context.Context, name, plain string, yield func(voice.Frame) bool) (heard bool, err error) {
	ctx, stop := context.WithCancelCause(caller)
	defer stop(nil)
	cmd := s.command(ctx, "--stdin", "--stdout", "-b", "1", "-s", strconv.Itoa(s.o.Speed), "-v", name)
	cmd.Stdin = strings.NewReader(plain)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return true, fmt.Errorf("%w: no pipe", ErrFailed)
	}
	if err := cmd.Start(); err != nil {
		if caller.Err() != nil {
			return true, caller.Err()
		}
		return true, started(err)
	}
	// Whatever still holds the pipe when the program is killed, we do not wait for it.
	defer context.AfterFunc(ctx, func() { _ = out.Close() })()
	patience := time.AfterFunc(s.o.Patience, func() { stop(ErrStalled) })
	defer patience.Stop()
	heard, sound, err := s.read(out, patience, yield)
	if err != nil || !heard {
		stop(err)
	}
	ended := cmd.Wait()
	switch {
	case !heard:
		return false, nil
	case caller.Err() != nil:
		return true, caller.Err()
	case errors.Is(context.Cause(ctx), ErrStalled):
		return true, ErrStalled
	case err != nil:
		return true, err
	case ended != nil:
		return true, failed(ended)
	case !sound && strings.ContainsFunc(plain, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return true, fmt.Errorf("%w: no sound", ErrFailed)
	}
	return true, nil
}

// read gives the sound as it comes, a tenth of a second at a time. The program has patience's time for each piece; who listens has all the time they want.
func (s *Speaker) read(out io.Reader, patience *time.Timer, yield func(voice.Frame) bool) (heard, sound bool, err error) {
	w, err := media.NewWAV(out)
	if err != nil {
		return true, false, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	for whole := 0; ; {
		pcm := make([]int16, w.Rate/10)
		n, err := 0, error(nil)
		for n < len(pcm) && err == nil {
			var m int
			m, err = w.Read(pcm[n:])
			n += m
		}
		patience.Stop()
		if whole += n; whole > maxSeconds*w.Rate {
			return true, true, ErrTooLong
		}
		if n > 0 && !yield(voice.Frame{Rate: w.Rate, Samples: pcm[:n]}) {
			return false, true, nil
		}
		patience.Reset(s.o.Patience)
		if errors.Is(err, io.EOF) {
			return true, whole > 0, nil
		}
		if err != nil {
			return true, whole > 0, fmt.Errorf("%w: no more sound", ErrFailed)
		}
	}
}

// command is the program with arguments of ours. Of our environment it gets where its data are, and nothing else.
func (s *Speaker) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.o.Program, args...) //nolint:gosec // the program is the owner's configuration, the arguments are fixed
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	if data := os.Getenv("ESPEAK_DATA_PATH"); data != "" {
		cmd.Env = append(cmd.Env, "ESPEAK_DATA_PATH="+data)
	}
	cmd.WaitDelay = time.Second
	return cmd
}

// started says why the program did not start, without the path, which may be anything.
func started(err error) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return ErrMissing
	}
	return fmt.Errorf("%w: it did not start", ErrFailed)
}

func failed(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: it ended with code %d", ErrFailed, exit.ExitCode())
	}
	return ErrFailed
}

var version = regexp.MustCompile(`\d{1,3}(\.\d{1,4}){1,3}`)

// Check says which version of the program is there, or why none is.
func (s *Speaker) Check(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Patience)
	defer cancel()
	var out bytes.Buffer
	cmd := s.command(ctx, "--version")
	cmd.Stdout = &limited{&out, 4096}
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", failed(err)
		}
		return "", started(err)
	}
	v := version.FindString(out.String())
	if v == "" {
		return "", fmt.Errorf("%w: it does not say its version", ErrFailed)
	}
	return v, nil
}

// limited drops what is written past its bound.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if _, err := l.w.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Advice is the sentence for what went wrong.
func Advice(err error) (m lang.Message, known bool) {
	for is, says := range map[error]lang.Message{
		ErrMissing: lang.SpeechEspeakMissing,
		ErrFailed:  lang.SpeechEspeakFailed,
		ErrStalled: lang.SpeechEspeakStalled,
		ErrTooLong: lang.SpeechTooLong,
		ErrVoice:   lang.SpeechEspeakVoice,
	} {
		if errors.Is(err, is) {
			return says, true
		}
	}
	return m, false
}
