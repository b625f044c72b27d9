package voipms_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/voipms"
	"readback/voip/voipms/voipmstest"
)

func TestListAsksForWholeEasternDays(t *testing.T) {
	r := newRig(t)
	r.now.set(at("2026-11-30 23:30:00"))
	r.fake.Receive("sms", "5145550123", "just before midnight", at("2026-11-29 23:59:59"), 0)
	r.fake.Receive("sms", "5145550123", "midnight", at("2026-11-30 00:00:00"), 0)
	r.fake.Receive("mms", "5145550123", "now", at("2026-11-30 23:30:00"), 0)
	// 04:30 UTC on 1 December is still 30 November in New York.
	got, err := r.List(t.Context(), r.now.now().UTC(), r.now.now().UTC())
	if err != nil || len(got) != 2 || got[0].Body.RawForStore() != "midnight" {
		t.Fatalf("%d texts, %v", len(got), err)
	}
	for _, q := range r.fake.Requests() {
		if q.Fields["method"] == "getMediaMMS" {
			continue
		}
		if q.Fields["from"] != "2026-11-30" || q.Fields["to"] != "2026-11-30" || q.Fields["limit"] == "" {
			t.Errorf("%v", q.Fields)
		}
		if _, zone := q.Fields["timezone"]; zone {
			t.Error("the parameter timezone is given")
		}
	}
}

func TestEmptyIsNoError(t *testing.T) {
	r := newRig(t)
	if got := r.days(t, 3); len(got) != 0 {
		t.Fatalf("%d texts", len(got))
	}
}

// TestInvariant08AFullPageLosesNothing: more texts than a page holds, over days and in one day.
func TestInvariant08AFullPageLosesNothing(t *testing.T) {
	r := newRig(t)
	want := 0
	for day := range 5 {
		for i := range []int{300, 5, 2600, 0, 700}[day] {
			r.fake.Receive("sms", "5145550123", fmt.Sprint(day, i), at("2026-11-26 10:00:00").AddDate(0, 0, day).Add(time.Duration(i)*time.Second), 0)
			want++
		}
	}
	got := r.days(t, 4)
	seen := map[string]bool{}
	for _, x := range got {
		seen[x.Body.RawForStore()] = true
	}
	if len(got) != want || len(seen) != want {
		t.Fatalf("%d texts, %d of them different, want %d", len(got), len(seen), want)
	}
	if n := r.fake.Calls("getSMS"); n > 12 {
		t.Errorf("%d calls", n)
	}
}

// TestAnswerTooBigHalvesTheDays: what does not fit the bound on one answer is asked for in parts.
func TestAnswerTooBigHalvesTheDays(t *testing.T) {
	r := newRig(t)
	for day := range 4 {
		for range 300 {
			r.fake.Receive("mms", "5145550123", strings.Repeat("é", 8000), at("2026-11-27 10:00:00").AddDate(0, 0, day), 1)
		}
	}
	if got := r.days(t, 3); len(got) != 1200 {
		t.Fatalf("%d texts", len(got))
	}
}

func TestLongWindowsAreCut(t *testing.T) {
	r := newRig(t)
	r.fake.Receive("sms", "5145550123", "old", at("2025-12-31 10:00:00"), 0)
	if got := r.days(t, 365); len(got) != 1 {
		t.Fatalf("%d texts", len(got))
	}
	for _, w := range [][2]time.Time{{r.now.now(), r.now.now().AddDate(0, 0, -1)}, {{}, r.now.now()}} {
		if got, err := r.List(t.Context(), w[0], w[1]); err == nil || got != nil {
			t.Errorf("%v: %d texts, %v", w, len(got), err)
		}
	}
}

