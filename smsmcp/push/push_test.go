package push

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
)

var (
	noon      = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	errUsed   = errors.New("used")
	errLate   = errors.New("late")
	errNoTap  = errors.New("no tap")
	errOpen   = fmt.Errorf("open to all: %w", smsmcp.ErrNoLeave)
	errBroken = errors.New("disk full")
)

// desk is a desk and a store in one, that keeps the rules of both.
type desk struct {
	mu     sync.Mutex
	sends  map[smsmcp.SendID]smsmcp.Send
	taps   map[[32]byte]smsmcp.Tap
	used   map[[32]byte]bool
	frozen int
	yes    int
	fail   error
	slow   func(smsmcp.Send) // the carrier's time
}

func (d *desk) Waiting(context.Context) (list []smsmcp.Send, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sends {
		if s.State == smsmcp.Waiting {
			list = append(list, s)
		}
	}
	return list, d.fail
}

func (d *desk) answer(id smsmcp.SendID, state smsmcp.SendState, on smsmcp.Channel) (smsmcp.Send, error) {
	s := d.sends[id]
	if s.State == smsmcp.Waiting {
		s.State, s.ConfirmedBy = state, on
		d.sends[id] = s
	}
	return s, d.fail
}

func (d *desk) Yes(_ context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sends[id].Draft.Digest() != digest {
		return d.sends[id], errors.New("altered")
	}
	d.yes++
	if d.slow != nil {
		s := d.sends[id]
		s.State = smsmcp.Reserved
		d.sends[id] = s
		d.mu.Unlock()
		d.slow(s)
		d.mu.Lock()
		return d.sends[id], nil
	}
	return d.answer(id, smsmcp.Done, on)
}

func (d *desk) No(_ context.Context, id smsmcp.SendID, _ smsmcp.Channel) (smsmcp.Send, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answer(id, smsmcp.Declined, "")
}

func (d *desk) Freeze(context.Context, smsmcp.Channel) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen++
	return d.fail
}

func (d *desk) Frozen(context.Context) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.frozen > 0, d.fail
}

func (d *desk) Unsettled(context.Context) (list []smsmcp.Send, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sends {
		if s.State == smsmcp.Unknown || s.State == smsmcp.Reserved {
			list = append(list, s)
		}
	}
	return list, d.fail
}

func (d *desk) AddTaps(_ context.Context, _ time.Time, taps []smsmcp.Tap) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range taps {
		d.taps[t.Hash] = t
	}
	return d.fail
}

func (d *desk) UseTap(_ context.Context, now time.Time, hash [32]byte) (smsmcp.Tap, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, ok := d.taps[hash]
	switch {
	case d.fail != nil:
		return t, d.fail
	case !ok:
		return smsmcp.Tap{}, errNoTap
	case d.used[hash]:
		return t, errUsed
	case !now.Before(t.Expires):
		return t, errLate
	}
	d.used[hash] = true
	return t, nil
}

func (d *desk) Send(_ context.Context, id smsmcp.SendID) (smsmcp.Send, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sends[id], d.fail
}

func (d *desk) set(s smsmcp.Send) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sends[s.ID] = s
}

// phone is a messenger that shows what came, by sequence.
type phone struct {
	mu    sync.Mutex
	notes []smsmcp.Note
	check error
	fail  error
}

func (p *phone) Publish(_ context.Context, n smsmcp.Note) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		return p.fail
	}
	p.notes = append(p.notes, n)
	return nil
}

func (p *phone) Check(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.check
}

func (p *phone) set(check, fail error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.check, p.fail = check, fail
}

func (p *phone) got() []smsmcp.Note {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]smsmcp.Note(nil), p.notes...)
}

type down struct{}

func (down) Error() string { return "ntfy: down" }
func (down) Unwrap() error { return smsmcp.ErrDown }
func (down) Code() string  { return "ntfy_unreachable" }

func waiting(id smsmcp.SendID, body string, now time.Time) smsmcp.Send {
	return smsmcp.Send{
		ID: id, Draft: smsmcp.RestoreDraft(1, 1, "+15145550101", body), Name: "Marie Tremblay", State: smsmcp.Waiting,
		Reasons: []smsmcp.Reason{{Rule: "hold", Until: now.Add(time.Hour)}}, Created: now, Expires: now.Add(10 * time.Minute),
	}
}

