package workers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voice/media/mediatest"
	"readback/voice/speech/wyoming/wyomingtest"
)

const (
	pin      = "481516"
	theOwner = "+15145550101" // that a telephone of these tests calls from
)

// names are the owner's contacts: one for each caller, since a second draft to one contact takes the place of the first.
var names = []string{
	"Marie", "Robert", "Alexander", "Elizabeth", "Christopher", "Julie", "Katherine", "Dominic", "Francesca", "Gabriel", "Henrietta", "Isidore", "Jacqueline", "Leonard", "Magdalena", "Nathaniel",
	"Ophelia", "Patrick", "Quentin", "Rosalind", "Sebastian", "Theodora", "Ulysses", "Veronica", "Wilfred",
}

func numberOf(name string) string { return fmt.Sprintf("+1514555%04d", 200+slices.Index(names, name)) }

// The engine that speaks is a fake: each sentence is a tone of its own, so that what a caller heard is known for sure. What is quoted is longer.
var tones = map[string]float64{spoken.PIN.EN: 1050, spoken.Hello.EN: 1200, spoken.Ask.EN: 1350, "has left.": 1500, "othing has left.": 1650}

const (
	quote     = 2700 // hertz, of all that the second voice reads
	otherTone = 3000
)

func speaks(voice, _, text string) (int, []int16) {
	hz, lasts := float64(otherTone), 700*time.Millisecond
	long := 0
	for s, tone := range tones { // the longest that it ends with
		if strings.HasSuffix(text, s) && len(s) > long {
			hz, long = tone, len(s)
		}
	}
	if voice == "quotes" {
		hz, lasts = quote, 1500*time.Millisecond
	}
	return rate, sine(hz, lasts)
}

func sine(hz float64, lasts time.Duration) []int16 {
	pcm := make([]int16, int(lasts*rate/time.Second))
	for i := range pcm {
		pcm[i] = int16(9000 * math.Sin(2*math.Pi*hz*float64(i)/rate))
	}
	return pcm
}

// ownTone is the tone that a caller's words end with, by which the recogniser knows who said them.
func ownTone(n int) float64 { return 1000 + 95*float64(n) }

// whose tells whose tone a sound of 16 kHz holds, as a recogniser gets it; -1 if it holds none.
func whose(pcm []int16) int {
	const rate = 16000
	const window = rate / 20
	found := make([]int, len(names))
	for at := 0; at+window <= len(pcm); at += window / 2 {
		w, power := pcm[at:at+window], 0.0
		for _, s := range w {
			power += float64(s) * float64(s)
		}
		if power < window*500*500 {
			continue
		}
		for n := range names {
			re, im := 0.0, 0.0
			for i, s := range w {
				sin, cos := math.Sincos(2 * math.Pi * ownTone(n) * float64(i) / rate)
				re, im = re+float64(s)*cos, im+float64(s)*sin
			}
			if 2*(re*re+im*im)/window > 0.6*power {
				found[n]++
			}
		}
	}
	best := 0
	for n := range found {
		if found[n] > found[best] {
			best = n
		}
	}
	if found[best] < 4 {
		return -1
	}
	return best
}

