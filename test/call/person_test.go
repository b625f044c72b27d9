package call

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
	"readback/test/testbed"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/media/rate"
	"readback/voice/speech/wyoming/wyomingtest"
)

// kind is what a caller hears: words, or one of the program's sounds.
type kind string

const (
	words    kind = "words"
	opening  kind = "opening"
	closing  kind = "closing"
	thinking kind = "thinking"
	beep     kind = "beep"
)

// sound is something that was heard, by samples since the answer.
type sound struct {
	kind     kind
	from, to int
}

func (s sound) lasts() time.Duration { return time.Duration(s.to-s.from) * time.Second / media.Rate }

// The measures by which sounds are told apart. The program's own are pairs of notes of 60 ms, alone in silence.
const (
	step     = 80                    // samples that are looked at together
	quiet    = 100                   // root mean square of what is silence
	pause    = media.Rate / 20       // ends a burst
	longNote = media.Rate * 11 / 100 // no note is longer
	sentence = media.Rate * 7 / 10   // of silence, behind words that are over
	within   = media.Rate * 8 / 10   // between the beginnings of a pair's notes
)

var notes = []float64{492, 648, 961}

var pairs = map[[2]float64]kind{{492, 648}: opening, {648, 492}: closing, {492, 492}: thinking, {961, 961}: beep}

// sounds finds what is in a call's sound, in its order. Words that the end cuts off are left out, unless over says that no more comes.
func sounds(pcm []int16, over bool) []sound { return split(pcm, over, sentence) }

func split(pcm []int16, over bool, silence int) (out []sound) {
	type note struct {
		sound
		hz float64
	}
	var last note
	open := -1 // where words began
	end := 0   // where they end, so far
	shut := func() {
		if open >= 0 && end-open > media.Rate/10 {
			out = append(out, sound{words, open, end})
		}
		open = -1
	}
	for _, b := range apart(pcm, bursts(pcm)) {
		if open >= 0 && b.from-end > silence {
			shut()
		}
		if hz := pitch(pcm[b.from:b.to]); hz > 0 {
			shut()
			n := note{b, hz}
			if hz == last.hz && b.from-last.to < media.Rate/8 { // one note, with a hole in it
				last.to = b.to
				continue
			}
			if k, ok := pairs[[2]float64{last.hz, hz}]; ok && b.from-last.from < within {
				out = append(out, sound{k, last.from, b.to})
				n = note{}
			}
			last = n
			continue
		}
		if open < 0 {
			open = b.from
		}
		end = b.to
	}
	if over || len(pcm)-end > silence {
		shut()
	}
	return out
}

// bursts finds where it is not silent.
func bursts(pcm []int16) (out []sound) {
	on, last := -1, 0
	for at := 0; at+step <= len(pcm); at += step {
		sum := 0.0
		for _, s := range pcm[at : at+step] {
			sum += float64(s) * float64(s)
		}
		if math.Sqrt(sum/step) > quiet {
			if on < 0 {
				on = at
			}
			last = at + step
		} else if on >= 0 && at-last >= pause {
			out = append(out, sound{from: on, to: last})
			on = -1
		}
	}
	if on >= 0 {
		out = append(out, sound{from: on, to: last})
	}
	return out
}

// apart parts a note from words that begin right behind it, as those of a fast voice do.
func apart(pcm []int16, all []sound) (out []sound) {
	const note = media.Rate * 6 / 100
	for _, b := range all {
		if b.to-b.from > longNote && tone(pcm[b.from:b.from+note], 0.7) > 0 {
			out = append(out, sound{from: b.from, to: b.from + note})
			b.from += note + 2*step // the note's own end is none of the words
		}
		out = append(out, b)
	}
	return out
}

// pitch is that of a note; 0 of anything else.
func pitch(pcm []int16) float64 {
	if len(pcm) > longNote || len(pcm) < 2*step {
		return 0
	}
	return tone(pcm, 0.4)
}

// tone is the pitch of the note that has more than a share of a sound's power; 0 if none does.
func tone(pcm []int16, share float64) float64 {
	power := 0.0
	for _, s := range pcm {
		power += float64(s) * float64(s) / 32768 / 32768
	}
	power /= float64(len(pcm))
	for _, hz := range notes {
		if a := goertzel(pcm, hz); a*a/2 > share*power {
			return hz
		}
	}
	return 0
}

// person is one who calls a house.
type person struct {
	h   *house
	t   testing.TB
	far *testbed.Dialed
	at  int // what was heard before it has been listened to

	said  []*utterance
	later []expected // what is recognised when there is time: a call goes on meanwhile
}