type rig struct {
	desk   *desk
	phone  *phone
	asker  *Asker
	logged *bytes.Buffer
	http   http.Handler
}

func newRig(now func() time.Time, change func(*Options)) *rig {
	d := &desk{sends: map[smsmcp.SendID]smsmcp.Send{}, taps: map[[32]byte]smsmcp.Tap{}, used: map[[32]byte]bool{}}
	r := &rig{desk: d, phone: &phone{}, logged: &bytes.Buffer{}}
	o := Options{
		Desk: d, Store: d, Messenger: r.phone, Used: errUsed, Late: errLate, NoTap: errNoTap, Address: "https://texts.example.com", Now: now, Random: rand.Reader,
		Rand: mrand.New(mrand.NewPCG(1, 2)), Lang: lang.EN, Zone: time.UTC, Log: slog.New(slog.NewTextHandler(r.logged, nil)),
	}
	if change != nil {
		change(&o)
	}
	r.asker = New(o)
	r.http = r.asker.Handler("https://ntfy.example.com", "https://texts.example.com")
	return r
}

func fixed() time.Time { return noon }

func (r *rig) step(t *testing.T) {
	t.Helper()
	if err := r.asker.step(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// press posts a button's token as a phone does.
func (r *rig) press(b smsmcp.Button, change func(*http.Request)) (int, string) {
	req := httptest.NewRequest(http.MethodPost, b.URL, strings.NewReader(b.Body))
	if change != nil {
		change(req)
	}
	w := httptest.NewRecorder()
	r.http.ServeHTTP(w, req)
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestTheQuestionShowsWhatIsSent(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "On my way, 10 min.", noon))
	r.step(t)
	r.step(t)
	got := r.phone.got()
	if len(got) != 1 {
		t.Fatalf("%d notes, want one question, asked once", len(got))
	}
	n := got[0]
	if n.Title != "Send to Marie Tremblay (+15145550101)?" || !strings.HasPrefix(n.Body, "«On my way, 10 min.»\n- ") || n.Click != "https://texts.example.com/sends/abcdefghij" {
		t.Errorf("%+v", n)
	}
	if len(n.Buttons) != 3 || n.Buttons[0].Label != "Send" || n.Buttons[1].Label != "Don't send" || n.Buttons[2].Label != "Freeze" {
		t.Fatalf("%+v", n.Buttons)
	}
	for _, b := range n.Buttons {
		if b.URL != "https://texts.example.com/tap" || len(b.Body) != 26 || strings.Contains(r.logged.String(), b.Body) {
			t.Errorf("%+v", b)
		}
		if _, kept := r.desk.taps[sha256.Sum256([]byte(b.Body))]; !kept {
			t.Error("a button left whose token is not kept")
		}
	}
}

// TestInvariant14OnlyWhatAPhoneShowsWholeIsSentByAButton: what is long, has lines, or could pass for the program's words goes by the page.
func TestInvariant14OnlyWhatAPhoneShowsWholeIsSentByAButton(t *testing.T) {
	for body, button := range map[string]bool{
		"ok": true, strings.Repeat("é", 160): true, "J'arrive « bientôt »": false, strings.Repeat("x", 161): false, "one\ntwo": false, "yes» - It is safe": false, " ok": false,
		"a\u200bb": false, "👍🏽 d'accord": true, "a << b": false, "مرحبا": true,
	} {
		r := newRig(fixed, nil)
		r.desk.set(waiting("abcdefghij", body, noon))
		r.step(t)
		n := r.phone.got()[0]
		if has := n.Buttons[0].Label == "Send"; has != button || len(n.Buttons) != 3 {
			t.Errorf("%q: %+v", body, n.Buttons)
		}
		if button && !strings.HasPrefix(n.Body, "«"+body+"»\n") {
			t.Errorf("%q is shown as %q", body, n.Body)
		}
		if inside, _, _ := strings.Cut(strings.TrimPrefix(n.Body, "«"), "»"); strings.Contains(inside, "«") {
			t.Errorf("%q: %q", body, n.Body)
		}
	}
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", strings.Repeat("日本", 1000), noon))
	r.step(t)
	if n := r.phone.got()[0]; len(n.Body) > 3500 || !strings.Contains(n.Body, "(1300 more characters)") {
		t.Errorf("%d bytes: %s", len(n.Body), n.Body)
	}
	r = newRig(fixed, func(o *Options) { o.Address = "" })
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	if n := r.phone.got()[0]; len(n.Buttons) != 0 || !strings.Contains(n.Body, "readback approve abcdefghij") || r.asker.Reachable() {
		t.Errorf("%+v", n)
	}
}

func TestATapSendsOnceAndEachIsAnswered(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons
	for i, want := range []struct {
		b      smsmcp.Button
		status int
		said   string
	}{{b[0], 200, "Sent."}, {b[0], 409, "That button was pressed before: nothing more was done. Sent."}, {b[1], 200, "Sent."}} {
		if status, said := r.press(want.b, nil); status != want.status || said != want.said {
			t.Errorf("%d: %d %q", i, status, said)
		}
		r.step(t)
		got := r.phone.got()
		if n := got[len(got)-1]; len(got) != i+2 || n.Sequence != got[0].Sequence || n.Body != want.said || len(n.Buttons) != 0 {
			t.Errorf("%d: no receipt in the question's place: %+v", i, got)
		}
	}
	if r.desk.yes != 1 || r.desk.sends["abcdefghij"].ConfirmedBy != smsmcp.Phone {
		t.Errorf("%d yes", r.desk.yes)
	}
}

func TestFreezeAndDont(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons
	for range 2 {
		r.press(b[2], nil)
		r.step(t)
	}
	for _, n := range r.phone.got()[1:] {
		if n.Sequence == r.phone.got()[0].Sequence || !strings.HasPrefix(n.Body, "All sends are") {
			t.Errorf("the question that still waits has lost its place, or the receipt says nothing of the freeze: %+v", n)
		}
	}
	if r.desk.frozen != 1 {
		t.Errorf("one button froze %d times", r.desk.frozen)
	}
	if status, said := r.press(b[1], nil); status != 200 || said != "Not sent: you said no." {
		t.Errorf("%d %q", status, said)
	}
	if status, said := r.press(b[0], nil); status != 200 || said != "Not sent: you said no." || r.desk.sends["abcdefghij"].State != smsmcp.Declined {
		t.Errorf("%d %q", status, said)
	}
}

// TestInvariant05NothingElsePassesForATap tries what is no press of a button.
func TestInvariant05NothingElsePassesForATap(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons[0]
	for name, change := range map[string]func(*http.Request){
		"by GET":            func(q *http.Request) { q.Method = http.MethodGet },
		"in the address":    func(q *http.Request) { q.URL.RawQuery = "token=" + b.Body },
		"from another site": func(q *http.Request) { q.Header.Set("Origin", "https://evil.example") },
		"from no site":      func(q *http.Request) { q.Header.Set("Origin", "null") },
		"as a form":         func(q *http.Request) { q.Header.Set("Content-Type", "application/x-www-form-urlencoded") },
		"with more":         func(q *http.Request) { q.Body = http.NoBody },
	} {
		if status, said := r.press(b, change); status < 400 || r.desk.yes != 0 || strings.Contains(said, b.Body) {
			t.Errorf("%s: %d %q", name, status, said)
		}
	}
	for _, token := range []string{"", "a", b.Body + "a", strings.ToUpper(b.Body), strings.Repeat("a", 26), string(make([]byte, 26))} {
		if status, _ := r.press(smsmcp.Button{URL: b.URL, Body: token}, nil); status != http.StatusNotFound {
			t.Errorf("%q: %d", token, status)
		}
	}
	if status, _ := r.press(b, func(q *http.Request) { q.Header.Set("Origin", "https://ntfy.example.com") }); status != 200 || r.desk.yes != 1 {
		t.Errorf("ntfy's own page may post one: %d", status)
	}
}

func TestADraftThatChangedIsNotSentByAnOldButton(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	r.desk.set(waiting("abcdefghij", "something else", noon))
	if status, _ := r.press(r.phone.got()[0].Buttons[0], nil); status != http.StatusServiceUnavailable || r.desk.yes != 0 {
		t.Errorf("%d", status)
	}
}

// TestAQuestionIsRetriedAndItsEndIsTold has the messenger down for most of the time that the question is good.
func TestAQuestionIsRetriedAndItsEndIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(time.Now, nil)
		ctx, stop := context.WithCancel(t.Context())
		go r.asker.Run(ctx)
		synctest.Wait()
		if !r.asker.Reachable() || r.asker.Part().Failure != "" {
			t.Fatal("not reachable")
		}
		r.phone.set(nil, down{})
		r.desk.set(waiting("abcdefghij", "ok", time.Now()))
		r.asker.Tell(r.desk.sends["abcdefghij"])
		time.Sleep(5 * time.Minute)
		if !r.asker.Reachable() || r.asker.Part().Failure != "ntfy_unreachable" || len(r.phone.got()) != 0 {
			t.Errorf("%+v", r.asker.Part())
		}
		r.phone.set(nil, nil)
		time.Sleep(time.Minute)
		if got := r.phone.got(); len(got) != 1 || r.asker.Part().Failure != "" {
			t.Fatalf("%+v", got)
		}
		s := r.desk.sends["abcdefghij"]
		s.State = smsmcp.Expired
		r.desk.set(s)
		time.Sleep(20 * time.Second)
		got := r.phone.got()
		if len(got) != 2 || got[1].Body != "Not sent: nobody answered in time." || got[1].Sequence != got[0].Sequence {
			t.Errorf("%+v", got)
		}
		stop()
		synctest.Wait()
	})
}

