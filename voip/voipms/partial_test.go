package voipms_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/voipms"
	"readback/voip/voipms/voipmstest"
)

// part lists some days that end now, in the time that one call may take, and asserts that the list is said to be a part for the reason code.
func (r rig) part(t *testing.T, n int, code string) ([]smsmcp.Text, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), r.timeout)
	defer cancel()
	got, err := r.List(ctx, r.now.now().AddDate(0, 0, -n), r.now.now())
	var c smsmcp.Coded
	if !errors.Is(err, smsmcp.ErrPartial) || errors.Is(err, smsmcp.ErrDown) || !errors.As(err, &c) || c.Code() != code {
		t.Fatalf("%d texts, %v, want %s", len(got), err, code)
	}
	return got, err
}

// TestInvariant08ABadRowCostsNoOther: every row that can be read is listed, and those that cannot are counted.
func TestInvariant08ABadRowCostsNoOther(t *testing.T) {
	const good = `{"id":"%d","date":"2026-11-30 10:00:00","type":"1","contact":"5145550123","message":"x"}`
	for name, bad := range map[string]string{
		"no id":      `{"date":"2026-11-30 10:00:00","type":"1","contact":"5145550123","message":"x"}`,
		"bool as id": `{"id":true,"date":"2026-11-30 10:00:00","type":"1"}`,
		"id 0":       `{"id":0,"date":"2026-11-30 10:00:00","type":"1","message":"x"}`,
		"no date":    `{"id":"9","date":"0000-00-00 00:00:00","type":"1","message":"x"}`,
		"no type":    `{"id":"9","date":"2026-11-30 10:00:00","message":"x"}`,
		"type 2":     `{"id":"9","date":"2026-11-30 10:00:00","type":"2","message":"x"}`,
		"a list":     `{"id":"9","date":"2026-11-30 10:00:00","type":"1","message":["]}",{"a":"\"}]"}]}`,
		"null":       `null`,
		"a number":   `12`,
		"an array":   `[[],{}]`,
		"deep":       strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"no JSON":    `{"id":"9",,"date"}`,
		"huge":       `{"id":"9","date":"2026-11-30 10:00:00","type":"1","message":"` + strings.Repeat("x", 9<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.fake.Receive("mms", "5145550123", "of the other kind", at("2026-11-30 09:00:00"), 1)
			raw := `{"status":"success","sms":[` + fmt.Sprintf(good, 1) + `,` + bad + `,` + bad + `, ` + fmt.Sprintf(good, 2) + `]}`
			r.fake.Fail("getSMS", voipmstest.Fault{Raw: raw})
			got, err := r.part(t, 0, "bad_row")
			if len(got) != 3 || got[1].Key.ID != "1" || got[2].Key.ID != "2" || !strings.Contains(err.Error(), " 2 rows") {
				t.Errorf("%d texts, %v", len(got), err)
			}
			if n := len(r.days(t, 0)); n != 1 {
				t.Errorf("the next list has %d texts", n)
			}
		})
	}
}

// TestABadRowInManyDays: the rows of days that are read again in parts are counted once.
func TestABadRowInManyDays(t *testing.T) {
	r := newRig(t)
	for i := range 1500 {
		id := r.fake.Receive("sms", "5145550123", fmt.Sprint(i), at("2026-11-27 10:00:00").AddDate(0, 0, i%3), 0)
		if i%500 == 7 {
			r.fake.Spoil("sms", id, []string{"id", "date", "type"}[i/500], nil)
		}
	}
	if got, err := r.part(t, 3, "bad_row"); len(got) != 1497 || !strings.Contains(err.Error(), " 3 rows") {
		t.Errorf("%d texts, %v", len(got), err)
	}
}

// TestWhatATextCanDoWithout: members that only adorn a text cost it nothing, whatever form they have.
func TestWhatATextCanDoWithout(t *testing.T) {
	r := newRig(t)
	id := r.fake.Receive("mms", "5145550123", "hello", r.now.now(), 1)
	for _, m := range []string{"carrier_status", "media", "col_media1", "col_media2", "did", "unknown"} {
		r.fake.Spoil("mms", id, m, map[string]any{"a": []bool{false}})
	}
	if got := r.days(t, 0); len(got) != 1 || got[0].Body.RawForStore() != "hello" {
		t.Errorf("%+v", got)
	}
}

