package ear

import (
	"slices"
	"testing"
	"time"

	"readback/voice/media/mediatest"
)

// script runs turns over frames: # is sound, - a pause within speech, . is no speech.
func script(l Limits, frames string) (events []Event, at time.Time) {
	turns, start := NewTurns(l), time.Unix(1000, 0)
	for i, c := range frames {
		at = start.Add(time.Duration(i) * step)
		if e := turns.Frame(Heard{Speech: c != '.', Sound: c == '#'}, at); e.Kind != Nothing {
			events = append(events, e)
		}
	}
	return events, start
}

func kinds(events []Event) (out []Kind) {
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

func times(c string, n int) string { return string(slices.Repeat([]byte(c), n)) }

func TestATurnEndsAfterItsSilence(t *testing.T) {
	for _, c := range []struct {
		frames string
		want   []Kind
	}{
		{times(".", 100), nil},
		{times("#", 10) + times(".", 34), []Kind{Begun}},
		{times("#", 10) + times(".", 35), []Kind{Begun, Ended}},
		{times("#", 10) + times("-", 10) + times(".", 25), []Kind{Begun, Ended}}, // the detector's own hangover is part of the silence
		{times("#", 14) + times(".", 35), []Kind{Begun, Ended}},
		{times("#", 15) + times(".", 35), []Kind{Begun, Barged, Ended}},
		{times("#", 8) + times(".", 20) + times("#", 8) + times(".", 35), []Kind{Begun, Barged, Ended}},
		{times("#", 20) + times(".", 40) + times("#", 5) + times(".", 40), []Kind{Begun, Barged, Ended, Begun, Ended}},
	} {
		if events, _ := script(Limits{}, c.frames); !slices.Equal(kinds(events), c.want) {
			t.Errorf("%s: %v, not %v", c.frames, kinds(events), c.want)
		}
	}
	events, start := script(Limits{}, times(".", 50)+times("#", 20)+times(".", 40))
	if e := events[2]; !e.Began.Equal(start.Add(time.Second)) || !e.Last.Equal(start.Add(1400*time.Millisecond)) {
		t.Errorf("%+v", e)
	}
	if events, _ := script(Limits{Silence: 200 * time.Millisecond, Barge: 100 * time.Millisecond}, times("#", 5)+times(".", 10)); !slices.Equal(kinds(events), []Kind{Begun, Barged, Ended}) {
		t.Errorf("other limits: %v", kinds(events))
	}
	if events, _ := script(Limits{Longest: time.Second}, times("#", 60)); !events[2].Cut || events[3].Kind != Begun {
		t.Errorf("a turn without end: %+v", events)
	}
}

func TestInvariant10ATurnBeganWhenItsFirstSoundWasHeard(t *testing.T) {
	turns, at := NewTurns(Limits{}), time.Unix(1000, 0)
	e := turns.Frame(Heard{Speech: true, Sound: true, Began: 12}, at)
	if e.Kind != Begun || !e.Began.Equal(at.Add(-240*time.Millisecond)) {
		t.Errorf("%+v", e)
	}
	// A turn that follows does not reach back into it.
	for range 35 {
		at = at.Add(step)
		e = turns.Frame(Heard{}, at)
	}
	last := e.Last
	if e.Kind != Ended {
		t.Fatalf("%+v", e)
	}
	if e = turns.Frame(Heard{Speech: true, Sound: true, Began: 60}, at.Add(step)); !e.Began.Equal(last) {
		t.Errorf("%+v, after one that ended at %v", e, last)
	}
}

func TestTurnsWhenFramesDoNotCome(t *testing.T) {
	turns, at := NewTurns(Limits{}), time.Unix(1000, 0)
	sound := Heard{Speech: true, Sound: true}
	turns.Frame(sound, at)
	// 2 s without a frame: what is heard after it is another turn.
	at = at.Add(2 * time.Second)
	if e := turns.Frame(sound, at); e.Kind != Ended || !e.Last.Equal(time.Unix(1000, 0).Add(step)) {
		t.Errorf("after a gap: %+v", e)
	}
	if e := turns.Frame(sound, at.Add(step)); e.Kind != Begun {
		t.Errorf("then: %+v", e)
	}
	// A clock that goes back makes nothing longer and nothing shorter than none.
	if e := turns.Frame(sound, at.Add(-time.Hour)); e.Kind != Nothing {
		t.Errorf("after a clock that went back: %+v", e)
	}
	if e := turns.Frame(Heard{Speech: true}, at.Add(2*step)); e.Kind != Nothing {
		t.Errorf("and came forward again: %+v", e)
	}
	if began, open := turns.Open(); !open || began.Before(at) {
		t.Errorf("%v %v", began, open)
	}
}

// a sentence with a breath in it is one turn, two sentences are two; and a caller who breaks in is noticed soon after 0.3 s of speech.
func TestTurnsOfPeople(t *testing.T) {
	prompts := mediatest.Prompts(t, "fr")
	var delays []time.Duration
	broken, n := 0, 0
	for _, c := range part(prompts[:60], 12) {
		s := append(append(make(mediatest.Sound, second), mediatest.From(c.PCM).At(-22)...), make(mediatest.Sound, 2*second)...)
		first := 0
		for s[first*frame:(first+1)*frame].Level() < -40 {
			first++
		}
		pcm := s.Plus(mediatest.Pink(len(s), 3).At(-45), 0).Line().PCM()
		var v VAD
		turns := NewTurns(Limits{})
		ended := 0
		for i := 0; i+frame <= len(pcm); i += frame {
			switch e := turns.Frame(v.Frame(pcm[i:i+frame]), time.Unix(0, 0).Add(time.Duration(i/frame)*step)); e.Kind {
			case Barged:
				delays = append(delays, time.Duration(i/frame+1-first)*step)
			case Ended:
				ended++
			}
		}
		n++
		if ended != 1 {
			broken++
		}
	}
	slices.Sort(delays)
	t.Logf("%d of %d prompts are not one turn; barge-in after p50 %v, p95 %v of the first loud frame", broken, n, delays[len(delays)/2], delays[len(delays)*95/100])
	if broken*10 > n || delays[len(delays)/2] > 400*time.Millisecond {
		t.Errorf("%d of %d broken, barge-in after %v", broken, n, delays[len(delays)/2])
	}
}