// TestAnEndThatIsToldOfHasOneReceipt, and not another when it is found to be over.
func TestAnEndThatIsToldOfHasOneReceipt(t *testing.T) {
	r := newRig(fixed, nil)
	s := waiting("abcdefghij", "ok", noon)
	r.desk.set(s)
	r.step(t)
	s.State = smsmcp.Expired
	r.desk.set(s)
	r.asker.Tell(s)
	for range 3 {
		r.step(t)
	}
	if got := r.phone.got(); len(got) != 2 || got[1].Body != "Not sent: nobody answered in time." {
		t.Errorf("%+v", got)
	}
}

// TestInvariant06AnOpenTopicIsNoChannel: nothing leaves for a messenger that everybody can read.
func TestInvariant06AnOpenTopicIsNoChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(time.Now, nil)
		r.phone.set(errOpen, nil)
		r.desk.set(waiting("abcdefghij", "ok", time.Now()))
		ctx, stop := context.WithCancel(t.Context())
		go r.asker.Run(ctx)
		time.Sleep(5 * time.Minute)
		if r.asker.Reachable() || len(r.phone.got()) != 0 {
			t.Errorf("%+v", r.phone.got())
		}
		r.phone.set(nil, nil)
		time.Sleep(time.Minute)
		if !r.asker.Reachable() || len(r.phone.got()) != 1 {
			t.Error("not reachable, or not asked")
		}
		r.phone.set(errOpen, nil)
		time.Sleep(2 * time.Hour)
		if r.asker.Reachable() {
			t.Error("a topic that was opened later is a channel still")
		}
		stop()
		synctest.Wait()
	})
}