// TestABigDay: a day of many long texts is listed whole, though it is over what an answer for more days may have.
func TestABigDay(t *testing.T) {
	r := newRig(t)
	for i := range 760 {
		r.fake.Receive("mms", "5145550199", fmt.Sprint(i)+strings.Repeat("\x01", 3500), at("2026-11-29 10:00:00"), 1)
	}
	r.fake.Receive("sms", "5145550123", "today", r.now.now(), 0)
	if got := r.days(t, 2); len(got) != 761 {
		t.Errorf("%d texts", len(got))
	}
}

// endless answers every list with rows of today without end, the newest first.
func endless(t *testing.T, row func(i int) string) (rig, *atomic.Int64) {
	var wrote atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		n, err := w.Write([]byte(`{"status":"success","sms":[` + row(0)))
		for i := 1; err == nil && wrote.Add(int64(n)) < 1<<30; i++ {
			n, err = w.Write([]byte("," + row(i)))
		}
	}))
	t.Cleanup(srv.Close)
	return newRig(t, func(o *voipms.Options) {
		o.Endpoint, o.ListTimeout = srv.URL+voipmstest.Path, 2*time.Minute // with the race detector, these take long
	}), &wrote
}

// heap runs f and gives by how many bytes the heap was larger meanwhile, at most.
func heap(f func()) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, uint64(0)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	})
	f()
	close(done)
	wg.Wait()
	return most - min(most, before)
}

// TestADayTooBigIsListedInPart: of a day without end what came is listed, from no more than is bounded, and so is memory.
func TestADayTooBigIsListedInPart(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	row := func(i int, body string) string {
		return fmt.Sprintf(`{"id":"%d","date":"2026-11-30 10:00:00","type":"1","contact":"5145550123","message":"%s"}`, 1_000_000-i, body)
	}
	for name, c := range map[string]struct {
		days  int
		row   func(i int) string
		texts [2]int // at least and at most
		bytes int64  // that the client may take, without what the sockets hold
	}{
		"every day":  {6, func(i int) string { return row(i, long) }, [2]int{300, 700}, 120 << 20},
		"small rows": {0, func(i int) string { return row(i, "") }, [2]int{128_000, 128_000}, 64 << 20},
		"bad rows":   {0, func(int) string { return `0` }, [2]int{0, 0}, 64 << 20},
		"one row":    {0, func(int) string { return `{"a":"` + long }, [2]int{0, 0}, 64 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			r, wrote := endless(t, c.row)
			var got []smsmcp.Text
			grown := heap(func() { got, _ = r.part(t, c.days, "list_full") })
			if len(got) < c.texts[0] || len(got) > c.texts[1] {
				t.Errorf("%d texts", len(got))
			}
			t.Logf("%d texts, %d MiB of heap, %d MiB sent", len(got), grown>>20, wrote.Load()>>20)
			if grown > 200<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
			if n := wrote.Load(); n > c.bytes+(32<<20) {
				t.Errorf("%d MiB were taken", n>>20)
			}
		})
	}
}

// TestTooBigToBeAList: an answer that is over its bound before any row is no list, not even a part of one.
func TestTooBigToBeAList(t *testing.T) {
	r := newRig(t)
	r.fake.Fail("getMMS", voipmstest.Fault{Size: 64 << 20})
	got, err := r.List(t.Context(), r.now.now(), r.now.now())
	var c smsmcp.Coded
	if got != nil || !errors.As(err, &c) || c.Code() != "answer_too_big" || errors.Is(err, smsmcp.ErrPartial) {
		t.Errorf("%d texts, %v", len(got), err)
	}
}

