package hostile

import (
	"math"
	"testing"
	"time"

	"github.com/thesyncim/gopus"
	"github.com/zaf/g711"

	"readback/voice/media"
)

// On a leg, what is said goes through the air as sound. Speech by real engines would be misunderstood too often to tell whether a yes was one. So what is said is a sound like a voice
// (for detectors), and a number in tones (for ears), which stands for the words: twice, since a machine that is busy tears holes into sound. A number that is not read without a doubt is none.

const (
	symbol   = media.Rate * 30 / 1000 // samples
	symbols  = 8                      // two that are the same for all, and six of three bits
	codeLong = symbols * symbol
	gapLong  = media.Rate * 20 / 1000
	pairLong = 2*codeLong + gapLong
	hop      = media.Rate * 5 / 1000 // at which a number is looked for
)

// code is a number in tones.
type code struct {
	kind kind2
	id   int // below most
}

// kind2 is what a number stands at.
type kind2 int

const (
	startA kind2 = iota // a beginning, or words as such
	startB              // the same, the second time
	endA                // an end
	endB
)

const most = 1 << 10

var (
	marker = [2]float64{2600, 3000}
	digits = [8]float64{800, 1000, 1200, 1400, 1600, 1800, 2000, 2200}
)

// check is six bits over the rest.
func (c code) check() int {
	x := uint32(c.id<<2 | int(c.kind))
	return int((x*2654435761)>>20) & 63
}

// pcm is how it sounds, at some loudness.
func (c code) pcm(peak float64) []int16 {
	word := c.id<<8 | int(c.kind)<<6 | c.check()
	out := make([]int16, 0, codeLong)
	for i := range symbols {
		hz := digits[word>>(3*(symbols-1-i))&7]
		if i < len(marker) {
			hz = marker[i]
		}
		for n := range symbol {
			edge := min(1, float64(n)/20, float64(symbol-1-n)/20)
			out = append(out, int16(peak*edge*math.Sin(2*math.Pi*hz*float64(n)/media.Rate)))
		}
	}
	return out
}

// pair is a number, twice.
func pair(first kind2, id int, peak float64) []int16 {
	out := code{first, id}.pcm(peak)
	out = append(out, make([]int16, gapLong)...)
	return append(out, code{first + 1, id}.pcm(peak)...)
}

// share is how much of a sound's power a tone has.
func share(pcm []int16, hz float64) float64 {
	c := 2 * math.Cos(2*math.Pi*hz/media.Rate)
	var a, b, power float64
	for _, s := range pcm {
		x := float64(s)
		a, b = x+c*a-b, a
		power += x * x
	}
	if power < 200*200*float64(len(pcm)) {
		return 0
	}
	return 2 * (a*a + b*b - c*a*b) / power / float64(len(pcm))
}

// read reads the number that begins at the beginning of a sound.
func read(pcm []int16) (c code, sure float64) {
	sure = 1
	word := 0
	for i := range symbols {
		s := pcm[i*symbol : (i+1)*symbol]
		if i < len(marker) {
			if sure = min(sure, share(s, marker[i])); sure < 0.5 {
				return code{}, 0
			}
			continue
		}
		best, top := 0, 0.0
		for k, hz := range digits {
			if p := share(s, hz); p > top {
				best, top = k, p
			}
		}
		if sure = min(sure, top); sure < 0.4 {
			return code{}, 0
		}
		word = word<<3 | best
	}
	c = code{kind2(word >> 6 & 3), word >> 8}
	if word&63 != c.check() {
		return code{}, 0
	}
	return c, sure
}

// found is a number that was heard, and where it begins.
type found struct {
	code
	at int
}

// reader finds the numbers in a sound that comes in pieces. A machine that is busy lets time pass in the midst of a sound, a whole number of frames: that is taken out before.
type reader struct {
	n      int // samples so far
	pcm    []int16
	places []int // of each of them, in all of the sound
	zeros  int   // at the end of pcm
	best   found
	sure   float64
	since  int // hops since the best place
}

// take takes the next of it, and gives the numbers that were found.
func (r *reader) take(pcm []int16) (out []found) {
	for _, s := range pcm {
		r.pcm, r.places = append(r.pcm, s), append(r.places, r.n)
		r.n++
		if r.zeros++; s != 0 {
			r.zeros = 0
		}
		if r.zeros == media.FrameSamples {
			r.zeros = 0
			r.pcm, r.places = r.pcm[:len(r.pcm)-media.FrameSamples], r.places[:len(r.places)-media.FrameSamples]
		}
	}
	at := 0
	for ; at+codeLong+media.FrameSamples <= len(r.pcm); at += hop { // the last of it may still be taken out
		c, sure := read(r.pcm[at : at+codeLong])
		r.since++
		switch {
		case sure > r.sure:
			r.best, r.sure, r.since = found{c, r.places[at]}, sure, 0
		case r.sure > 0 && r.since > 4: // it was the best place of it
			out = append(out, r.best)
			r.sure = 0
		}
	}
	r.pcm, r.places = append(r.pcm[:0], r.pcm[at:]...), append(r.places[:0], r.places[at:]...)
	return out
}

