package call

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/owner"
	"readback/test/testbed"
	"readback/test/testbed/program"
	"readback/voice"
	"readback/voice/media/mediatest"
	"readback/voice/speech/wyoming"
	"readback/voice/speech/wyoming/wyomingtest"
)

// Whole calls mostly wait, in the time that speech takes: more of them are made at once than there are processors.
const atOnce = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err)
	}
	code := m.Run()
	program.Clean()
	os.Exit(code)
}

const (
	pin = "481516"
	did = "5145550100" // what is called: the dialplan is the owner's own
)

// The owner's people. Their names do not sound alike, so that no digits are read back with them.
var people = []program.Contact{
	{Name: "Marie", Numbers: []string{"+15145550111"}}, {Name: "Robert", Numbers: []string{"+15145550112"}}, {Name: "Alexander", Numbers: []string{"+15145550113"}},
	{Name: "Elizabeth", Numbers: []string{"+15145550114"}}, {Name: "Christopher", Numbers: []string{"+15145550115"}}, {Name: "Julie", Numbers: []string{"+15145550116"}},
	{Name: "Katherine", Numbers: []string{"+15145550117"}},
}

func numberOf(name string) string {
	for _, c := range people {
		if c.Name == name {
			return c.Numbers[0]
		}
	}
	panic(name)
}

// owners are the numbers that the owner calls from: one for each call of a house that is made at the same time as others.
var owners = []string{"+15145550101", "+15145550102", "+15145550103", "+15145550104"}

// house is what an owner has: Asterisk and ntfy, engines that hear and speak, and the program between them; and a telephone that calls it.
type house struct {
	t       testing.TB
	bed     *testbed.Bed
	program *program.Program
	hears   *wyomingtest.Server
	speaks  *wyomingtest.Server // nil where espeak-ng speaks
	second  bool                // espeak-ng may have spoken
	phone   *testbed.Caller
	ear     voice.STT                           // of the test: what callers hear is recognised by it
	sent    func(name string) (bodies []string) // what the carrier was handed for a contact
	ledger  *ledger

	// Of one scene in it.
	try     *try
	persons []*person
	allowed map[string]int // the contacts that texts were asked for, and how often the caller said yes to one
	logged  int            // of the program's log, before it
}

type speech = wyomingtest.Speech

// quoteVoice reads what is quoted.
const quoteVoice = "rms"

// wish is what a house has otherwise. The zero value speaks English by flite, and hears it by pocketsphinx.
type wish struct {
	hears    *wyomingtest.Server
	espeak   bool   // espeak-ng speaks
	second   bool   // espeak-ng is there when flite is not; otherwise all that callers hear is known
	more     string // further lines of the configuration, [carrier] among them if it is to be another than the sandbox
	files    map[string]string
	sent     func(name string) []string // what the carrier was handed; the sandbox's if nil
	language string                     // "en"
}

// requests are what callers ask for in these tests. The recogniser of the program knows them as likely, among everyday sentences.
var requests = []string{
	"yes", "yes send it", "send it", "no", "no do not send it", "read my texts",
	"text marie that dinner is ready", "text robert that the train is late", "text alexander that we are at the office", "text elizabeth that the meeting is at noon",
	"text marie that we are at home now", "text robert that dinner is at seven", "text robert that dinner is at eight", "text julie that i will be late", "text christopher that " + strings.ToLower(long), "text julie that the meeting is at noon", "text marie that " + strings.ToLower(long), "text katherine that yes send it",
}

// prompts are what the program says in these tests. The recogniser of the test knows them as likely, besides.
var prompts = []string{
	"key in your code the pound key leads to voicemail", "that is not the code", "hello what can i do for you", "this is the text to marie", "this is the text to robert", "this is the text to alexander",
	"this is the text to elizabeth", "this is the text to christopher", "this is the text to julie", "this is the text to katherine", "shall i let it leave", "i need a plain answer press one and the text leaves press two and it is dropped",
	"i'll read it from the start", "dropped nothing has left", "i had no plain answer nothing has left", "the text to marie has left", "the text to robert has left", "the text to alexander has left",
	"the text to elizabeth has left", "the text to christopher has left", "the text to julie has left", "i have trouble hearing you the keys of your telephone still work", "nobody can take your call now",
	"leave a message after the tone and press pound when you are done", "thank you goodbye", "one text", "text from katherine today", "the text to katherine has left", "there are no texts", "that was the last one", "are you still there", "goodbye",
}