// TestAFullPageIsNoDeadEnd: where the carrier gives no larger page, or fails to, the page that was had is listed and said to be a part.
func TestAFullPageIsNoDeadEnd(t *testing.T) {
	for name, spoil := range map[string]func(*voipmstest.Server){
		"no larger page": func(s *voipmstest.Server) { s.Set(voipmstest.Quirks{MaxRows: 1000}) },
		"refused": func(s *voipmstest.Server) {
			s.Fail("getSMS", voipmstest.Fault{}, voipmstest.Fault{}, voipmstest.Fault{Status: "invalid_limit"})
		},
		"broken": func(s *voipmstest.Server) {
			s.Fail("getSMS", voipmstest.Fault{}, voipmstest.Fault{}, voipmstest.Fault{Lost: true})
		},
		"hangs": func(s *voipmstest.Server) {
			s.Fail("getSMS", voipmstest.Fault{}, voipmstest.Fault{}, voipmstest.Fault{Hang: true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(o *voipms.Options) { o.ListTimeout = 3 * time.Second })
			r.fake.Receive("sms", "5145550123", "yesterday", at("2026-11-29 10:00:00"), 0)
			for i := range 1200 {
				r.fake.Receive("sms", "5145550123", fmt.Sprint(i), at("2026-11-30 10:00:00").Add(time.Duration(i)*time.Second), 0)
			}
			r.fake.Receive("mms", "5145550123", "today", r.now.now(), 1)
			spoil(r.fake)
			got, _ := r.part(t, 1, "list_full")
			if len(got) != 1002 || got[0].Body.RawForStore() != "yesterday" || got[1001].Body.RawForStore() != "today" ||
				got[1000].Body.RawForStore() != "1199" {
				t.Errorf("%d texts", len(got))
			}
		})
	}
}

// TestImagesNeverCostTheList: a count of images that hangs, breaks, or comes late leaves the list whole, and soon.
func TestImagesNeverCostTheList(t *testing.T) {
	for name, c := range map[string]struct {
		fault voipmstest.Fault
		calls int // at most
	}{
		"hangs": {voipmstest.Fault{Hang: true}, 1}, "lost": {voipmstest.Fault{Lost: true}, 1}, "a page": {voipmstest.Fault{HTML: true}, 1},
		"slow": {voipmstest.Fault{Late: 300 * time.Millisecond}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(o *voipms.Options) { o.ListTimeout = time.Second })
			r.fake.Set(voipmstest.Quirks{NoMedia: true})
			for range 20 {
				r.fake.Receive("mms", "5145550123", "look", r.now.now(), 1)
				r.fake.Fail("getMediaMMS", c.fault)
			}
			if got := r.days(t, 0); len(got) != 20 {
				t.Errorf("%d texts", len(got))
			}
			if n := r.fake.Calls("getMediaMMS"); n > c.calls {
				t.Errorf("%d calls", n)
			}
		})
	}
}

// TestImagesHaveThreeSeconds: whatever time a call may take.
func TestImagesHaveThreeSeconds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fake.Set(voipmstest.Quirks{NoMedia: true})
	r.fake.Receive("mms", "5145550123", "look", r.now.now(), 1)
	r.fake.Fail("getMediaMMS", voipmstest.Fault{Hang: true})
	begun := time.Now()
	if got := r.days(t, 0); len(got) != 1 || time.Since(begun) > 10*time.Second {
		t.Errorf("%d texts after %v", len(got), time.Since(begun))
	}
}

// TestImagesAreAskedForOnce: a few in each list, the newest first, and each once.
func TestImagesAreAskedForOnce(t *testing.T) {
	r := newRig(t)
	r.fake.Set(voipmstest.Quirks{NoMedia: true})
	for i := range 20 {
		r.fake.Receive("mms", "5145550123", fmt.Sprint(i), r.now.now().Add(time.Duration(i-60)*time.Second), 1)
	}
	for _, want := range []int{8, 16, 20, 20} {
		n := 0
		for i, x := range r.days(t, 0) {
			if n += x.Images; x.Images != 1 && i >= 20-want {
				t.Errorf("number %d has %d images", i, x.Images)
			}
		}
		if calls := r.fake.Calls("getMediaMMS"); n != want || calls != want {
			t.Errorf("%d images after %d calls, want %d", n, calls, want)
		}
	}
}