// expected are words that should be in a sound.
type expected struct {
	sound
	want string
}

// call has somebody call, and waits until they are answered.
func (h *house) call(from string) *person {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	far, err := h.phone.Dial(ctx, testbed.Ring{To: did, From: from})
	if err != nil {
		h.t.Fatalf("the call was not answered: %v", err)
	}
	p := &person{h: h, t: h.t, far: far}
	h.persons = append(h.persons, p)
	h.t.Cleanup(func() {
		far.HangUp()
		if h.t.Failed() {
			h.t.Logf("what %s heard: %s", from, p.told(0))
		}
	})
	return p
}

// owner has the owner call, and key in the PIN. The greeting is heard when it returns.
func (h *house) owner(from string) *person {
	h.t.Helper()
	p := h.call(from)
	p.begins()
	p.keys(pin)
	p.expect("what can do")
	return p
}

// begins waits until something is heard.
func (p *person) begins() {
	p.t.Helper()
	testbed.Until(p.t, patience, "something is heard", func() bool {
		all := p.far.Received()
		return len(all) > p.at && len(bursts(all[p.at:])) > 0
	})
}

// keys presses keys. What was heard before the last of them is the past.
func (p *person) keys(keys string) {
	p.t.Helper()
	for _, k := range keys {
		p.at = len(p.far.Received())
		p.far.Press(k)
	}
}

// hears waits for the next sound of some kinds, to its end. What comes before it is passed over.
func (p *person) hears(kinds ...kind) sound {
	p.t.Helper()
	var found sound
	testbed.Until(p.t, patience, fmt.Sprint("the caller hears ", kinds), func() bool {
		over := false
		select {
		case <-p.far.Done():
			over = true
		default:
		}
		for _, s := range sounds(p.far.Received()[p.at:], over) {
			if slices.Contains(kinds, s.kind) {
				found = sound{s.kind, s.from + p.at, s.to + p.at}
				return true
			}
		}
		if over {
			p.t.Fatalf("the call is over, and no %v came; heard: %s", kinds, p.told(0))
		}
		return false
	})
	p.at = found.to
	return found
}

// recognise has the test's recogniser hear what the caller heard.
func (p *person) recognise(s sound) string {
	p.t.Helper()
	all := p.far.Received()
	return p.h.recognise(all[max(0, s.from-media.Rate/5):min(len(all), s.to+media.Rate/5)], media.Rate)
}

func (h *house) recognise(pcm []int16, hz int) string {
	h.t.Helper()
	hearing, err := h.ear.Listen(context.WithoutCancel(h.t.Context()), lang.EN, hz)
	if err != nil {
		h.t.Errorf("recognise: %v", err)
		return ""
	}
	if err := hearing.Write(voice.Frame{Rate: hz, Samples: pcm}); err != nil {
		h.t.Errorf("recognise: %v", err)
	}
	got, err := hearing.Finish(context.WithoutCancel(h.t.Context()))
	if err != nil {
		h.t.Errorf("recognise: %v", err)
	}
	return got.RawForStore()
}

// told is all that the caller heard from a time on, recognised.
func (p *person) told(from int) string {
	p.t.Helper()
	var out []string
	pcm := p.far.Received()
	for _, s := range sounds(pcm[min(from, len(pcm)):], true) {
		if s.kind != words {
			out = append(out, "["+string(s.kind)+"]")
			continue
		}
		out = append(out, p.recognise(sound{words, s.from + from, s.to + from}))
	}
	return strings.Join(out, " | ")
}

// has says whether words were heard, all of them, in any order.
func has(heard, want string) bool {
	got := " " + strings.Join(fold.Words(heard), " ") + " "
	for _, w := range fold.Words(want) {
		if !strings.Contains(got, " "+w+" ") {
			return false
		}
	}
	return true
}

// mostly says whether most words were heard, half of them at least: the recogniser misses some of a telephone's, and more on a busy machine, which tears holes into the sound.
func mostly(heard, want string) bool {
	all, found := fold.Words(want), 0
	for _, w := range all {
		if has(heard, w) {
			found++
		}
	}
	return 2*found >= len(all)
}

// say speaks, by flite, and waits until all of it was sent. The program is to understand it.
func (p *person) say(sentence string) *utterance {
	p.t.Helper()
	u := p.speaks(sentence)
	p.saidAll()
	return u
}

func (p *person) speaks(sentence string) *utterance {
	u := &utterance{words: plain(sentence), from: len(p.h.hears.Heard())}
	p.said = append(p.said, u)
	p.mutters(sentence)
	return u
}