func TestErrorsGiveNoList(t *testing.T) {
	for name, f := range map[string]voipmstest.Fault{
		"status": {Status: "api_limit_exceeded"}, "maintenance": {Status: "method_maintenance"}, "hang": {Hang: true}, "cut": {Cut: true},
		"a page": {HTML: true}, "500": {HTTP: 500}, "64 MiB": {Size: 64 << 20}, "lost": {Lost: true},
		"no list":    {Raw: `{"status":"success"}`},
		"null":       {Raw: `{"status":"success","sms":null}`},
		"an id":      {Raw: `{"status":"success","sms":"12"}`},
		"deeper":     {Raw: `{"status":` + strings.Repeat(`{"a":`, 20_000) + `1}`},
		"deep":       {Raw: `{"status":"success","sms":` + strings.Repeat("[", 20_000) + `}`},
		"cut short":  {Raw: `{"status":"success","sms":[{"id":"1","date":"2026-11-30 10:00:00","type":"1"}`},
		"no status":  {Raw: `{"sms":[{"id":"1","date":"2026-11-30 10:00:00","type":"1"}]}`},
		"not listed": {Raw: `{"status":"invalid_did","sms":[{"id":"1","date":"2026-11-30 10:00:00","type":"1"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, quick)
			r.fake.Receive("sms", "5145550123", "held", at("2026-11-30 10:00:00"), 0)
			r.fake.Fail("getMMS", f)
			got, err := r.List(t.Context(), r.now.now(), r.now.now())
			if err == nil || got != nil {
				t.Fatalf("%d texts, %v", len(got), err)
			}
			down := map[string]bool{"hang": true, "cut": true, "lost": true, "a page": true, "500": true}
			if errors.Is(err, smsmcp.ErrDown) != down[name] && name != "64 MiB" {
				t.Errorf("down is %t: %v", !down[name], err)
			}
			if got := r.days(t, 0); len(got) != 1 {
				t.Errorf("the next list has %d texts", len(got))
			}
		})
	}
}

func TestKeysAreKindAndID(t *testing.T) {
	r := newRig(t)
	a := r.fake.Receive("sms", "5145550123", "one", r.now.now(), 0)
	b := r.fake.Receive("mms", "5145550123", "two", r.now.now(), 0)
	got := r.days(t, 0)
	if a != b || len(got) != 2 || got[0].Key == got[1].Key {
		t.Fatalf("ids %s and %s: %+v", a, b, got)
	}
}

func TestSendersAreTyped(t *testing.T) {
	r := newRig(t)
	r.fake.Set(voipmstest.Quirks{Prefix011: true, E164: true, Ints: true})
	for _, raw := range []string{"5145550123", "732873", "72975", "MaBanque", "", "011447700900123", "01172975a", "0111234"} {
		r.fake.Receive("sms", raw, raw, r.now.now(), 0)
	}
	want := map[string]smsmcp.Peer{
		"5145550123": smsmcp.NumberPeer("+15145550123"), "732873": smsmcp.CodePeer("732873"), "72975": smsmcp.CodePeer("72975"),
		"MaBanque": smsmcp.LabelPeer("MaBanque"), "": {},
		// What is no short code stays as it came: it is the typing function that knows numbers.
		"011447700900123": typed("011447700900123"), "01172975a": smsmcp.LabelPeer("01172975a"), "0111234": smsmcp.CodePeer("0111234"),
	}
	got := r.days(t, 0)
	if len(got) != len(want) {
		t.Fatalf("%d texts", len(got))
	}
	for _, x := range got {
		if raw := x.Body.RawForStore(); !x.Peer.Same(want[raw]) {
			t.Errorf("%q is typed as %+v", raw, x.Peer)
		}
	}
}

func TestImages(t *testing.T) {
	r := newRig(t)
	r.fake.Receive("mms", "5145550123", "two", r.now.now(), 2)
	r.fake.Receive("mms", "5145550123", "none", r.now.now(), 0)
	count := func() map[string]int {
		m := map[string]int{}
		for _, x := range r.days(t, 0) {
			m[x.Body.RawForStore()] = x.Images
		}
		return m
	}
	if m := count(); m["two"] != 2 || m["none"] != 0 {
		t.Errorf("%v", m)
	}
	r.fake.Set(voipmstest.Quirks{NoMedia: true})
	for range 3 {
		if m := count(); m["two"] != 2 || m["none"] != 0 {
			t.Errorf("through getMediaMMS: %v", m)
		}
	}
	if n := r.fake.Calls("getMediaMMS"); n != 2 {
		t.Errorf("getMediaMMS was called %d times", n)
	}
	r.fake.Receive("mms", "5145550123", "three", r.now.now(), 3)
	r.fake.Fail("getMediaMMS", voipmstest.Fault{Status: "api_limit_exceeded"})
	if m := count(); len(m) != 3 || m["three"] != 0 {
		t.Errorf("a count that cannot be had: %v", m)
	}
	if m := count(); m["three"] != 3 {
		t.Errorf("and can be had later: %v", m)
	}
}

func TestGroupAndDelivery(t *testing.T) {
	r := newRig(t)
	r.fake.ReceiveGroup("5145550123", "à tous", r.now.now(), 4)
	sent, err := r.Send(t.Context(), friend, "hello")
	if err != nil {
		t.Fatal(err)
	}
	r.fake.Deliver("sms", sent.Key.ID, "Delivered to handset!")
	legs := 0
	for _, x := range r.days(t, 0) {
		if x.Key.Kind == smsmcp.MMS {
			legs++
		} else if x.Delivery != "delivered_to_handset_" {
			t.Errorf("the delivery state is %q", x.Delivery)
		}
	}
	if legs != 4 {
		t.Errorf("%d legs", legs)
	}
}

// TestReconcile: a send whose answer was lost is found in the list, with its key.
func TestReconcile(t *testing.T) {
	for _, f := range []voipmstest.Fault{{SaysFailed: true}, {Lost: true}, {Cut: true}, {HTML: true}, {Late: time.Hour}} {
		r := newRig(t, func(o *voipms.Options) { o.SendTimeout = 100 * time.Millisecond })
		r.fake.Set(voipmstest.Quirks{Escape: true, Entities: true})
		r.fake.Fail("sendMMS", f)
		body := strings.Repeat(`C'est "vrai" & <sûr>. `, 10)
		if _, err := r.Send(t.Context(), friend, body); err == nil {
			t.Fatalf("%+v: no error", f)
		}
		got := r.days(t, 0)
		if len(got) != 1 || got[0].Body.RawForStore() != body || !got[0].Peer.Same(smsmcp.NumberPeer(friend)) {
			t.Errorf("%+v: %+v", f, got)
		}
	}
}

func TestARowThatComesTwiceIsOneText(t *testing.T) {
	r := newRig(t)
	row := `{"id":"7","date":"2026-11-30 10:00:00","type":"1","contact":"5145550123","message":"x"}`
	r.fake.Fail("getSMS", voipmstest.Fault{Raw: `{"status":"success","sms":[` + row + `,` + row + `]}`})
	if got := r.days(t, 0); len(got) != 1 {
		t.Fatalf("%d texts", len(got))
	}
}
