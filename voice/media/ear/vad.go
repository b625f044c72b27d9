// Package ear finds a caller's speech in the sound of a call, 20 ms at a time: a detector ([VAD]) that follows the noise of the line, a guard ([Guard]) against the echo of
// the program's own voice, and the turns ([Turns]) that speech and silence make.
//
// No turn begins without a voice in the sound: noise, however loud and however it rises, hum, ringing and key tones begin none (the tests measure it). Music may. A turn
// is said to have begun when its first sound was heard, never later than when it was noticed (invariant 10). Nothing is allocated for a frame.
//
// What it does not hear: whispering, and speech that is hardly louder than the noise.
//
// Floor 2: imports the standard library alone. Times are passed in.
package ear

import (
	"math"
	"math/bits"
)

// The bands in which the noise is followed: 21 of 10 bins (156 Hz), from 266 to 3547 Hz, which is what a telephone line carries.
const (
	bands    = 21
	wide     = 10
	firstBin = 17
	lastBin  = firstBin + bands*wide
)

// Lags of a voice's period: from 62 to 400 Hz.
const (
	shortest = 20
	longest  = 128
)

// features is what the detector sees of one frame.
type features struct {
	level    float64 // dB below full scale
	snr      float64 // dB above the noise, of the bands that stand out of it
	active   int     // bands that stand out of the noise
	harmonic float64 // how periodic the frame is, 0 to 1
	lag      float64 // the period, in samples
	tonal    float64 // the share of the two strongest lines
	flux     float64 // how much the shape changed since the last frame, in dB
}

// VAD tells speech from all else that a telephone line brings, 20 ms at a time. It is not safe for concurrent use; the zero value is ready.
type VAD struct {
	past  [span]float64
	spec  spectrum
	buf   [points]float64
	power [half + 1]float64
	corr  [half + 1]float64
	floor floor
	shape [bands]float64
	lag   float64

	voiced  uint64 // a bit for each of the last frames that a voice was heard in, the newest lowest
	present uint64 // and for each that stood out of the noise at all
	speech  bool
	credit  int // what the voices of the last frames are worth: while there is some, sound without a voice is speech too
	quiet   int // frames since such sound
	warm    int // frames before the noise is known
}

// Heard is what the detector makes of a frame.
type Heard struct {
	Speech bool
	Sound  bool    // of speech: sound stands in this frame itself; a pause between words is speech without sound
	Began  int     // in the first frame of speech: so many frames ago it began; else 0
	Level  float64 // in dB below full scale
}

// When it is speech. The numbers were chosen on Debian's recorded prompts and readers, against the noises of mediatest; the tests of this package say what they give.
const (
	onset    = 4     // frames with a voice, of the last onsetOf, that make speech
	onsetOf  = 8     //
	hangover = 10    // frames of speech after the last sound
	worth    = 3     // a frame with a voice pays for so many without one: music and tones have fewer that move
	most     = 24    // and no more can be saved up
	lookBack = 15    // frames before the first voice that may belong to it: an s, an f
	settle   = 12    // frames after which the noise of a line that was just opened is known
	faintest = -55.0 // dB below full scale
)

// Frame takes the next 20 ms, 160 samples at 8 kHz.
func (v *VAD) Frame(pcm []int16) Heard {
	f := v.analyse(pcm)
	there := f.level > faintest && f.active >= 2 && f.snr > 6
	moved := math.Abs(f.lag-v.lag) > 0.004*v.lag
	v.lag = f.lag
	voice := there && f.snr > 7 && f.snr*float64(f.active) > 18 && f.harmonic > 0.35 && f.tonal < 0.992 && moved && f.flux > 2
	if v.warm < settle {
		v.warm++
		voice = false
	}
	v.present = v.present<<1 | bit(there)
	v.voiced = v.voiced<<1 | bit(voice)
	switch {
	case voice:
		v.credit = min(v.credit+worth, most)
	case there:
		v.credit = max(v.credit-1, 0)
	}

	out := Heard{Level: f.level}
	switch {
	case !v.speech:
		if bits.OnesCount64(v.voiced&(1<<onsetOf-1)) >= onset && voice {
			v.speech, v.quiet = true, 0
			out.Began = v.began()
		}
	case there && v.credit > 0:
		v.quiet = 0
	default:
		if v.quiet++; v.quiet > hangover {
			v.speech, v.voiced, v.credit = false, 0, 0
		}
	}
	out.Speech, out.Sound = v.speech, v.speech && there
	return out
}

