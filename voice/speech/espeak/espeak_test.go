package espeak

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media/mediatest"
	"readback/voice/speech/plain"
)

func speaker(t testing.TB, o Options) *Speaker {
	t.Helper()
	if o.Program == "" {
		o.Program = mediatest.Program(t, "espeak-ng")
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func say(t testing.TB, s *Speaker, l lang.Lang, v voice.Voice, text string) (pcm []int16, rate int) {
	t.Helper()
	for f, err := range s.Speak(t.Context(), l, v, text) {
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		rate = f.Rate
		pcm = append(pcm, f.Samples...)
	}
	return pcm, rate
}

// end is the error that a text ends with.
func end(ctx context.Context, s *Speaker, text string) (err error) {
	for _, err = range s.Speak(ctx, lang.EN, voice.ProgramVoice, text) {
		if err != nil {
			return err
		}
	}
	return nil
}

func level(pcm []int16) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(max(len(pcm), 1)))
}

// longestSilence is the longest stretch without sound, in seconds.
func longestSilence(pcm []int16, rate int) float64 {
	longest, run := 0, 0
	for _, v := range pcm {
		if run++; v > 50 || v < -50 {
			run = 0
		}
		longest = max(longest, run)
	}
	return float64(longest) / float64(rate)
}

func TestSpeaksBothLanguagesInTwoVoices(t *testing.T) {
	s := speaker(t, Options{})
	for l, text := range map[lang.Lang]string{lang.EN: "This is the text to Marie: I am on my way.", lang.FR: "Voici le texto pour Marie : j'arrive, ça roule déjà à l'entrée."} {
		var both [2][]int16
		for v := range both {
			began := time.Now()
			var first time.Duration
			for f, err := range s.Speak(t.Context(), l, voice.Voice(v), text) {
				if err != nil {
					t.Fatal(err)
				}
				if first == 0 {
					first = time.Since(began)
				}
				if f.Rate != 22050 || f.Duration() > 100*time.Millisecond {
					t.Errorf("a frame of %v at %d", f.Duration(), f.Rate)
				}
				both[v] = append(both[v], f.Samples...)
			}
			d := float64(len(both[v])) / 22050
			t.Logf("%s, voice %d: %.1f s of sound, the first after %v, all after %v", l, v, d, first.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			if d < 1.5 || d > 8 || level(both[v]) < 300 {
				t.Errorf("%s, voice %d: %.1f s at level %.0f", l, v, d, level(both[v]))
			}
		}
		if slices.Equal(both[0], both[1]) {
			t.Errorf("%s: both voices are one", l)
		}
	}
}

// a stranger's words are words: what espeak-ng would take for phonemes, markup, commands or options is spoken as text.
func TestInvariant04AStrangersWordsAreSpokenAsText(t *testing.T) {
	s := speaker(t, Options{})
	raw := func(text string) []int16 { // what the program makes of it, given as it is
		cmd := exec.Command(mediatest.Program(t, "espeak-ng"), "--stdin", "--stdout", "-b", "1", "-s", "160", "-v", "en-us")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		pcm := make([]int16, (len(out)-44)/2)
		for i := range pcm {
			pcm[i] = int16(uint16(out[44+2*i]) | uint16(out[45+2*i])<<8)
		}
		return pcm
	}
	phonemes := "I say [[j'Es]] to it"
	got, _ := say(t, s, lang.EN, voice.ProgramVoice, phonemes)
	if slices.Equal(got, raw(phonemes)) {
		t.Error("phonemes in a text are spoken as phonemes")
	}
	if !slices.Equal(got, raw("I say ((j'Es)) to it")) {
		t.Error("the text in double brackets is not spoken as text")
	}
	for _, hidden := range []string{"[\u200b[j'Es]\u200b]", "[\x00[j'Es]]", "[\u2060[j'Es]]", "[\xff[j'Es]]", "［［j'Es］］", "[[[j'Es]]]"} {
		words, err := plain.Text("I say " + hidden)
		if err != nil || strings.ContainsAny(words, "[]［］") {
			t.Errorf("%q became %q, %v", hidden, words, err)
		}
	}
	for _, text := range []string{
		`Hello <break time="9s"/> there`, `<speak>Hello <prosody rate="x-slow" volume="silent">there</prosody></speak>`, `<audio src="/etc/passwd"/>hello`, `Hello &lt;break time="9s"/&gt; there`,
		"Hello \x01300P\x0150S there", "--voices", "-w /tmp/x hello", "-f /etc/passwd", "--version", "hello\n\n\n\n\n\nthere", "$(id) `id` ; id | id", "%s%n", "--stdin", "",
	} {
		pcm, rate := say(t, s, lang.EN, voice.QuoteVoice, text)
		if text == "" {
			if len(pcm) > 0 {
				t.Errorf("nothing is spoken with %d samples", len(pcm))
			}
			continue
		}
		if quiet := longestSilence(pcm, rate); level(pcm) < 100 || quiet > 1.5 {
			t.Errorf("%q: level %.0f, %.1f s of silence", text, level(pcm), quiet)
		}
	}
	one, _ := say(t, s, lang.EN, voice.ProgramVoice, "Hello \x0190S there")
	two, _ := say(t, s, lang.EN, voice.ProgramVoice, "Hello 90S there")
	three, _ := say(t, s, lang.EN, voice.ProgramVoice, "Hello  90S there")
	if !slices.Equal(two, three) || !slices.Equal(one, two) {
		t.Error("a control character does more than a space")
	}
}

func TestALongTextIsRefusedAndNotCut(t *testing.T) {
	s := speaker(t, Options{Program: "/nonexistent/espeak-ng"})
	for _, text := range []string{strings.Repeat("a ", MaxRunes), strings.Repeat("é", MaxRunes+1), strings.Repeat("\u200b", 1<<20)} {
		if err := end(t.Context(), s, text); !errors.Is(err, ErrTooLong) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if words, err := plain.Text(strings.Repeat("é", MaxRunes)); err != nil || utf8.RuneCountInString(words) != MaxRunes {
		t.Errorf("%d runes, %v", utf8.RuneCountInString(words), err)
	}
}

func TestAMissingProgramIsSaid(t *testing.T) {
	for _, program := range []string{"readback-no-such-program", "/nonexistent/espeak-ng"} {
		s := speaker(t, Options{Program: program})
		err := end(t.Context(), s, "hello")
		if _, check := s.Check(t.Context()); !errors.Is(err, ErrMissing) || !errors.Is(check, ErrMissing) {
			t.Errorf("%s: %v, %v", program, err, check)
		}
		if m, ok := Advice(err); !ok || !strings.Contains(m.In(lang.FR), "installez") {
			t.Errorf("%v has no sentence", err)
		}
	}
	if v, err := speaker(t, Options{}).Check(t.Context()); err != nil || !strings.HasPrefix(v, "1.") {
		t.Errorf("version %q, %v", v, err)
	}
}

func TestVoicesAreNoOptions(t *testing.T) {
	for _, name := range []string{"", "-w", "--path=/x", "../../x", "en us", "en;id", "en\n", "en-us+-w", strings.Repeat("a", 60)} {
		for _, p := range []Pair{{name, "en"}, {"en", name}} {
			if _, err := New(Options{Voices: map[lang.Lang]Pair{lang.EN: p}}); !errors.Is(err, ErrVoice) {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
	s := speaker(t, Options{Voices: map[lang.Lang]Pair{lang.EN: {"zz-zz", "en-gb+m3"}}})
	if err := end(t.Context(), s, "hello"); !errors.Is(err, ErrFailed) {
		t.Errorf("a voice that is not there: %v", err)
	}
	if pcm, _ := say(t, s, lang.EN, voice.QuoteVoice, "hello"); len(pcm) == 0 {
		t.Error("a voice of one's own is silent")
	}
}

// script is a program that does what a shell does.
func script(t *testing.T, body string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

// wav prints the beginning of a WAV whose length is not known, and a tenth of a second of sound.
const wav = `printf 'RIFF\044\360\377\177WAVEfmt \020\000\000\000\001\000\001\000\042\126\000\000\104\254\000\000\002\000\020\000data\000\360\377\177'
head -c 4410 /dev/zero | tr '\0' 'A'`

// half of a text is an error, though all that came was good: what was spoken must not pass for the whole.
func TestInvariant10HalfATextIsNoText(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"fails in the middle": {wav + "\nexit 3", ErrFailed},
		"killed":              {wav + "\nkill -9 $$", ErrFailed},
		"stops speaking":      {wav + "\nexec sleep 60", ErrStalled},
		"a child holds on":    {wav + "\nsleep 60", ErrStalled},
		"says nothing":        {"exit 0", ErrFailed},
		"no sound":            {`printf 'RIFF\044\360\377\177WAVEfmt \020\000\000\000\001\000\001\000\042\126\000\000\104\254\000\000\002\000\020\000data\000\360\377\177'`, ErrFailed},
		"never says anything": {"exec sleep 60", ErrStalled},
		"no WAV":              {"echo hello hello hello hello", ErrFailed},
		"an endless noise":    {wav + "\nexec cat /dev/zero", ErrTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := speaker(t, Options{Program: script(t, c.body), Patience: 700 * time.Millisecond})
			began := time.Now()
			if err := end(t.Context(), s, "hello"); !errors.Is(err, c.want) {
				t.Errorf("%v, not %v", err, c.want)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	if err := end(t.Context(), speaker(t, Options{Program: script(t, "cat >/dev/null\n"+wav)}), "hello"); err != nil {
		t.Errorf("a whole text: %v", err)
	}
}

// who listens may take their time: that is not the program's.
func TestAListenerWhoIsSlow(t *testing.T) {
	s := speaker(t, Options{Patience: 300 * time.Millisecond})
	n := 0
	for f, err := range s.Speak(t.Context(), lang.EN, voice.ProgramVoice, strings.Repeat("This is a long sentence, to fill a pipe. ", 20)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			wait := time.NewTimer(700 * time.Millisecond)
			<-wait.C
		}
		_ = f
	}
	if n < 100 {
		t.Errorf("%d frames", n)
	}
}

func TestTheProgramIsKilledWhenNobodyListens(t *testing.T) {
	for _, how := range []string{"the loop ends", "the context ends"} {
		pidFile := filepath.Join(t.TempDir(), "pid")
		s := speaker(t, Options{Program: script(t, fmt.Sprintf("echo $$ >%s\n%s\nexec sleep 60", pidFile, wav))})
		ctx, cancel := context.WithCancel(t.Context())
		var last error
		for _, err := range s.Speak(ctx, lang.EN, voice.ProgramVoice, "hello") {
			last = err
			if how == "the loop ends" {
				break
			}
			cancel()
		}
		cancel()
		if how == "the context ends" && !errors.Is(last, context.Canceled) {
			t.Errorf("%s: %v", how, last)
		}
		raw, err := os.ReadFile(pidFile)
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
		if err := syscall.Kill(pid, 0); pid < 2 || !errors.Is(err, syscall.ESRCH) {
			t.Errorf("%s: the program still runs: %v", how, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := end(gone, speaker(t, Options{}), "hello"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}

func TestInvariant11TheProgramGetsNoSecretAndNoWords(t *testing.T) {
	t.Setenv("READBACK_SECRET", "hunter2")
	seen := filepath.Join(t.TempDir(), "seen")
	s := speaker(t, Options{Program: script(t, fmt.Sprintf("{ env; echo \"$@\"; } >%s\ncat >/dev/null\n%s", seen, wav))})
	if err := end(t.Context(), s, "meet me at the harbour"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(raw); strings.Contains(got, "hunter2") || strings.Contains(got, "harbour") || !strings.Contains(got, "--stdin --stdout") {
		t.Errorf("the program saw %s", got)
	}
}
