package speak

import (
	"math"
	"testing"
	"time"

	"readback/voice"
	"readback/voice/media/ear"
	"readback/voice/media/mediatest"
)

var names = map[voice.Sound]string{voice.Opening: "opening", voice.Closing: "closing", voice.Beep: "beep", voice.Thinking: "thinking"}

// the sounds are short and soft, do not click, begin no turn when they come back as an echo, and hold no key of a telephone.
func TestTheSoundsAreNeitherSpeechNorKeys(t *testing.T) {
	for _, rate := range []int{8000, 48000} {
		all := sounds(rate)
		if len(all) != len(names) {
			t.Fatalf("%d sounds", len(all))
		}
		for s, pcm := range all {
			d := time.Duration(len(pcm)) * time.Second / time.Duration(rate)
			if d < 100*time.Millisecond || d > 500*time.Millisecond {
				t.Errorf("%s lasts %v", names[s], d)
			}
			peak, step := 0, 0
			before := int16(0)
			for _, v := range append(append([]int16(nil), pcm...), 0) {
				peak = max(peak, int(v), -int(v))
				if rate == 48000 {
					step = max(step, int(v)-int(before), int(before)-int(v))
				}
				before = v
			}
			if peak < 1000 || peak > 7000 || step > 1000 {
				t.Errorf("%s: peak %d, greatest step %d", names[s], peak, step)
			}
		}
	}
	for s, pcm := range sounds(8000) {
		if found := keys(pcm); found > 0 {
			t.Errorf("%s: %d frames could be a key", names[s], found)
		}
		for _, level := range []float64{0, -15, -25, -32} {
			seeds := uint64(4)
			if less {
				seeds = 1
			}
			for seed := range seeds {
				sound := mediatest.Pink(8*8000, seed).At(-52)
				for at := 8000; at < 7*8000; at += 3700 + int(seed)*13 {
					part := make(mediatest.Sound, len(pcm))
					for i, v := range pcm {
						part[i] = float64(v) * math.Pow(10, level/20)
					}
					sound = sound.Plus(part, at)
				}
				if n := begins(sound.Line().PCM()); n > 0 {
					t.Errorf("%s at %v dB begins %d turns", names[s], level, n)
				}
			}
		}
	}
	if keys(mediatest.Keys(8000).PCM()) == 0 || begins(mediatest.From(mediatest.Prompts(t, "en")[0].PCM).At(-20).Plus(mediatest.Pink(8000, 1).At(-52), 0).PCM()) == 0 {
		t.Error("this test finds neither keys nor speech")
	}
}

func begins(pcm []int16) (n int) {
	var v ear.VAD
	speech := false
	for i := 0; i+160 <= len(pcm); i += 160 {
		h := v.Frame(pcm[i : i+160])
		if h.Speech && !speech {
			n++
		}
		speech = h.Speech
	}
	return n
}

// keys counts stretches of 25 ms in which both a low and a high tone of a key stand out.
func keys(pcm []int16) (n int) {
	tone := func(part []int16, hz float64) float64 {
		var re, im float64
		for i, v := range part {
			w := 2 * math.Pi * hz * float64(i) / 8000
			re += float64(v) * math.Cos(w)
			im += float64(v) * math.Sin(w)
		}
		return (re*re + im*im) * 2 / float64(len(part))
	}
	for i := 0; i+200 <= len(pcm); i += 100 {
		part, power := pcm[i:i+200], 0.0
		for _, v := range part {
			power += float64(v) * float64(v)
		}
		if power < 200*100 {
			continue
		}
		low, high := 0.0, 0.0
		for _, hz := range []float64{697, 770, 852, 941} {
			low = max(low, tone(part, hz)/power)
		}
		for _, hz := range []float64{1209, 1336, 1477, 1633} {
			high = max(high, tone(part, hz)/power)
		}
		if low > 0.15 && high > 0.15 {
			n++
		}
	}
	return n
}
