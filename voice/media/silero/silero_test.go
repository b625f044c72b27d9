//go:build silero && cgo

package silero

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"readback/voice/media"
	"readback/voice/media/ear"
	"readback/voice/media/mediatest"
)

const (
	second = media.Rate
	frame  = media.FrameSamples
)

type detector interface {
	Frame(pcm []int16) ear.Heard
}

var install = sync.OnceValues(func() (string, error) {
	said, err := exec.Command("./install.sh").CombinedOutput()
	return string(said), err
})

// files gives the library and the model, as install.sh leaves them.
func files(t testing.TB) (library, model string) {
	t.Helper()
	said, err := install()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 3 && os.Getenv("CI") != "true":
		t.Skip(said)
	case err != nil:
		t.Fatalf("%v: %s", err, said)
	}
	folder, err := filepath.Abs("../../../.cache/silero")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "libonnxruntime.so"), filepath.Join(folder, "silero_vad.onnx")
}

func start(t testing.TB) *VAD {
	t.Helper()
	library, model := files(t)
	v, err := New(library, model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(v.Err(), v.Close()); err != nil {
			t.Error(err)
		}
	})
	return v
}

// fresh gives Silero's detector or ear's, as a call has it.
func fresh(t testing.TB, name string) detector {
	if name == "silero" {
		return start(t)
	}
	return &ear.VAD{}
}

// hear runs a detector over a sound: which frames are speech, those before it was noticed included, and where speech began.
func hear(v detector, s mediatest.Sound) (speech []bool, begins []int) {
	pcm := s.PCM()
	for i := 0; i+frame <= len(pcm); i += frame {
		h := v.Frame(pcm[i : i+frame])
		if h.Speech && (len(speech) == 0 || !speech[len(speech)-1]) {
			begins = append(begins, len(speech)-h.Began)
			for k := range h.Began {
				speech[len(speech)-1-k] = true
			}
		}
		speech = append(speech, h.Speech)
	}
	return speech, begins
}

func count(speech []bool) (n int) {
	for _, is := range speech {
		if is {
			n++
		}
	}
	return n
}

// table prints rows when the test is over.
func table(t *testing.T, head string) func(cells ...any) {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, head)
	t.Cleanup(func() {
		_ = w.Flush()
		t.Log("\n" + out.String())
	})
	return func(cells ...any) {
		_, _ = fmt.Fprintln(w, strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", cells), "\" \"", "\t"), "[]\""))
	}
}

var noises = []struct {
	name  string
	music bool
	sound func(n int) mediatest.Sound
}{
	{"silence", false, func(n int) mediatest.Sound { return make(mediatest.Sound, n) }},
	{"white", false, func(n int) mediatest.Sound { return mediatest.White(n, 2).At(-35) }},
	{"loud white", false, func(n int) mediatest.Sound { return mediatest.White(n, 3).At(-15) }},
	{"pink", false, func(n int) mediatest.Sound { return mediatest.Pink(n, 4).At(-25) }},
	{"pink that rises", false, func(n int) mediatest.Sound { return mediatest.Pink(n, 6).Ramp(-60, -12) }},
	{"pink, of a sudden", false, func(n int) mediatest.Sound {
		s := mediatest.Pink(n, 14).At(-52)
		for at := second; at+second < n; at += 3 * second {
			s = s.Plus(mediatest.Pink(second, uint64(at)).At(-20), at)
		}
		return s
	}},
	{"car", false, func(n int) mediatest.Sound { return mediatest.Car(n, 7).At(-18) }},
	{"hum and pink", false, func(n int) mediatest.Sound { return mediatest.Hum(n, 60).At(-25).Plus(mediatest.Pink(n, 9).At(-35), 0) }},
	{"key tones", false, func(n int) mediatest.Sound { return mediatest.Keys(n).At(-18) }},
	{"ringing", false, func(n int) mediatest.Sound { return mediatest.Ring(n).At(-20) }},
	{"music", true, func(n int) mediatest.Sound { return mediatest.Music(n, 11).At(-22) }},
	{"music in noise", true, func(n int) mediatest.Sound {
		return mediatest.Music(n, 12).At(-22).Plus(mediatest.Pink(n, 13).At(-35), 0)
	}},
}

