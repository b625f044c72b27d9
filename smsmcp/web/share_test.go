package web

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// another gives the fixture a second token.
func (f *fixture) another(t *testing.T) string {
	t.Helper()
	id, token, hash, err := NewToken(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.tokens.rows[id] = row{name: "phone", hash: hash}
	return token
}

// TestSlowBodiesHoldUpNobodyElse: one token's bodies that never end take nothing from another token, and no more than their share.
func TestSlowBodiesHoldUpNobodyElse(t *testing.T) {
	f := setUp(t, func(o *Options) {
		o.Now = func() time.Time { return time.Now().Add(2*readingWait - bodyTimeout) } // so that deadlines come earlier
		o.RequestsPerMinute, o.Burst = 10000, 10000
	})
	other := f.another(t)
	addr, _ := serving(t, f.handler)
	const slow = 20 // more than there are slots
	refusedSlow := make(chan int, slow)
	for range slow {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 1000000\r\n\r\n{", f.token)
		go func() {
			if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err == nil {
				refusedSlow <- resp.StatusCode
			}
		}()
	}
	for range slow - readingEach { // the rest is told to come again, and the first are still being read
		if code := <-refusedSlow; code != http.StatusServiceUnavailable {
			t.Fatal(code)
		}
	}
	for range 8 {
		req, _ := http.NewRequest("POST", "http://"+addr+"/mcp", strings.NewReader("{}"))
		req.Header.Set("Authorization", "Bearer "+other)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("another token's request: %d", resp.StatusCode)
		}
	}
	for range readingEach { // they had their time
		if code := <-refusedSlow; code != http.StatusRequestTimeout {
			t.Fatal(code)
		}
	}
}

// TestShares: of bodies in reading, bytes and slots one token has a part, and gives it back.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShares(16, 1<<20)
		a, doneA := s.of("a")
		b, doneB := s.of("b")
		var turns []func()
		for range readingEach {
			turn, ok := a.read(t.Context())
			if !ok {
				t.Fatal("less than its share")
			}
			turns = append(turns, turn)
		}
		if _, ok := a.read(t.Context()); ok {
			t.Error("one token reads without end")
		}
		if _, ok := b.read(t.Context()); !ok {
			t.Error("another token waits")
		}
		time.AfterFunc(readingWait/2, turns[0])
		if _, ok := a.read(t.Context()); !ok {
			t.Error("a body that waited for its turn has none")
		}
		slots := 0
		var last func()
		for ; slots < 20; slots++ {
			done, ok := s.answer(t.Context(), a)
			if !ok {
				break
			}
			last = done
		}
		free, ok := s.answer(t.Context(), b)
		if slots != 8 || !ok {
			t.Errorf("%d slots for one token; for another %v", slots, ok)
		}
		free()
		if len(s.slots) != 8 || len(b.slots) != 0 {
			t.Error("a slot was not given back")
		}
		time.AfterFunc(answerWait/2, last)
		if _, ok := s.answer(t.Context(), a); !ok {
			t.Error("a request that waited for its turn is not answered")
		}
		if !s.hold(16<<20) || s.hold(1) {
			t.Error("the bytes have no bound")
		}
		if s.give(16 << 20); !s.hold(1) {
			t.Error("the bytes were not given back")
		}
		doneA()
		doneB()
		if len(s.tokens) != 0 {
			t.Error("tokens are never forgotten")
		}
	})
}

// TestNothingIsKept: after requests of every kind, all that they took is free again.
func TestNothingIsKept(t *testing.T) {
	f := setUp(t, nil)
	s := f.server
	bytes := s.shares.bytes
	for _, body := range []string{"{}", "\xff", strings.Repeat("[", 100), strings.Repeat("x", 1<<20+1)} {
		f.do("POST", "/mcp", body, nil)
		f.do("POST", "/mcp", body, func(r *http.Request) { r.ContentLength = -1 })
	}
	if s.shares.bytes != bytes || len(s.shares.slots) != 0 || len(s.shares.tokens) != 0 {
		t.Errorf("%d bytes, %d slots and %d tokens", s.shares.bytes, len(s.shares.slots), len(s.shares.tokens))
	}
}

// TestShape: a body of a few bytes a value is refused before it is parsed.
func TestShape(t *testing.T) {
	f := setUp(t, nil)
	wrap := func(list string) string { return `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[` + list + `]}}` }
	for name, body := range map[string]string{
		"maps":   wrap(strings.Repeat(`{"a":1},`, 10_000) + "1"),
		"lists":  wrap(strings.Repeat(`[[]],`, 10_000) + "1"),
		"texts":  wrap(strings.Repeat(`"a",`, 10_000) + "1"),
		"keys":   `{` + strings.Repeat(`"a":1,`, 10_000) + `"b":1}`,
		"deep":   wrap(strings.Repeat("[", mostDepth) + strings.Repeat("]", mostDepth)),
		"quotes": wrap(strings.Repeat(`"\\",{},"\"",{},`, 3000) + "1"),
	} {
		if s := refused(t, f.do("POST", "/mcp", body, nil), http.StatusRequestEntityTooLarge); !strings.Contains(s, "5000") {
			t.Errorf("%s: %s", name, s)
		}
	}
	for name, body := range map[string]string{
		"large": wrap(`"` + strings.Repeat(`,[{\"`, 100_000) + `"`),
		"many":  wrap(strings.Repeat(`1,`, 4900) + "1"),
		"deep":  wrap(strings.Repeat("[", mostDepth-3) + strings.Repeat("]", mostDepth-3)),
	} {
		if !json.Valid([]byte(body)) {
			t.Fatal(name)
		}
		if w := f.do("POST", "/mcp", body, nil); w.Code != http.StatusOK {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// FuzzSmall: of JSON the count is never too low.
func FuzzSmall(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"\",["}]}`))
	f.Add([]byte(`[[[]],"\\",{}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var v any
		if json.Unmarshal(body, &v) == nil && small(body) {
			if values, depth := measure(v); values > mostValues || depth > mostDepth {
				t.Fatalf("%d values, %d deep, count as small", values, depth)
			}
		}
	})
}

func measure(v any) (values, depth int) {
	values = 1
	under := func(v any) {
		n, d := measure(v)
		values, depth = values+n, max(depth, d)
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			under(e)
		}
		depth++
	case map[string]any:
		for _, e := range v {
			under(e)
		}
		depth++
	}
	return values, depth
}