func TestReceiptsOfSendsThatNeededNoYes(t *testing.T) {
	r := newRig(fixed, nil)
	for i, c := range []struct {
		state smsmcp.SendState
		want  string
	}{{smsmcp.Done, "Sent."}, {smsmcp.Unknown, "It may have gone"}, {smsmcp.Failed, "Not sent. "}} {
		s := waiting(smsmcp.SendID(fmt.Sprint("send", i)), "ok", noon)
		s.State, s.Failure = c.state, "sms_failed"
		r.asker.Tell(s)
		r.step(t)
		if got := r.phone.got(); len(got) != i+1 || !strings.HasPrefix(got[i].Body, c.want) || got[i].Priority != quiet {
			t.Errorf("%s: %+v", c.state, got)
		}
	}
	refused := waiting("x", "ok", noon)
	refused.State, refused.Expires = smsmcp.Refused, time.Time{}
	r.asker.Tell(refused)
	r.step(t)
	if len(r.phone.got()) != 3 {
		t.Error("what the guard refused at once is told of on the phone")
	}
	r.phone.set(nil, down{})
	for i := range 3 * maxReceipts {
		s := waiting(smsmcp.SendID(fmt.Sprint("many", i)), "ok", noon)
		s.State = smsmcp.Done
		r.asker.Tell(s)
	}
	if _ = r.asker.step(t.Context()); len(r.asker.receipts) != maxReceipts {
		t.Errorf("%d receipts wait", len(r.asker.receipts))
	}
}

