package ear

import (
	"fmt"
	"math"
	"testing"

	"readback/voice/media/mediatest"
)

// sudden is a noise that begins after the first second of a quiet line, as when a door is opened to traffic.
func sudden(noise mediatest.Sound, at float64, seed uint64) mediatest.Sound {
	late := int(seed % 20 * 97) // the noise begins anywhere in what the detector's memory is divided by
	n := second + late + len(noise)
	return make(mediatest.Sound, n).Plus(noise.At(at), second+late).Plus(mediatest.Pink(n, seed+99).At(-52), 0).Line()
}

// brown is noise whose power falls by 6 dB an octave: a lorry, a ventilator in the room beside.
func brown(n int, seed uint64) mediatest.Sound {
	out, y := mediatest.White(n, seed), 0.0
	for i, v := range out {
		y = 0.98*y + v
		out[i] = y
	}
	return out
}

// fan is noise with the hum of a motor.
func fan(n int, seed uint64) mediatest.Sound {
	return mediatest.Pink(n, seed).At(0).Plus(mediatest.Hum(n, 87+float64(seed%40)).At(-6), 0)
}

// gusty is noise that is by up to 12 dB louder and softer from one moment to the next.
func gusty(n int, seed uint64) mediatest.Sound {
	out, length := mediatest.Pink(n, seed), second/10+int(seed%10)*second/10
	for i := range out {
		step := uint64(i/length)*7919 + seed*104729
		out[i] *= math.Pow(10, -float64(step%13)/20)
	}
	return out
}

// swelling is noise that rises by 35 dB, in up to one and a half seconds.
func swelling(n int, seed uint64) mediatest.Sound {
	out, length := mediatest.Pink(n, seed), float64(second)*(0.1+float64(seed%15)/10)
	for i := range out {
		out[i] *= math.Pow(10, min(0, 35*(float64(i)/length-1))/20)
	}
	return out
}

// noise that begins of a sudden begins no turn, in as many calls as there are seeds: neither when it begins, nor when it is taken for the line's own.
func TestNoFalseSpeechWhenNoiseBegins(t *testing.T) {
	seeds := uint64(200)
	if less {
		seeds = 10
	}
	for _, c := range []struct {
		name  string
		noise func(n int, seed uint64) mediatest.Sound
		most  float64 // of a hundred such calls, in how many a turn may begin
	}{{"pink", mediatest.Pink, 2}, {"white", mediatest.White, 2}, {"car", mediatest.Car, 2}, {"fan", fan, 3}, {"gusty", gusty, 3}, {"brown", brown, 8}, {"swelling", swelling, 12}} {
		for _, at := range []float64{-20, -35} {
			t.Run(fmt.Sprintf("%s %v", c.name, at), func(t *testing.T) {
				calls := 0
				for seed := range seeds {
					if _, begins := hear(sudden(c.noise(4*second, seed+1000), at, seed)); len(begins) > 0 {
						calls++
					}
				}
				t.Logf("a turn begins in %d of %d calls", calls, seeds)
				if float64(calls) > max(1, c.most*float64(seeds)/100) {
					t.Errorf("in %d of %d calls noise begins a turn", calls, seeds)
				}
			})
		}
	}
}

// a deep rumble that the line has cut off does not count in bands that it is far from.
func TestARumbleIsNoVoice(t *testing.T) {
	for seed := range uint64(20) {
		if less && seed > 3 {
			break
		}
		var v VAD
		pcm := brown(second, seed).At(-25).Line().PCM()
		for i := 0; i+frame <= len(pcm); i += frame {
			if f := v.analyse(pcm[i : i+frame]); f.active == bands && f.harmonic > 0.8 {
				t.Fatalf("seed %d, frame %d: noise is periodic to %.2f", seed, i/frame, f.harmonic)
			}
		}
	}
}

// a band that has become louder is not taken for its own noise while its smoothed power is still on its way up, whenever it began.
func TestNoiseIsKnownWholeOrNotAtAll(t *testing.T) {
	for late := range 10 {
		var f floor
		var e [bands]float64
		for i := range 300 {
			e[0] = 1
			if i >= 100+late {
				e[0] = 1000
			}
			f.update(&e)
			if n := f.noise[0]; n > 1.6 && n < 1300 {
				t.Fatalf("%d frames later it is taken for %.1f: it was 1.5, and is 1500", i-100-late, n)
			}
		}
		if f.noise[0] < 1300 {
			t.Errorf("after 4 s it is taken for %.1f", f.noise[0])
		}
	}
}