// mutters speaks what is not to be understood.
func (p *person) mutters(sentence string) { p.far.Send(flite(p.t, "kal16", sentence)) }

func (p *person) saidAll() {
	p.t.Helper()
	p.h.until("it is said", p.far.Sent)
}

// flite is a sentence as a telephone takes it.
func flite(t testing.TB, voice, sentence string) []int16 {
	t.Helper()
	key := voice + ": " + sentence
	if pcm, ok := said.Load(key); ok {
		return pcm.([]int16)
	}
	from, pcm := wyomingtest.Say(t, voice, sentence)
	c, err := rate.New(from, media.Rate)
	if err != nil {
		t.Fatal(err)
	}
	out := c.Flush(c.Convert(nil, pcm))
	said.Store(key, out)
	return out
}

// hearsOf waits until some words were heard, whatever comes before them.
func (p *person) hearsOf(want string) {
	p.t.Helper()
	var passed []string
	for {
		got, ok := p.heard(p.hears(words), want)
		if passed = append(passed, got); ok || mostly(strings.Join(passed, " "), want) {
			return
		}
		if len(passed) > 8 {
			p.t.Fatalf("heard %q, want the words %q", passed, want)
		}
	}
}

// question is the second one.
const question = "i need a plain answer press one and the text leaves press two and it is dropped"

// yes says yes to a text, and waits until it has left.
func (p *person) yes(name, say string) {
	p.t.Helper()
	p.may(name)
	p.answers(say, "the text to "+name+" has left")
}

// press says yes to a text by the key.
func (p *person) press(name string) {
	p.t.Helper()
	p.may(name)
	p.keys("1")
	p.hearsOf("the text to " + name + " has left")
}

// answers says yes or no, and waits for what is said of it. As a person does, they answer the second question as well, where the first answer was not understood.
func (p *person) answers(say, want string) {
	p.t.Helper()
	for second := false; ; second = true {
		u := p.say(say)
		s := p.hears(words)
		got, ok := p.heard(s, want)
		if ok {
			return
		}
		if _, asked := p.heard(s, question); !asked || second {
			p.t.Fatalf("%q was answered with %q, not %q", say, got, want)
		}
		p.t.Logf("%q was not understood: %v", say, !p.h.understood(u))
	}
}

// expect waits for words, which are to be recognised when the call is over.
func (p *person) expect(want string) {
	p.t.Helper()
	p.later = append(p.later, expected{p.hears(words), want})
}

// hangsUp ends the call, and recognises what was heard in it.
func (p *person) hangsUp() {
	p.t.Helper()
	p.far.HangUp()
	for _, e := range p.later {
		if got, ok := p.heard(e.sound, e.want); !ok {
			p.t.Errorf("heard %q, want the words %q", got, e.want)
		}
	}
	p.later = nil
}

// requests asks for a text, and waits until its words are about to be read back. As a person does, they say it again where it was not understood.
func (p *person) requests(name, body string) {
	p.t.Helper()
	p.h.allowed[name] += 0
	for n := 1; ; n++ {
		u := p.say("text " + name + " that " + body + ".")
		to := p.hears(words)
		if p.follows(opening, to) {
			p.later = append(p.later, expected{to, name})
			p.is(u)
			return
		}
		got := p.recognise(to)
		if n == 3 {
			p.t.Fatalf("the request was answered with %q", got)
		}
		p.t.Logf("%q was answered with %q", u.words, got)
	}
}

// is gives the scene up where something else was understood.
func (p *person) is(u *utterance) {
	p.t.Helper()
	if !p.h.understood(u) {
		p.h.try.lost("%q was said, and heard was %q", u.words, p.h.stray(u.from))
	}
}

// follows waits until a sound of a kind comes behind another, or three seconds of silence do. It is passed over then.
func (p *person) follows(k kind, s sound) bool {
	p.t.Helper()
	found, from := false, s.to
	p.h.until("a sound, or silence", func() bool {
		all := p.far.Received()
		for _, next := range sounds(all[from:], false) {
			switch next.kind {
			case k:
				p.at, found = from+next.to, true
				return true
			case words:
				from += next.to
				return false
			}
		}
		return len(all)-from > 3*media.Rate
	})
	return found
}

// asks requests a text, and waits for its read-back and its question, to which an answer may begin.
func (p *person) asks(name, body string) {
	p.t.Helper()
	p.requests(name, body)
	p.asked(body)
}

// asked waits for the rest of a read-back, and its question.
func (p *person) asked(body string) {
	p.t.Helper()
	p.expect(body)
	p.hears(closing)
	p.expect("shall i let it leave")
}
