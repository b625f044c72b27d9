// Package rate brings sound from one sampling rate to another, as it comes: what an engine speaks at 22.05 or 24 kHz to the 8 kHz of a telephone line, and what a
// caller says to the 16 kHz that a recogniser wants.
//
// It is a windowed sinc in phases: what lies above half of the lower rate is left out (by 70 dB and more), so that it does not fold back into the speech, and what
// lies below 84 % of that half is kept as it is. The sound is neither moved nor cut: n samples become n × to / from, rounded up.
//
// Floor 2: imports the standard library alone.
package rate

import (
	"errors"
	"math"
	"sync"
)

// The rates that are taken.
const (
	Min = 8000
	Max = 48000
)

// The filter, at the lower of both rates: its length, the middle of its slope as a part of half that rate, and the form of Kaiser's window.
const (
	taps  = 64
	slope = 0.925
	beta  = 7.5
)

// ErrRate is what a pair of rates that are not those of speech is answered with.
var ErrRate = errors.New("not a rate of speech")

// Converter brings one stream from one rate to another. It is not safe for concurrent use.
type Converter struct {
	f     *filter
	past  []float32 // the samples that the next output still needs
	phase int       // where the next output lies between two samples, in parts of up
	in    int64     // samples taken
	out   int64     // samples given
}

// filter is a table for one pair of rates, shared by all converters.
type filter struct {
	up, down int // the ratio, in lowest terms
	n        int // coefficients a phase
	phases   [][]float32
}

var filters struct {
	sync.Mutex
	by map[[2]int]*filter
}

// New makes a converter.
func New(from, to int) (*Converter, error) {
	if from < Min || from > Max || to < Min || to > Max {
		return nil, ErrRate
	}
	g := gcd(from, to)
	up, down := to/g, from/g
	if up > 1000 {
		return nil, ErrRate // rates that have nothing to do with one another would need a table of megabytes
	}
	c := &Converter{f: table(up, down)}
	c.past = make([]float32, c.f.n/2-1, 4*c.f.n+1024) // silence before the beginning: the filter's own delay is taken out
	return c, nil
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func table(up, down int) *filter {
	filters.Lock()
	defer filters.Unlock()
	if f := filters.by[[2]int{up, down}]; f != nil {
		return f
	}
	low := min(1, float64(up)/float64(down)) // the lower rate, as a part of the rate that comes
	f := &filter{up: up, down: down, n: 4 * int(math.Ceil(taps/low/4))}
	f.phases = make([][]float32, up)
	half := float64(f.n) / 2
	for p := range f.phases {
		row := make([]float32, f.n)
		sum := 0.0
		v := make([]float64, f.n)
		for i := range row {
			x := float64(i) - (half - 1) - float64(p)/float64(up) // samples from the place of the output
			v[i] = sinc(x*low*slope) * kaiser(x/half)
			sum += v[i]
		}
		for i := range row {
			row[i] = float32(v[i] / sum)
		}
		f.phases[p] = row
	}
	if filters.by == nil {
		filters.by = map[[2]int]*filter{}
	}
	if len(filters.by) < 64 {
		filters.by[[2]int{up, down}] = f
	}
	return f
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

func kaiser(x float64) float64 {
	if x <= -1 || x >= 1 {
		return 0
	}
	return bessel(beta*math.Sqrt(1-x*x)) / bessel(beta)
}

// bessel is the modified function of the first kind, of order 0.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-12*sum; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}

// Convert takes samples, and appends to dst those that are ready. The last four milliseconds wait for what follows them, or for Flush.
func (c *Converter) Convert(dst, pcm []int16) []int16 {
	if c.f.up == c.f.down {
		return append(dst, pcm...)
	}
	for _, v := range pcm {
		c.past = append(c.past, float32(v))
	}
	c.in += int64(len(pcm))
	return c.drain(dst)
}

// Flush appends what was kept back. The stream is over, and the converter ready for another.
func (c *Converter) Flush(dst []int16) []int16 {
	if c.f.up == c.f.down {
		return dst
	}
	whole := (c.in*int64(c.f.up) + int64(c.f.down) - 1) / int64(c.f.down)
	for c.out < whole {
		c.past = append(c.past, make([]float32, c.f.n)...)
		before := len(dst)
		dst = c.drain(dst)
		if over := c.out - whole; over > 0 {
			dst = dst[:max(before, len(dst)-int(over))]
		}
	}
	c.past, c.phase, c.in, c.out = c.past[:c.f.n/2-1], 0, 0, 0
	clear(c.past)
	return dst
}

func (c *Converter) drain(dst []int16) []int16 {
	at := 0
	for at+c.f.n <= len(c.past) {
		sum := dot(c.f.phases[c.phase], c.past[at:at+c.f.n])
		dst = append(dst, int16(max(-32768, min(32767, math.Round(float64(sum))))))
		c.out++
		c.phase += c.f.down
		at += c.phase / c.f.up
		c.phase %= c.f.up
	}
	c.past = c.past[:copy(c.past, c.past[at:])] // a step is shorter than the filter, so that it does not reach past the end
	return dst
}

// dot sums in four places at once, which a processor does three times as fast. The length is a multiple of four.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	return s0 + s1 + s2 + s3
}
