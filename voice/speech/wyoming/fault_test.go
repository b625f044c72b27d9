package wyoming_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/speech/wyoming"
	"readback/voice/speech/wyoming/wyomingtest"
)

const short = 400 * time.Millisecond

func fake(t testing.TB, says string) *wyomingtest.Server {
	t.Helper()
	return wyomingtest.FakeSTT(t, func([]int16, string) string { return says })
}

// TestAServerThatFailsCostsACode: whatever a server does, an utterance ends with an error in its time, and with little memory.
func TestAServerThatFailsCostsACode(t *testing.T) {
	for what, c := range map[string]struct {
		trouble wyomingtest.Trouble
		want    error
		slow    bool // it ends by the time-out
		asked   int  // connections
	}{
		"dies at once, always":      {wyomingtest.Trouble{Fault: wyomingtest.Dies}, wyoming.ErrGone, false, 2},
		"dies in the middle, twice": {wyomingtest.Trouble{Fault: wyomingtest.Dies, After: 20000}, wyoming.ErrGone, false, 2},
		"stalls":                    {wyomingtest.Trouble{Fault: wyomingtest.Stalls}, wyoming.ErrStalled, true, 1},
		"talks nonsense":            {wyomingtest.Trouble{Fault: wyomingtest.Garbage}, wyoming.ErrBroken, false, 1},
		"announces too much":        {wyomingtest.Trouble{Fault: wyomingtest.Huge}, wyoming.ErrBroken, false, 1},
		"never ends a line":         {wyomingtest.Trouble{Fault: wyomingtest.Flood}, wyoming.ErrBroken, false, 1},
		"answers byte by byte":      {wyomingtest.Trouble{Fault: wyomingtest.Trickle, Delay: 5 * time.Millisecond}, wyoming.ErrStalled, true, 1},
		"complains":                 {wyomingtest.Trouble{Fault: wyomingtest.Complains}, wyoming.ErrFailed, false, 1},
		"is too late":               {wyomingtest.Trouble{Fault: wyomingtest.Late, Delay: time.Hour}, wyoming.ErrStalled, true, 1},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := fake(t, "yes")
			s.Trouble(c.trouble)
			timeout := time.Minute
			if c.slow {
				timeout = short
			}
			words, err := hear(t, stt(t, s, timeout), lang.EN, 8000, tone(16000))
			reset := what == "dies at once, always" && errors.Is(err, wyoming.ErrUnreachable) // it may be so quick that there never was a connection
			if !errors.Is(err, c.want) && !reset || words != "" {
				t.Errorf("%q, %v", words, err)
			}
			if _, ever := s.Open(); ever != c.asked {
				t.Errorf("it was asked %d times", ever)
			}
			var coded smsmcp.Coded
			if m, ok := wyoming.Advice(err); !ok || m.FR == "" || !errors.As(err, &coded) || strings.Trim(coded.Code(), "abcdefghijklmnopqrstuvwxyz_") != "" || strings.Contains(err.Error(), "stranger") {
				t.Errorf("%v has no sentence, or is no code", err)
			}
		})
	}
}

// TestWordsOfHalfAnUtteranceAreNone: what came before the end of the utterance was sent is no transcript of it.
func TestWordsOfHalfAnUtteranceAreNone(t *testing.T) {
	s := fake(t, "no")
	s.Trouble(wyomingtest.Trouble{Fault: wyomingtest.Early})
	h := listen(t, stt(t, s, time.Minute), lang.EN, 8000)
	write(t, h, 8000, tone(8000))
	until(t, "the server has answered too early", func() bool { now, ever := s.Open(); return now == 0 && ever == 1 })
	if words, err := h.Finish(t.Context()); !errors.Is(err, wyoming.ErrBroken) || words.Len() > 0 {
		t.Errorf("%v", err)
	}
}

// TestMemoryGrowsWithWhatArrives: lengths that are announced are only words.
func TestMemoryGrowsWithWhatArrives(t *testing.T) {
	s := fake(t, "yes")
	s.Trouble(wyomingtest.Trouble{Fault: wyomingtest.Huge})
	e := stt(t, s, time.Minute)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		if _, err := hear(t, e, lang.EN, 16000, tone(160)); !errors.Is(err, wyoming.ErrBroken) {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
		t.Errorf("%d MB", grown>>20)
	}
}

