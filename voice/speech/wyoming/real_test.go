package wyoming_test

import (
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/consent"
	"readback/voice/media"
	"readback/voice/media/mediatest"
	"readback/voice/speech/wyoming/wyomingtest"
)

var phrases = []string{"yes", "yes send it", "yes please", "no", "no don't send it", "change it to seven", "make it eight"}

// TestPocketsphinxHearsFliteOnATelephone is both wires with real engines: flite speaks, a telephone line carries it, pocketsphinx hears it, and the judge judges.
func TestPocketsphinxHearsFliteOnATelephone(t *testing.T) {
	hears := stt(t, wyomingtest.Pocketsphinx(t, wyomingtest.Options{Phrases: phrases}), time.Minute)
	speaks := tts(t, wyomingtest.Flite(t), time.Minute)
	right, all, falseYes := 0, 0, 0
	for _, v := range []voice.Voice{voice.ProgramVoice, voice.QuoteVoice} {
		for text, want := range map[string]consent.Verdict{
			"Yes, send it.": consent.Yes, "No.": consent.No, "Change it to seven.": consent.Unclear,
		} {
			hz, pcm, err := speak(t.Context(), speaks, lang.EN, v, text)
			if err != nil || hz != 16000 || len(pcm) < hz/4 {
				t.Fatalf("%q: %d samples at %d, %v", text, len(pcm), hz, err)
			}
			h := listen(t, hears, lang.EN, media.Rate)
			write(t, h, media.Rate, telephone(t, hz, pcm))
			words, err := h.Finish(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			_, ear := voice.NewTranscript(time.Now)
			u, err := ear.Begin(0)
			if err != nil {
				t.Fatal(err)
			}
			turn, err := u.Final(words)
			if err != nil {
				t.Fatal(err)
			}
			got := consent.Judge(turn)
			t.Logf("voice %d says %q: heard %q, judged %v", v, text, words.RawForRules(), got)
			all++
			switch got {
			case want:
				right++
			case consent.Yes:
				falseYes++
			}
		}
	}
	if right < all || falseYes > 0 {
		t.Errorf("%d of %d right, %d false yes", right, all, falseYes)
	}
}

func TestEspeakSpeaksBothLanguages(t *testing.T) {
	e := tts(t, wyomingtest.Espeak(t), time.Minute)
	e2 := tts(t, wyomingtest.Flite(t), time.Minute)
	hz, fr, err := speak(t.Context(), e, lang.FR, voice.ProgramVoice, "Voici le texto : ça roule déjà à l'entrée.")
	if err != nil || hz != 22050 || len(fr) < 2*hz || mediatest.From(fr).Level() < -40 {
		t.Errorf("%d samples at %d, %v", len(fr), hz, err)
	}
	for what, check := range map[string]func() (string, error){
		"espeak-ng 1.0": func() (string, error) { return tts(t, wyomingtest.Espeak(t), time.Minute).Check(t.Context()) },
		"flite 1.0":     func() (string, error) { return e2.Check(t.Context()) },
		"pocketsphinx 1.0": func() (string, error) {
			return stt(t, wyomingtest.Pocketsphinx(t, wyomingtest.Options{}), time.Minute).Check(t.Context())
		},
	} {
		if got, err := check(); got != what || err != nil {
			t.Errorf("%q, %v: not %s", got, err, what)
		}
	}
}

// TestFakeFrenchIsHeard is the wire alone: nothing here hears French. The server says what it was told to, and what it got is what was said.
func TestFakeFrenchIsHeard(t *testing.T) {
	s := wyomingtest.FakeSTT(t, func(pcm []int16, language string) string {
		if language != "fr" {
			return "not told"
		}
		return "  Oui, vas-y.\n"
	})
	words, err := hear(t, stt(t, s, time.Minute), lang.FR, 8000, tone(16000))
	if words != "Oui, vas-y." || err != nil {
		t.Errorf("%q, %v", words, err)
	}
	r := s.Requests()
	if len(r) != 1 || r[0].Rate != 16000 || len(r[0].Sound) != 32000 || mediatest.From(r[0].Sound).Level() < -40 {
		t.Fatalf("%d requests, %d samples", len(r), len(r[0].Sound))
	}
	// Nothing but the language is told, in whatever words servers may take hints.
	if !strings.HasSuffix(r[0].Data, "\n"+`{"language":"fr"}`) {
		t.Errorf("asked with %s", r[0].Data)
	}
}
