package voicetest

import (
	"math"
	"time"
)

// Tone is a sine of a frequency, at half of full scale.
func Tone(rate int, hertz float64, d time.Duration) []int16 {
	out := make([]int16, int(d*time.Duration(rate)/time.Second))
	for i := range out {
		out[i] = int16(16000 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate)))
	}
	return out
}

// Silence is none.
func Silence(rate int, d time.Duration) []int16 {
	return make([]int16, int(d*time.Duration(rate)/time.Second))
}

// Bursts finds where something sounds: how long each stretch is that is louder than a twentieth of full scale. Pauses shorter than 100 ms are none:
// a machine that is busy makes some.
func Bursts(pcm []int16, rate int) []time.Duration {
	step := rate / 100
	var out []time.Duration
	run, pause := 0, 0
	end := func() {
		if run > 0 {
			out = append(out, time.Duration(run)*10*time.Millisecond)
		}
		run, pause = 0, 0
	}
	for at := 0; at+step <= len(pcm); at += step {
		loudest := 0
		for _, s := range pcm[at : at+step] {
			loudest = max(loudest, int(s), -int(s))
		}
		switch {
		case loudest > 1600:
			if run > 0 {
				run += pause
			}
			run, pause = run+1, 0
		default:
			if pause++; pause >= 10 {
				end()
			}
		}
	}
	end()
	return out
}
