package listen

import (
	"testing"
	"testing/synctest"
	"time"

	"readback/voice/media/ear"
	"readback/voice/media/mediatest"
	"readback/voice/voicetest"
)

// clicks is a detector of nothing but very loud sound.
type clicks struct{ frames int }

func (c *clicks) Frame(pcm []int16) ear.Heard {
	c.frames++
	loud := mediatest.From(pcm).Level() > -12
	return ear.Heard{Speech: loud, Sound: loud}
}

// TestAnotherDetector puts another detector in the place of ear's: it is asked of every frame, and what it calls speech is a turn, and nothing else.
func TestAnotherDetector(t *testing.T) {
	clip := sentence(t)
	loud := mediatest.White(second/2, 1).At(-6)
	for name, c := range map[string]struct {
		sound mediatest.Sound
		turns int
	}{"a sentence": {clip, 0}, "loud noise": {loud, 1}} {
		synctest.Test(t, func(t *testing.T) {
			vad := &clicks{}
			call := dial(t, Options{STT: &recogniser{}, VAD: vad}, voicetest.Options{}, nil)
			call.say(line(time.Second, 1))
			call.say(c.sound)
			call.say(line(2*time.Second, 2))
			time.Sleep(time.Second)
			if got := call.turns(); len(got) != c.turns {
				t.Errorf("%s: %d turns, not %d: %v", name, len(got), c.turns, call.names())
			}
			if want := len(call.sent) / 160; vad.frames < want {
				t.Errorf("%s: it was asked of %d frames of %d", name, vad.frames, want)
			}
		})
	}
}
