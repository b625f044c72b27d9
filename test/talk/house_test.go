package talk

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voice/speech/wyoming/wyomingtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

// The owner's people. Their names do not sound alike, so that no digits are read back with them.
var people = []program.Contact{{Name: "Marie", Numbers: []string{"+15145550111"}}, {Name: "Robert", Numbers: []string{"+15145550112"}}, {Name: "Alexander", Numbers: []string{"+15145550113"}}}

// requests are what is said in these tests. The recogniser knows them as likely, among everyday sentences.
var requests = []string{
	"yes", "yes send it", "no", "no do not send it", "text marie that dinner is ready", "text robert that the train is late", "text alexander that we are at the office",
}

// quoteVoice reads what is quoted.
const quoteVoice = "rms"

// house is what an owner has: a LiveKit server, engines that hear and speak, the program between them, and a browser.
type house struct {
	t       *try
	kit     *testbed.LiveKit
	program *program.Program
	hears   *wyomingtest.Server
	speaks  *wyomingtest.Server
	tab     *tab
	said    []*utterance
	allowed int // how often the owner said yes
}

// utterance is what the owner said, and is to be understood.
type utterance struct {
	words string
	from  int // transcripts before it
}

func plain(s string) string { return strings.Join(fold.Words(s), " ") }

func newHouse(a *try) *house {
	chromium(a)
	h := &house{t: a, kit: testbed.StartLiveKit(a)}
	h.hears = wyomingtest.Pocketsphinx(a, wyomingtest.Options{Phrases: requests})
	h.speaks = wyomingtest.Flite(a)
	h.program = program.New(a, people, fmt.Sprintf(`
time_zone = "America/Toronto"
[carrier]
kind = "sandbox"
[livekit]
url = %q
key = %q
secret_file = "$DIR/livekit"
[speech]
hears = "wyoming"
hears_url = %q
speaks = "wyoming"
speaks_url = %q
voice_en = "slt"
quote_voice_en = %q
[model]
kind = "scripted"
`, h.kit.URL, h.kit.Key, h.hears.URL(), h.speaks.URL(), quoteVoice), map[string]string{"livekit": h.kit.Secret + "\n"})
	a.Cleanup(h.judge)
	h.program.Start()
	h.until("the program takes calls", func() bool {
		_, health := h.program.Get(a.Context(), "/healthz")
		return strings.Contains(health, "livekit") && !strings.Contains(health, "down")
	})
	h.tab = h.opens()
	return h
}

func (h *house) until(what string, so func() bool) {
	h.t.Helper()
	testbed.Until(h.t, patience, what, so)
}

// sent gives what the carrier was handed: each text by its number and its body.
func (h *house) sent() (out []string) {
	h.t.Helper()
	f, err := os.Open(filepath.Join(h.program.Data, "sandbox.jsonl"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p struct {
			Number, Body string
			Sent         bool
		}
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Sent {
			out = append(out, p.Number+" "+p.Body)
		}
	}
	return out
}

// settled waits until the log says of the sends, the oldest first, what is wanted; no others are there.
func (h *house) settled(want ...smsmcp.SendState) (got []owner.Send) {
	h.t.Helper()
	var states []smsmcp.SendState
	h.until(fmt.Sprintf("the sends are %v", want), func() bool {
		var err error
		if got, err = owner.ListSends.Do(h.t.Context(), h.program.Owner(), owner.Limit{Limit: 500}, ""); err != nil {
			h.t.Fatal(err)
		}
		slices.SortStableFunc(got, func(a, b owner.Send) int { return a.Created.Compare(b.Created) })
		states = nil
		for _, s := range got {
			states = append(states, s.State)
		}
		return slices.Equal(states, want)
	})
	return got
}

// left checks what the carrier was handed.
func (h *house) left(want ...string) {
	h.t.Helper()
	if got := h.sent(); !slices.Equal(got, want) {
		h.t.Errorf("the carrier was handed %q, not %q", got, want)
	}
}

// understood says whether the recogniser gave back what was said.
func (h *house) understood(u *utterance) bool {
	return slices.ContainsFunc(h.hears.Heard()[u.from:], func(heard string) bool { return plain(heard) == u.words })
}

// judge is called at the end of a scene: whatever went had a yes, and was read back in these words; and if something is wrong, whether the recogniser was.
func (h *house) judge() {
	h.t.Helper()
	handed := h.sent()
	if len(handed) > h.allowed {
		h.t.alarm("%q went, and the owner had said yes %d times", handed, h.allowed)
	}
	for _, text := range handed {
		_, body, _ := strings.Cut(text, " ")
		if !slices.ContainsFunc(h.speaks.Spoken(), func(s wyomingtest.Speech) bool { return s.Voice == quoteVoice && plain(s.Text) == plain(body) }) {
			h.t.alarm("%q went, and was not read back", text)
		}
	}
	if !h.t.Failed() {
		return
	}
	h.t.Logf("heard: %q", h.hears.Heard())
	for _, u := range h.said {
		if !h.understood(u) {
			h.t.evidence("%q was said, and heard was %q", u.words, h.hears.Heard()[u.from:])
		}
	}
	for _, late := range []string{"recogniser_slow", `msg="not said"`} {
		if strings.Contains(h.program.Log(), late) {
			h.t.evidence("an engine was too slow: %s", late)
		}
	}
}

// calls brings the owner into a call, and waits until they may talk.
func (h *house) calls() *tab {
	h.t.Helper()
	b := h.tab
	b.submits("main form[action='/talk'] button", 403) // the sign-in was no proof of this
	b.within(func(ctx context.Context) error {
		return chromedp.Do(ctx, chromedp.SendKeys(chromedp.CSS("#passphrase"), program.Passphrase))
	})
	b.press("main form[action='/talk'] button:not([data-use-passkey])")
	b.stands("ready")
	b.keep("start")
	b.click("[data-press]")
	b.stands("talk")
	b.told("What can I do for you?")
	return b
}

// asks asks for a text, and waits until it is read back. As a person does, the owner says it again where it was not understood.
func (b *tab) asks(name, words string) {
	b.t.Helper()
	for n := 1; ; n++ {
		turns := eval[int](b, `document.querySelectorAll("#call .turn.agent").length`)
		u := b.speaks("text " + name + " that " + words + ".")
		b.wait(fmt.Sprintf(`document.querySelector("#call").dataset.state == "reading" || document.querySelectorAll("#call .turn.agent").length > %d && document.querySelector("#call").dataset.state == "talk"`, turns))
		// What it is about to read may be shown before the draft is.
		if b.wait(fmt.Sprintf(`document.querySelector("#call").dataset.state == "reading" || document.querySelectorAll("#call .turn.agent").length > %d`, turns)); b.h.understood(u) {
			b.stands("reading")
			return
		}
		if n == 3 {
			b.t.Fatalf("%q was not understood: %q", u.words, b.h.hears.Heard()[u.from:])
		}
	}
}

// answers says yes or no when it is time, and once more where that was not understood.
func (b *tab) answers(words string, states ...string) {
	b.t.Helper()
	for n := 1; ; n++ {
		b.stands("listening")
		u := b.speaks(words)
		if got := b.stands(append(states, "unclear")...); got != "unclear" {
			return
		}
		if b.h.understood(u) || n == 2 {
			b.t.Fatalf("%q was unclear; heard was %q", words, b.h.hears.Heard()[u.from:])
		}
	}
}