// began is how many frames ago the sound began of which this frame is speech.
func (v *VAD) began() int {
	first := onsetOf - bits.LeadingZeros8(uint8(v.voiced)) - 1
	n := first
	for n < first+lookBack && v.present>>(n+1)&7 != 0 { // a gap of two frames is none: it is the silence before a t
		n++
	}
	return n
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

type floor struct {
	smooth [bands]float64
	mins   [8][bands]float64
	slot   int
	count  int
	seen   int
	noise  [bands]float64
}

func (f *floor) update(e *[bands]float64) {
	if f.seen++; f.seen <= 2 { // the span is not yet full
		f.smooth = *e
		for i := range f.mins {
			f.mins[i] = *e
		}
		f.noise = *e
		return
	}
	for b, v := range e {
		f.smooth[b] = 0.75*f.smooth[b] + 0.25*v
		m := &f.mins[f.slot][b]
		*m = min(*m, f.smooth[b])
		f.noise[b] = min(f.noise[b], 1.5**m)
	}
	if f.count++; f.count == 10 {
		f.count = 0
		f.slot = (f.slot + 1) % len(f.mins)
		f.mins[f.slot] = f.smooth
		for b := range f.noise {
			low := math.Inf(1)
			for i := range f.mins {
				low = min(low, f.mins[i][b])
			}
			f.noise[b] = 1.5 * low
		}
	}
}

func (v *VAD) analyse(pcm []int16) (f features) {
	copy(v.past[:], v.past[frame:])
	sum := 0.0
	for i, s := range pcm {
		x := float64(s) / 32768
		v.past[span-frame+i] = x
		sum += x * x
	}
	f.level = 10 * math.Log10(sum/frame+1e-10)
	clear(v.buf[span:])
	for i, x := range v.past {
		v.buf[i] = x * hann[i]
	}
	v.spec.power(&v.buf, &v.power, 0, half+1)
	for k := range v.power {
		v.power[k] += 1e-9
	}

	var e [bands]float64
	for b := range e {
		for _, p := range v.power[firstBin+b*wide : firstBin+(b+1)*wide] {
			e[b] += p
		}
	}
	v.floor.update(&e)
	var weight [bands]float64
	var up, down, total float64
	for b := range e {
		total += e[b]
		g := e[b] / (v.floor.noise[b] + 1e-7)
		if g > 3 {
			f.active++
			up += e[b]
			down += v.floor.noise[b] + 1e-7
			weight[b] = 1 - 3/g
		}
		s := 10 * math.Log10(e[b]+1e-7)
		f.flux += math.Abs(s - v.shape[b])
		v.shape[b] = s
	}
	f.flux /= bands
	if f.active == 0 {
		return f
	}
	f.snr = 10 * math.Log10(up/down)
	f.tonal = v.lines(total)
	f.harmonic, f.lag = v.period(&weight)
	return f
}

// lines is the share of the power that the two strongest lines have.
func (v *VAD) lines(total float64) float64 {
	share := 0.0
	first := -100
	for range 2 {
		best := -1
		for k := firstBin; k < lastBin; k++ {
			if (k < first-8 || k > first+8) && (best < 0 || v.power[k] > v.power[best]) {
				best = k
			}
		}
		for k := max(best-5, firstBin); k <= min(best+5, lastBin-1); k++ {
			if k < first-5 || k > first+5 {
				share += v.power[k]
			}
		}
		first = best
	}
	return share / total
}

func (v *VAD) period(weight *[bands]float64) (float64, float64) {
	const reach = 12
	env := 0.0
	for k := firstBin - reach; k < firstBin+reach; k++ {
		env += v.power[k]
	}
	clear(v.buf[:])
	for k := firstBin; k < lastBin; k++ {
		env += v.power[k+reach] - v.power[max(k-reach-1, 0)]
		w := weight[(k-firstBin)/wide] * min(v.power[k]*(2*reach+1)/env, 4)
		v.buf[k], v.buf[points-k] = w, w
	}
	v.spec.real(&v.buf, &v.corr)
	best, lag := 0.0, 0
	for l := shortest; l <= longest; l++ {
		if c := v.corr[l] / bent[l]; c > best && v.corr[l] >= v.corr[l-1] && v.corr[l] >= v.corr[l+1] {
			best, lag = c, l
		}
	}
	if lag == 0 || v.corr[0] <= 0 {
		return 0, 0
	}
	a, b, c := v.corr[lag-1], v.corr[lag], v.corr[lag+1]
	at := float64(lag)
	if d := a - 2*b + c; d < 0 {
		at += 0.5 * (a - c) / d
	}
	return min(best/v.corr[0], 1), at
}
