package media

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// packet is 20 ms whose every sample tells which packet it is of, by a µ-law code.
func law(k int) []byte { return slices.Repeat([]byte{byte(k%100 + 20)}, FrameSamples) }

func heard(f *Frame, k int) bool { return f[0] == decode(byte(k%100+20)) && f[FrameSamples-1] == f[0] }

func TestULawKeepsEveryCode(t *testing.T) {
	var in, out [256]byte
	for i := range in {
		in[i] = byte(i)
	}
	pcm := make([]int16, 256)
	DecodeULaw(pcm, in[:])
	EncodeULaw(out[:], pcm)
	for i := range in {
		if out[i] != in[i] && pcm[i] != 0 { // there are two codes for 0
			t.Errorf("code %#x became %#x", in[i], out[i])
		}
	}
}

// each packet is heard after the target, whatever order the packets had within it, and across the wrap of the timestamp.
func TestJitterOrders(t *testing.T) {
	var start uint32 = 0xffffffff - 700
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 1, 4, 3, 6, 5, 7}, {0, 1, 1, 2, 3, 5, 4, 6, 7, 7}} {
		j := NewJitter(40 * time.Millisecond)
		var got []int
		var f Frame
		put := 0
		for tick := range 14 {
			for put < len(order) && order[put] <= tick {
				j.Put(start+uint32(order[put]*FrameSamples), law(order[put]))
				put++
			}
			if j.Next(&f) {
				for k := range 8 {
					if heard(&f, k) {
						got = append(got, k)
						if tick != k+2 {
							t.Errorf("%v: packet %d is heard in slot %d", order, k, tick)
						}
					}
				}
			}
		}
		if !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
			t.Errorf("%v: heard %v", order, got)
		}
	}
}

func TestJitterPacketsOfAnyLength(t *testing.T) {
	for _, n := range []int{80, 240, 320, 33} {
		j := NewJitter(60 * time.Millisecond)
		var all []byte
		for i := range 8000 {
			all = append(all, byte(i*7%100+20))
		}
		var out []int16
		var f Frame
		for at, tick := 0, 0; tick < 50; tick++ {
			for at < len(all) && at <= tick*FrameSamples {
				end := min(at+n, len(all))
				j.Put(uint32(at), all[at:end])
				at = end
			}
			j.Next(&f)
			out = append(out, f[:]...)
		}
		for i := 480; i < 7500; i++ {
			if out[i] != decode(all[i-480]) {
				t.Fatalf("packets of %d samples: sample %d is wrong", n, i)
			}
		}
	}
}

func TestJitterCoversAGapAndDropsWhatIsLate(t *testing.T) {
	j := NewJitter(40 * time.Millisecond)
	var f Frame
	var states []bool
	for tick := range 30 {
		if tick < 5 || tick >= 12 {
			j.Put(uint32(tick*FrameSamples), law(tick))
		}
		if tick == 15 {
			j.Put(uint32(8*FrameSamples), law(8)) // seven slots late
		}
		states = append(states, j.Next(&f))
		if tick >= 7+fadeFrames && tick < 14 && f != (Frame{}) {
			t.Errorf("slot %d: a long gap is not silent", tick)
		}
		if tick == 7 && (f == (Frame{}) || heard(&f, 4)) {
			t.Error("a gap begins with what was heard last, softer")
		}
	}
	for tick, s := range states {
		if want := tick >= 2 && tick < 7 || tick >= 14; s != want {
			t.Errorf("slot %d: heard is %v", tick, s)
		}
	}
	if j.Stats.Late != 1 || j.Stats.Covered == 0 || j.Stats.Jumps != 0 {
		t.Errorf("counted %+v", j.Stats)
	}
}

// a burst after a stall of the network comes late in part, and leaves no delay behind; a clock that jumps is followed.
func TestJitterStallsAndJumps(t *testing.T) {
	j := NewJitter(40 * time.Millisecond)
	var f Frame
	for tick := range 100 {
		switch {
		case tick >= 20 && tick < 30: // nothing comes
		case tick == 30:
			for k := 20; k <= 30; k++ {
				j.Put(uint32(k*FrameSamples), law(k))
			}
		default:
			j.Put(uint32(tick*FrameSamples), law(tick))
		}
		j.Next(&f)
		if tick > 31 && !heard(&f, tick-2) {
			t.Fatalf("slot %d: the delay is no longer the target", tick)
		}
	}
	if j.Stats.Jumps != 0 || j.Stats.Late == 0 {
		t.Errorf("counted %+v", j.Stats)
	}
	for _, jump := range []uint32{1 << 30, ^uint32(0) - 80000, 5} {
		was := j.Stats.Jumps
		for tick := range 20 {
			j.Put(jump+uint32(tick*FrameSamples), law(tick))
			j.Next(&f)
		}
		if j.Stats.Jumps != was+1 || !heard(&f, 17) && !heard(&f, 18) {
			t.Errorf("a jump to %d was not followed: %+v", jump, j.Stats)
		}
	}
}

// a peer whose clock is off by so much as 500 ppm is heard for ten minutes with a delay that stays near the target.
func TestJitterDrift(t *testing.T) {
	for _, ppm := range []float64{-500, -50, 50, 500} {
		j := NewJitter(60 * time.Millisecond)
		r := rand.New(rand.NewPCG(1, 2))
		var f Frame
		next, missed := 0, 0
		for tick := range 50 * 600 {
			now := float64(tick) * (1 + ppm/1e6)
			for float64(next)+0.5*r.Float64() <= now {
				j.Put(uint32(next*FrameSamples), law(next))
				next++
			}
			if !j.Next(&f) {
				missed++
			}
			if ahead := j.newest - j.head; tick > 100 && (ahead > j.target+4*FrameSamples || ahead < -2*FrameSamples) {
				t.Fatalf("%v ppm: %d samples wait in slot %d", ppm, ahead, tick)
			}
		}
		if missed > 70 {
			t.Errorf("%v ppm: %d frames of ten minutes are missing", ppm, missed)
		}
		t.Logf("%v ppm: %d frames of ten minutes not heard, %+v", ppm, missed, j.Stats)
	}
}

func FuzzJitter(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 160, 0, 0, 0, 160, 160, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		j := NewJitter(40 * time.Millisecond)
		var out Frame
		for len(b) >= 5 {
			ts := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
			j.Put(ts, make([]byte, int(b[4])*40))
			if b[4]&1 == 1 {
				j.Next(&out)
			}
			for j.Tick(); b[4]&2 == 2 && j.Due(); {
				j.Next(&out)
			}
			if b[4]&2 == 2 && j.owed > waits {
				t.Fatalf("%d frames are owed", j.owed)
			}
			if j.newest-j.head > ringSamples {
				t.Fatalf("%d samples wait", j.newest-j.head)
			}
			b = b[5:]
		}
	})
}

func BenchmarkJitter(b *testing.B) {
	j := NewJitter(40 * time.Millisecond)
	var f Frame
	p := law(1)
	b.ReportAllocs()
	ts := uint32(0)
	for b.Loop() {
		j.Put(ts, p)
		ts += FrameSamples
		j.Next(&f)
	}
}