// TestAServerThatComesBackIsGivenAllOfIt: the utterance is spoken on while the server is away, and it gets the whole of it, once.
func TestAServerThatComesBackIsGivenAllOfIt(t *testing.T) {
	for what, trouble := range map[string]wyomingtest.Trouble{
		"it dies at once":       {Fault: wyomingtest.Dies, Times: 1},
		"it dies in the middle": {Fault: wyomingtest.Dies, Times: 1, After: 30000},
	} {
		t.Run(what, func(t *testing.T) {
			s := fake(t, "yes")
			s.Trouble(trouble)
			h := listen(t, stt(t, s, time.Minute), lang.EN, 8000)
			pcm := tone(24000)
			write(t, h, 8000, pcm[:16000])
			until(t, "the server is gone", func() bool { now, ever := s.Open(); return now == 0 && ever == 1 })
			write(t, h, 8000, pcm[16000:])
			words, err := h.Finish(t.Context())
			if err != nil || words.RawForRules() != "yes" {
				t.Fatalf("%v", err)
			}
			if r := s.Requests(); len(r) != 1 || len(r[0].Sound) != 48000 {
				t.Errorf("%d requests of %d samples", len(r), len(r[0].Sound))
			}
		})
	}
}

// TestNobodyThere: a port that nobody listens on, asked twice and no more.
func TestNobodyThere(t *testing.T) {
	s := fake(t, "yes")
	s.Stop()
	if _, err := hear(t, stt(t, s, time.Minute), lang.EN, 8000, tone(8000)); !errors.Is(err, wyoming.ErrUnreachable) {
		t.Error(err)
	}
	if _, err := stt(t, s, time.Minute).Check(t.Context()); !errors.Is(err, wyoming.ErrUnreachable) {
		t.Error(err)
	}
	if _, _, err := speak(t.Context(), tts(t, s, time.Minute), lang.EN, voice.ProgramVoice, "hello"); !errors.Is(err, wyoming.ErrUnreachable) {
		t.Error(err)
	}
}

// TestWriteNeverWaits: a server that reads nothing does not hold up who listens to a call, for a minute and more of speech; what is longer is refused whole.
func TestWriteNeverWaits(t *testing.T) {
	s := fake(t, "yes")
	s.Trouble(wyomingtest.Trouble{Fault: wyomingtest.Late, Delay: time.Hour})
	h := listen(t, stt(t, s, time.Minute), lang.EN, 8000)
	second := tone(8000)
	for range 60 {
		write(t, h, 8000, second)
	}
	for range 59 {
		write(t, h, 8000, second)
	}
	if err := h.Write(voice.Frame{Rate: 8000, Samples: tone(8001)}); !errors.Is(err, wyoming.ErrTooLong) {
		t.Errorf("two minutes and a sample: %v", err)
	}
	if err := h.Write(voice.Frame{Rate: 8000, Samples: second[:1]}); !errors.Is(err, wyoming.ErrTooLong) {
		t.Errorf("after one that was refused: %v", err)
	}
	if words, err := h.Finish(t.Context()); !errors.Is(err, wyoming.ErrTooLong) || words.Len() > 0 {
		t.Errorf("%v", err)
	}
}