// TestInvariant06ATopicThatIsNotKnownToBeClosedTakesNoYes: the token may be anybody's then. The question comes anew once the topic is good. What only tightens is taken.
func TestInvariant06ATopicThatIsNotKnownToBeClosedTakesNoYes(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons
	r.asker.checked = time.Time{}
	if status, said := r.press(b[0], nil); status != http.StatusServiceUnavailable || said != screen.PushBroken.EN || r.desk.yes != 0 {
		t.Errorf("%d %q", status, said)
	}
	r.step(t)
	got := r.phone.got()
	if len(got) != 2 || got[1].Sequence != got[0].Sequence {
		t.Fatalf("%+v", got)
	}
	if status, _ := r.press(got[1].Buttons[0], nil); status != 200 || r.desk.yes != 1 {
		t.Errorf("%d, %d yes", status, r.desk.yes)
	}
	r.asker.checked = time.Time{}
	if status, _ := r.press(b[2], nil); status != 200 || r.desk.frozen != 1 {
		t.Errorf("freeze: %d", status)
	}
	r.desk.set(waiting("other", "ok", noon))
	r.step(t)
	got = r.phone.got()
	r.asker.checked = time.Time{}
	if status, _ := r.press(got[len(got)-1].Buttons[1], nil); status != 200 || r.desk.sends["other"].State != smsmcp.Declined {
		t.Errorf("don't: %d", status)
	}
}

// TestOneQuestionThatIsRefusedKeepsNoOther: what ntfy will not take of one note says nothing of the topic.
func TestOneQuestionThatIsRefusedKeepsNoOther(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	r.desk.set(waiting("refused", "x", noon))
	r.phone.set(nil, errors.New("ntfy: 400"))
	if err := r.asker.step(t.Context()); err == nil || !r.asker.Reachable() {
		t.Errorf("%v, %v", err, r.asker.Reachable())
	}
	if status, _ := r.press(r.phone.got()[0].Buttons[0], nil); status != 200 || r.desk.yes != 1 {
		t.Errorf("%d", status)
	}
}

// TestASlowCarrierIsOnItsWay: the phone hears at once that the yes is taken, and then how it came out, by one receipt each.
func TestASlowCarrierIsOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(time.Now, nil)
		r.desk.set(waiting("abcdefghij", "ok", time.Now()))
		r.step(t)
		r.desk.slow = func(s smsmcp.Send) {
			time.Sleep(20 * time.Second)
			s.State, s.ConfirmedBy = smsmcp.Done, smsmcp.Phone
			r.desk.set(s)
			r.asker.Tell(s)                                            // as the door does, before it returns
			if err := r.asker.step(context.Background()); err != nil { // and that receipt has left by then
				t.Error(err)
			}
		}
		if status, said := r.press(r.phone.got()[0].Buttons[0], nil); status != http.StatusAccepted || said != "On its way." {
			t.Errorf("%d %q", status, said)
		}
		r.step(t)
		r.step(t) // what is with the carrier is not over
		time.Sleep(30 * time.Second)
		r.step(t)
		var said []string
		for _, n := range r.phone.got()[1:] {
			said = append(said, n.Body)
		}
		if want := []string{"On its way.", "Sent."}; !slices.Equal(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	})
}

