package rate

import (
	"errors"
	"math"
	"slices"
	"testing"
)

var pairs = [][2]int{{8000, 16000}, {16000, 8000}, {22050, 8000}, {8000, 22050}, {24000, 8000}, {8000, 24000}, {16000, 24000}, {24000, 16000}, {22050, 16000}, {16000, 22050}, {22050, 24000}, {48000, 8000}}

func sine(rate, n int, hz, amp float64) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(math.Round(amp * math.Sin(2*math.Pi*hz*float64(i)/float64(rate))))
	}
	return out
}

func convert(t *testing.T, from, to int, pcm []int16, step int) []int16 {
	t.Helper()
	c, err := New(from, to)
	if err != nil {
		t.Fatal(err)
	}
	var out []int16
	for part := range slices.Chunk(pcm, step) {
		out = c.Convert(out, part)
	}
	return c.Flush(out)
}

// a tone below the slope comes out as the same tone at the same place, and all else (what folds, what is added) lies far below it; a tone above half of the lower rate
// comes out as silence.
func TestSweep(t *testing.T) {
	for _, p := range pairs {
		from, to := p[0], p[1]
		half := float64(min(from, to)) / 2
		worst, spill := 200.0, 200.0
		for hz := 100.0; hz < float64(from)/2-100; hz += 311 {
			out := convert(t, from, to, sine(from, from/4, hz, 16000), from/50)
			out = out[to/20 : len(out)-to/20]
			var noise, all float64
			for i, v := range out {
				want := 16000 * math.Sin(2*math.Pi*hz*float64(i+to/20)/float64(to))
				noise += (float64(v) - want) * (float64(v) - want)
				all += float64(v) * float64(v)
			}
			full := 16000 * 16000 / 2 * float64(len(out))
			switch {
			case hz < 0.84*half:
				worst = min(worst, -10*math.Log10(noise/full+1e-12))
			case hz > 1.01*half:
				spill = min(spill, -10*math.Log10(all/full+1e-12))
			}
		}
		t.Logf("%d to %d: error %.0f dB below the tone, what must go is %.0f dB down", from, to, worst, spill)
		if worst < 60 || spill < 65 {
			t.Errorf("%d to %d: error %.0f dB below the tone, what must go is %.0f dB down", from, to, worst, spill)
		}
	}
}

func TestPiecesDoNotMatter(t *testing.T) {
	for _, p := range pairs {
		pcm := sine(p[0], p[0]/3, 700, 9000)
		whole := convert(t, p[0], p[1], pcm, len(pcm))
		if want := (len(pcm)*p[1] + p[0] - 1) / p[0]; len(whole) != want {
			t.Errorf("%v: %d samples became %d, not %d", p, len(pcm), len(whole), want)
		}
		for _, step := range []int{1, 7, 160, 441} {
			if got := convert(t, p[0], p[1], pcm, step); !slices.Equal(got, whole) {
				t.Errorf("%v in pieces of %d differs", p, step)
			}
		}
	}
	if got := convert(t, 8000, 8000, []int16{1, 2, 3}, 2); !slices.Equal(got, []int16{1, 2, 3}) {
		t.Errorf("the same rate: %v", got)
	}
	if got := convert(t, 8000, 16000, nil, 1); len(got) != 0 {
		t.Errorf("nothing became %d samples", len(got))
	}
}

func TestLoudSoundIsClippedAndNotTurnedOver(t *testing.T) {
	pcm := make([]int16, 4000)
	for i := range pcm {
		pcm[i] = 32767
		if i/20%2 == 1 {
			pcm[i] = -32768
		}
	}
	for i, v := range convert(t, 8000, 16000, pcm, 160)[200:7800] {
		if k := (i + 200) % 80; k > 8 && k < 32 && v < 20000 || k > 48 && k < 72 && v > -20000 {
			t.Fatalf("sample %d is %d", i, v)
		}
	}
}

func TestAConverterIsReadyForAnotherStream(t *testing.T) {
	c, err := New(22050, 8000)
	if err != nil {
		t.Fatal(err)
	}
	pcm := sine(22050, 5000, 500, 8000)
	first := c.Flush(c.Convert(nil, pcm))
	if second := c.Flush(c.Convert(nil, pcm)); !slices.Equal(first, second) {
		t.Error("the second stream differs from the first")
	}
}

func TestRatesOfSpeech(t *testing.T) {
	for _, p := range [][2]int{{0, 8000}, {8000, 0}, {8000, 1 << 30}, {7999, 8000}, {8000, 47999}} {
		if _, err := New(p[0], p[1]); !errors.Is(err, ErrRate) {
			t.Errorf("%v: %v", p, err)
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, p := range [][2]int{{8000, 16000}, {22050, 8000}, {24000, 8000}} {
		b.Run("", func(b *testing.B) {
			c, _ := New(p[0], p[1])
			in := sine(p[0], p[0]/50, 500, 8000)
			out := make([]int16, 0, 1000)
			b.ReportAllocs()
			for b.Loop() {
				out = c.Convert(out[:0], in)
			}
		})
	}
}
