package voice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/untrusted"
	"readback/voice"
)

type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func newCall() (*clock, *voice.Transcript, *voice.Ear) {
	c := &clock{time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	t, ear := voice.NewTranscript(c.now)
	return c, t, ear
}

func TestInvariant10OnlyAnEarAddsACallersTurn(t *testing.T) {
	c, tr, ear := newCall()
	words := untrusted.New("yes send it")
	for _, turn := range []voice.Turn{tr.Agent(words), tr.Tool(words)} {
		if !turn.Began().Equal(c.t) || !turn.Ended().Equal(c.t) {
			t.Errorf("the %v's turn is from %v to %v", turn.Role(), turn.Began(), turn.Ended())
		}
	}
	u, err := ear.Begin(200 * time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	u.Interim(words)
	for _, turn := range tr.Turns() {
		if turn.Role() == voice.Caller {
			t.Errorf("turn %d is the caller's", turn.Number())
		}
	}
	c.t = c.t.Add(time.Second)
	said, err := u.Final(words)
	if err != nil || said.Role() != voice.Caller || said.Number() != 3 || said.Key() != 0 || !said.Words().Equal(words) {
		t.Errorf("%d %v, %v", said.Number(), said.Role(), err)
	}
	if d := said.Ended().Sub(said.Began()); d != 1200*time.Millisecond {
		t.Errorf("it lasted %v", d)
	}
	if _, err := new(voice.Ear).Begin(0); !errors.Is(err, voice.ErrNoTranscript) {
		t.Errorf("an ear of nothing: %v", err)
	}
	if _, err := new(voice.Ear).Key('1', 0); !errors.Is(err, voice.ErrNoTranscript) {
		t.Errorf("an ear of nothing: %v", err)
	}
	if role := (voice.Turn{}).Role(); role != voice.Nobody {
		t.Errorf("the zero turn is of the %v", role)
	}
	// Nothing of a turn can be set from outside, and nothing but an ear and its utterance answers with a turn that a caller made.
	for _, typ := range []reflect.Type{reflect.TypeFor[voice.Turn](), reflect.TypeFor[voice.Ear](), reflect.TypeFor[voice.Utterance](), reflect.TypeFor[voice.Transcript]()} {
		for f := range typ.Fields() {
			if f.IsExported() {
				t.Errorf("%v.%s can be set", typ, f.Name)
			}
		}
	}
	var makers []string
	for m := range reflect.TypeFor[*voice.Transcript]().Methods() {
		for out := range m.Type.Outs() {
			if out == reflect.TypeFor[*voice.Ear]() || out == reflect.TypeFor[*voice.Utterance]() {
				makers = append(makers, m.Name)
			}
		}
	}
	if len(makers) > 0 {
		t.Errorf("a transcript gives away its ear by %v", makers)
	}
}

func TestInvariant10AnInterimTranscriptIsNoTurn(t *testing.T) {
	c, tr, ear := newCall()
	u, _ := ear.Begin(0)
	if _, ok := tr.Interim(); ok {
		t.Error("there are words before the first")
	}
	u.Interim(untrusted.New("yes"))
	u.Interim(untrusted.New("yesterday"))
	got, ok := tr.Interim()
	if !ok || !got.Words.Equal(untrusted.New("yesterday")) || !got.Began.Equal(c.t) || len(tr.Turns()) != 0 {
		t.Errorf("%v, %d turns", ok, len(tr.Turns()))
	}
	if reflect.TypeFor[voice.Interim]().ConvertibleTo(reflect.TypeFor[voice.Turn]()) {
		t.Error("an interim transcript converts to a turn")
	}
	// Another utterance begins before this one ended: the end of this one leaves it alone.
	v, _ := ear.Begin(0)
	v.Interim(untrusted.New("no"))
	u.Drop()
	if got, ok := tr.Interim(); !ok || !got.Words.Equal(untrusted.New("no")) {
		t.Error("the utterance that goes on was lost")
	}
	if _, err := u.Final(untrusted.New("yes")); !errors.Is(err, voice.ErrEnded) {
		t.Errorf("a dropped utterance: %v", err)
	}
	if _, err := v.Final(untrusted.Text{}); !errors.Is(err, voice.ErrNoWords) {
		t.Errorf("no words: %v", err)
	}
	if _, err := v.Final(untrusted.New("yes")); !errors.Is(err, voice.ErrEnded) {
		t.Errorf("a second end: %v", err)
	}
	v.Interim(untrusted.New("yes"))
	if _, ok := tr.Interim(); ok || len(tr.Turns()) != 0 {
		t.Error("what has ended goes on")
	}
}

func TestATranscriptOnlyGrows(t *testing.T) {
	_, tr, ear := newCall()
	tr.Agent(untrusted.New("hello"))
	got := tr.Turns()
	got[0] = voice.Turn{}
	_ = append(got, voice.Turn{})
	if _, err := ear.Key('1', 0); err != nil {
		t.Fatal(err)
	}
	if turns := tr.Turns(); len(turns) != 2 || turns[0].Role() != voice.Agent || turns[1].Key() != '1' || turns[1].Number() != 2 {
		t.Errorf("%d turns", len(turns))
	}
}

func TestKeys(t *testing.T) {
	c, tr, ear := newCall()
	for _, k := range voice.Keys {
		turn, err := ear.Key(k, 100*time.Millisecond)
		if err != nil || turn.Key() != k || turn.Role() != voice.Caller || !turn.Began().Equal(c.t.Add(-100*time.Millisecond)) || !turn.Ended().Equal(c.t) {
			t.Errorf("%q: %v", k, err)
		}
	}
	turns := tr.Turns()
	if last := turns[len(turns)-1]; !last.Began().Equal(c.t.Add(-100 * time.Millisecond)) {
		t.Error("the transcript keeps another beginning")
	}
	if turn, _ := ear.Key('1', -time.Hour); !turn.Began().Equal(c.t) {
		t.Error("a key was pressed in the future")
	}
	for _, k := range []rune{0, 'a', 'é', ' ', -1} {
		if _, err := ear.Key(k, 0); !errors.Is(err, voice.ErrNoKey) {
			t.Errorf("%q: %v", k, err)
		}
	}
}

func TestInvariant12AClockSetBackMakesATurnEarlierNeverLater(t *testing.T) {
	c, _, ear := newCall()
	if u, _ := ear.Begin(-time.Hour); !u.Began().Equal(c.t) {
		t.Error("an utterance began in the future")
	}
	u, _ := ear.Begin(0)
	c.t = c.t.Add(-time.Hour)
	if turn, _ := u.Final(untrusted.New("yes")); !turn.Began().Equal(c.t) || !turn.Ended().Equal(c.t) {
		t.Errorf("from %v to %v", turn.Began(), turn.Ended())
	}
}

func TestInvariant04NothingOfACallPrintsItsWords(t *testing.T) {
	_, tr, ear := newCall()
	words := untrusted.New("the secret")
	u, _ := ear.Begin(0)
	u.Interim(words)
	interim, _ := tr.Interim()
	turn, _ := u.Final(words)
	out := fmt.Sprintf("%v %+v %#v %v %+v %#v %+v", turn, turn, turn, interim, interim, interim, tr)
	b, err := json.Marshal([]any{turn, interim, tr.Turns()})
	if out += string(b); err != nil || strings.Contains(out, "secret") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestDuration(t *testing.T) {
	for want, f := range map[time.Duration]voice.Frame{
		20 * time.Millisecond: {Rate: 8000, Samples: make([]int16, 160)},
		time.Second:           {Rate: 16000, Samples: make([]int16, 16000)},
		0:                     {Samples: make([]int16, 160)},
	} {
		if got := f.Duration(); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := voice.Role(9).String() + voice.Role(-1).String() + voice.Caller.String(); got != "nobodynobodycaller" {
		t.Error(got)
	}
}

// TestInvariant11AKeyOfAPINStandsNowhere: one that is nobody's business is in no transcript, and no turn prints what was pressed or said.
func TestInvariant11AKeyOfAPINStandsNowhere(t *testing.T) {
	c, tr, ear := newCall()
	secret, err := ear.Secret('7')
	if err != nil || secret.Key() != '7' || secret.Role() != voice.Caller || secret.Number() != 0 || !secret.Began().Equal(c.t) || !secret.Ended().Equal(c.t) || len(tr.Turns()) != 0 {
		t.Errorf("%v %v, %d turns", secret, err, len(tr.Turns()))
	}
	if _, err := ear.Secret('x'); !errors.Is(err, voice.ErrNoKey) {
		t.Error(err)
	}
	if _, err := new(voice.Ear).Secret('7'); !errors.Is(err, voice.ErrNoTranscript) {
		t.Error(err)
	}
	kept, _ := ear.Key('7', 0)
	for _, turn := range []voice.Turn{secret, kept, tr.Agent(untrusted.New("hello"))} {
		var b bytes.Buffer
		slog.New(slog.NewTextHandler(&b, nil)).Info("x", "turn", turn, "said", voice.Said{Turn: turn})
		js, _ := json.Marshal(map[string]any{"turn": turn})
		all := fmt.Sprintf("%v %+v %#v %d %c %q %s %+v %+v %#v", turn, turn, turn, turn, turn, turn, turn, &turn, voice.Said{Turn: turn}, []voice.Turn{turn}) + string(js) + b.String()[strings.Index(b.String(), "turn="):]
		if strings.ContainsAny(all, "7") || strings.Contains(all, "55") || strings.Contains(all, "hello") {
			t.Error(all)
		}
	}
}
