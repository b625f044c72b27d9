package call

import (
	"strings"
	"sync"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/mediatest"
	"readback/voice/media/rate"
	"readback/voice/speech/espeak"
	"readback/voice/speech/wyoming/wyomingtest"
)

const body = "Le souper est prêt"

// TestInvariant10AFrenchYesByAFakeRecogniser: nothing here hears French, so a fake says what is said, in the order of what it was given. The program speaks by the real espeak-ng, and what
// the caller heard is compared with what espeak-ng says of these words.
func TestInvariant10AFrenchYesByAFakeRecogniser(t *testing.T) {
	t.Parallel()
	alone(t, func(t testing.TB) *house {
		var mu sync.Mutex
		heard := []string{"texte à Marie que le souper est prêt", "oui, envoie"}
		return newHouse(t, wish{espeak: true, more: "[sync]\nevery = \"1h\"\n", language: "fr", hears: wyomingtest.FakeSTT(t, func(_ []int16, language string) string {
			mu.Lock()
			defer mu.Unlock()
			if language != "fr" || len(heard) == 0 {
				return ""
			}
			next := heard[0]
			heard = heard[1:]
			return next
		})})
	}, french)
}

func french(h *house) {
	p := h.call(owners[0])
	p.begins()
	p.keys(pin)
	p.like(spoken.Hello.FR)
	var clips [][]int16 // in one breath
	for _, c := range mediatest.Prompts(h.t, "fr") {
		if len(split(c.PCM, true, media.Rate/4)) == 1 && len(c.PCM) < 3*media.Rate {
			clips = append(clips, c.PCM)
		}
	}
	h.allowed["Marie"] = 0
	breaths := 0
	defer func() { // its fake answers one utterance after the other
		if n := len(h.hears.Heard()); n != breaths {
			h.try.evidence("the caller spoke %d times, and %d utterances came to the recogniser", breaths, n)
		}
	}()
	speak := func() {
		p.far.Send(clips[breaths])
		breaths++
		p.saidAll()
	}
	speak()
	p.like(spoken.To.In(lang.FR, "Marie"))
	p.hears(opening)
	p.like(body)
	p.hears(closing)
	p.like(spoken.Ask.FR)
	p.may("Marie")
	speak()
	p.like(spoken.Left.In(lang.FR, "Marie"))
	p.hangsUp()
	if s := h.settled("Marie", smsmcp.Done)[0]; s.ConfirmedBy != smsmcp.Voice || s.Answer != "oui, envoie" {
		h.t.Errorf("%+v", s)
	}
	h.left("Marie", body)
}

// inFrench is what the program says in this call.
var inFrench = []string{spoken.Hello.FR, spoken.To.In(lang.FR, "Marie"), body, spoken.Ask.FR, spoken.Left.In(lang.FR, "Marie"), spoken.Pardon.FR, spoken.ScriptedLost.FR, spoken.Keypad.FR}

// like waits for words that are those that espeak-ng makes of a sentence, sample for sample, but for what was lost on the way; and not those that it makes of another.
func (p *person) like(sentence string) {
	p.t.Helper()
	s := p.hears(words)
	got := p.far.Received()[s.from:s.to]
	mine := share(got, spoken8k(p.t, sentence))
	p.t.Logf("%.2f of %q was heard", mine, sentence)
	for _, other := range inFrench {
		if a := share(got, spoken8k(p.t, other)); mine < 0.5 || other != sentence && a > mine/2 {
			p.t.Fatalf("of %q %.2f was heard, of %q %.2f", sentence, mine, other, a)
		}
	}
}

func spoken8k(t testing.TB, sentence string) []int16 {
	t.Helper()
	e, err := espeak.New(espeak.Options{Program: mediatest.Program(t, "espeak-ng")})
	if err != nil {
		t.Fatal(err)
	}
	v := voice.ProgramVoice
	if sentence == body {
		v = voice.QuoteVoice
	}
	var out []int16
	var c *rate.Converter
	for f, err := range e.Speak(t.Context(), lang.FR, v, strings.TrimSpace(sentence)) {
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			if c, err = rate.New(f.Rate, media.Rate); err != nil {
				t.Fatal(err)
			}
		}
		out = c.Convert(out, f.Samples)
	}
	return c.Flush(out)
}
