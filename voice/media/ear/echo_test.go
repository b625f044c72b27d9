package ear

import (
	"math"
	"testing"

	"readback/voice/media/mediatest"
)

// echoed is what comes back of the far end: later, softer, and spread a little as in a car.
func echoed(far mediatest.Sound, db float64, ms int) mediatest.Sound {
	out := make(mediatest.Sound, len(far))
	for k, g := range map[int]float64{0: 0.8, 37: -0.35, 113: 0.3, 240: -0.2, 401: 0.12} {
		part := make(mediatest.Sound, len(far))
		for i, v := range far {
			part[i] = v * g * math.Pow(10, db/20)
		}
		out = out.Plus(part, ms*8+k)
	}
	return out
}

// listen runs guard and detector together.
func listen(near, far mediatest.Sound) (speech []bool, begins int) {
	var g Guard
	var v VAD
	n, f := near.Line().PCM(), far.Line().PCM()
	for i := 0; i+frame <= len(n); i += frame {
		part := append([]int16(nil), n[i:i+frame]...)
		g.Frame(part, f[i:i+frame])
		h := v.Frame(part)
		if h.Speech && (len(speech) == 0 || !speech[len(speech)-1]) {
			begins++
		}
		speech = append(speech, h.Speech)
	}
	return speech, begins
}

// TestInvariant10TheProgramsOwnVoiceIsNotTheCallers plays prompts into an echo, at three levels and delays, and callers who speak over them.
func TestInvariant10TheProgramsOwnVoiceIsNotTheCallers(t *testing.T) {
	var far mediatest.Sound
	for _, c := range part(mediatest.Prompts(t, "en")[:16], 8) {
		far = append(append(far, mediatest.From(c.PCM).At(-22)...), make(mediatest.Sound, second)...)
	}
	minutes := float64(len(far)) / second / 60
	callers := mediatest.Prompts(t, "fr")
	for _, db := range part([]float64{-12, -20, -6}, 1) {
		for _, ms := range part([]int{160, 50, 300}, 1) {
			echo := echoed(far, db, ms).Plus(mediatest.Pink(len(far), 5).At(-50), 0)
			speech, begins := listen(echo, far)
			_, without := hear(echo.Line())
			// A caller who speaks over the prompts, every 5 s.
			both := echo
			var starts []int
			for k := 0; (k+1)*5*second < len(far); k++ {
				both = both.Plus(mediatest.From(callers[k].PCM).At(-20), k*5*second+3*second)
				starts = append(starts, (k*5+3)*50)
			}
			got, _ := listen(both, far)
			unheard, late := 0, 0
			for k, at := range starts {
				found := -1
				for i := at; i < at+len(callers[k].PCM)/frame+10 && i < len(got) && found < 0; i++ {
					if got[i] && !speech[i] {
						found = i
					}
				}
				switch {
				case found < 0:
					unheard++
				case found > at+25:
					late++
				}
			}
			t.Logf("echo %3.0f dB after %3d ms: %.1f false turns a minute (without the guard %.1f); of %d callers over it %d unheard, %d heard after half a second",
				db, ms, float64(begins)/minutes, float64(len(without))/minutes, len(starts), unheard, late)
			if begins > 0 || len(without) < 5 || unheard*5 > len(starts) {
				t.Errorf("echo %v dB after %d ms: %d false turns, %d of %d callers unheard", db, ms, begins, unheard, len(starts))
			}
		}
	}
}

func BenchmarkGuard(b *testing.B) {
	s := mediatest.Pink(second, 1).At(-20).PCM()
	f := mediatest.Pink(second, 2).At(-20).PCM()
	var g Guard
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		g.Frame(s[i*frame:(i+1)*frame], f[i*frame:(i+1)*frame])
		i = (i + 1) % 50
	}
}

// BenchmarkGuardWhileSilent is what most frames of a call are: nothing is being said to the caller.
func BenchmarkGuardWhileSilent(b *testing.B) {
	s := mediatest.Pink(second, 1).At(-20).PCM()
	f := make([]int16, frame)
	var g Guard
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		g.Frame(s[i*frame:(i+1)*frame], f)
		i = (i + 1) % 50
	}
}

// what stands in an echo's place is the noise of the line: a hole would tell a detector, and a recogniser, of another line.
func TestTheGuardLeavesTheLinesNoise(t *testing.T) {
	var g Guard
	var far, turned mediatest.Sound
	far = append(far, make(mediatest.Sound, second)...)
	for _, c := range mediatest.Prompts(t, "en")[:5] {
		far = append(far, mediatest.From(c.PCM).At(-22)...)
	}
	noise := mediatest.Pink(len(far), 5).At(-45)
	n, f := echoed(far, -10, 100).Plus(noise, 0).Line().PCM(), far.Line().PCM()
	for i := 0; i+frame <= len(n); i += frame {
		part := n[i : i+frame]
		if g.Frame(part, f[i:i+frame]) {
			turned = append(turned, mediatest.From(part)...)
		}
	}
	if want := noise.Line().Level(); len(turned) < 2*second || math.Abs(turned.Level()-want) > 3 {
		t.Errorf("%.1f s were turned down, to %.1f dB where the line has %.1f dB", float64(len(turned))/second, turned.Level(), want)
	}
}