// theEar is the recogniser of the tests, one for all.
func theEar(t testing.TB) voice.STT {
	t.Helper()
	e, err := wyoming.NewSTT(wyoming.STTOptions{Address: wyomingtest.Pocketsphinx(t, wyomingtest.Options{Phrases: append(slices.Clone(prompts), requests...)}).URL(), Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// patience is how long anything may take on a busy machine.
const patience = 90 * time.Second

var sandboxLines = "[carrier]\nkind = \"sandbox\"\n"

// usual is a house as the zero wish has it.
func usual(t testing.TB) *house {
	t.Helper()
	return newHouse(t, wish{})
}

func newHouse(t testing.TB, w wish) *house {
	t.Helper()
	h := &house{t: t, bed: testbed.Start(t, testbed.Config{Ntfy: []string{"visitor-request-limit-burst: 100000", "visitor-subscription-limit: 100"}}), ear: theEar(t), ledger: &ledger{taken: map[int]bool{}}}
	h.hears, h.sent, h.second = w.hears, w.sent, w.second
	if h.sent == nil {
		h.sent = h.sandbox
	}
	if h.hears == nil {
		h.hears = wyomingtest.Pocketsphinx(t, wyomingtest.Options{Phrases: requests})
	}
	speech := "hears = \"wyoming\"\nhears_url = \"" + h.hears.URL() + "\"\n"
	if !w.espeak {
		h.speaks = wyomingtest.Flite(t)
		speech += "speaks = \"wyoming\"\nspeaks_url = \"" + h.speaks.URL() + "\"\nvoice_en = \"slt\"\nquote_voice_en = \"" + quoteVoice + "\"\n"
	}
	if !strings.Contains(w.more, "[carrier]") {
		w.more += sandboxLines
	}
	files := map[string]string{"ari": h.bed.Password + "\n", "ntfy": h.bed.NtfyWriter + "\n"}
	for name, content := range w.files {
		files[name] = content
	}
	h.program = program.New(t, people, fmt.Sprintf(`
time_zone = "America/Toronto"
[asterisk]
url = %q
user = %q
password_file = "$DIR/ari"
ca_file = %q
[ntfy]
url = %q
topic = "texts"
approvals_topic = "approvals"
token_file = "$DIR/ntfy"
[phone]
answer = true
owners = [%s]
language = %q
[speech]
%s[model]
kind = "scripted"
`, h.bed.ARI, h.bed.User, h.bed.CAFile, h.bed.NtfyURL, `"`+strings.Join(owners, `", "`)+`"`, w.language, speech)+w.more, files)
	if w.espeak || w.second {
		h.program.Path = filepath.Join(mediatest.Folder(t), "bin")
	}
	h.program.Start()
	if _, err := owner.SetPIN.Do(t.Context(), h.program.Owner(), owner.Secret{Value: pin}, program.Passphrase); err != nil {
		t.Fatal(err)
	}
	h.phone = h.bed.NewCaller(t)
	h.stands()
	return h
}

// stands waits until the program takes calls.
func (h *house) stands() {
	h.t.Helper()
	testbed.Until(h.t, patience, "the application is there", func() bool { return strings.Contains(h.bed.CLI("ari show apps"), h.bed.App) })
	testbed.Until(h.t, patience, "the line stands", func() bool {
		_, health := h.program.Get(h.t.Context(), "/healthz")
		return !strings.Contains(health, "down")
	})
}

// sandbox gives the texts that the sandbox was handed for a contact.
func (h *house) sandbox(name string) (out []string) {
	h.t.Helper()
	type posted struct {
		Number string `json:"number"`
		Body   string `json:"body"`
		Sent   bool   `json:"sent"`
	}
	f, err := os.Open(filepath.Join(h.program.Data, "sandbox.jsonl"))
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p posted
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Sent && p.Number == numberOf(name) {
			out = append(out, p.Body)
		}
	}
	return out
}

// audit gives the log's sends to a contact, the oldest first.
func (h *house) audit(name string) []owner.Send {
	h.t.Helper()
	all, err := owner.ListSends.Do(h.t.Context(), h.program.Owner(), owner.Limit{Limit: 500}, "")
	if err != nil {
		h.t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(s owner.Send) bool { return s.Contact != name })
	slices.SortStableFunc(all, func(a, b owner.Send) int { return a.Created.Compare(b.Created) })
	return all
}

// settled waits until the log says of each send to a contact, the oldest first, what is wanted; no others are there.
func (h *house) settled(name string, want ...smsmcp.SendState) []owner.Send {
	h.t.Helper()
	var got []owner.Send
	var states []smsmcp.SendState
	defer func() {
		if !slices.Equal(states, want) {
			h.t.Logf("sends to %s: %v", name, states)
		}
	}()
	testbed.Until(h.t, patience, fmt.Sprintf("the sends to %s are %v", name, want), func() bool {
		got, states = h.audit(name), nil
		for _, s := range got {
			states = append(states, s.State)
		}
		return slices.Equal(states, want)
	})
	return got
}

// left checks what the carrier was handed for a contact, and that the log says so.
func (h *house) left(name string, bodies ...string) {
	h.t.Helper()
	if got := h.sent(name); !slices.EqualFunc(got, bodies, strings.EqualFold) {
		h.t.Errorf("%s got %q, want %q", name, got, bodies)
	}
}

// nothingLeft waits until no channel and no bridge is in Asterisk.
func (h *house) nothingLeft() {
	h.t.Helper()
	what := ""
	testbed.Until(h.t, patience, "nothing is left in Asterisk", func() bool {
		what = h.bed.CLI("core show channels concise") + h.bed.CLI("bridge show all")
		return strings.TrimSpace(h.bed.CLI("core show channels concise")) == "" && !strings.Contains(what, "readback-")
	})
}

// on is the same house for one scene.
func (h *house) on(a *try) *house {
	c := *h
	c.t, c.try, c.persons, c.allowed, c.logged = a, a, nil, map[string]int{}, len(h.program.Log())
	a.Cleanup(c.judge)
	return &c
}

func (h *house) until(what string, so func() bool) {
	h.t.Helper()
	testbed.Until(h.t, patience, what, so)
}

var said sync.Map // what flite made of a sentence, by voice and words
