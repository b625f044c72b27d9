package wyoming_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/rate"
	"readback/voice/speech/wyoming"
	"readback/voice/speech/wyoming/wyomingtest"
)

func stt(t testing.TB, s *wyomingtest.Server, timeout time.Duration) *wyoming.STT {
	t.Helper()
	e, err := wyoming.NewSTT(wyoming.STTOptions{Address: s.URL(), Timeout: timeout, Pause: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func tts(t testing.TB, s *wyomingtest.Server, patience time.Duration) *wyoming.TTS {
	t.Helper()
	e, err := wyoming.NewTTS(wyoming.TTSOptions{
		Address: s.URL(), Now: time.Now, Patience: patience, Pause: time.Millisecond,
		Voices: map[lang.Lang]wyoming.Pair{lang.EN: {Program: "rms", Quote: "slt"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func listen(t testing.TB, e voice.STT, l lang.Lang, hz int) voice.Hearing {
	t.Helper()
	h, err := e.Listen(t.Context(), l, hz)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// write gives the sound in frames of 20 ms.
func write(t testing.TB, h voice.Hearing, hz int, pcm []int16) {
	t.Helper()
	for at := 0; at < len(pcm); at += hz / 50 {
		if err := h.Write(voice.Frame{Rate: hz, Samples: pcm[at:min(at+hz/50, len(pcm))]}); err != nil {
			t.Fatal(err)
		}
	}
}

// hear gives a whole utterance.
func hear(t testing.TB, e voice.STT, l lang.Lang, hz int, pcm []int16) (string, error) {
	t.Helper()
	h := listen(t, e, l, hz)
	write(t, h, hz, pcm)
	words, err := h.Finish(t.Context())
	return words.RawForRules(), err
}

// telephone brings sound to a telephone line and through it.
func telephone(t testing.TB, hz int, pcm []int16) []int16 {
	t.Helper()
	c, err := rate.New(hz, media.Rate)
	if err != nil {
		t.Fatal(err)
	}
	pcm = c.Flush(c.Convert(nil, pcm))
	law := make([]byte, len(pcm))
	media.EncodeULaw(law, pcm)
	media.DecodeULaw(pcm, law)
	return pcm
}

// speak gives all sound, and the error that it ended with.
func speak(ctx context.Context, e voice.TTS, l lang.Lang, v voice.Voice, text string) (hz int, pcm []int16, err error) {
	for f, err := range e.Speak(ctx, l, v, text) {
		if err != nil {
			return hz, pcm, err
		}
		hz = f.Rate
		pcm = append(pcm, f.Samples...)
	}
	return hz, pcm, nil
}

// tone is so many samples that are not silence.
func tone(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i%64*100 - 3200)
	}
	return out
}

// until waits for a condition.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}

// inside counts the goroutines that run code of the package.
func inside() int {
	b := make([]byte, 1<<20)
	n := 0
	for _, g := range strings.Split(string(b[:runtime.Stack(b, true)]), "\n\n") {
		if strings.Contains(g, "readback/voice/speech/wyoming.") {
			n++
		}
	}
	return n
}
