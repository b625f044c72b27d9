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

// The sounds. Each note stands alone: two at once could be a key of a telephone. Each is shorter than what a detector calls a voice, with a pause that is longer than it
// looks back: a sound that comes back as a faint echo is no caller.
var notes = map[voice.Sound][]note{
	voice.Opening:  {{492, short, 0.12}, {0, rest, 0}, {648, short, 0.12}, {0, rest, 0}},
	voice.Closing:  {{0, rest, 0}, {648, short, 0.12}, {0, rest, 0}, {492, short, 0.12}},
	voice.Beep:     {{961, short, 0.2}, {0, rest, 0}, {961, short, 0.2}},
	voice.Thinking: {{492, short, 0.06}, {0, rest, 0}, {492, short, 0.06}},
}

const (
	short = 60 * time.Millisecond
	rest  = 140 * time.Millisecond
)

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