// home is what an owner has: a LiveKit server, engines, and the program with workers beside it. What hears is a fake, since nothing here is about hearing.
type home struct {
	*house
	program  *program.Program
	voice    []int16 // of a person, whatever they say
	stt, tts *wyomingtest.Server

	mu     sync.Mutex
	says   map[int]string // what a caller says next
	nobody int            // sounds that the recogniser was given, and did not know whose they were
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{house: newHouse(t), says: map[int]string{}}
	pcm := mediatest.From(mediatest.Prompts(t, "en")[0].PCM).At(-22).PCM()
	h.voice = pcm[:min(len(pcm), 3*rate/2)]
	h.tts = wyomingtest.FakeTTS(t, []string{"program", "quotes"}, speaks)
	h.stt = wyomingtest.FakeSTT(t, func(pcm []int16, _ string) string {
		n := whose(pcm)
		h.mu.Lock()
		defer h.mu.Unlock()
		if n < 0 {
			h.nobody++
		}
		said := h.says[n]
		delete(h.says, n)
		return said
	})
	var people []program.Contact
	for _, name := range names {
		people = append(people, program.Contact{Name: name, Numbers: []string{numberOf(name)}})
	}
	h.program = program.New(t, people, fmt.Sprintf(`
time_zone = "America/Toronto"
[carrier]
kind = "sandbox"
[guard]
per_hour = 1000
per_day = 1000
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
`, theOwner, h.stt.URL(), h.tts.URL(), h.kit.URL, h.kit.Key), map[string]string{"livekit": h.kit.Secret + "\n"})
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

// worker starts a readback worker, and waits until it takes jobs.
func (h *home) worker() *program.Beside {
	h.t.Helper()
	w := h.program.Worker()
	testbed.Until(h.t, patience, "a worker takes jobs", func() bool { return strings.Contains(w.Log(), "registered with the LiveKit server") })
	return w
}

var (
	begins = regexp.MustCompile(`msg="a job begins".* job=(readback-[a-z2-7]+)`)
	ends   = regexp.MustCompile(`msg="a job is over".* job=(readback-[a-z2-7]+)`)
)

// jobs gives those of a process, by its log: all that ever began, and those that go on.
func jobs(log string) (ever, now []string) {
	over := map[string]bool{}
	for _, m := range ends.FindAllStringSubmatch(log, -1) {
		over[m[1]] = true
	}
	for _, m := range begins.FindAllStringSubmatch(log, -1) {
		if ever = append(ever, m[1]); !over[m[1]] {
			now = append(now, m[1])
		}
	}
	return ever, now
}

// sent counts what the carrier was handed, by number and body.
func (h *home) sent() map[string]int {
	h.t.Helper()
	out := map[string]int{}
	f, err := os.Open(filepath.Join(h.program.Data, "sandbox.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return out
	}
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p struct {
			Number string `json:"number"`
			Body   string `json:"body"`
			Sent   bool   `json:"sent"`
		}
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Sent {
			out[text(p.Number, p.Body)]++
		}
	}
	return out
}

// text names one text.
func text(number, body string) string {
	return number + " " + strings.Trim(strings.ToLower(body), ". ")
}

// caller is somebody who calls the program, in a goroutine of their own.
type caller struct {
	*person
	h    *home
	n    int // names[n] is whom they text
	ctx  context.Context
	lost context.CancelFunc // their call's process was killed
	room string

	mu      sync.Mutex
	agent   string   // who leads the call: the job's name
	rounds  int      // that are done
	asked   []string // texts that were asked for
	pressed []string // and to which they said yes
	heard   []string // and of which they heard that they have left
}

var errLost = errors.New("the call's process was killed")

// await waits until something is so. The test goes on where it does not come: others call too.
func (c *caller) await(what string, within time.Duration, so func() bool) error {
	tick, limit := time.NewTicker(40*time.Millisecond), time.NewTimer(within)
	defer tick.Stop()
	defer limit.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			return errLost
		case <-c.done:
			return fmt.Errorf("%s is out of the room before: %s", names[c.n], what)
		case <-limit.C:
			return fmt.Errorf("%s: it does not come: %s", names[c.n], what)
		}
	}
	return nil
}

// hears waits for a sentence, to its end.
func (c *caller) hears(sentence string) error {
	return c.await(sentence, patience, func() bool { _, over := c.tone(tones[sentence], 20); return over })
}

func (c *caller) keys(keys string) error {
	for _, k := range keys {
		if err := c.Press(k); err != nil {
			return err
		}
	}
	return nil
}

// dial has somebody call: a room of their own, with a job for the program, as LiveKit's SIP bridge makes it.
func (h *home) dial(n int) *caller {
	ctx, lost := context.WithCancel(h.t.Context())
	name := fmt.Sprintf("call-%d", h.rooms.Add(1))
	return &caller{person: h.enter(h.t, name, who{agent: "readback"}), h: h, n: n, ctx: ctx, lost: lost, room: name}
}