// TestCancelFreesAtOnce: nothing of an utterance that was given up goes on, wherever it was.
func TestCancelFreesAtOnce(t *testing.T) {
	before := inside()
	s := fake(t, "yes")
	s.Trouble(wyomingtest.Trouble{Fault: wyomingtest.Stalls})
	e := stt(t, s, time.Hour)
	for name, how := range map[string]func(h voice.Hearing, end context.CancelFunc){
		"nothing was said yet": func(h voice.Hearing, _ context.CancelFunc) { h.Cancel() },
		"in the middle": func(h voice.Hearing, _ context.CancelFunc) {
			write(t, h, 8000, tone(8000))
			h.Cancel()
			h.Cancel()
		},
		"while its words are waited for": func(h voice.Hearing, _ context.CancelFunc) {
			write(t, h, 8000, tone(8000))
			ended := make(chan error, 1)
			go func() { _, err := h.Finish(context.WithoutCancel(t.Context())); ended <- err }()
			until(t, "it is asked", func() bool { return len(s.Requests()) > 0 })
			h.Cancel()
			if err := <-ended; !errors.Is(err, wyoming.ErrEnded) {
				t.Error(err)
			}
		},
		"the call ends": func(h voice.Hearing, end context.CancelFunc) {
			write(t, h, 8000, tone(8000))
			end()
			if _, err := h.Finish(t.Context()); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		},
		"who waits has no more time": func(h voice.Hearing, _ context.CancelFunc) {
			write(t, h, 8000, tone(8000))
			ctx, cancel := context.WithTimeout(t.Context(), short)
			defer cancel()
			if _, err := h.Finish(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		},
	} {
		ctx, end := context.WithCancel(t.Context())
		h, err := e.Listen(ctx, lang.EN, 8000)
		if err != nil {
			t.Fatal(err)
		}
		how(h, end)
		for range h.Interim() {
			t.Error("an interim")
		}
		until(t, name+": all is free", func() bool { now, _ := s.Open(); return now == 0 && inside() <= before })
		if _, err := h.Finish(t.Context()); !errors.Is(err, wyoming.ErrEnded) {
			t.Errorf("%s: finished again: %v", name, err)
		}
		if err := h.Write(voice.Frame{Rate: 8000, Samples: tone(1)}); !errors.Is(err, wyoming.ErrEnded) {
			t.Errorf("%s: written to: %v", name, err)
		}
		end()
	}
}

// TestSilenceHasNoWords: recognisers invent words where there are none, so one is not even asked where there is no sound.
func TestSilenceHasNoWords(t *testing.T) {
	s := fake(t, "Thank you.")
	if words, err := hear(t, stt(t, s, time.Minute), lang.EN, 8000, nil); err != nil || words != "" {
		t.Errorf("%q, %v", words, err)
	}
	if _, ever := s.Open(); ever != 0 {
		t.Error("it was asked")
	}
	for says, want := range map[string]string{"": "", " \n\t ": "", "  yes  ": "yes", "a\x00b\u202e": "a\x00b\u202e", strings.Repeat("x", 16<<10): strings.Repeat("x", 16<<10)} {
		if words, err := hear(t, stt(t, fake(t, says), time.Minute), lang.EN, 8000, tone(800)); err != nil || words != want {
			t.Errorf("%q: %q, %v", says, words, err)
		}
	}
	if _, err := hear(t, stt(t, fake(t, strings.Repeat("x", 16<<10+1)), time.Minute), lang.EN, 8000, tone(800)); !errors.Is(err, wyoming.ErrBroken) {
		t.Errorf("a book: %v", err)
	}
}

func TestRatesAndAddresses(t *testing.T) {
	s := fake(t, "yes")
	e := stt(t, s, time.Minute)
	for _, hz := range []int{0, -8000, 7999, 48001, 44101} {
		if _, err := e.Listen(t.Context(), lang.EN, hz); !errors.Is(err, wyoming.ErrRate) {
			t.Errorf("%d: %v", hz, err)
		}
	}
	h := listen(t, e, lang.EN, 8000)
	defer h.Cancel()
	if err := h.Write(voice.Frame{Rate: 16000, Samples: tone(10)}); !errors.Is(err, wyoming.ErrRate) {
		t.Error(err)
	}
	for _, address := range []string{"", "tcp://", "tcp://host", "host:1", "http://host:1", "tcp://u:p@host:1", "tcp://host:1/x", "tcp://host:1?x", "tcp://:1", "tcp://host:1#x", "tcp://[::1"} {
		if _, err := wyoming.NewSTT(wyoming.STTOptions{Address: address}); !errors.Is(err, wyoming.ErrAddress) {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := wyoming.NewTTS(wyoming.TTSOptions{Address: s.URL()}); err == nil {
		t.Error("no clock")
	}
	for _, name := range []string{"a b", "a\n", `a"`, strings.Repeat("a", 129)} {
		if _, err := wyoming.NewTTS(wyoming.TTSOptions{Address: s.URL(), Now: time.Now, Voices: map[lang.Lang]wyoming.Pair{lang.FR: {Quote: name}}}); !errors.Is(err, wyoming.ErrVoice) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestTheWordsAreUntrusted: by their type, from the first moment.
func TestTheWordsAreUntrusted(t *testing.T) {
	h := listen(t, stt(t, fake(t, "yes"), time.Minute), lang.EN, 8000)
	write(t, h, 8000, tone(800))
	var words untrusted.Text
	words, err := h.Finish(t.Context())
	if err != nil || !words.Equal(untrusted.New("yes")) {
		t.Error(err)
	}
}
