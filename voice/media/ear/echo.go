package ear

import "math"

// The guard's view: seven broad bands, and the far end's last 640 ms.
const (
	broad   = 7
	perBand = bands / broad
	memory  = 32
	delays  = 26 // the longest delay that is looked for: 500 ms
)

// Guard keeps the program's own speech, that comes back by the caller's loudspeaker or by the line, from being heard as the caller. It learns by how much the echo is
// softer and how late it comes, from the loudness of both ends in seven bands, and turns down each 20 ms in which nothing but echo stands.
//
// What it does not do: it takes no echo out of the caller's own words, so who speaks over a prompt is heard with the prompt beneath; it hears no caller who speaks more
// softly than the echo; and for the first second of the first prompt, before it has learned, it takes for echo all that is softer than half of the prompt.
//
// It is not safe for concurrent use; the zero value is ready.
type Guard struct {
	near, far end
	history   [memory][broad]float64 // the far end's bands
	envelope  [memory]float64        // and how far it stands out of its noise, in dB
	at        int

	xy, xx [delays]float64 // correlation of both envelopes, by delay
	yy     float64
	gain   [broad]float64 // of the echo in each band, in dB
	learnt bool

	hush [8][frame]int16 // what the line sounded like when nobody spoke
	kept int
	turn int
}

// end is one end's sound.
type end struct {
	spec  spectrum
	buf   [points]float64
	power [half + 1]float64
	floor floor
	fine  [bands]float64
	bands [broad]float64
	total float64
	noise float64
}

func (e *end) take(pcm []int16) {
	silent := true
	for i, s := range pcm[:frame] { // the frame alone, so that both ends are cut alike; the rest of buf stays zero
		silent = silent && s == 0
		e.buf[i] = float64(s) / 32768 * hann[2*i]
	}
	var fine [bands]float64
	if !silent { // which our own end is, most of the time
		e.spec.power(&e.buf, &e.power, firstBin, lastBin)
		for i, p := range e.power[firstBin:lastBin] {
			fine[i/wide] += p
		}
	}
	e.fine, e.bands, e.total = fine, [broad]float64{}, 1e-7
	for b, v := range fine {
		e.bands[b/perBand] += v
		e.total += v
	}
}

// learn takes the frame for one in which no echo can be: the noise is learnt from such alone, or a long prompt would pass for noise.
func (e *end) learn() {
	e.floor.update(&e.fine)
	e.noise = 1e-7
	for _, v := range e.floor.noise {
		e.noise += v
	}
}

// What the guard starts from, and how fast it learns.
const (
	firstGain = -4.0 // dB, before anything was learnt: hardly a line gives back more
	leastGain = -45.0
	margin    = 4.0       // dB by which an echo may be louder than was learnt
	up, down  = 0.4, 0.05 // dB a frame: it follows the loudest of the echo
	forget    = 0.985
	faintFar  = 0.015 // what a frame of 60 dB below full scale has: softer speech of ours leaves no echo
	learnFar  = 0.1   // what a band must have for its echo to be learnt
)

// Frame takes 20 ms of both ends: near is what the caller sent, far what was sent to them in the same 20 ms, both of 160 samples. If nothing but echo stands in
// near, it is turned down to the noise of the line, in place.
func (g *Guard) Frame(near, far []int16) (echo bool) {
	g.near.take(near)
	g.far.take(far)
	g.at = (g.at + 1) % memory
	g.history[g.at] = g.far.bands
	g.envelope[g.at] = max(10*math.Log10(g.far.total/faintFar), 0)
	y := max(10*math.Log10(g.near.total/(g.near.noise+1e-7))-3, 0)

	from, to := 0, delays-1
	if best, sure := g.delay(y); sure {
		from, to = max(best-1, 0), min(best+4, delays-1)
	}
	var most [broad]float64 // the most that the far end had in each band, of the moments that may be heard now
	loud := 0.0
	for d := from; d <= to; d++ {
		k := (g.at - d + memory) % memory
		loud = max(loud, g.envelope[k])
		for b, v := range g.history[k] {
			most[b] = max(most[b], v)
		}
	}
	if loud == 0 {
		g.near.learn()
		if g.near.total < 1.5*g.near.noise || g.kept == 0 {
			copy(g.hush[g.kept%len(g.hush)][:], near)
			g.kept++
		}
		return false
	}
	if !g.learnt {
		g.learnt = true
		for b := range g.gain {
			g.gain[b] = firstGain
		}
	}
	left := 0.0
	for b, v := range g.near.bands {
		left += max(0, v-math.Pow(10, (g.gain[b]+margin)/10)*most[b])
		if most[b] < learnFar {
			continue // too soft to learn from
		}
		switch ratio := 10 * math.Log10((v+1e-9)/most[b]); {
		case ratio < g.gain[b]:
			g.gain[b] = max(g.gain[b]-down, ratio, leastGain)
		case ratio < g.gain[b]+2*margin: // much louder than the echo is the caller
			g.gain[b] = min(g.gain[b]+up, ratio, 6)
		}
	}
	if left > 0.5*g.near.total {
		return false
	}
	// The line's own noise stands in its place: so a detector's view of the noise stays what it is.
	copy(near, g.hush[g.turn][:])
	g.turn = (g.turn + 1) % min(max(g.kept, 1), len(g.hush))
	return true
}

// delay follows the correlation of both ends' loudness and says at which delay, in frames, it is greatest, and whether that is an echo's.
func (g *Guard) delay(y float64) (int, bool) {
	heard := false
	for _, x := range g.envelope {
		heard = heard || x > 0
	}
	if heard {
		g.yy = forget*g.yy + y*y
		for d := range g.xy {
			x := g.envelope[(g.at-d+memory)%memory]
			g.xy[d] = forget*g.xy[d] + x*y
			g.xx[d] = forget*g.xx[d] + x*x
		}
	}
	best, top := 0, 0.0
	for d := range g.xy {
		if c := g.xy[d] / math.Sqrt(g.xx[d]*g.yy+1); c > top {
			best, top = d, c
		}
	}
	return best, top > 0.6 && g.yy > 2000
}
