package consent

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// script is a call in words: each line is a step, as "after event = effects". It begins with the owner known.
func play(t *testing.T, script string) {
	t.Helper()
	m, _ := New(testPrompts).Step(noon, Owner{true})
	now := noon
	for line := range strings.Lines(strings.TrimSpace(script)) {
		step, want, ok := strings.Cut(strings.TrimSpace(line), "=")
		f := strings.Fields(step)
		if !ok || len(f) < 2 {
			t.Fatalf("not a step: %q", line)
		}
		after, err := time.ParseDuration(f[0])
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(after)
		words := strings.Join(f[2:], " ")
		at := func(words string) (string, time.Time) {
			if before, rest, ok := strings.Cut(words, " "); ok && strings.HasSuffix(before, "s") {
				if ago, err := time.ParseDuration(before); err == nil {
					return rest, now.Add(-ago)
				}
			}
			return words, now
		}
		var e Event
		switch f[1] {
		case "prepared":
			e = Prepared{draftA, spokenBack}
		case "another":
			e = Prepared{draftB, spokenBack}
		case "started":
			d := m.draft
			e = Started{m.reading, d}
		case "played":
			e = Played{m.reading, 100 * time.Millisecond}
		case "cut":
			e = Interrupted{m.reading}
		case "begun":
			e = Begun{}
		case "asked":
			e = Asked{m.question - len(words)} // an x: the one before
		case "dropped":
			e = Dropped{Failed: len(words) > 0} // an x: it failed
		case "says", "says-and": // and was saying more
			words, began := at(words)
			e = Final{Turn: spoken(words, began, now), More: f[1] == "says-and"}
		case "key":
			key, began := at(words)
			e = Final{Turn: pressed(rune(key[0]), began, now)}
		case "silence":
			e = Silence{}
		case "model":
			e = ModelSpoke{}
		case "hangs":
			e = HungUp{}
		case "stranger":
			e = Owner{}
		case "withdrawn":
			e = Withdrawn{}
		default:
			t.Fatalf("no such event: %q", f[1])
		}
		var out []Effect
		m, out = m.Step(now, e)
		if got := told(out); got != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%q: %q", strings.TrimSpace(line), got)
		}
	}
}

func told(out []Effect) string {
	var s []string
	for _, e := range out {
		switch e := e.(type) {
		case Stop:
			s = append(s, "stop")
		case ReadBack:
			s = append(s, fmt.Sprintf("read-%c-%d", e.Draft[0], e.Reading))
		case Ask:
			s = append(s, map[bool]string{false: "ask", true: "keypad"}[e.Keypad])
		case Void:
			s = append(s, string(e.Why))
		case Hand:
			s = append(s, "hand")
		case Send:
			s = append(s, fmt.Sprintf("send-%c", e.Draft[0]))
		}
	}
	return strings.Join(s, " ")
}