// noise begins nothing; music is measured, and is not speech.
func TestInvariant10NoiseBeginsNothing(t *testing.T) {
	row := table(t, "a minute of\tturns\tspeech\tturns of ear\tspeech of ear")
	for _, noise := range noises {
		s := noise.sound(60 * second).Line()
		cells := []any{noise.name}
		for _, name := range []string{"silero", "ear"} {
			speech, begins := hear(fresh(t, name), s)
			cells = append(cells, fmt.Sprint(len(begins)), fmt.Sprintf("%.1f s", float64(count(speech))/50))
			if name == "silero" && len(begins) > 0 && !noise.music {
				t.Errorf("%s: %d turns", noise.name, len(begins))
			}
		}
		row(cells...)
	}
}

// people are heard, in noise too, and hardly any of their loud frames is missed; where nothing hides it, no turn begins after its first sound.
func TestInvariant10SpeechIsHeardFromItsFirstSound(t *testing.T) {
	people := []struct {
		who   string
		clips []mediatest.Clip
	}{{"English", mediatest.Prompts(t, "en")[:15]}, {"French", mediatest.Prompts(t, "fr")[:15]}, {"readers", mediatest.Readers(t)}, {"words, English", mediatest.Words(t, "en")[:30]}, {"words, French", mediatest.Words(t, "fr")[:30]}}
	neural := start(t)
	row := table(t, "who, in what noise\tdetector\tunheard\tmissed\tbegins late\tby more than 100 ms\tlatest\tearliest")
	for _, noise := range []struct {
		name string
		snr  float64
		kind func(n int, seed uint64) mediatest.Sound
		most float64 // of loud frames missed, in percent
	}{
		{"clean", 30, mediatest.Pink, 3}, {"pink", 15, mediatest.Pink, 6}, {"car", 5, mediatest.Car, 12}, {"white", 10, mediatest.White, 12},
	} {
		for _, p := range people {
			for _, name := range []string{"silero", "ear"} {
				unheard, missed, loud, late, veryLate, latest, earliest := 0, 0, 0, 0, 0, 0, 0
				for i, c := range p.clips {
					var v detector = &ear.VAD{}
					if name == "silero" {
						if err := neural.Reset(); err != nil {
							t.Fatal(err)
						}
						v = neural
					}
					clean := append(append(make(mediatest.Sound, 2*second), mediatest.From(c.PCM).At(-22)...), make(mediatest.Sound, second)...)
					speech, begins := hear(v, clean.Plus(noise.kind(len(clean), uint64(i)).At(-22-noise.snr), 0).Line())
					first, run := -1, 0
					for k := range speech {
						if clean[k*frame:(k+1)*frame].Level() < -40 {
							run = 0
							continue
						}
						if run++; run == 3 && first < 0 { // less is a click, or the room's own noise
							first = k - 2
						}
						loud++
						if !speech[k] {
							missed++
						}
					}
					if len(begins) == 0 {
						unheard++
						continue
					}
					by := begins[0] - first
					latest, earliest = max(latest, by), min(earliest, by)
					if by > 0 {
						late++
					}
					if by > 5 {
						veryLate++
					}
				}
				percent := 100 * float64(missed) / float64(loud)
				row(fmt.Sprintf("%s, %s %v dB", p.who, noise.name, noise.snr), name, fmt.Sprintf("%d of %d", unheard, len(p.clips)), fmt.Sprintf("%.1f %%", percent),
					fmt.Sprint(late), fmt.Sprint(veryLate), fmt.Sprintf("%d ms", 20*latest), fmt.Sprintf("%d ms", 20*earliest))
				if name != "silero" {
					continue
				}
				if unheard > 0 || percent > noise.most || veryLate > len(p.clips)/10 || noise.name == "clean" && late > 0 {
					t.Errorf("%s, %s: %d unheard, %.1f %% missed, %d late, %d of them by more than 100 ms", p.who, noise.name, unheard, percent, late, veryLate)
				}
			}
		}
	}
}

