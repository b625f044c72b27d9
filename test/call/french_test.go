package call

import (
	"math"
	"strings"
	"sync"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/mediatest"
	"readback/voice/media/rate"
	"readback/voice/speech/espeak"
	"readback/voice/speech/wyoming/wyomingtest"
)

const body = "Le souper est prêt"

// TestInvariant10AFrenchYesByAFakeRecogniser: nothing here hears French, so a fake says what is said, in the order of what it was given. The program speaks by the real espeak-ng, and what
// the caller heard is compared with what espeak-ng says of these words.
func TestInvariant10AFrenchYesByAFakeRecogniser(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	heard := []string{"texte à Marie que le souper est prêt", "oui, envoie"}
	fake := wyomingtest.FakeSTT(t, func(_ []int16, language string) string {
		mu.Lock()
		defer mu.Unlock()
		if language != "fr" || len(heard) == 0 {
			return ""
		}
		next := heard[0]
		heard = heard[1:]
		return next
	})
	h := newHouse(t, wish{hears: fake, espeak: true, more: "[sync]\nevery = \"1h\"\n", language: "fr"})
	p := h.call(owners[0])
	p.begins()
	p.keys(pin)
	p.like(spoken.Hello.FR)
	var clips [][]int16 // in one breath
	for _, c := range mediatest.Prompts(t, "fr") {
		if len(split(c.PCM, true, media.Rate/4)) == 1 && len(c.PCM) < 3*media.Rate {
			clips = append(clips, c.PCM)
		}
	}
	p.far.Send(clips[0])
	p.sent()
	p.like(spoken.To.In(lang.FR, "Marie"))
	p.hears(opening)
	p.like(body)
	p.hears(closing)
	p.like(spoken.Ask.FR)
	p.far.Send(clips[1])
	p.sent()
	p.like(spoken.Left.In(lang.FR, "Marie"))
	p.hangsUp()
	if s := h.settled("Marie", smsmcp.Done)[0]; s.ConfirmedBy != smsmcp.Voice || s.Answer != "oui, envoie" {
		t.Errorf("%+v", s)
	}
	h.left("Marie", body)
}

// inFrench is what the program says in this call.
var inFrench = []string{spoken.Hello.FR, spoken.To.In(lang.FR, "Marie"), body, spoken.Ask.FR, spoken.Left.In(lang.FR, "Marie"), spoken.Pardon.FR, spoken.ScriptedLost.FR, spoken.Keypad.FR}

// like waits for words that sound as espeak-ng says a sentence, and not as it says another.
func (p *person) like(sentence string) {
	p.t.Helper()
	s := p.hears(words)
	got := p.far.Received()[s.from:s.to]
	mine := alike(got, spoken8k(p.t, sentence))
	for _, other := range inFrench {
		if a := alike(got, spoken8k(p.t, other)); mine < 0.4 || other != sentence && a > mine+0.15 { // some of them share words, and a busy machine tears holes into the sound
			p.t.Errorf("%q sounds %.2f like itself, %.2f like %q", sentence, mine, a, other)
		}
	}
}

func spoken8k(t *testing.T, sentence string) []int16 {
	t.Helper()
	e, err := espeak.New(espeak.Options{Program: mediatest.Program(t, "espeak-ng")})
	if err != nil {
		t.Fatal(err)
	}
	v := voice.ProgramVoice
	if sentence == body {
		v = voice.QuoteVoice
	}
	var out []int16
	var c *rate.Converter
	for f, err := range e.Speak(t.Context(), lang.FR, v, strings.TrimSpace(sentence)) {
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			if c, err = rate.New(f.Rate, media.Rate); err != nil {
				t.Fatal(err)
			}
		}
		out = c.Convert(out, f.Samples)
	}
	return c.Flush(out)
}

// alike compares the loudness of two sounds over time: 1 is the same, wherever the one begins in the other.
func alike(a, b []int16) float64 {
	x, y := loudness(a), loudness(b)
	best := 0.0
	for lag := -30; lag <= 30; lag++ {
		var xy, xx, yy float64
		for i := range max(len(x), len(y)) + 30 {
			u, v := at(x, i), at(y, i+lag)
			xy, xx, yy = xy+u*v, xx+u*u, yy+v*v
		}
		if xx*yy > 0 {
			best = max(best, xy/math.Sqrt(xx*yy))
		}
	}
	return best
}

func at(x []float64, i int) float64 {
	if i < 0 || i >= len(x) {
		return 0
	}
	return x[i]
}

// loudness is that of each 20 ms, less the mean.
func loudness(pcm []int16) (out []float64) {
	mean := 0.0
	for i := 0; i+160 <= len(pcm); i += 160 {
		sum := 0.0
		for _, s := range pcm[i : i+160] {
			sum += float64(s) * float64(s)
		}
		out = append(out, math.Sqrt(sum/160))
		mean += out[len(out)-1]
	}
	for i := range out {
		out[i] -= mean / float64(len(out))
	}
	return out
}