func TestCalls(t *testing.T) {
	for name, script := range map[string]string{
		"yes": `
			0s says texte à Zoé que j'arrive = hand
			1s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			2s begun       =
			1s says oui envoie-le = stop send-a
			1s says merci  = hand`,
		"a key": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s key 1       = stop send-a
			0s key 1       =`,
		"no": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says non    = stop declined`,
		"no, and a change": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says non dis plutôt à six heures = stop declined hand
			1s prepared    = read-a-2`,
		"a change": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says change six pour sept = stop changed hand`,
		"unclear, and then yes": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says euh    = keypad
			5s asked       =
			14s begun      =
			1s says oui    = stop send-a`,
		"unclear twice": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says euh    = keypad
			5s asked       =
			1s begun       =
			1s says hein   = stop no_answer`,
		"silence twice": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			16s silence    = keypad
			16s silence    = stop no_answer
			1s silence     =`,
		"a key into the second question": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			16s silence    = keypad
			100ms key 1    = stop send-a`,
		"a yes that comes late is asked for again": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			14s begun      =
			2s says oui    = keypad`,
		"a yes into the question, again, and then after it": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s begun       =
			1s says oui    = keypad
			0s asked x     =
			1s begun       =
			1s says oui    =
			3s asked       =
			1s begun       =
			1s says oui    = stop send-a`,
		"a yes into the question that ended when it was understood": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s begun       =
			500ms asked    =
			1s says 1500ms oui = keypad`,
		"a no into the question": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s begun       =
			1s says non    = stop declined`,
		"a change into the question": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s begun       =
			1s says change six pour sept = stop changed hand`,
		"a key into the question": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s key 1       = stop send-a`,
		"no question is heard to its end": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			9s begun       =
			1s says oui    = keypad
			9s begun       =
			1s says oui    =
			1s key 1       = stop send-a`,
		"the window is the question's": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			12s asked      =
			14s begun      =
			1s says oui    = stop send-a`,
		"a yes, and then a no": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			2s asked       =
			1s begun       =
			8s says-and 8s oui =
			0s begun       =
			0s says 6s non attends = stop declined`,
		"a yes, and then another": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			2s asked       =
			1s begun       =
			2s says-and 2s oui =
			0s begun       =
			1s says 1s envoie-le = stop send-a`,
		"a yes, and then something that nobody understands": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			2s asked       =
			1s begun       =
			2s says-and 2s oui =
			0s begun       =
			1s dropped     = keypad
			5s asked       =
			1s begun       =
			2s says-and 2s oui =
			0s begun       =
			1s dropped     =
			1s begun       =
			1s says oui    = stop send-a`,
		"a yes, and the call ends in what follows": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			2s asked       =
			1s begun       =
			2s says-and 2s oui =
			0s begun       =
			0s dropped     = keypad
			0s hangs       = stop call_ended`,
		"a recogniser that fails": `
			0s prepared    = read-a-1
			1s started     =
			1s begun       =
			4s played      = ask
			1s dropped x   =
			1s asked       =
			1s begun       =
			1s dropped x   = keypad
			5s asked       =
			1s begun       =
			1s dropped x   =
			1s key 1       = stop send-a`,
		"a change, and more": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			2s asked       =
			1s begun       =
			1s says-and change six pour sept = stop changed hand
			1s says et dis bonjour = hand`,
		"spoken into the read-back, twice and a third time": `
			0s prepared    = read-a-1
			0s says oui    =
			1s started     =
			1s begun       =
			1s says oui    = stop read-a-2
			1s started     =
			1s key 1       = stop read-a-3
			1s started     =
			1s says oui    =
			5s played      = keypad
			1s asked       =
			1s begun       =
			1s says oui    = keypad
			1s key 1       = stop send-a`,
		"a no into the read-back": `
			0s prepared    = read-a-1
			1s started     =
			1s begun       =
			1s says non arrête = stop declined`,
		"key 2 before the read-back": `
			0s prepared    = read-a-1
			1s key 2       = stop declined`,
		"a yes that began too early and ended late": `
			0s prepared    = read-a-1
			1s started     =
			4s begun       =
			1s played      = ask
			1s says 2s oui = stop read-a-2`,
		"the read-back comes back as an echo": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s says yes send it = keypad
			5s asked       =
			1s begun       =
			1s says yes send it = stop send-a`,
		"an echo while it is read": `
			0s prepared    = read-a-1
			1s started     =
			1s says the text says = stop read-a-2`,
		"cut three times": `
			0s prepared    = read-a-1
			1s cut         = stop read-a-2
			1s started     =
			1s cut         = stop read-a-3
			1s started     =
			1s cut         = stop cut`,
		"the model speaks into it": `
			0s prepared    = read-a-1
			1s model       =
			1s started     =
			5s played      = ask
			1s model       = stop read-a-2`,
		"replaced after the yes began": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			1s begun       =
			1s another     = stop replaced read-b-2
			1s says oui    =
			1s started     =
			5s played      = ask
			1s key 1       = stop send-b`,
		"no longer the owner": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s stranger    = stop not_owner
			1s prepared    = not_owner
			1s key 1       =`,
		"the call ends": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s hangs       = stop call_ended
			1s prepared    =
			1s key 1       =`,
		"the clock jumps back": `
			0s prepared    = read-a-1
			1s started     =
			5s played      = ask
			1s asked       =
			-1s begun      = stop clock_back
			1s says oui    = hand`,
		"withdrawn": `
			0s prepared    = read-a-1
			1s withdrawn   = stop withdrawn`,
	} {
		t.Run(name, func(t *testing.T) { play(t, script) })
	}
}

// TestInvariant10TheEdgesOfTheWindow: to the nanosecond.
func TestInvariant10TheEdgesOfTheWindow(t *testing.T) {
	m, _ := New(testPrompts).Step(noon, Owner{true})
	m, _ = m.Step(noon, Prepared{draftA, spokenBack})
	m, _ = m.Step(noon, Started{1, draftA})
	m, _ = m.Step(noon, Played{1, 100 * time.Millisecond})
	opens := noon.Add(100*time.Millisecond + Margin)
	until, ok := m.Deadline()
	if d, pending := m.Pending(); !ok || !until.Equal(opens.Add(Window)) || !pending || d != draftA {
		t.Errorf("until %v", until)
	}
	for _, c := range []struct {
		began, at time.Time
		want      bool
	}{
		{opens, opens, true}, {opens.Add(-1), opens, false}, {until, until, true}, {opens, until, true}, {until, until.Add(1), false}, {opens, until.Add(1), false},
	} {
		_, out := m.Step(c.at, Final{Turn: pressed('1', c.began, c.at)})
		if _, sent := did[Send](happened{effects: out}); sent != c.want {
			t.Errorf("a key from %v to %v: %s", c.began.Sub(opens), c.at.Sub(opens), told(out))
		}
	}
	for _, c := range []struct {
		seen time.Time
		want bool
	}{{opens, true}, {opens.Add(-1), false}} {
		n, _ := m.Step(c.seen, Begun{})
		n, _ = n.Step(opens, Asked{1})
		n.free = time.Time{}.Add(1) // of which below
		at := opens.Add(time.Second)
		_, out := n.Step(at, Final{Turn: spoken("oui", opens, at)})
		if _, sent := did[Send](happened{effects: out}); sent != c.want {
			t.Errorf("seen at %v: %s", c.seen.Sub(opens), told(out))
		}
	}
	ended := opens.Add(time.Second)
	m, _ = m.Step(ended, Asked{1})
	m, _ = m.Step(ended.Add(time.Second), Asked{1}) // it ended once
	free := ended
	until, _ = m.Deadline()
	if !until.Equal(free.Add(Window)) {
		t.Errorf("after the question, until %v", until)
	}
	m, _ = m.Step(ended.Add(time.Second), Begun{})
	for _, c := range []struct {
		began, at time.Time
		want      bool
	}{{free, until, true}, {free.Add(-1), until, false}, {free, until.Add(1), false}} {
		_, out := m.Step(c.at, Final{Turn: spoken("oui", c.began, c.at)})
		if _, sent := did[Send](happened{effects: out}); sent != c.want {
			t.Errorf("speech from %v to %v after the question: %s", c.began.Sub(free), c.at.Sub(free), told(out))
		}
	}
	if _, ok := New(testPrompts).Deadline(); ok {
		t.Error("nothing is waited for, and it has an end")
	}
}

// TestAnEchoIsNoRefusalEither: the body of the text holds a no, and a change.
func TestAnEchoIsNoRefusalEither(t *testing.T) {
	const body = "no change it, I am not coming tomorrow"
	for _, played := range []bool{false, true} {
		m, _ := New(testPrompts).Step(noon, Owner{true})
		m, _ = m.Step(noon, Prepared{draftA, body})
		m, _ = m.Step(noon, Started{1, draftA})
		want := "stop read-a-2"
		at := noon
		if played {
			m, _ = m.Step(noon, Played{1, 0})
			at, want = noon.Add(time.Second), "keypad"
			m, _ = m.Step(at, Begun{})
		}
		for _, heard := range []string{"no change it", "change it I am", "not coming tomorrow"} {
			if _, out := m.Step(at, Final{Turn: spoken(heard, at, at)}); told(out) != want {
				t.Errorf("%q: %s", heard, told(out))
			}
		}
	}
}
