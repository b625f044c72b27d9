package wyomingtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"readback/voice/media"
	"readback/voice/media/mediatest"
)

// Options are what a recogniser is made of.
type Options struct {
	Phrases []string // what is likely to be said, in English; everything else that is in the language model stays possible
}

// FakeSTT is a server that hears by a function: no engine, and its answers prove nothing of one. It stands where no engine can be had, as for French.
func FakeSTT(t testing.TB, hears func(pcm []int16, language string) string) *Server {
	t.Helper()
	s := &Server{name: "fake", hears: func(pcm []int16, language string) (string, error) { return hears(pcm, language), nil }}
	return s.start(t)
}

// FakeTTS is a server that speaks by a function.
func FakeTTS(t testing.TB, voices []string, speaks func(voice, language, text string) (rate int, pcm []int16)) *Server {
	t.Helper()
	s := &Server{name: "fake", voices: voices, speaks: func(v, l, text string) (int, []int16, error) {
		rate, pcm := speaks(v, l, text)
		return rate, pcm, nil
	}}
	return s.start(t)
}

// atOnce bounds how many utterances are heard at once: more than there are processors would make each other, and the calls around them, late.
var atOnce = make(chan struct{}, 2)

// Pocketsphinx is a server in front of the real pocketsphinx, which hears English (whatever language it is told), with a small language model that holds the
// phrases among some hundred other sentences. It is no grammar: any order of its words can be heard.
func Pocketsphinx(t testing.TB, o Options) *Server {
	t.Helper()
	models := filepath.Join(mediatest.Folder(t), "root/usr/share/pocketsphinx/model/en-us")
	folder := t.TempDir()
	program, err := batch(t, folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := languageModel(filepath.Join(models, "cmudict-en-us.dict"), folder, o.Phrases); err != nil {
		t.Fatal(err)
	}
	s := &Server{name: "pocketsphinx", voices: []string{"en-us"}}
	s.hears = func(pcm []int16, _ string) (string, error) {
		work, err := os.MkdirTemp(folder, "utterance")
		if err != nil {
			return "", err
		}
		defer func() { _ = os.RemoveAll(work) }()
		var wav bytes.Buffer
		_ = media.WriteWAV(&wav, 16000, pcm)
		if err := errors.Join(os.WriteFile(filepath.Join(work, "u.wav"), wav.Bytes(), 0o600), os.WriteFile(filepath.Join(work, "list"), []byte("u\n"), 0o600)); err != nil {
			return "", err
		}
		select {
		case atOnce <- struct{}{}:
			defer func() { <-atOnce }()
		case <-s.ctx.Done():
			return "", nil
		}
		err = run(s.ctx, program, "-ctl", filepath.Join(work, "list"), "-cepdir", work, "-cepext", ".wav", "-adcin", "yes", "-adchdr", "44",
			"-hmm", filepath.Join(models, "en-us"), "-lm", filepath.Join(folder, "lm"), "-dict", filepath.Join(folder, "dict"),
			"-hyp", filepath.Join(work, "words"), "-logfn", "/dev/null")
		if err != nil || s.ctx.Err() != nil {
			return "", err
		}
		out, err := os.ReadFile(filepath.Join(work, "words"))
		heard, _, _ := strings.Cut(string(out), "(") // behind the words stand the name of the utterance and a score
		return strings.TrimSpace(heard), err
	}
	return s.start(t)
}

// batch is the program of the package that hears an utterance as a whole. The one that hears as it comes takes the sound's mean from speech of full band, and
// understands next to nothing of a telephone's; this one takes it from the utterance.
func batch(t testing.TB, folder string) (string, error) {
	wrapper, err := os.ReadFile(mediatest.Program(t, "pocketsphinx_continuous"))
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "pocketsphinx_batch")
	return name, os.WriteFile(name, bytes.ReplaceAll(wrapper, []byte("pocketsphinx_continuous"), []byte("pocketsphinx_batch")), 0o700) //nolint:gosec // a program
}

// Flite is a server in front of the real flite, which speaks English. Its voices are slt, rms, awb and kal16.
func Flite(t testing.TB) *Server {
	t.Helper()
	program := mediatest.Program(t, "flite")
	folder := t.TempDir()
	s := &Server{name: "flite", voices: []string{"slt", "rms", "awb", "kal16"}}
	s.speaks = func(voice, _, text string) (int, []int16, error) {
		if voice == "" {
			voice = "slt"
		}
		f, err := os.CreateTemp(folder, "*.txt")
		if err != nil {
			return 0, nil, err
		}
		file := f.Name()
		defer func() { _, _ = os.Remove(file), os.Remove(file+".wav") }()
		_, err = f.WriteString(text + "\n") // without the end of a line flite leaves a last sentence of one word out
		if err = errors.Join(err, f.Close()); err != nil {
			return 0, nil, err
		}
		if err := run(s.ctx, program, "-voice", voice, "-f", file, "-o", file+".wav"); err != nil {
			return 0, nil, err
		}
		b, err := os.ReadFile(file + ".wav")
		if err != nil {
			return 0, nil, err
		}
		return read(b)
	}
	return s.start(t)
}

// Espeak is a server in front of the real espeak-ng. Its voices are espeak-ng's; without a name it speaks the language that it is told.
func Espeak(t testing.TB) *Server {
	t.Helper()
	program := mediatest.Program(t, "espeak-ng")
	s := &Server{name: "espeak-ng"}
	s.speaks = func(voice, language, text string) (int, []int16, error) {
		if voice == "" {
			voice = map[string]string{"fr": "fr"}[language]
		}
		if voice == "" {
			voice = "en-us"
		}
		cmd := exec.CommandContext(s.ctx, program, "--stdin", "--stdout", "-b", "1", "-v", voice) //nolint:gosec // a test's own
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			return 0, nil, fmt.Errorf("espeak-ng: %w", err)
		}
		return read(out)
	}
	return s.start(t)
}

func read(wav []byte) (int, []int16, error) { return media.ReadWAV(bytes.NewReader(wav), 600*48000) }

func run(ctx context.Context, program string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := exec.CommandContext(ctx, program, args...).Run() //nolint:gosec // a test's own
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return nil
}

// Say speaks by flite and gives the sound at its own rate.
func Say(t testing.TB, voice, text string) (rate int, pcm []int16) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.wav")
	if err := run(t.Context(), mediatest.Program(t, "flite"), "-voice", voice, "-t", text, "-o", file); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rate, pcm, err = read(b)
	if err != nil {
		t.Fatal(err)
	}
	return rate, pcm
}

var words = regexp.MustCompile(`[a-z']+`)
