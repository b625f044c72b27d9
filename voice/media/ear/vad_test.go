package ear

import (
	"math"
	"testing"
	"time"

	"readback/voice/media/mediatest"
)

const second = 8000

// less is set where time is short.
var less bool

// part is the first few of many, where time is short.
func part[T any](all []T, few int) []T {
	if less {
		return all[:min(few, len(all))]
	}
	return all
}

// hear runs a detector over a sound: which frames are speech, and where speech began.
func hear(s mediatest.Sound) (speech []bool, begins []int) {
	var v VAD
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

// noises is what a line brings besides speech, at the level at which it comes. What rises does so over a minute, however little is measured of the others: a rise that is
// four times as steep is another sound.
func noises(n int) map[string]mediatest.Sound {
	const rise = 60 * second
	return map[string]mediatest.Sound{
		"silence":          make(mediatest.Sound, n).Line(),
		"faint white":      mediatest.White(n, 1).At(-60).Line(),
		"white":            mediatest.White(n, 2).At(-35).Line(),
		"loud white":       mediatest.White(n, 3).At(-15).Line(),
		"pink":             mediatest.Pink(n, 4).At(-25).Line(),
		"white that rises": mediatest.White(rise, 5).Ramp(-60, -15).Line(),
		"pink that rises":  mediatest.Pink(rise, 6).Ramp(-60, -12).Line(),
		"car":              mediatest.Car(n, 7).At(-18).Line(),
		"car that rises":   mediatest.Car(rise, 8).Ramp(-50, -12).Line(),
		"hum 50":           mediatest.Hum(n, 50).At(-25).Line(),
		"hum 60 and pink":  mediatest.Hum(n, 60).At(-25).Plus(mediatest.Pink(n, 9).At(-35), 0).Line(),
		"hum comes and goes": func() mediatest.Sound {
			h := mediatest.Hum(n, 60).At(-25)
			for i := range h {
				if i/(3*second)%2 == 0 {
					h[i] = 0
				}
			}
			return h.Plus(mediatest.White(n, 10).At(-50), 0).Line()
		}(),
		"key tones":      mediatest.Keys(n).At(-18).Line(),
		"ringing":        mediatest.Ring(n).At(-20).Line(),
		"music":          mediatest.Music(n, 11).At(-22).Line(),
		"music in noise": mediatest.Music(n, 12).At(-22).Plus(mediatest.Pink(n, 13).At(-35), 0).Line(),
	}
}

// nothing that is not speech begins a turn, but for music: that is measured, and bounded.
func TestNoFalseSpeech(t *testing.T) {
	n := 60 * second
	if less {
		n = 15 * second
	}
	for name, s := range noises(n) {
		speech, begins := hear(s)
		allowed := map[string]int{"music": 16, "music in noise": 16, "hum comes and goes": 1}[name]
		t.Logf("%-20s %d false turns and %5.2f s of false speech a minute", name, len(begins), seconds(speech))
		if len(begins) > allowed {
			t.Errorf("%s: %d false turns a minute", name, len(begins))
		}
		if most := map[string]float64{"music": 25, "music in noise": 45, "hum comes and goes": 2}[name]; seconds(speech) > most {
			t.Errorf("%s: %.1f s of false speech a minute", name, seconds(speech))
		}
	}
}

// a line that is opened in the middle of a noise is no speech; nor is another's call that can be heard far away.
func TestNoFalseSpeechAtTheBeginning(t *testing.T) {
	seeds := uint64(300)
	if less {
		seeds = 30
	}
	for seed := range seeds {
		for name, s := range map[string]mediatest.Sound{"white": mediatest.White(second/2, seed).At(-25).Line(), "pink": mediatest.Pink(second/2, seed).At(-20).Line(), "car": mediatest.Car(second/2, seed).At(-15).Line()} {
			if _, begins := hear(s); len(begins) > 0 {
				t.Errorf("%s, seed %d: speech in frame %v", name, seed, begins)
			}
		}
	}
	for _, c := range mediatest.Prompts(t, "en")[:20] {
		if _, begins := hear(mediatest.From(c.PCM).At(-72).Line()); len(begins) > 0 {
			t.Errorf("%s far away is heard", c.Name)
		}
	}
}

func seconds(speech []bool) float64 {
	n := 0
	for _, is := range speech {
		if is {
			n++
		}
	}
	return float64(n) / 50
}

// soiled is a noise of a kind, at a level.
func soiled(kind string, n int, seed uint64, at float64) mediatest.Sound {
	switch kind {
	case "pink":
		return mediatest.Pink(n, seed).At(at)
	case "white":
		return mediatest.White(n, seed).At(at)
	case "car":
		return mediatest.Car(n, seed).At(at)
	case "hum":
		return mediatest.Hum(n, 60).At(at)
	}
	return make(mediatest.Sound, n)
}

// people are heard in noise: of each recording some speech is found, and of its loud frames hardly any is missed. The ratio of speech to noise is that before the line, pauses
// counted.
func TestSpeechIsHeard(t *testing.T) {
	people := map[string][]mediatest.Clip{"English": part(mediatest.Prompts(t, "en")[:50], 12), "French": part(mediatest.Prompts(t, "fr")[:50], 12), "readers": mediatest.Readers(t)}
	type condition struct {
		kind string
		snr  float64
		most float64 // of loud frames missed, in percent
	}
	for _, noise := range part([]condition{{"clean", 0, 3}, {"car", 5, 10}, {"pink", 10, 6}, {"pink", 20, 4}, {"white", 10, 12}, {"car", 10, 6}, {"hum", 10, 3}}, 2) {
		for who, clips := range people {
			missed, loud, unheard, late := 0, 0, 0, 0
			for i, c := range clips {
				clean := append(append(make(mediatest.Sound, 2*second), mediatest.From(c.PCM).At(-22)...), make(mediatest.Sound, second)...)
				speech, begins := hear(clean.Plus(soiled(noise.kind, len(clean), uint64(i), -22-noise.snr), 0).Line())
				first := -1
				for k := range speech {
					if clean[k*frame:(k+1)*frame].Level() > -40 {
						if first < 0 {
							first = k
						}
						loud++
						if !speech[k] {
							missed++
						}
					}
				}
				switch {
				case len(begins) == 0:
					unheard++
				case begins[0] > first+5:
					late++
				}
			}
			percent := 100 * float64(missed) / float64(loud)
			t.Logf("%-5s %2.0f dB, %-7s: %4.1f %% of loud frames missed, %d of %d unheard, %d begin more than 100 ms late", noise.kind, noise.snr, who, percent, unheard, len(clips), late)
			if unheard > 0 || percent > noise.most || late > len(clips)*2/5 {
				t.Errorf("%s %v dB, %s: %.1f %% missed, %d unheard, %d late", noise.kind, noise.snr, who, percent, unheard, late)
			}
		}
	}
}

// a yes is shorter than half a second: so are the names of digits and letters.
func TestShortWordsAreHeard(t *testing.T) {
	for _, language := range []string{"en", "fr"} {
		for _, noise := range []string{"clean", "pink"} {
			words, unheard := part(mediatest.Words(t, language), 25), 0
			for i, c := range words {
				one := append(append(make(mediatest.Sound, second), mediatest.From(c.PCM).At(-22)...), make(mediatest.Sound, second/2)...)
				if _, begins := hear(one.Plus(soiled(noise, len(one), uint64(i), -37), 0).Line()); len(begins) == 0 {
					unheard++
				}
			}
			t.Logf("%s, %s: %d of %d short words unheard", language, noise, unheard, len(words))
			if unheard > 2 {
				t.Errorf("%s, %s: %d of %d short words unheard", language, noise, unheard, len(words))
			}
		}
	}
}

func TestTransformIsFouriers(t *testing.T) {
	var x [points]float64
	for i := range x {
		x[i] = math.Sin(float64(i*i)) + 0.3
	}
	var s spectrum
	var power, parts [half + 1]float64
	s.power(&x, &power, 0, half+1)
	s.real(&x, &parts)
	for k := range half + 1 {
		re, im := s.bin(k)
		if parts[k] != re || math.Abs(power[k]-re*re-im*im) > 1e-9*(1+power[k]) {
			t.Errorf("bin %d: real %v, power %v, of %v %v", k, parts[k], power[k], re, im)
		}
		wantRe, wantIm := 0.0, 0.0
		for i, v := range x {
			wantRe += v * math.Cos(2*math.Pi*float64(k*i)/points)
			wantIm -= v * math.Sin(2*math.Pi*float64(k*i)/points)
		}
		if math.Abs(re-wantRe) > 1e-8 || math.Abs(im-wantIm) > 1e-8 {
			t.Errorf("bin %d: %v %v, not %v %v", k, re, im, wantRe, wantIm)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	s := mediatest.Music(second, 1).At(-20).PCM()
	var v VAD
	var g Guard
	turns, i, at := NewTurns(Limits{}), 0, time.Unix(0, 0)
	if n := testing.AllocsPerRun(200, func() {
		part := s[i%50*frame : (i%50+1)*frame]
		g.Frame(part, part)
		turns.Frame(v.Frame(part), at.Add(time.Duration(i)*step))
		i++
	}); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkVAD(b *testing.B) {
	s := mediatest.Pink(second, 1).At(-20).PCM()
	var v VAD
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		v.Frame(s[i*frame : (i+1)*frame])
		i = (i + 1) % 50
	}
}
