package mediatest

import (
	"math"
	"math/rand/v2"

	"readback/voice/media"
)

// Sound is a signal before it is brought to 16 bits.
type Sound []float64

// Level is the root mean square, in dB below full scale.
func (s Sound) Level() float64 {
	sum := 0.0
	for _, v := range s {
		sum += v * v
	}
	return 10 * math.Log10(sum/float64(max(len(s), 1))/(32768*32768)+1e-12)
}

// At brings the sound to a level in dB below full scale.
func (s Sound) At(db float64) Sound {
	g := math.Pow(10, (db-s.Level())/20)
	out := make(Sound, len(s))
	for i, v := range s {
		out[i] = g * v
	}
	return out
}

// Plus adds another sound from a place on, as far as it reaches.
func (s Sound) Plus(o Sound, at int) Sound {
	out := append(Sound(nil), s...)
	for i, v := range o {
		if k := at + i; k >= 0 && k < len(out) {
			out[k] += v
		}
	}
	return out
}

// PCM brings the sound to 16 bits.
func (s Sound) PCM() []int16 {
	out := make([]int16, len(s))
	for i, v := range s {
		out[i] = int16(max(-32768, min(32767, math.Round(v))))
	}
	return out
}

// Line brings the sound through a telephone line: the band from 250 Hz to 3.4 kHz, and µ-law.
func (s Sound) Line() Sound {
	x := biquad(biquad(s, highpass(250)), lowpass(3400))
	pcm, law := x.PCM(), make([]byte, len(x))
	media.EncodeULaw(law, pcm)
	media.DecodeULaw(pcm, law)
	return From(pcm)
}

// From makes a sound of PCM.
func From(pcm []int16) Sound {
	out := make(Sound, len(pcm))
	for i, v := range pcm {
		out[i] = float64(v)
	}
	return out
}

// White is white noise.
func White(n int, seed uint64) Sound {
	r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // noise, the same in each run
	out := make(Sound, n)
	for i := range out {
		out[i] = 3000 * r.NormFloat64()
	}
	return out
}

// Pink is noise whose power falls by 3 dB an octave.
func Pink(n int, seed uint64) Sound {
	w := White(n, seed)
	var b [3]float64
	for i, v := range w {
		b[0] = 0.99765*b[0] + v*0.0990460
		b[1] = 0.96300*b[1] + v*0.2965164
		b[2] = 0.57000*b[2] + v*1.0526913
		w[i] = b[0] + b[1] + b[2] + v*0.1848
	}
	return w
}

// Car is a car that drives: the road's rumble, the wind, and an engine whose speed wanders.
func Car(n int, seed uint64) Sound {
	r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // noise, the same in each run
	rumble, out := 0.0, Pink(n, seed+7)
	wind := White(n, seed+8)
	phase, speed := 0.0, 42.0
	for i := range out {
		rumble = 0.98*rumble + wind[i]*0.25
		if i%800 == 0 {
			speed = max(28, min(95, speed+r.NormFloat64()*1.5))
		}
		phase += 2 * math.Pi * speed / media.Rate
		engine := 0.0
		for h := 1; h <= 10; h++ {
			engine += math.Sin(float64(h)*phase+float64(h*h)) / float64(h)
		}
		gust := 1 + 0.4*math.Sin(2*math.Pi*0.13*float64(i)/media.Rate)
		out[i] = 0.5*out[i] + rumble + gust*0.15*wind[i] + 1800*engine
	}
	return out
}

// Hum is what a bad earth brings: a mains frequency and its overtones.
func Hum(n int, hz float64) Sound {
	out := make(Sound, n)
	for i := range out {
		for h := 1.0; h <= 12; h++ {
			out[i] += 3000 / h * math.Sin(2*math.Pi*hz*h*float64(i)/media.Rate+h)
		}
	}
	return out
}

// Keys is key tones: 100 ms each with 100 ms between, over and over.
func Keys(n int) Sound {
	low, high := [...]float64{697, 770, 852, 941}, [...]float64{1209, 1336, 1477}
	out := make(Sound, n)
	for i := range out {
		k := i / 1600
		if i%1600 < 800 {
			out[i] = 5000*math.Sin(2*math.Pi*low[k%4]*float64(i)/media.Rate) + 5000*math.Sin(2*math.Pi*high[k%3]*float64(i)/media.Rate)
		}
	}
	return out
}

// Ring is the tone that a caller hears while it rings, of North America.
func Ring(n int) Sound {
	out := make(Sound, n)
	for i := range out {
		if i%(6*media.Rate) < 2*media.Rate {
			out[i] = 4000*math.Sin(2*math.Pi*440*float64(i)/media.Rate) + 4000*math.Sin(2*math.Pi*480*float64(i)/media.Rate)
		}
	}
	return out
}

// Music is music-like: chords of three notes with overtones that are struck and fade.
func Music(n int, seed uint64) Sound {
	r := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // the same in each run
	out := make(Sound, n)
	for at := 0; at < n; {
		length := int(media.Rate * (0.2 + 0.3*r.Float64()))
		root := 220 * math.Pow(2, float64(r.IntN(18))/12)
		for _, step := range []float64{0, 4, 7} {
			hz := root * math.Pow(2, step/12)
			for i := 0; i < length && at+i < n; i++ {
				x := float64(i) / media.Rate
				for h := 1.0; h <= 5 && hz*h < 3600; h++ {
					out[at+i] += 3000 / h * math.Exp(-4*x) * math.Sin(2*math.Pi*hz*h*x)
				}
			}
		}
		at += length
	}
	return out
}

// Ramp raises a sound evenly from one level to another, in dB.
func (s Sound) Ramp(from, to float64) Sound {
	out := s.At(0)
	for i := range out {
		out[i] *= math.Pow(10, (from+(to-from)*float64(i)/float64(len(out)))/20)
	}
	return out
}

type filter struct{ b0, b1, b2, a1, a2 float64 }

func lowpass(hz float64) filter {
	w := 2 * math.Pi * hz / media.Rate
	c, a := math.Cos(w), math.Sin(w)/math.Sqrt2
	return filter{(1 - c) / 2 / (1 + a), (1 - c) / (1 + a), (1 - c) / 2 / (1 + a), -2 * c / (1 + a), (1 - a) / (1 + a)}
}

func highpass(hz float64) filter {
	w := 2 * math.Pi * hz / media.Rate
	c, a := math.Cos(w), math.Sin(w)/math.Sqrt2
	return filter{(1 + c) / 2 / (1 + a), -(1 + c) / (1 + a), (1 + c) / 2 / (1 + a), -2 * c / (1 + a), (1 - a) / (1 + a)}
}

func biquad(s Sound, f filter) Sound {
	out := make(Sound, len(s))
	var x1, x2, y1, y2 float64
	for i, x := range s {
		y := f.b0*x + f.b1*x1 + f.b2*x2 - f.a1*y1 - f.a2*y2
		x2, x1, y2, y1 = x1, x, y1, y
		out[i] = y
	}
	return out
}
