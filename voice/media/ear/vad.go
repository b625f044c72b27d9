// Package ear finds a caller's speech in the sound of a call, 20 ms at a time: a detector ([VAD]) that follows the noise of the line, a guard ([Guard]) against the echo of
// the program's own voice, and the turns ([Turns]) that speech and silence make.
//
// No turn begins without a voice in the sound: noise that stays, or rises slowly, hum, ringing and key tones begin none, however loud. Noise that begins of a sudden, that
// comes and goes, or that swells within a second is new to the detector for 1.6 s, and a turn begins in it in up to one of a hundred such calls, in five if it swells or is a deep rumble.
// Music may begin turns. The tests measure all of this, and bound it. A turn is said to have begun when its first sound was heard, never later than when it was noticed
// (invariant 10). Nothing is allocated for a frame.
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
	chance   float64 // the same as a multiple of what noise has by chance, which is more if few bins are judged: noise is hardly ever above 3.3
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

	voiced  uint64            // a bit for each of the last frames that a voice was heard in, the newest lowest
	proof   [provenOf]float64 // that each of the last frames gives of a voice, the newest first
	present uint64            // and for each that stood out of the noise at all
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
	onset     = 3     // frames with a voice, of the last onsetOf, that make speech
	onsetOf   = 8     //
	proven    = 4.5   // and the proof, of the last provenOf, that it takes besides
	provenOf  = 12    //
	luck      = 2.8   // the chance that noise may well have: what is above is proof of a voice,
	plain     = 2     // up to this much a frame,
	held      = 0.7   // and more if the voice has kept its period: that of noise jumps about
	calmOnset = 4     // frames with a voice that make speech without further proof, where the noise is known,
	calmSNR   = 18.0  // the voice no more than this many dB above it: a clearer one can prove itself,
	before    = 32    // and no more than three quarters of so many frames before held sound
	hangover  = 10    // frames of speech after the last sound
	worth     = 3     // a frame with a voice pays for so many without one: music and tones have fewer that move
	most      = 24    // and no more can be saved up
	lookBack  = 20    // frames before the first voice that may belong to it: an s, an f
	settle    = 12    // frames after which the noise of a line that was just opened is known
	faintest  = -55.0 // dB below full scale
)

// Frame takes the next 20 ms, 160 samples at 8 kHz.
func (v *VAD) Frame(pcm []int16) Heard {
	f := v.analyse(pcm)
	there := f.level > faintest && f.active >= 2 && f.snr > 6
	periodic := f.harmonic > 0.35 || f.harmonic > 0.3 && f.chance > 3.3
	steady := math.Abs(f.lag-v.lag) < 0.1*v.lag
	moved := math.Abs(f.lag-v.lag) > 0.004*v.lag
	v.lag = f.lag
	voice := there && f.snr > 7 && f.snr*float64(f.active) > 18 && periodic && f.tonal < 0.992 && moved && f.flux > 2
	if v.warm < settle {
		v.warm++
		voice = false
	}
	v.present = v.present<<1 | bit(there)
	v.voiced = v.voiced<<1 | bit(voice)
	copy(v.proof[1:], v.proof[:])
	v.proof[0] = 0
	if voice && f.chance > luck {
		v.proof[0] = min(f.chance-luck, plain)
		if v.voiced&2 != 0 && steady {
			v.proof[0] += held
		}
	}
	switch {
	case voice:
		v.credit = min(v.credit+worth, most)
	case there:
		v.credit = max(v.credit-1, 0)
	}

	out := Heard{Level: f.level}
	switch {
	case !v.speech:
		n := bits.OnesCount64(v.voiced & (1<<onsetOf - 1))
		if voice && (n >= onset && added(v.proof[:]) >= proven || n >= calmOnset && v.floor.calm() && f.snr < calmSNR && v.fresh()) {
			v.speech, v.quiet = true, 0
			out.Began = v.began()
		}
	case there && v.credit > 0:
		v.quiet = 0
	default:
		if v.quiet++; v.quiet > hangover {
			v.speech, v.voiced, v.credit, v.proof = false, 0, 0, [provenOf]float64{}
		}
	}
	out.Speech, out.Sound = v.speech, v.speech && there
	return out
}

// fresh is that there was little sound before the frames in which a voice was heard: sound that does not pause is noise that is not known yet.
func (v *VAD) fresh() bool { return bits.OnesCount64(v.present>>onsetOf&(1<<before-1)) <= before*3/4 }

