package media

import (
	"slices"
	"testing"
	"time"
)

// handed lets a tick pass, and gives the packets whose sound is handed out in it; -1 for what is covered or silent.
func handed(j *Jitter, known int) (out []int) {
	var f Frame
	for j.Tick(); j.Due(); {
		k := -1
		if j.Next(&f) {
			for n := range known {
				if heard(&f, n) {
					k = n
				}
			}
		}
		out = append(out, k)
	}
	return out
}

// TestWhatComesLateIsNotLost: nothing comes for a third of a second, and then all at once. All of it is handed out, in its order, and every frame of time once.
func TestWhatComesLateIsNotLost(t *testing.T) {
	const known, stall, ends = 60, 20, 36
	j := NewJitter(40 * time.Millisecond)
	var all []int
	for tick := range known {
		switch {
		case tick < stall, tick > ends:
			j.Put(uint32(tick*FrameSamples), law(tick))
		case tick == ends:
			for n := stall; n <= ends; n++ {
				j.Put(uint32(n*FrameSamples), law(n))
			}
		}
		got := handed(j, known)
		if tick > stall+2 && tick < ends && len(got) > 0 {
			t.Errorf("in slot %d, while nothing comes, %v is handed out", tick, got)
		}
		all = append(all, got...)
	}
	want := []int{-1, -1}
	for n := range known - 2 {
		want = append(want, n)
	}
	if !slices.Equal(all, want) || j.Stats != (JitterStats{}) {
		t.Errorf("handed out: %v; %+v", all, j.Stats)
	}
}

// TestASilentStreamIsNotWaitedForLong: after 400 ms what is owed is handed out, and from then on each 20 ms in its time; when it speaks again, at its clock of before or of now, it is heard.
func TestASilentStreamIsNotWaitedForLong(t *testing.T) {
	for what, skips := range map[string]int{"its clock went on": 70, "its clock stood still": 0} {
		j := NewJitter(40 * time.Millisecond)
		var all []int
		for tick := range 30 {
			j.Put(uint32(tick*FrameSamples), law(tick))
			all = append(all, handed(j, 60)...)
		}
		for tick := range 70 {
			got := handed(j, 60)
			if all = append(all, got...); tick > waits+2 && len(got) != 1 {
				t.Fatalf("%s: in slot %d of a silence %d frames are handed out", what, tick, len(got))
			}
		}
		var last []int
		for tick := range 20 {
			j.Put(uint32((30+skips+tick)*FrameSamples), law(30+tick))
			last = append(last, handed(j, 60)...)
		}
		if n := slices.Index(last, 45); n < 0 || n > 17 {
			t.Errorf("%s: after a silence %v is handed out; %+v", what, last, j.Stats)
		}
		if got := append(handed(j, 60), append(handed(j, 60), handed(j, 60)...)...); len(got) > 2 {
			t.Errorf("%s: it stalls behind the silence, and %v is handed out", what, got)
		}
		if n := len(all) + len(last); n != 120 {
			t.Errorf("%s: %d frames were handed out in 120 slots", what, n)
		}
	}
}

// TestWhoCatchesUpLosesNothing: who paces comes late himself, and finds packets of as long. What is in the buffer waits for its time all the same.
func TestWhoCatchesUpLosesNothing(t *testing.T) {
	const known = 80
	j := NewJitter(40 * time.Millisecond)
	var all []int
	for tick := range known {
		j.Put(uint32(tick*FrameSamples), law(tick))
		if tick > 20 && tick < 50 { // he sleeps, and his packets come
			continue
		}
		if tick == 50 {
			for range 29 {
				j.Tick()
			}
		}
		all = append(all, handed(j, known)...)
	}
	want := []int{-1, -1}
	for n := range known - 2 {
		want = append(want, n)
	}
	if !slices.Equal(all, want) || j.Stats != (JitterStats{}) {
		t.Errorf("handed out: %v; %+v", all, j.Stats)
	}
}

// TestAStreamThatStallsOftenIsWaitedForEachTime, and it makes no clock look slow or fast.
func TestAStreamThatStallsOftenIsWaitedForEachTime(t *testing.T) {
	const known = 50
	j := NewJitter(40 * time.Millisecond)
	missed, next := 0, 0
	for slot := range 50 * 20 {
		if at := slot % 50; at < 10 || at > 25 {
			for ; next <= slot; next++ {
				j.Put(uint32(next*FrameSamples), law(next%known))
			}
		}
		for _, k := range handed(j, known) {
			if k < 0 {
				missed++
			}
		}
	}
	if missed > 2 || j.Stats != (JitterStats{}) {
		t.Errorf("%d frames are missing; %+v", missed, j.Stats)
	}
}

// TestWhatIsOwedOutlivesAnotherStream: who paces counts the same frames.
func TestWhatIsOwedOutlivesAnotherStream(t *testing.T) {
	for what, happens := range map[string]func(j *Jitter){
		"another stream": func(j *Jitter) { j.Reset() },
		"the first":      func(j *Jitter) { j.Put(0, law(0)) },
	} {
		j := NewJitter(40 * time.Millisecond)
		j.Tick()
		if happens(j); !j.Due() {
			t.Errorf("%s: nothing is owed any more", what)
		}
	}
}