// frames make windows, and no speech begins before the call; what is no model, no library or another library is told of.
func TestWindowsAndErrors(t *testing.T) {
	library, model := files(t)
	v := start(t)
	pcm := mediatest.From(mediatest.Prompts(t, "en")[0].PCM).At(-22).PCM()
	at := -1
	for i := 0; i+frame <= len(pcm); i += frame {
		if h := v.Frame(pcm[i : i+frame]); h.Speech {
			if at = i / frame; h.Began > at {
				t.Errorf("frame %d is speech that began %d frames ago: before the call", at, h.Began)
			}
			break
		}
	}
	if v.samples != (at+1)*frame || v.held != v.samples%window {
		t.Errorf("after %d frames: %d samples, %d of a window", at+1, v.samples, v.held)
	}
	if at < 0 || at > 25 {
		t.Errorf("a voice from the first sample on is speech in frame %d", at)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := v.Reset(); !errors.Is(err, ErrRun) {
		t.Error("what is closed serves another call")
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	for want, c := range map[error][2]string{ErrModel: {library, library}, ErrLibrary: {model, model}} {
		if v, err := New(c[0], c[1]); v != nil || !errors.Is(err, want) {
			t.Errorf("New(%s, %s): %v, %v", filepath.Base(c[0]), filepath.Base(c[1]), v, err)
		}
	}
}

// where the network fails in a call, ear's own detector hears the rest of it, and no other call gets that one.
func TestTheOwnDetectorHearsWhereTheNetworkFails(t *testing.T) {
	v, own := start(t), &ear.VAD{}
	pcm := mediatest.From(mediatest.Prompts(t, "en")[0].PCM).At(-22).PCM()
	for range 10 {
		v.Frame(pcm[:frame])
	}
	v.err = ErrRun
	heard := false
	for i := 0; i+frame <= len(pcm); i += frame {
		got, want := v.Frame(pcm[i:i+frame]), own.Frame(pcm[i:i+frame])
		if got != want {
			t.Fatalf("frame %d: %+v, and ear's own %+v", i/frame, got, want)
		}
		heard = heard || got.Speech
	}
	if !heard {
		t.Error("nobody hears the caller")
	}
	if err := v.Reset(); !errors.Is(err, ErrRun) {
		t.Error("it serves another call")
	}
	v.err = nil
}

// TestASecondCallHearsNothingOfTheFirst.
func TestASecondCallHearsNothingOfTheFirst(t *testing.T) {
	pcm := mediatest.From(mediatest.Prompts(t, "en")[0].PCM).At(-22).PCM()
	v := start(t)
	all := func() (out []ear.Heard) {
		for i := 0; i+frame <= len(pcm); i += frame {
			out = append(out, v.Frame(pcm[i:i+frame]))
		}
		return out
	}
	first := all()
	if err := v.Reset(); err != nil {
		t.Fatal(err)
	}
	for i, h := range all() {
		if h != first[i] {
			t.Fatalf("frame %d: %+v, and in the first call %+v", i, h, first[i])
		}
	}
}

// a frame costs far less than it lasts.
func TestAFrameCostsLittle(t *testing.T) {
	row := table(t, "detector\ta frame of 20 ms\tto begin with")
	s := mediatest.From(mediatest.Readers(t)[0].PCM).PCM()
	s = s[:min(len(s), 20*second)/frame*frame]
	for _, name := range []string{"silero", "ear"} {
		began := time.Now()
		v := fresh(t, name)
		first := time.Since(began)
		began = time.Now()
		for i := 0; i < len(s); i += frame {
			v.Frame(s[i : i+frame])
		}
		each := time.Since(began) / time.Duration(len(s)/frame)
		row(name, each.Round(time.Microsecond).String(), first.Round(time.Millisecond).String())
		if each > 5*time.Millisecond {
			t.Errorf("%s: %v a frame", name, each)
		}
	}
}