// TestAPressThatComesTooLateIsAnswered, and freezes all the same for a day.
func TestAPressThatComesTooLateIsAnswered(t *testing.T) {
	now := noon
	r := newRig(func() time.Time { return now }, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	b := r.phone.got()[0].Buttons
	now = noon.Add(11 * time.Minute)
	s := r.desk.sends["abcdefghij"]
	s.State = smsmcp.Expired
	r.desk.set(s)
	r.step(t)
	before := len(r.phone.got())
	if status, said := r.press(b[0], nil); status != http.StatusGone || said != "That button's time is past: nothing was done. Not sent: nobody answered in time." || r.desk.yes != 0 {
		t.Errorf("%d %q", status, said)
	}
	r.step(t)
	if len(r.phone.got()) != before+1 {
		t.Error("no receipt")
	}
	for _, want := range []string{"All sends are frozen", "All sends are frozen"} {
		if _, said := r.press(b[2], nil); !strings.HasPrefix(said, want) || r.desk.frozen != 1 {
			t.Errorf("%q, frozen %d times", said, r.desk.frozen)
		}
	}
	r.desk.frozen = 0 // thawed
	if status, said := r.press(b[2], nil); status != http.StatusConflict || r.desk.frozen != 0 || !strings.HasPrefix(said, "That button was pressed before") {
		t.Errorf("%d %q", status, said)
	}
	now = noon.Add(25 * time.Hour)
	if status, _ := r.press(b[1], nil); status != http.StatusGone {
		t.Errorf("%d", status)
	}
}

// TestWhatACrashTookTheOutcomeOfIsToldOf when the program starts again.
func TestWhatACrashTookTheOutcomeOfIsToldOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(time.Now, nil)
		for id, failure := range map[smsmcp.SendID]string{"cut": smsmcp.Interrupted, "older": "time_out"} {
			s := waiting(id, "ok", time.Now())
			s.State, s.Failure, s.ConfirmedBy = smsmcp.Unknown, failure, smsmcp.Phone
			r.desk.set(s)
		}
		ctx, stop := context.WithCancel(t.Context())
		go r.asker.Run(ctx)
		synctest.Wait()
		if got := r.phone.got(); len(got) != 1 || got[0].Sequence != "send-cut" || !strings.HasPrefix(got[0].Body, "It may have gone") {
			t.Errorf("%+v", got)
		}
		s := r.desk.sends["cut"]
		s.State = smsmcp.Done
		r.asker.Tell(s) // the list has it
		synctest.Wait()
		if got := r.phone.got(); len(got) != 2 || got[1].Body != "Sent." {
			t.Errorf("%+v", got)
		}
		stop()
		synctest.Wait()
	})
}

// TestAButtonFromWhichNothingCameIsGivenAnew, since it is used up.
func TestAButtonFromWhichNothingCameIsGivenAnew(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	r.desk.set(waiting("abcdefghij", "other", noon)) // the desk refuses the yes
	if status, _ := r.press(r.phone.got()[0].Buttons[0], nil); status != http.StatusServiceUnavailable {
		t.Errorf("%d", status)
	}
	r.step(t)
	if got := r.phone.got(); len(got) != 2 || got[1].Sequence != got[0].Sequence || got[1].Buttons[0].Body == got[0].Buttons[0].Body {
		t.Errorf("%+v", got)
	}
}

func TestWhatWasHandedOverIsNotCalledSent(t *testing.T) {
	r := newRig(fixed, nil)
	s := waiting("abcdefghij", "ok", noon)
	s.State, s.Delivery = smsmcp.Done, smsmcp.HandedOver
	r.asker.Tell(s)
	r.step(t)
	if got := r.phone.got(); len(got) != 1 || got[0].Body != "Handed over to your Asterisk. Nothing says whether it arrives." {
		t.Errorf("%+v", got)
	}
}

func TestWarningsGoToThePhone(t *testing.T) {
	r := newRig(fixed, nil)
	for range 2 {
		r.asker.Warn("passkey", "Your page", "A passkey was added.")
	}
	r.step(t)
	if got := r.phone.got(); len(got) != 1 || got[0].Sequence != "warn-passkey" || got[0].Priority != loud || len(got[0].Buttons) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestABrokenStoreSendsNothingAndSaysSo(t *testing.T) {
	r := newRig(fixed, nil)
	r.desk.set(waiting("abcdefghij", "ok", noon))
	r.step(t)
	r.desk.fail = errBroken
	if status, said := r.press(r.phone.got()[0].Buttons[0], nil); status != http.StatusServiceUnavailable || said != screen.PushBroken.EN || r.desk.yes != 0 {
		t.Errorf("%d %q", status, said)
	}
	r.desk.fail = nil
	if status, _ := r.press(r.phone.got()[0].Buttons[0], nil); status != 200 || r.desk.yes != 1 {
		t.Errorf("the button is lost to a fault of ours: %d", status)
	}
}