// began is how many frames ago the sound began of which this frame is speech.
func (v *VAD) began() int {
	first := onsetOf - bits.LeadingZeros8(uint8(v.voiced)) - 1
	n := first
	for n < first+lookBack && v.present>>(n+1)&7 != 0 { // a gap of two frames is none: it is the silence before a t
		n++
	}
	return n
}

// added is the sum.
func added(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// rise is for how many frames after a band became four times as loud its smoothed power is no measure: it is still on its way up, and taken for the noise it would make all
// that follows stand out of it by a little, for as long as it is remembered.
const rise = 8

// floor follows the noise: one and a half times the least that the smoothed power of each band was in the last 1.6 s.
type floor struct {
	smooth [bands]float64
	mins   [8][bands]float64
	rising [bands]int
	level  float64 // of the noise, in dB
	known  float64 // what it was some seconds ago, or the least since
	slot   int
	count  int
	seen   int
	noise  [bands]float64
}

// calm is that the noise has not risen for some seconds: noise that has is not known well enough to tell a soft voice from it.
func (f *floor) calm() bool { return f.level < f.known+3 }

// update takes the next frame's power in each band.
func (f *floor) update(e *[bands]float64) {
	f.follow(e)
	f.level = 0
	for _, n := range f.noise {
		f.level += 10.0 / bands * math.Log10(n+1e-7)
	}
	if f.level < f.known || f.seen <= 2 {
		f.known = f.level
	}
	f.known += (f.level - f.known) / 100
}

func (f *floor) follow(e *[bands]float64) {
	if f.seen++; f.seen <= 2 { // the span is not yet full
		f.smooth = *e
		for i := range f.mins {
			f.mins[i] = *e
		}
		f.noise = *e
		return
	}
	for b, v := range e {
		if v > 4*f.smooth[b] {
			f.rising[b] = rise
		}
		f.smooth[b] = 0.75*f.smooth[b] + 0.25*v
		if f.rising[b] > 0 {
			f.rising[b]--
			continue
		}
		m := &f.mins[f.slot][b]
		*m = min(*m, f.smooth[b])
		f.noise[b] = min(f.noise[b], 1.5**m)
	}
	if f.count++; f.count == 10 {
		f.count = 0
		f.slot = (f.slot + 1) % len(f.mins)
		for b, s := range f.smooth {
			if f.rising[b] > 0 {
				s = math.Inf(1)
			}
			f.mins[f.slot][b] = s
		}
		for b := range f.noise {
			low := math.Inf(1)
			for i := range f.mins {
				low = min(low, f.mins[i][b])
			}
			if !math.IsInf(low, 1) {
				f.noise[b] = 1.5 * low
			}
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
	f.harmonic, f.lag, f.chance = v.period(&weight)
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

// period is how periodic the frame is, its period, and how that compares with what chance does: noise too has some period, and the fewer bins stand out, the clearer it seems.
func (v *VAD) period(weight *[bands]float64) (harmonic, lag, chance float64) {
	const reach = 12
	env, sum, squares := 0.0, 0.0, 0.0
	for k := firstBin - reach - 1; k < firstBin+reach; k++ {
		env += v.power[k]
	}
	clear(v.buf[:])
	for k := firstBin; k < lastBin; k++ {
		env += v.power[k+reach] - v.power[k-reach-1]
		w := weight[(k-firstBin)/wide] * min(v.power[k]*(2*reach+1)/env, 4)
		v.buf[k], v.buf[points-k] = w, w
		sum += w
		squares += w * w
	}
	v.spec.real(&v.buf, &v.corr)
	best, peak := 0.0, 0
	for l := shortest; l <= longest; l++ {
		if c := v.corr[l] / bent[l]; c > best && v.corr[l] >= v.corr[l-1] && v.corr[l] >= v.corr[l+1] {
			best, peak = c, l
		}
	}
	if peak == 0 || v.corr[0] <= 0 {
		return 0, 0, 0
	}
	a, b, c := v.corr[peak-1], v.corr[peak], v.corr[peak+1]
	lag = float64(peak)
	if d := a - 2*b + c; d < 0 {
		lag += 0.5 * (a - c) / d
	}
	harmonic = min(best/v.corr[0], 1)
	return harmonic, lag, harmonic * sum / math.Sqrt(squares)
}
