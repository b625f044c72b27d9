package room

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voice/media"
	"readback/voice/media/mediatest"
	"readback/voice/speech/wyoming/wyomingtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

// patience is how long anything may take on a busy machine.
const patience = 90 * time.Second

const (
	pin      = "481516"
	theOwner = "+15145550101" // that a telephone of these tests calls from, unless it says otherwise
	anybody  = "+15145550199"
)

var people = []program.Contact{{Name: "Marie", Numbers: []string{"+15145550111"}}, {Name: "Robert", Numbers: []string{"+15145550112"}}, {Name: "Elizabeth", Numbers: []string{"+15145550114"}}}

// The engine that speaks is a fake: each sentence is a tone of its own, so that what a caller heard is known for sure. What is quoted is longer.
var tones = map[string]float64{}

const (
	quote     = 2700 // hertz, of all that the second voice reads
	otherTone = 3000
)

// left is how a sentence ends that says that a text has left, to whomever.
const left = "has left."

var sentences = []string{
	spoken.PIN.EN, spoken.PINWrong.EN, spoken.Hello.EN, spoken.Ask.EN, spoken.Again.EN, spoken.Keypad.EN, spoken.Dropped.EN, spoken.Greeting.EN, spoken.Thanks.EN, spoken.Overheard.EN, left,
}

func init() {
	for i, s := range sentences {
		tones[s] = 1050 + 150*float64(i)
	}
}

// toneOf is the tone of a sentence.
func toneOf(text string) float64 {
	if strings.HasPrefix(text, "The text to ") && strings.HasSuffix(text, left) {
		text = left
	}
	if hz, ok := tones[text]; ok {
		return hz
	}
	return otherTone
}

func speaks(voice, _, text string) (int, []int16) {
	hz, lasts := toneOf(text), time.Second
	if voice == "quotes" {
		hz, lasts = quote, 3*time.Second
	}
	pcm := make([]int16, int(lasts*rate/time.Second))
	for i := range pcm {
		pcm[i] = int16(9000 * math.Sin(2*math.Pi*hz*float64(i)/rate))
	}
	return rate, pcm
}

// home is what an owner has: a LiveKit server, engines, and the program between them. What hears is a fake, since nothing here is about hearing.
type home struct {
	*hall
	program *program.Program
	speaks  *wyomingtest.Server
	hears   *wyomingtest.Server

	mu   sync.Mutex
	next []string // what is heard next
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{hall: newHall(t)}
	h.speaks = wyomingtest.FakeTTS(t, []string{"program", "quotes"}, speaks)
	h.hears = wyomingtest.FakeSTT(t, func([]int16, string) string {
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.next) == 0 {
			return ""
		}
		next := h.next[0]
		h.next = h.next[1:]
		return next
	})
	h.program = program.New(t, people, fmt.Sprintf(`
time_zone = "America/Toronto"
[carrier]
kind = "sandbox"
[phone]
owners = [%q]
[speech]
hears = "wyoming"
hears_url = %q
speaks = "wyoming"
speaks_url = %q
voice_en = "program"
quote_voice_en = "quotes"
[model]
kind = "scripted"
[sync]
every = "1h"
[livekit]
url = %q
key = %q
secret_file = "$DIR/livekit"
`, theOwner, h.hears.URL(), h.speaks.URL(), h.kit.URL, h.kit.Key), map[string]string{"livekit": h.kit.Secret + "\n"})
	h.program.Start()
	if _, err := owner.SetPIN.Do(t.Context(), h.program.Owner(), owner.Secret{Value: pin}, program.Passphrase); err != nil {
		t.Fatal(err)
	}
	testbed.Until(t, patience, "the program takes jobs", func() bool {
		_, health := h.program.Get(t.Context(), "/healthz")
		return !strings.Contains(health, "down")
	})
	return h
}

// caller is somebody who calls the program.
type caller struct {
	*person
	h    *home
	name string // of the room
	at   int    // up to where it was listened to what came
}

// dial has somebody call: a room of their own, with a job for the program, as LiveKit's SIP bridge makes it.
func (h *home) dial(t *testing.T, w who) *caller {
	t.Helper()
	w.agent = "readback"
	name := h.room()
	c := &caller{person: h.enter(t, name, w), h: h, name: name}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the caller heard %s", c.tones())
		}
	})
	return c
}

// tones is what a caller heard, from the beginning: each sentence with its number of frames.
func (c *caller) tones() string {
	var b strings.Builder
	pcm, was, n := c.Received(), "", 0
	for at := 0; at+media.FrameSamples <= len(pcm); at += media.FrameSamples {
		is := "silence or a sound"
		for _, s := range append(slices.Clone(sentences), "quote", "something else") {
			hz := map[string]float64{"quote": quote, "something else": otherTone}[s] + tones[s]
			if k, _ := steps(pcm[at:at+media.FrameSamples], 0, hz); k > 0 {
				is = s
			}
		}
		if is != was && was != "" {
			fmt.Fprintf(&b, "\n\t%5.2fs %d of %q", float64(at)/rate, n, was)
			n = 0
		}
		was = is
		n++
	}
	fmt.Fprintf(&b, "\n\t%d of %q", n, was)
	return b.String()
}

