package wyoming_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/speech/wyoming"
	"readback/voice/speech/wyoming/wyomingtest"
)

// speaker says any text with a second of sound.
func speaker(t testing.TB) *wyomingtest.Server {
	t.Helper()
	return wyomingtest.FakeTTS(t, []string{"rms", "slt"}, func(_, _, _ string) (int, []int16) { return 16000, tone(16000) })
}

func TestWhatIsAskedOfAVoice(t *testing.T) {
	s := speaker(t)
	e := tts(t, s, time.Minute)
	for _, c := range []struct {
		l          lang.Lang
		v          voice.Voice
		text, want string
	}{
		{lang.EN, voice.ProgramVoice, "Hello.", `{"text":"Hello.","voice":{"name":"rms"}}`},
		{lang.EN, voice.QuoteVoice, "Hello.", `{"text":"Hello.","voice":{"name":"slt"}}`},
		{lang.FR, voice.QuoteVoice, "Bonjour.", `{"text":"Bonjour.","voice":{"language":"fr"}}`},
		{lang.EN, voice.QuoteVoice, "I say [[j'Es]] \x00<break/>\n[pause:9s]", `{"text":"I say ((j'Es)) break/ (pause:9s)","voice":{"name":"slt"}}`},
	} {
		hz, pcm, err := speak(t.Context(), e, c.l, c.v, c.text)
		if err != nil || hz != 16000 || len(pcm) != 16000 || pcm[700] != tone(701)[700] {
			t.Errorf("%q: %d samples, %v", c.text, len(pcm), err)
		}
		r := s.Requests()
		if got := r[len(r)-1].Data; !strings.HasSuffix(got, "\n"+c.want) {
			t.Errorf("%q: asked with %s", c.text, got)
		}
	}
	asked := len(s.Requests())
	for _, text := range []string{"", " \n", "<>", "\u200b"} {
		if _, pcm, err := speak(t.Context(), e, lang.EN, voice.ProgramVoice, text); err != nil || len(pcm) > 0 {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := speak(t.Context(), e, lang.EN, voice.ProgramVoice, strings.Repeat("é", 4001)); !errors.Is(err, wyoming.ErrTextTooLong) {
		t.Error(err)
	}
	if len(s.Requests()) != asked {
		t.Error("it was asked for nothing")
	}
}

// TestInvariant10HalfATextIsNoText: what was spoken in part ends with an error, and is never begun again.
func TestInvariant10HalfATextIsNoText(t *testing.T) {
	for what, c := range map[string]struct {
		trouble wyomingtest.Trouble
		want    error
		sound   bool
		slow    bool
		asked   int
	}{
		"dies before it speaks":  {wyomingtest.Trouble{Fault: wyomingtest.Dies}, wyoming.ErrGone, false, false, 2},
		"dies in the middle":     {wyomingtest.Trouble{Fault: wyomingtest.Dies, After: 16000}, wyoming.ErrGone, true, false, 1},
		"stops in the middle":    {wyomingtest.Trouble{Fault: wyomingtest.Half}, wyoming.ErrStalled, true, true, 1},
		"stalls":                 {wyomingtest.Trouble{Fault: wyomingtest.Stalls}, wyoming.ErrStalled, false, true, 1},
		"talks nonsense":         {wyomingtest.Trouble{Fault: wyomingtest.Garbage}, wyoming.ErrBroken, false, false, 1},
		"announces too much":     {wyomingtest.Trouble{Fault: wyomingtest.Huge}, wyoming.ErrBroken, false, false, 1},
		"never ends a line":      {wyomingtest.Trouble{Fault: wyomingtest.Flood}, wyoming.ErrBroken, false, false, 1},
		"answers byte by byte":   {wyomingtest.Trouble{Fault: wyomingtest.Trickle, Delay: 5 * time.Millisecond}, wyoming.ErrStalled, false, true, 1},
		"complains":              {wyomingtest.Trouble{Fault: wyomingtest.Complains}, wyoming.ErrFailed, false, false, 1},
		"is too late":            {wyomingtest.Trouble{Fault: wyomingtest.Late, Delay: time.Hour}, wyoming.ErrStalled, false, true, 1},
		"is late, and in time":   {wyomingtest.Trouble{Fault: wyomingtest.Late, Delay: 10 * time.Millisecond}, nil, true, false, 1},
		"dies once, and is back": {wyomingtest.Trouble{Fault: wyomingtest.Dies, Times: 1}, nil, true, false, 2},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := speaker(t)
			s.Trouble(c.trouble)
			patience := time.Minute
			if c.slow {
				patience = short
			}
			_, pcm, err := speak(t.Context(), tts(t, s, patience), lang.EN, voice.ProgramVoice, "Hello there.")
			if !errors.Is(err, c.want) || len(pcm) > 0 != c.sound {
				t.Errorf("%d samples, %v", len(pcm), err)
			}
			if _, ever := s.Open(); ever != c.asked {
				t.Errorf("it was asked %d times", ever)
			}
		})
	}
	silent := wyomingtest.FakeTTS(t, nil, func(_, _, _ string) (int, []int16) { return 16000, nil })
	if _, _, err := speak(t.Context(), tts(t, silent, time.Minute), lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, wyoming.ErrFailed) {
		t.Errorf("silence for words: %v", err)
	}
	if _, _, err := speak(t.Context(), tts(t, silent, time.Minute), lang.EN, voice.ProgramVoice, "..."); err != nil {
		t.Errorf("silence for no words: %v", err)
	}
	for _, hz := range []int{7000, 96000} {
		odd := wyomingtest.FakeTTS(t, nil, func(_, _, _ string) (int, []int16) { return hz, tone(1000) })
		if _, pcm, err := speak(t.Context(), tts(t, odd, time.Minute), lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, wyoming.ErrBroken) || len(pcm) > 0 {
			t.Errorf("%d: %v", hz, err)
		}
	}
}

