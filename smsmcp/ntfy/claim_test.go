package ntfy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// queue is a store that holds rows as they are put: also such as no store should give.
type queue struct {
	mu      sync.Mutex
	waiting []notice
	known   []notice
	told    []smsmcp.TextID
	paced   []smsmcp.Text
	err     error // of Told
}

func (q *queue) Owed(context.Context) (o smsmcp.Owed, _ error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if o.Waiting = len(q.waiting); o.Waiting > 0 {
		o.First, o.Stored = q.waiting[0].row, q.waiting[0].stored
	}
	if len(q.known) > 0 {
		o.Known, o.KnownStored = q.known[0].row, q.known[0].stored
	}
	return o, nil
}

func (q *queue) Told(_ context.Context, _ time.Time, id smsmcp.TextID) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return q.err
	}
	q.told = append(q.told, id)
	is := func(n notice) bool { return n.row.Text.ID == id }
	q.waiting, q.known = slices.DeleteFunc(q.waiting, is), slices.DeleteFunc(q.known, is)
	return nil
}

func (q *queue) ToldClaim(ctx context.Context, now time.Time, id smsmcp.TextID) error {
	q.mu.Lock()
	for _, n := range q.waiting {
		if n.row.Text.ID == id && !n.row.Text.Unverified && q.err == nil {
			q.known = append(q.known, n)
			q.waiting = slices.DeleteFunc(q.waiting, func(n notice) bool { return n.row.Text.ID == id })
			q.mu.Unlock()
			return nil
		}
	}
	q.mu.Unlock()
	return q.Told(ctx, now, id)
}

func (q *queue) Pace(_ context.Context, x smsmcp.Text, _, _ time.Time) (smsmcp.Pace, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.paced = append(q.paced, x)
	return smsmcp.Pace{}, nil
}

func (q *queue) Hold(context.Context, smsmcp.Text, time.Time) error { return errors.ErrUnsupported }
func (q *queue) HoldStrangers(context.Context, time.Time) error     { return errors.ErrUnsupported }
func (q *queue) HoldAllBut(context.Context, int, time.Time) error   { return errors.ErrUnsupported }
func (q *queue) Summary(context.Context) (smsmcp.Summary, error) {
	return smsmcp.Summary{}, errors.ErrUnsupported
}
func (q *queue) Summed(context.Context, time.Time, smsmcp.TextID) error { return errors.ErrUnsupported }
func (q *queue) set(f func(q *queue))                                   { q.mu.Lock(); defer q.mu.Unlock(); f(q) }
func (q *queue) get(f func(q *queue) bool) bool                         { q.mu.Lock(); defer q.mu.Unlock(); return f(q) }

// claim is a text that claims to be from Marie's number, in a row that has her for its contact, as no store should give it.
func claim(id int, body string) notice {
	x := text(fmt.Sprint(id), smsmcp.NumberPeer(marie), body, noon)
	x.ID, x.Unverified = smsmcp.TextID(id), true
	return notice{row: &smsmcp.Row{Text: x, Contact: &smsmcp.Contact{ID: 1, Name: "Marie Tremblay"}}, stored: noon.Add(time.Duration(id) * time.Millisecond)}
}

// confirmed is a claim as it is once the carrier's list has it, by a key of its own.
func confirmed(n notice) notice {
	row := *n.row
	row.Text.Unverified, row.Text.Key = false, smsmcp.Key{Carrier: "list", Kind: smsmcp.SMS, ID: "other"}
	return notice{row: &row, stored: n.stored}
}

// datagram is a text that came by a message which anyone can have written, and claims to be from Marie's number.
func datagram(body string, at time.Time) smsmcp.Text {
	x := text(body, smsmcp.NumberPeer(marie), body, at)
	x.Key.Carrier, x.Unverified = "sip", true
	return x
}

// counted counts events by what they are and their label.
func counted(into map[string]int) smsmcp.Observe {
	var mu sync.Mutex
	return func(e smsmcp.Event, label string) {
		mu.Lock()
		defer mu.Unlock()
		into[string(e)+" "+label]++
	}
}

