package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/speech/openai"
)

// answers gives bytes with a type, in chunks.
func answers(kind string, b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.(http.Flusher).Flush()
		_, _ = w.Write(b)
	}
}

func TestWhatIsAskedOfAVoice(t *testing.T) {
	pcm := tone(24000)
	for _, c := range []struct {
		pcm        bool
		l          lang.Lang
		v          voice.Voice
		text, want string
		answer     []byte
		hz         int
	}{
		{false, lang.EN, voice.ProgramVoice, "Hello.", `{"input":"Hello.","model":"tts-1","voice":"onyx","response_format":"wav"}`, wav(22050, pcm), 22050},
		{false, lang.EN, voice.QuoteVoice, "Hello.", `{"input":"Hello.","model":"tts-1","voice":"nova","response_format":"wav"}`, wav(24000, pcm), 24000},
		{true, lang.FR, voice.ProgramVoice, "Été [pause:9s](/x/) <laugh>", `{"input":"Été (pause:9s)(/x/) laugh","model":"tts-1","voice":"ff_siwis","response_format":"pcm"}`, raw(pcm), 24000},
		{true, lang.FR, voice.QuoteVoice, "Bonjour.", `{"input":"Bonjour.","model":"tts-1","voice":"nova","response_format":"pcm"}`, wav(16000, pcm), 16000},
	} {
		s := serve(t, answers("audio/wav", c.answer))
		hz, got, err := speak(t.Context(), tts(t, s.at(), c.pcm, time.Minute), c.l, c.v, c.text)
		if err != nil || hz != c.hz || !slices.Equal(got, pcm) {
			t.Errorf("%q: %d samples at %d, %v", c.text, len(got), hz, err)
		}
		if r := s.requests(); len(r) != 1 || r[0].url != "/v1/audio/speech" || string(r[0].body) != c.want {
			t.Errorf("asked with %s", r[0].body)
		}
	}
	s := serve(t, answers("audio/wav", wav(24000, pcm)))
	e := tts(t, s.at(), false, time.Minute)
	for text, want := range map[string]error{"": nil, "\n<>": nil, strings.Repeat("é", 4001): openai.ErrTextTooLong} {
		if _, got, err := speak(t.Context(), e, lang.EN, voice.ProgramVoice, text); !errors.Is(err, want) || len(got) > 0 {
			t.Errorf("%.9q: %v", text, err)
		}
	}
	if len(s.requests()) > 0 {
		t.Error("it was asked for nothing")
	}
}

// TestInvariant10HalfATextIsNoText: only an answer that the wire calls whole was spoken.
func TestInvariant10HalfATextIsNoText(t *testing.T) {
	w, p := wav(24000, tone(24000)), raw(tone(24000))
	for what, c := range map[string]struct {
		answer http.HandlerFunc
		pcm    bool
		want   error
		sound  bool
	}{
		"a length that is not reached":  {cut("Content-Type: audio/wav\r\nContent-Length: 48044", string(w[:30001])), false, openai.ErrGone, true},
		"the same without a header":     {cut("Content-Type: audio/pcm\r\nContent-Length: 48000", string(p[:30000])), true, openai.ErrGone, true},
		"chunks without an end":         {cut("Content-Type: audio/pcm\r\nTransfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n", len(p), p)), true, openai.ErrGone, true},
		"nothing says where it ends":    {cut("Content-Type: audio/pcm\r\nConnection: close", string(p)), true, openai.ErrBroken, false},
		"another format":                {answers("audio/mpeg", p), true, openai.ErrBroken, false},
		"no WAV":                        {answers("audio/wav", p), false, openai.ErrBroken, false},
		"words":                         {answers("application/json", []byte(`{"error":"x"}`)), true, openai.ErrBroken, false},
		"a page":                        {answers("text/html; charset=utf-8", []byte("<h1>hello</h1>")), true, openai.ErrBroken, false},
		"silence for words":             {answers("audio/pcm", nil), true, openai.ErrFailed, false},
		"a header and no sound":         {answers("audio/wav", w[:44]), false, openai.ErrFailed, false},
		"a header that is cut":          {answers("audio/wav", w[:20]), false, openai.ErrBroken, false},
		"a rate that is none of speech": {answers("audio/wav", wav(96000, tone(960))), false, openai.ErrBroken, false},
		"an error":                      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, false, openai.ErrFailed, false},
		"sound without end": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "audio/pcm")
			for {
				if _, err := w.Write(p); err != nil {
					return
				}
			}
		}, true, openai.ErrTextTooLong, true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.answer)
			_, got, err := speak(t.Context(), tts(t, s.at(), c.pcm, time.Minute), lang.EN, voice.ProgramVoice, "Hello")
			if !errors.Is(err, c.want) || len(got) > 0 != c.sound {
				t.Errorf("%d samples, %v", len(got), err)
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
			if _, ok := openai.Advice(err); !ok {
				t.Errorf("%v has no sentence", err)
			}
		})
	}
}