// TestAListenerMayTakeTheirTime: only the server's time is counted.
func TestAListenerMayTakeTheirTime(t *testing.T) {
	s := wyomingtest.FakeTTS(t, nil, func(_, _, _ string) (int, []int16) { return 16000, tone(5 * 16000) })
	e := tts(t, s, short)
	n := 0
	for f, err := range e.Speak(t.Context(), lang.EN, voice.ProgramVoice, "Hello") {
		if err != nil {
			t.Fatal(err)
		}
		if f.Duration() > 100*time.Millisecond {
			t.Errorf("a frame of %v", f.Duration())
		}
		if n++; n == 2 {
			pause := time.NewTimer(2 * short)
			<-pause.C
		}
	}
	if n < 50 {
		t.Errorf("%d frames", n)
	}
}

// TestAServerThatSpeaksTooSlowlyIsStalled: a clock that says that each frame took a second, which no telephone can bridge.
func TestAServerThatSpeaksTooSlowlyIsStalled(t *testing.T) {
	s := wyomingtest.FakeTTS(t, nil, func(_, _, _ string) (int, []int16) { return 16000, tone(60 * 16000) })
	now := time.Unix(0, 0)
	e, err := wyoming.NewTTS(wyoming.TTSOptions{Address: s.URL(), Patience: 10 * time.Second, Now: func() time.Time { now = now.Add(time.Second); return now }})
	if err != nil {
		t.Fatal(err)
	}
	_, pcm, err := speak(t.Context(), e, lang.EN, voice.ProgramVoice, "Hello")
	if heard := len(pcm) / 16000; !errors.Is(err, wyoming.ErrStalled) || heard > 3 {
		t.Errorf("after %d s: %v", heard, err)
	}
}

func TestSpeakingEndsWithWhoListens(t *testing.T) {
	before := inside()
	s := wyomingtest.FakeTTS(t, nil, func(_, _, _ string) (int, []int16) { return 16000, tone(120 * 16000) })
	e := tts(t, s, time.Hour)
	for range e.Speak(t.Context(), lang.EN, voice.ProgramVoice, "Hello") {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	for _, err := range e.Speak(ctx, lang.EN, voice.ProgramVoice, "Hello") {
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) {
		t.Error(last)
	}
	s.Trouble(wyomingtest.Trouble{Fault: wyomingtest.Stalls})
	ctx, cancel = context.WithTimeout(t.Context(), short)
	defer cancel()
	if _, _, err := speak(ctx, e, lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	until(t, "all is free", func() bool { now, _ := s.Open(); return now == 0 && inside() <= before })
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	speaks, hears := speaker(t), fake(t, "yes")
	if _, err := tts(t, hears, time.Minute).Check(t.Context()); !errors.Is(err, wyoming.ErrService) {
		t.Error(err)
	}
	if _, err := stt(t, speaks, time.Minute).Check(t.Context()); !errors.Is(err, wyoming.ErrService) {
		t.Error(err)
	}
	if title, err := tts(t, speaks, time.Minute).Check(t.Context()); err != nil || title != "fake 1.0" {
		t.Errorf("%q, %v", title, err)
	}
	other := wyomingtest.FakeTTS(t, []string{"rms"}, func(_, _, _ string) (int, []int16) { return 16000, nil })
	if _, err := tts(t, other, time.Minute).Check(t.Context()); !errors.Is(err, wyoming.ErrVoice) {
		t.Error(err)
	}
	for fault, want := range map[wyomingtest.Fault]error{
		wyomingtest.Stalls: wyoming.ErrStalled, wyomingtest.Garbage: wyoming.ErrBroken, wyomingtest.Huge: wyoming.ErrBroken, wyomingtest.Flood: wyoming.ErrBroken,
		wyomingtest.Complains: wyoming.ErrFailed, wyomingtest.Dies: wyoming.ErrGone,
	} {
		s := speaker(t)
		s.Trouble(wyomingtest.Trouble{Fault: fault})
		if _, err := tts(t, s, short).Check(t.Context()); !errors.Is(err, want) {
			t.Errorf("%d: %v", fault, err)
		}
	}
}