// known has them be greeted as the owner.
func (c *caller) known() error {
	err := c.await("an agent", patience, func() bool {
		for _, p := range c.person.room.GetRemoteParticipants() {
			if strings.HasPrefix(p.Identity(), "readback-") {
				c.mu.Lock()
				c.agent = p.Identity()
				c.mu.Unlock()
				return true
			}
		}
		return false
	})
	if err == nil {
		err = c.hears(spoken.PIN.EN)
	}
	if err == nil {
		err = c.keys(pin)
	}
	if err == nil {
		err = c.hears(spoken.Hello.EN)
	}
	return err
}

// texts has them ask for a text, hear it read back, say yes by a key, and hear that it has left.
func (c *caller) texts(body string) error {
	name := names[c.n]
	note := func(to *[]string) {
		c.mu.Lock()
		*to = append(*to, text(numberOf(name), body))
		c.mu.Unlock()
	}
	note(&c.asked)
	for try, left := 1, false; !left; try++ {
		if try > 3 {
			return fmt.Errorf("%s has asked again and again", name)
		}
		// On a busy machine it may not be played whole. Then they ask anew.
		asked, err := c.askFor("text " + strings.ToLower(name) + " that " + body)
		if err == nil && asked {
			note(&c.pressed)
			left, err = c.saysYes()
		}
		if err != nil {
			return err
		}
	}
	note(&c.heard)
	c.mu.Lock()
	c.rounds++
	c.mu.Unlock()
	return nil
}

// askFor has them ask for a text, and says whether it was read to them and they were asked; otherwise nothing has left.
func (c *caller) askFor(words string) (asked bool, err error) {
	reading := func() bool { begun, _ := c.tone(quote, math.MaxInt); return begun }
	for try := 1; ; try++ {
		c.h.mu.Lock()
		c.h.says[c.n] = words
		c.h.mu.Unlock()
		c.Send(c.h.voice)
		c.Send(sine(ownTone(c.n), 600*time.Millisecond))
		err := c.await("a read-back", patience/3, reading)
		if err == nil {
			break
		}
		// As a person does, they say it again where it was not understood.
		if errors.Is(err, errLost) {
			return false, err
		}
		if try == 4 {
			c.h.mu.Lock()
			defer c.h.mu.Unlock()
			return false, fmt.Errorf("%w; not understood yet: %t; %d sounds of nobody were", err, c.h.says[c.n] != "", c.h.nobody)
		}
	}
	err = c.await("a question", patience, func() bool {
		_, asked = c.tone(tones[spoken.Ask.EN], 20)
		_, dropped := c.tone(tones["othing has left."], 20)
		return asked || dropped
	})
	return asked, err
}

// saysYes has them say yes by a key, and says whether the text has left.
func (c *caller) saysYes() (left bool, err error) {
	for try := 1; try <= 3; try++ {
		if err := c.keys("1"); err != nil {
			return false, err
		}
		// On a busy machine a key may be so early that it does not count. Then it is all read again.
		var dropped bool
		err := c.await("what became of it", patience, func() bool {
			_, left = c.tone(tones["has left."], 20)
			_, dropped = c.tone(tones["othing has left."], 20)
			_, again := c.tone(tones[spoken.Ask.EN], 20)
			return left || dropped || again
		})
		if err != nil || left || dropped {
			return left, err
		}
	}
	return false, fmt.Errorf("%s is asked again and again", names[c.n])
}

// about is what the server logged of a call of its own.
func (h *home) about(agent string) string {
	log := h.program.Log()
	var names []string
	for _, m := range regexp.MustCompile(`job=`+regexp.QuoteMeta(agent)+` call=(readback-[a-z2-7]+)`).FindAllStringSubmatch(log, -1) {
		names = append(names, m[1])
	}
	var out []string
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(line, agent) || slices.ContainsFunc(names, func(n string) bool { return strings.Contains(line, n) }) || strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