// rest gives what is found when no more comes.
func (r *reader) rest() []found {
	loud := make([]int16, codeLong+media.FrameSamples+6*hop)
	for i := range loud {
		loud[i] = 1
	}
	return r.take(loud)
}

// murmur is a sound like speech: a voice whose pitch and vowels glide.
func murmur(d time.Duration) []int16 {
	out := make([]int16, int(d*media.Rate/time.Second))
	phase := 0.0
	for i := range out {
		at := 2 * math.Pi * float64(i) / media.Rate
		pitch := 125 + 25*math.Sin(2.1*at)
		phase += 2 * math.Pi * pitch / media.Rate
		low, high := 550+250*math.Sin(3.3*at), 1500+500*math.Sin(2.7*at+1)
		near := func(x, wide float64) float64 { return 1 / (1 + x*x/wide/wide) }
		v := 0.0
		for k := 1.0; k*pitch < 3400; k++ {
			v += (near(k*pitch-low, 90) + 0.6*near(k*pitch-high, 120) + 0.02) * math.Sin(k*phase)
		}
		out[i] = int16(4000 * v * min(1, float64(i)/80))
	}
	return out
}

// TestNumbersComeThroughTheAir: through µ-law and through Opus all are read, once each; of numbers that were cut up none is read wrongly.
func TestNumbersComeThroughTheAir(t *testing.T) {
	ways := map[string]func([]int16) []int16{
		"as it is": func(pcm []int16) []int16 { return pcm },
		"µ-law": func(pcm []int16) []int16 {
			out := make([]int16, len(pcm))
			for i, s := range pcm {
				out[i] = g711.DecodeUlawFrame(g711.EncodeUlawFrame(s))
			}
			return out
		},
		"Opus": func(pcm []int16) []int16 {
			for range 2 {
				pcm = throughOpus(t, pcm)
			}
			return pcm
		},
	}
	for name, way := range ways {
		var pcm []int16
		var want []code
		for id := 0; id < most; id += 93 {
			pcm = append(append(pcm, murmur(300*time.Millisecond)...), make([]int16, gapLong+id)...)
			pcm = append(pcm, pair(startA+kind2(id%2)*2, id, 8000)...)
			want = append(want, code{startA + kind2(id%2)*2, id}, code{startB + kind2(id%2)*2, id})
		}
		pcm = append(pcm, make([]int16, codeLong)...)
		got := reads(way(pcm))
		all := got
		missed := 0
		for len(want) > 0 {
			if len(got) == 0 || got[0].code != want[0] {
				t.Logf("%s: %v was not read", name, want[0])
				missed++
				want = want[1:]
				continue
			}
			got, want = got[1:], want[1:]
		}
		if len(got) > 0 || missed > 1 {
			t.Errorf("%s: %d numbers were not read, and %v were that were not said", name, missed, got)
		}
		if name == "µ-law" { // time passes in its midst
			var late []int16
			for at, n := 0, 0; at < len(pcm); n++ {
				k := min(len(pcm)-at, (1+n%5)*media.FrameSamples)
				late = append(append(late, way(pcm[at:at+k])...), make([]int16, (1+n%3)*media.FrameSamples)...)
				at += k
			}
			if again := reads(late); len(again) != len(all) {
				t.Errorf("%s, with pauses in it: %d numbers, not %d", name, len(again), len(all))
			}
		}
		torn := way(pcm)
		for at := 0; at < len(torn); at += codeLong / 2 {
			clear(torn[at:min(at+symbol, len(torn))])
		}
		got = reads(torn)
		for _, x := range got {
			if x.id%93 != 0 || x.kind/2 != kind2(x.id%2) {
				t.Errorf("%s, cut up: %v", name, x)
			}
		}
		if len(got) > most/93 {
			t.Errorf("%s, cut up: %d numbers were read", name, len(got))
		}
	}
}

func reads(pcm []int16) (out []found) {
	var r reader
	for len(pcm) > 0 {
		n := min(len(pcm), 1000)
		out = append(out, r.take(pcm[:n])...)
		pcm = pcm[n:]
	}
	return append(out, r.rest()...)
}

// throughOpus is what an encoder and a decoder make of a sound.
func throughOpus(t *testing.T, pcm []int16) (out []int16) {
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: media.Rate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		t.Fatal(err)
	}
	dec, err := gopus.NewDecoder(gopus.DefaultDecoderConfig(media.Rate, 1))
	if err != nil {
		t.Fatal(err)
	}
	packet, back := make([]byte, 1276), make([]int16, 960)
	for ; len(pcm) >= media.FrameSamples; pcm = pcm[media.FrameSamples:] {
		n, err := enc.EncodeInt16(pcm[:media.FrameSamples], packet)
		if err != nil {
			t.Fatal(err)
		}
		k, err := dec.DecodeInt16(packet[:n], back)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, back[:k]...)
	}
	return out
}
