package speak

import (
	"math"
	"time"

	"readback/voice"
)

// note is a tone of one frequency, which rises and fades softly.
type note struct {
	hz    float64 // 0: silence
	lasts time.Duration
	peak  float64 // of full scale
}

// The sounds. Each note stands alone: two at once could be a key of a telephone, and no note is one of a key's two. None changes as a voice does.
var notes = map[voice.Sound][]note{
	voice.Opening:  {{523, 90 * time.Millisecond, 0.11}, {0, 15 * time.Millisecond, 0}, {659, 120 * time.Millisecond, 0.11}, {0, 120 * time.Millisecond, 0}},
	voice.Closing:  {{0, 120 * time.Millisecond, 0}, {659, 90 * time.Millisecond, 0.11}, {0, 15 * time.Millisecond, 0}, {523, 120 * time.Millisecond, 0.11}},
	voice.Beep:     {{880, 350 * time.Millisecond, 0.2}},
	voice.Thinking: {{440, 70 * time.Millisecond, 0.06}, {0, 130 * time.Millisecond, 0}, {440, 70 * time.Millisecond, 0.06}},
}

// fade is how long a note takes to rise and to fade, so that it does not click.
const fade = 15 * time.Millisecond

// sounds makes the sounds at a rate.
func sounds(rate int) map[voice.Sound][]int16 {
	out := map[voice.Sound][]int16{}
	for s, of := range notes {
		var pcm []int16
		for _, n := range of {
			pcm = append(pcm, n.pcm(rate)...)
		}
		out[s] = pcm
	}
	return out
}

func (n note) pcm(rate int) []int16 {
	out := make([]int16, int(n.lasts.Seconds()*float64(rate)))
	slope := fade.Seconds() * float64(rate)
	for i := range out {
		edge := min(1, float64(i)/slope, float64(len(out)-1-i)/slope)
		g := n.peak * 0.5 * (1 - math.Cos(math.Pi*edge))
		out[i] = int16(math.Round(32767 * g * math.Sin(2*math.Pi*n.hz*float64(i)/float64(rate))))
	}
	return out
}
