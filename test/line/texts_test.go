package line

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"readback/test/testbed"
)

// TestInvariant08AThousandTexts sends 1,000 texts at 20 a second, each by SIP and in voip.ms's list: every one is stored once and told of once, with its
// words. Then 2,000 at 200 a second by SIP alone: what a bare websocket beside the program hears of Asterisk is stored.
func TestInvariant08AThousandTexts(t *testing.T) {
	t.Parallel()
	s := newScene(t, newBed(t), setting{})
	all := thousand(t, 1000)
	only := written{senders[1], "This one came by no SIP at all."}
	s.api.Receive("sms", only.from.listed, only.body, time.Now(), 0)
	began := time.Now()
	if refused := s.send(all, 20, true); refused > 0 {
		t.Errorf("Asterisk did not take %d texts", refused)
	}
	t.Logf("%d texts in %v", len(all), time.Since(began).Round(time.Millisecond))
	all = append(all, only)
	wanted := map[key]int{}
	for _, w := range all {
		wanted[key{w.from.in(), w.body}]++
	}
	s.settled(60*time.Second, all)
	s.toldOnce(all)

	// Faster, and with nothing that could mend it.
	const fast = 2000
	beside := testbed.NewEar(t, s.bed, "beside", "endpoint:PJSIP", nil)
	var burst []written
	for i := range fast {
		burst = append(burst, written{senders[i%len(senders)], fmt.Sprintf("Burst %d of %d: 👋 $(id)", i, fast)})
	}
	began = time.Now()
	refused := s.send(burst, 200, false)
	took := time.Since(began).Round(time.Millisecond)
	testbed.Until(t, 30*time.Second, "the websocket beside hears all that Asterisk took", func() bool {
		heard, ended := beside.Texts()
		return ended != nil || len(heard) >= fast-refused
	})
	heard, ended := beside.Texts()
	if ended != nil {
		t.Errorf("the websocket beside ended: %v", ended)
	}
	testbed.Until(t, 90*time.Second, "all of the burst is told of, one by one or in a summary", func() bool {
		told := read(s.owner.Got())
		return len(told.bySequence)+told.summed >= len(all)+len(heard)
	})
	told := read(s.owner.Got())
	s.program.Stop()

	wantedBurst, got := map[key]int{}, map[key]int{}
	for _, h := range heard {
		wantedBurst[key{"", h.Body}]++
	}
	for _, r := range stored(t, s.program.Data) {
		body := r.Text.Body.RawForStore()
		if k := (key{"", body}); wantedBurst[k] > 0 {
			got[k]++
			if !r.Text.Unverified {
				t.Errorf("a text that no list has is verified: %s", short(body))
			}
			continue
		}
		wanted[sent(wanted, key{peer(r.Text.Peer), body})]--
		if r.Text.Unverified {
			t.Errorf("a text that the list has is unverified: %s", short(body))
		}
	}
	missing(t, "stored of the burst", wantedBurst, got)
	for k, n := range wanted {
		if n != 0 {
			t.Errorf("stored: %d too few: %s: %s", n, k.who, short(k.what))
		}
	}
	t.Logf("%d texts in %v: Asterisk took %d, the websocket beside heard %d, the program stored %d; %d are told of one by one, %d in summaries",
		fast, took, fast-refused, len(heard), total(got), len(told.bySequence)-len(all), told.summed)
}

func total(m map[key]int) (n int) {
	for _, c := range m {
		n += c
	}
	return n
}

// send has the trunk send texts at an even rate, and voip.ms list them, if it is to: half of them before Asterisk gets them and half after, so that either
// way can be the first. It gives how many Asterisk did not take.
func (s *scene) send(all []written, perSecond int, list bool) (refused int) {
	s.t.Helper()
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	var sending sync.WaitGroup
	var mu sync.Mutex
	for i, w := range all {
		<-tick.C
		sending.Go(func() {
			if !s.hand(w, list, i%2 == 0) {
				mu.Lock()
				refused++
				mu.Unlock()
			}
		})
	}
	sending.Wait()
	return refused
}

// hand has one text come in, by the trunk and, where it is to, in voip.ms's list: there first, or after. It says whether Asterisk took it.
func (s *scene) hand(w written, list, first bool) bool {
	enlist := func() { s.api.Receive("sms", w.from.listed, w.body, time.Now(), 0) }
	if list && first {
		enlist()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// What each calls itself is a contact's name: it names nobody.
	status, err := s.trunk.Text(ctx, s.bed.SIP, testbed.SIPText{From: w.from.user, Name: name, Body: w.body})
	if list && !first {
		enlist()
	}
	return err == nil && status == 202
}

// told is what the owner's phone is to show of texts in the end: whom it names, and the words.
func toldOf(all []written) map[key]int {
	want := map[key]int{}
	for _, w := range all {
		want[key{w.from.called, unquote.Replace(drawn(w.body))}]++
	}
	return want
}

// settled waits until the owner's phone shows texts as it is to in the end, or tells of them in summaries. What is not so in time is for the caller to find.
func (s *scene) settled(within time.Duration, all []written) {
	s.t.Helper()
	want := toldOf(all)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(within)
	for {
		told := read(s.owner.Got())
		got, off := told.counted(nil), 0
		for k, c := range want {
			off += max(0, c-got[k])
		}
		if len(told.bySequence)+told.summed >= len(all) && off <= told.summed {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			s.t.Errorf("after %v: %d texts are told of, %d in summaries; %d are not as they are to be", within, len(told.bySequence), told.summed, off)
			return
		}
	}
}

// toldOnce looks at all that ntfy has published: one notification for each text, with its words, and named after a contact's in the end; or a place in a summary.
func (s *scene) toldOnce(all []written) {
	s.t.Helper()
	told := read(s.bed.Published(topic))
	got, again := told.counted(s.t), 0
	if told.summed == 0 {
		missing(s.t, "notified", toldOf(all), got)
	} else if n := len(told.bySequence) + told.summed; n != len(all) {
		s.t.Errorf("%d texts are told of one by one and %d in summaries: %d, not %d", len(told.bySequence), told.summed, n, len(all))
	}
	for _, x := range told.bySequence {
		again += len(x) - 1
	}
	s.t.Logf("%d notifications, published again %d times under their own sequence; %d texts in summaries", len(told.bySequence), again, told.summed)
}