// enough is how many frames of a tone are a sentence: our sounds have three, and of a sentence some may be lost on a busy machine.
const enough = 10

// steps is how many frames of 20 ms of what came, from a place on, are a tone, and where the last of them ends.
func steps(pcm []int16, from int, hz float64) (n, end int) {
	for at := from; at+media.FrameSamples <= len(pcm); at += media.FrameSamples {
		turns, peak := 0, int16(0)
		f := pcm[at : at+media.FrameSamples]
		for i := 1; i < len(f); i++ {
			if (f[i] < 0) != (f[i-1] < 0) {
				turns++
			}
			peak = max(peak, f[i])
		}
		if want := int(hz / 25); peak > 1000 && turns >= want-2 && turns <= want+2 {
			n, end = n+1, at+media.FrameSamples
		}
	}
	return n, end
}

// over says whether the caller is out of the room.
func (c *caller) over() bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}

// heard waits until a tone was heard to its end, and a pause after it, or the end of the call.
func (c *caller) heard(what string, hz float64) {
	c.t.Helper()
	testbed.Until(c.t, patience, "the caller hears "+what, func() bool {
		over, pcm := c.over(), c.Received()
		n, end := steps(pcm, c.at, hz)
		if n < enough || !over && len(pcm)-end < rate {
			return false
		}
		c.at = end
		return true
	})
}

// expect waits for a sentence.
func (c *caller) expect(sentence string) {
	c.t.Helper()
	c.heard(fmt.Sprintf("%q", sentence), toneOf(sentence))
}

// reads waits until a read-back has begun: some of the body was heard, and its end was not.
func (c *caller) reads() {
	c.t.Helper()
	testbed.Until(c.t, patience, "a read-back begins", func() bool {
		n, _ := steps(c.Received(), c.at, quote)
		return n >= 5
	})
}

// never checks that a sentence was not heard since the last that was.
func (c *caller) never(sentence string) {
	c.t.Helper()
	if n, _ := steps(c.Received(), c.at, toneOf(sentence)); n >= enough {
		c.t.Errorf("%q was heard", sentence)
	}
}

func (c *caller) keys(keys string) {
	c.t.Helper()
	for _, k := range keys {
		c.Press(k)
	}
}

// says has the caller say something, as it is understood. The sound is a person's, whatever they say.
func (c *caller) says(words string) {
	c.t.Helper()
	c.h.mu.Lock()
	c.h.next = append(c.h.next, words)
	c.h.mu.Unlock()
	heard := len(c.h.hears.Heard())
	pcm := mediatest.From(mediatest.Prompts(c.t, "en")[0].PCM).At(-22).PCM()
	c.Send(pcm[:min(len(pcm), 2*rate)])
	testbed.Until(c.t, patience, "it is understood", func() bool { return len(c.h.hears.Heard()) > heard })
}

// known is the owner, who has keyed in the code and was greeted.
func (h *home) known(t *testing.T) *caller {
	t.Helper()
	c := h.dial(t, who{})
	c.expect(spoken.PIN.EN)
	c.keys(pin)
	c.expect(spoken.Hello.EN)
	return c
}

// asks has the owner ask for a text, whose read-back begins.
func (c *caller) asks(name, body string) {
	c.t.Helper()
	c.says("text " + strings.ToLower(name) + " that " + body)
	c.reads()
}

// sent gives the bodies that the sandbox was handed for a contact.
func (h *home) sent(t testing.TB, name string) (out []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(h.program.Data, "sandbox.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	number := people[slices.IndexFunc(people, func(c program.Contact) bool { return c.Name == name })].Numbers[0]
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p struct {
			Number string `json:"number"`
			Body   string `json:"body"`
			Sent   bool   `json:"sent"`
		}
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Sent && p.Number == number {
			out = append(out, p.Body)
		}
	}
	return out
}

// log gives the sends of the log, the oldest first.
func (h *home) log(t testing.TB) []owner.Send {
	t.Helper()
	all, err := owner.ListSends.Do(t.Context(), h.program.Owner(), owner.Limit{Limit: 100}, "")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, func(a, b owner.Send) int { return a.Created.Compare(b.Created) })
	return all
}

// settled waits until the log has sends in these states, the oldest first, and no others.
func (h *home) settled(t testing.TB, want ...smsmcp.SendState) []owner.Send {
	t.Helper()
	var all []owner.Send
	testbed.Until(t, patience, fmt.Sprintf("the log has %v", want), func() bool {
		all = h.log(t)
		return slices.EqualFunc(all, want, func(s owner.Send, state smsmcp.SendState) bool { return s.State == state })
	})
	return all
}

// spoke says whether the program has spoken something that holds words, in any call.
func (h *home) spoke(words string) bool {
	return slices.ContainsFunc(h.speaks.Spoken(), func(s wyomingtest.Speech) bool { return strings.Contains(s.Text, words) })
}