// TestInvariant03AClaimIsToldWithoutANameUntilItIsKnown, and then once more, in the place of the first.
func TestInvariant03AClaimIsToldWithoutANameUntilItIsKnown(t *testing.T) {
	srv, events := newServer(t), map[string]int{}
	first, second := claim(1, "Change of plan"), claim(2, "Your code is 482913")
	q := &queue{waiting: []notice{first, second}}
	b, c := newBridge(t, srv, q, Options{Observe: counted(events)})
	_, err := settle(t, b)
	ok(t, err)
	got := srv.messages()
	for i, want := range []message{
		{Message: "«Change of plan»", Priority: usual, Tags: []string{tagStranger, tagUnverified}},
		{Message: "Code: 482913\n«Your code is 482913»", Priority: urgent, Tags: []string{tagStranger, tagUnverified, tagCode}},
	} {
		want.Topic, want.Title, want.SequenceID = "texts", "+15145550101 (unverified, may be anybody)", got[i].SequenceID
		if fmt.Sprint(got[i]) != fmt.Sprint(want) {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
	if len(got) != 2 || got[0].SequenceID == got[1].SequenceID || len(q.paced) != 2 || !q.paced[0].Unverified {
		t.Fatalf("%+v, paced as %+v", got, q.paced)
	}
	q.known = []notice{confirmed(second), confirmed(first)}
	if idle, err := settle(t, b); err != nil || idle != apart || len(srv.messages()) != 0 {
		t.Errorf("named within a second: %v, %v", idle, err)
	}
	c.now = noon.Add(apart)
	_, err = settle(t, b)
	ok(t, err)
	again := srv.messages()
	if len(again) != 2 || again[0].SequenceID != got[1].SequenceID || again[1].SequenceID != got[0].SequenceID {
		t.Fatalf("%+v", again)
	}
	for i, tags := range [][]string{{tagContact, tagCode}, {tagContact}} {
		if m := again[i]; m.Title != "Marie Tremblay" || m.Priority != quiet || !slices.Equal(m.Tags, tags) || m.Message != got[1-i].Message {
			t.Errorf("%+v", m)
		}
	}
	if events["notified text"] != 2 || events["notified name"] != 2 || len(events) != 2 || !slices.Equal(q.told, []smsmcp.TextID{1, 2, 2, 1}) {
		t.Errorf("%v, %v", events, q.told)
	}
}

// TestInvariant08AClaimThatTheListHasIsNamedInItsPlace, by a real store: the text has another key by then, and the flood's limits do not count it anew. What no list has
// stays a claim, and holds up nobody (the number's own limit is for the number's own texts).
func TestInvariant08AClaimThatTheListHasIsNamedInItsPlace(t *testing.T) {
	srv, s := newServer(t), newStore(t, "")
	b, c := newBridge(t, srv, s, Options{PerSender: 3, Backlog: 1000})
	pass := func(texts ...smsmcp.Text) []message {
		t.Helper()
		add(t, s, c.now, texts...)
		_, err := settle(t, b)
		ok(t, err)
		c.now = c.now.Add(apart)
		return srv.messages()
	}
	claims := pass(datagram("one", noon), datagram("spoof", noon), datagram("two", noon))
	named := pass(text("1", smsmcp.NumberPeer(marie), "one", noon), text("2", smsmcp.NumberPeer(marie), "two", noon))
	if len(claims) != 3 || len(named) != 2 || named[0].SequenceID != claims[0].SequenceID || named[1].SequenceID != claims[2].SequenceID {
		t.Fatalf("%+v, %+v", claims, named)
	}
	for _, m := range claims {
		if strings.Contains(m.Title+m.Message, "Marie") || !slices.Contains(m.Tags, tagUnverified) {
			t.Errorf("%+v", m)
		}
	}
	for _, m := range named {
		if m.Title != "Marie Tremblay" || m.Priority != quiet {
			t.Errorf("%+v", m)
		}
	}
	if got := pass(datagram("four", c.now), datagram("five", c.now), datagram("six", c.now)); len(got) != 2 { // one of the first three claims counts still
		t.Errorf("%d more claims told: %+v", len(got), got)
	}
	if got := pass(text("3", smsmcp.NumberPeer(marie), "seven", c.now)); len(got) != 1 || got[0].Title != "Marie Tremblay" || got[0].Priority != urgent {
		t.Errorf("claims keep Marie out: %+v", got)
	}
}

// TestASequenceIsOfOneTextAlone: a restored backup gives the ids of what came after it anew, and the carrier's list gives a text another key.
func TestASequenceIsOfOneTextAlone(t *testing.T) {
	first := claim(1, "hi")
	is := func(n notice) string { return ofText("texts", n, lang.EN, false).SequenceID }
	otherID, otherTime := confirmed(first), notice{row: first.row, stored: first.stored.Add(time.Millisecond)}
	otherID.row.Text.ID = 2
	if is(first) != is(confirmed(first)) || is(first) == is(otherID) || is(first) == is(otherTime) || len(is(first)) != 26 {
		t.Error("two texts have one sequence, or one has two")
	}
}

func TestAClaimInFrench(t *testing.T) {
	srv, q := newServer(t), &queue{waiting: []notice{claim(1, "hi")}}
	b, _ := newBridge(t, srv, q, Options{Lang: lang.FR, Hide: true})
	_, err := settle(t, b)
	ok(t, err)
	if got := srv.messages(); len(got) != 1 || got[0].Title != "+15145550101 (non vérifié, peut être n'importe qui)" || got[0].Message != lang.PersonHidden.FR {
		t.Errorf("%+v", got)
	}
}

// TestANameThatIsNoneAnyMoreIsNotGiven: the contact was removed, or the row is no better known than it was.
func TestANameThatIsNoneAnyMoreIsNotGiven(t *testing.T) {
	srv := newServer(t)
	removed := confirmed(claim(1, "hi"))
	removed.row.Contact = nil
	q := &queue{known: []notice{removed, claim(2, "hi")}}
	b, _ := newBridge(t, srv, q, Options{})
	_, err := settle(t, b)
	ok(t, err)
	if got := srv.messages(); len(got) != 0 || len(q.told) != 2 {
		t.Errorf("%+v, %v", got, q.told)
	}
}

// TestATextThatBecomesKnownWhileItIsTold is told of with its name too: the store has it as one that waits, and as known.
func TestATextThatBecomesKnownWhileItIsTold(t *testing.T) {
	srv := newServer(t)
	n := claim(1, "hi")
	q := &queue{waiting: []notice{n, claim(2, "other")}}
	srv.failing(func(m message, _ http.ResponseWriter) bool {
		if m.Message == "«hi»" && m.Title != "Marie Tremblay" {
			q.set(func(q *queue) { q.waiting[0] = confirmed(n) })
		}
		return false
	})
	b, c := newBridge(t, srv, q, Options{})
	_, err := settle(t, b)
	ok(t, err)
	c.now = c.now.Add(apart)
	_, err = settle(t, b)
	ok(t, err)
	got := srv.messages()
	if len(got) != 3 || got[0].Title == "Marie Tremblay" || got[2].Title != "Marie Tremblay" || got[2].Priority != quiet || got[2].SequenceID != got[0].SequenceID || got[1].Message != "«other»" || len(q.told) != 2 {
		t.Errorf("%+v, %v", got, q.told)
	}
}

// TestANameIsNotGivenTwiceWhereItsMarkFails as it was not written down the first time.
func TestANameIsNotGivenTwiceWhereItsMarkFails(t *testing.T) {
	srv, q := newServer(t), &queue{known: []notice{confirmed(claim(1, "hi"))}, err: errors.New("disk full")}
	b, _ := newBridge(t, srv, q, Options{})
	for range 3 {
		if _, err := settle(t, b); codeOf(err) != CodeStore {
			t.Fatal(err)
		}
	}
	q.err = nil
	_, err := settle(t, b)
	ok(t, err)
	if got := srv.messages(); len(got) != 1 || len(q.told) != 1 {
		t.Errorf("%+v, %v", got, q.told)
	}
}

// TestANameDelaysNoText: texts go first, and one that comes while ntfy fails at a name does not wait for its back-off.
func TestANameDelaysNoText(t *testing.T) {
	srv := newServer(t)
	names := 0
	srv.failing(func(m message, w http.ResponseWriter) bool {
		if m.Priority != quiet {
			return false
		}
		names++
		w.WriteHeader(http.StatusInternalServerError)
		return true
	})
	tries := func() int { srv.mu.Lock(); defer srv.mu.Unlock(); return names }
	q := &queue{waiting: []notice{confirmed(claim(1, "first"))}, known: []notice{confirmed(claim(2, "name"))}}
	b, _ := newBridge(t, srv, q, Options{MinWait: time.Hour, MaxWait: time.Hour, Every: time.Hour})
	run(t, b)
	until(t, "a failure", func() bool { return b.State().Failure == CodeServer })
	if got := srv.messages(); len(got) != 1 || got[0].Message != "«first»" || tries() != 1 {
		t.Fatalf("%+v, %d tries", got, tries())
	}
	q.set(func(q *queue) { q.waiting = append(q.waiting, confirmed(claim(3, "second"))) })
	b.Nudge()
	until(t, "the second text and a try", func() bool { return tries() == 2 })
	if got := srv.messages(); len(got) != 1 || got[0].Message != "«second»" {
		t.Fatalf("%+v", got)
	}
	for i := range 20 { // nudges for nothing are no storm
		b.Nudge()
		until(t, "the nudge was taken", func() bool { return len(b.nudge) == 0 })
		if n := tries(); n != 2 {
			t.Fatalf("nudge %d: %d tries", i, n)
		}
	}
	if b.State().Failure != CodeServer {
		t.Errorf("%+v while a name waits", b.State())
	}
	srv.failing(nil)
	q.set(func(q *queue) { q.waiting = append(q.waiting, confirmed(claim(4, "third"))) })
	b.Nudge()
	until(t, "the name", func() bool { return q.get(func(q *queue) bool { return len(q.known) == 0 }) })
	if got := srv.messages(); len(got) != 2 || got[1].Title != "Marie Tremblay" || b.State().Failure != "" {
		t.Errorf("%+v, %+v", got, b.State())
	}
}

// TestTheTopicIsAskedOf before the first notification, after each failure, and hourly, whatever the clock does.
func TestTheTopicIsAskedOf(t *testing.T) {
	srv, q := newServer(t), &queue{}
	b, c := newBridge(t, srv, q, Options{})
	id := 0
	tell := func(want int, when string) {
		t.Helper()
		id++
		q.waiting = append(q.waiting, claim(id, "hi"))
		_, err := settle(t, b)
		ok(t, err)
		if asks, got := srv.asksAgain(), len(srv.messages()); asks != want || got != 1 {
			t.Errorf("%s: %d told, asked %d times", when, got, asks)
		}
	}
	tell(1, "at first")
	tell(0, "again")
	c.now = noon.Add(59 * time.Minute)
	tell(0, "within the hour")
	c.now = noon.Add(61 * time.Minute)
	tell(1, "past the hour")
	c.now = noon
	tell(1, "a clock set back")
	c.now = noon.Add(2 * time.Hour)
	if _, err := settle(t, b); err != nil || srv.asksAgain() != 1 {
		t.Errorf("not asked while nothing is owed: %v", err)
	}
	srv.failing(status(503))
	q.waiting = append(q.waiting, claim(99, "hi"))
	if _, err := settle(t, b); codeOf(err) != CodeServer || srv.asksAgain() != 0 {
		t.Fatal(err)
	}
	srv.failing(nil)
	_, err := settle(t, b)
	ok(t, err)
	if asks, got := srv.asksAgain(), srv.messages(); asks != 1 || len(got) != 1 {
		t.Errorf("after a failure: asked %d times, %+v", asks, got)
	}
}

// TestEachRunAsksOfTheTopic, and what the program gives up as it ends is no failure of ntfy's.
func TestEachRunAsksOfTheTopic(t *testing.T) {
	srv, events := newServer(t), map[string]int{}
	b, _ := newBridge(t, srv, &queue{}, Options{Observe: counted(events)})
	for range 2 {
		stop := run(t, b)
		asks := 0
		until(t, "a question", func() bool { asks += srv.asksAgain(); return asks == 1 })
		stop()
	}
	ctx, cancel := context.WithCancel(t.Context())
	srv.opening(func(http.ResponseWriter) bool { cancel(); return true })
	b.checked = time.Time{}
	if _, err := b.step(ctx); err == nil || events["ntfy_failed "+codeOf(err)] != 0 {
		t.Errorf("%v, %v", err, events)
	}
}

// TestATopicThatAnyoneCanReadIsToldNothing, nor one of which that cannot be asked; and nothing is lost.
func TestATopicThatAnyoneCanReadIsToldNothing(t *testing.T) {
	for want, answer := range map[string]func(http.ResponseWriter) bool{
		CodeAnonymous: func(http.ResponseWriter) bool { return true },
		CodeServer:    func(w http.ResponseWriter) bool { w.WriteHeader(503); return true },
		CodeTooMany:   func(w http.ResponseWriter) bool { w.WriteHeader(429); return true },
		CodeRefused:   func(w http.ResponseWriter) bool { w.WriteHeader(404); return true },
		CodeLost:      func(http.ResponseWriter) bool { panic(http.ErrAbortHandler) },
	} {
		srv, events := newServer(t), map[string]int{}
		q := &queue{waiting: []notice{confirmed(claim(1, "hi"))}, known: []notice{confirmed(claim(2, "hi"))}}
		b, _ := newBridge(t, srv, q, Options{Observe: counted(events)})
		srv.opening(answer)
		for range 3 {
			if _, err := settle(t, b); codeOf(err) != want || b.Part() != (smsmcp.Part{Name: "bridge", Failure: want, Since: noon}) {
				t.Fatalf("%s: %v, %+v", want, err, b.Part())
			}
		}
		if srv.seen != 0 || len(q.told) != 0 || events["ntfy_failed "+want] != 3 || len(events) != 1 {
			t.Fatalf("%s: %d published, %v", want, srv.seen, events)
		}
		srv.opening(nil)
		_, err := settle(t, b)
		ok(t, err)
		if got := srv.messages(); len(got) != 2 || b.Part().Failure != "" {
			t.Errorf("%s: %+v, %+v", want, got, b.Part())
		}
	}
}

// TestAClosedTopicWithNothingToTellIsWell: a failure of which nothing is left is over.
func TestAClosedTopicWithNothingToTellIsWell(t *testing.T) {
	srv, q := newServer(t), &queue{}
	b, _ := newBridge(t, srv, q, Options{})
	srv.opening(func(http.ResponseWriter) bool { return true })
	if _, err := settle(t, b); !errors.Is(err, ErrAnonymous) || b.State().Failure != CodeAnonymous {
		t.Fatal(err)
	}
	srv.opening(nil)
	if _, err := settle(t, b); err != nil || b.State().Failure != "" {
		t.Errorf("%v, %+v", err, b.State())
	}
}

func TestTheOwnerMayLetAnyoneRead(t *testing.T) {
	srv, q := newServer(t), &queue{waiting: []notice{claim(1, "hi")}}
	b, _ := newBridge(t, srv, q, Options{})
	b.o.Client.c.AnyoneMayRead = true
	srv.opening(func(http.ResponseWriter) bool { return true })
	ok(t, b.o.Client.Check(t.Context()))
	_, err := settle(t, b)
	ok(t, err)
	if got := srv.messages(); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestInvariant13WhatIsCountedHoldsNothingForeign: a label is a code, whatever ntfy and the texts are.
func TestInvariant13WhatIsCountedHoldsNothingForeign(t *testing.T) {
	srv, events := newServer(t), map[string]int{}
	q := &queue{waiting: []notice{claim(1, "meet me at the old mill")}, known: []notice{confirmed(claim(2, "hi"))}}
	b, c := newBridge(t, srv, q, Options{Observe: counted(events)})
	for _, code := range []int{302, 401, 403, 404, 413, 429, 500, 200} {
		srv.failing(status(code))
		_, err := settle(t, b)
		if err == nil {
			t.Fatal(code)
		}
	}
	srv.failing(nil)
	for range 2 { // the text, and then the name
		_, err := settle(t, b)
		ok(t, err)
		c.now = c.now.Add(apart)
	}
	if len(events) < 9 {
		t.Errorf("%v", events)
	}
	for e := range events {
		event, label, _ := strings.Cut(e, " ")
		if smsmcp.Reduce(event) != event || smsmcp.Reduce(label) != label {
			t.Errorf("%q", e)
		}
	}
}
