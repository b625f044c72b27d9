// Package mediatest gives tests recorded speech, programs that speak, and noise: Debian's packages of prompts spoken by people, unpacked into .cache/speech by its
// install.sh, and what a telephone line brings besides speech, computed from a seed.
//
// For tests alone: imports voice/media.
package mediatest

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"

	"readback/voice/media"
)

// notDebian is the exit code of install.sh on a machine where it tries nothing.
const notDebian = 3

type installation struct {
	folder  string
	missing string // why there is none, on a machine that is no Debian
	err     error
}

var install = sync.OnceValue(func() installation {
	_, file, _, _ := runtime.Caller(0)
	here := filepath.Dir(file)
	folder := filepath.Join(here, "..", "..", "..", ".cache", "speech")
	cmd := exec.CommandContext(context.Background(), filepath.Join(here, "install.sh"), folder) //nolint:gosec // the script beside this file
	var said strings.Builder
	cmd.Stderr = &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == notDebian:
		return installation{missing: strings.TrimSpace(said.String())}
	case err != nil:
		return installation{err: errors.New(err.Error() + ": " + said.String())}
	}
	return installation{folder: folder}
})

// Folder is where speech and programs are unpacked. Where they cannot be had the test fails; on a machine that is no Debian it is skipped, but not under CI.
func Folder(t testing.TB) string {
	t.Helper()
	i := install()
	switch {
	case i.err != nil:
		t.Fatalf("recorded speech cannot be installed: %v", i.err)
	case i.missing != "" && os.Getenv("CI") == "true":
		t.Fatal(i.missing)
	case i.missing != "":
		t.Skipf("LEFT OUT: %s. %s", t.Name(), i.missing)
	}
	return i.folder
}

// Program is the path of espeak-ng, flite or pocketsphinx_continuous.
func Program(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(Folder(t), "bin", name)
}

// Clip is one recording at the rate of a telephone line.
type Clip struct {
	Name string
	PCM  []int16
}

// Prompts gives the recorded prompts of a language ("en" or "fr") that last a second and more, in the order of their names.
func Prompts(t testing.TB, language string) []Clip {
	t.Helper()
	folder := filepath.Join(Folder(t), "root/usr/share/asterisk/sounds", map[string]string{"en": "en_US_f_Allison", "fr": "fr_CA_f_June"}[language])
	names, err := filepath.Glob(filepath.Join(folder, "*.wav"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no prompts in %s", folder)
	}
	sort.Strings(names)
	var out []Clip
	for _, name := range names {
		switch base := filepath.Base(name); {
		case strings.HasPrefix(base, "beep"), strings.HasPrefix(base, "tt-monkeys"), strings.HasPrefix(base, "confbridge-join"), strings.HasPrefix(base, "confbridge-leave"):
			continue // sounds, not speech
		}
		rate, pcm := load(t, name)
		if rate == media.Rate && len(pcm) >= media.Rate {
			out = append(out, Clip{filepath.Base(name), pcm})
		}
	}
	return out
}

// Words gives short words of a language: digits and letters, less than a second each.
func Words(t testing.TB, language string) []Clip {
	t.Helper()
	folder := filepath.Join(Folder(t), "root/usr/share/asterisk/sounds", map[string]string{"en": "en_US_f_Allison", "fr": "fr_CA_f_June"}[language])
	var out []Clip
	for _, kind := range []string{"digits", "letters"} {
		names, _ := filepath.Glob(filepath.Join(folder, kind, "*.wav"))
		sort.Strings(names)
		for _, name := range names {
			if rate, pcm := load(t, name); rate == media.Rate && len(pcm) < media.Rate && len(pcm) > media.Rate/10 {
				out = append(out, Clip{filepath.Base(name), pcm})
			}
		}
	}
	if len(out) < 50 {
		t.Fatalf("%d short words", len(out))
	}
	return out
}

// Readers gives people who read aloud, brought to the rate of a telephone line: a woman who reads Austen, and a man.
func Readers(t testing.TB) []Clip {
	t.Helper()
	folder := filepath.Join(Folder(t), "root/usr/share/pocketsphinx/test/data")
	var out []Clip
	names, _ := filepath.Glob(filepath.Join(folder, "librivox", "*.wav"))
	sort.Strings(names)
	for _, name := range names {
		if rate, pcm := load(t, name); rate == 16000 {
			out = append(out, Clip{filepath.Base(name), halve(pcm)})
		}
	}
	for _, name := range []string{"goforward.raw", "numbers.raw", "something.raw"} {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		pcm := make([]int16, len(raw)/2)
		for i := range pcm {
			pcm[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
		}
		out = append(out, Clip{name, halve(pcm)})
	}
	if len(out) < 5 {
		t.Fatalf("%d readers", len(out))
	}
	return out
}

func load(t testing.TB, name string) (int, []int16) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rate, pcm, err := media.ReadWAV(f, 60*48000)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rate, pcm
}

// halve brings 16 kHz to 8 kHz, with a small low-pass filter of its own.
func halve(pcm []int16) []int16 {
	taps := [...]int{-1, 0, 9, 16, 9, 0, -1}
	out := make([]int16, 0, len(pcm)/2)
	for i := 3; i+3 < len(pcm); i += 2 {
		sum := 0
		for k, c := range taps {
			sum += c * int(pcm[i+k-3])
		}
		out = append(out, int16(max(-32768, min(32767, sum/32))))
	}
	return out
}