// TestSoundIsGivenAsItComes: the first frame is there before the last was made; a listener may take their time, a server may not.
func TestSoundIsGivenAsItComes(t *testing.T) {
	more := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "audio/pcm")
		_, _ = w.Write(raw(tone(2400)))
		w.(http.Flusher).Flush()
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
		_, _ = w.Write(raw(tone(2400)))
	})
	n := 0
	for f, err := range tts(t, s.at(), true, 300*time.Millisecond).Speak(t.Context(), lang.EN, voice.ProgramVoice, "Hello") {
		if err != nil || f.Duration() != 100*time.Millisecond {
			t.Fatalf("%v, %v", f.Duration(), err)
		}
		if n++; n == 1 {
			pause := time.NewTimer(600 * time.Millisecond)
			<-pause.C
			close(more)
		}
	}
	if n != 2 {
		t.Errorf("%d frames", n)
	}
	more = make(chan struct{})
	if _, got, err := speak(t.Context(), tts(t, s.at(), true, 300*time.Millisecond), lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, openai.ErrStalled) || len(got) != 2400 {
		t.Errorf("%d samples, %v", len(got), err)
	}
	now := time.Unix(0, 0)
	slow := serve(t, answers("audio/pcm", raw(tone(60*24000))))
	e, err := openai.NewTTS(openai.TTSOptions{Server: slow.at(), Model: "m", PCM: true, Patience: 10 * time.Second, Now: func() time.Time { now = now.Add(time.Second); return now }})
	if err != nil {
		t.Fatal(err)
	}
	if _, got, err := speak(t.Context(), e, lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, openai.ErrStalled) || len(got) > 3*24000 {
		t.Errorf("a server that is too slow: %d samples, %v", len(got), err)
	}
}

func TestSpeakingEndsWithWhoListens(t *testing.T) {
	gone := make(chan struct{}, 2)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "audio/pcm")
		for {
			if _, err := w.Write(raw(tone(240))); err != nil || r.Context().Err() != nil {
				gone <- struct{}{}
				return
			}
			w.(http.Flusher).Flush()
		}
	})
	e := tts(t, s.at(), true, time.Hour)
	for range e.Speak(t.Context(), lang.EN, voice.ProgramVoice, "Hello") {
		break
	}
	<-gone
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range e.Speak(ctx, lang.EN, voice.ProgramVoice, "Hello") {
		last = err
		cancel()
	}
	<-gone
	if !errors.Is(last, context.Canceled) {
		t.Error(last)
	}
}

func TestNames(t *testing.T) {
	at := openai.Server{URL: "https://api.openai.com/v1"}
	for _, name := range []string{"", "a b", "a\n", strings.Repeat("a", 129)} {
		if _, err := openai.NewSTT(openai.STTOptions{Server: at, Model: name}); !errors.Is(err, openai.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := openai.NewTTS(openai.TTSOptions{Server: at, Model: name, Now: time.Now}); !errors.Is(err, openai.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := openai.NewTTS(openai.TTSOptions{Server: at, Model: "m", Now: time.Now, Voices: map[lang.Lang]openai.Pair{lang.FR: {Quote: name}}}); name != "" && !errors.Is(err, openai.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
