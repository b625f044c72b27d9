package oauth

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// many posts the same form many times at once, and gives the statuses.
func (w *world) many(n int, body string) map[int]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	got := map[int]int{}
	h := w.Handler()
	for range n {
		wg.Go(func() {
			r := httptest.NewRequest("POST", tokenPath, strings.NewReader(body))
			r.Header.Set("Content-Type", formType)
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			mu.Lock()
			defer mu.Unlock()
			got[rec.Code]++
		})
	}
	wg.Wait()
	return got
}

func TestManyAtOnce(t *testing.T) {
	w := newWorld(t)
	s, err := New(Options{Issuer: issuer, Path: "/mcp", Store: w.store, Now: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	w.Server = s
	id, have := w.in()
	if got := w.many(20, query("grant_type", "refresh_token", "client_id", id, "refresh_token", have.refresh)); got[http.StatusOK] != 20 {
		t.Errorf("a client that refreshes many times at once: %v", got)
	}
	if g := w.only(); !g.Ended.IsZero() || g.Last != 21 || g.Turn != 1 {
		t.Errorf("%+v", g)
	}
	id = w.registered(callback)
	code := w.code(asks(id))
	got := w.many(10, query("grant_type", "authorization_code", "client_id", id, "code", code, "redirect_uri", callback, "code_verifier", verifier))
	if got[http.StatusOK] != 1 || got[http.StatusBadRequest] != 9 {
		t.Errorf("one code many times at once: %v", got)
	}
	all, err := w.Grants(t.Context())
	if err != nil || len(all) != 2 || all[1].Ended.IsZero() == all[0].Ended.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
}
