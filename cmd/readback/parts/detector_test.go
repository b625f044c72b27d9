package parts

import (
	"errors"
	"testing"

	"readback/voice/media/ear"
)

// fakeDetector counts what is done with it.
type fakeDetector struct {
	ear.VAD
	resets, closed int
	broken         bool
}

func (f *fakeDetector) Reset() error {
	f.resets++
	if f.broken {
		return errors.New("broken")
	}
	return nil
}

func (f *fakeDetector) Close() error { f.closed++; return nil }

// TestADetectorServesOneCallAtATime, and none that failed serves another.
func TestADetectorServesOneCallAtATime(t *testing.T) {
	var made []*fakeDetector
	var trouble error
	d, err := newDetectors(func() (detecting, error) {
		if trouble != nil {
			return nil, trouble
		}
		made = append(made, &fakeDetector{})
		return made[len(made)-1], nil
	})
	if err != nil || len(made) != 1 {
		t.Fatal(err, len(made))
	}
	first, done := d.get()
	second, done2 := d.get()
	if first != made[0] || second != made[1] {
		t.Error("two calls have one detector")
	}
	done()
	if made[0].resets != 1 {
		t.Error("it goes to the next call as the last one left it")
	}
	if again, _ := d.get(); again != made[0] {
		t.Error("it serves no other call")
	}
	made[1].broken = true
	done2()
	if made[1].closed != 1 {
		t.Error("one that failed is kept")
	}
	trouble = errors.New("gone")
	if v, _ := d.get(); v != nil {
		t.Error("a call has a detector that could not be loaded")
	}
	if _, err := newDetectors(d.load); err == nil {
		t.Error("what cannot be loaded is not told of")
	}
	trouble = nil
	var over []func()
	for range mostFree + 1 {
		_, done := d.get()
		over = append(over, done)
	}
	for _, done := range over {
		done()
	}
	if made[len(made)-1].closed != 1 || len(d.free) != mostFree {
		t.Errorf("%d wait", len(d.free))
	}
	_ = d.Close()
	for i, one := range made[2 : len(made)-1] {
		if one.closed != 1 {
			t.Errorf("%d: closed %d times", i, one.closed)
		}
	}
	var own *detectors
	if v, _ := own.get(); v != nil {
		t.Error("a detector of nobody's")
	}
}
