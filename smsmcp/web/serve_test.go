package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

// serving runs Serve, and gives what stops it and waits.
func serving(t *testing.T, h http.Handler) (addr string, stop func() error) {
	t.Helper()
	ln := listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, ln, h, slog.New(slog.DiscardHandler)) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return ln.Addr().String(), stop
}

// zeros is a body of spaces. The client may go on reading it after it has its answer.
type zeros struct{ left atomic.Int64 }

func blank(n int64) *zeros {
	z := &zeros{}
	z.left.Store(n)
	return z
}

func (z *zeros) Read(p []byte) (int, error) {
	left := z.left.Load()
	if left <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), left)
	for i := range p[:n] {
		p[i] = ' '
	}
	z.left.Add(-n)
	return int(n), nil
}

// TestLargeBodies sends 64 MiB, with its length told and without, and watches the memory.
func TestLargeBodies(t *testing.T) {
	f := setUp(t, func(o *Options) { o.Now = time.Now; o.RequestsPerMinute, o.Burst = 10000, 10000 })
	addr, _ := serving(t, f.handler)
	var before, peak runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const size = 64 << 20
	for _, length := range []int64{size, -1} {
		body := blank(size)
		req, _ := http.NewRequest("POST", "http://"+addr+"/mcp", body)
		req.ContentLength = length
		req.Header.Set("Authorization", "Bearer "+f.token)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != 413 || !strings.Contains(string(b), `"error"`) {
				t.Fatalf("status %d: %s", resp.StatusCode, b)
			}
		} else if !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
			t.Fatal(err) // a client that still writes may see the connection end before it reads the answer
		}
		if left := body.left.Load(); left < size-8<<20 {
			t.Fatalf("%d bytes were taken in", size-left)
		}
	}
	// Sixteen at once of the largest size that is allowed.
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			req, _ := http.NewRequest("POST", "http://"+addr+"/mcp", blank(1<<20))
			req.Header.Set("Authorization", "Bearer "+f.token)
			if resp, err := http.DefaultClient.Do(req); err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	runtime.ReadMemStats(&peak)
	if grew := int64(peak.Sys) - int64(before.Sys); grew > 160<<20 {
		t.Fatalf("memory grew by %d MiB", grew>>20)
	} else {
		t.Logf("memory grew by %d MiB", grew>>20)
	}
}

// TestSmallerIsReadable: the client of a body just past the limit reads its 413, and the connection is not reset under it.
func TestJustTooLarge(t *testing.T) {
	f := setUp(t, func(o *Options) { o.Now = time.Now })
	addr, _ := serving(t, f.handler)
	for _, length := range []int64{1<<20 + 1, -1} {
		req, _ := http.NewRequest("POST", "http://"+addr+"/mcp", blank(1<<20+1))
		req.ContentLength = length
		req.Header.Set("Authorization", "Bearer "+f.token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 413 || !strings.Contains(string(b), "1048576") {
			t.Fatal(resp.StatusCode, string(b))
		}
	}
}

func TestBusy(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	f := setUp(t, func(o *Options) {
		o.AtOnce = 1
		o.MCP = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside <- struct{}{}; <-leave })
	})
	done := make(chan struct{})
	go func() { defer close(done); f.do("POST", "/mcp", "{}", nil) }()
	<-inside
	w := f.do("POST", "/mcp", "{}", nil)
	refused(t, w, 503)
	if w.Header().Get("Retry-After") == "" {
		t.Fatal(w.Header())
	}
	close(leave)
	<-done
}

// TestSlowBody: who sends a body too slowly is answered and let go, with a token and without.
func TestSlowBody(t *testing.T) {
	// The server's clock is behind, so that its deadlines come that much earlier.
	f := setUp(t, func(o *Options) {
		o.Now = func() time.Time { return time.Now().Add(200*time.Millisecond - bodyTimeout) }
	})
	addr, _ := serving(t, f.handler)
	for token, want := range map[string]int{f.token: http.StatusRequestTimeout, "none": http.StatusUnauthorized} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{", token)
		in := bufio.NewReader(c)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Fatal(resp.StatusCode)
		}
		if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
			t.Fatalf("the connection is still there: %v", err)
		}
	}
}

// TestBodyTimeIsNotAnswerTime: an answer may take longer than a body.
func TestBodyTimeIsNotAnswerTime(t *testing.T) {
	f := setUp(t, func(o *Options) {
		o.Now = func() time.Time { return time.Now().Add(100*time.Millisecond - bodyTimeout) }
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
				t.Error("the request was given up")
			case <-time.After(400 * time.Millisecond): // past the body's deadline
			}
		})
	})
	addr, _ := serving(t, f.handler)
	req, _ := http.NewRequest("POST", "http://"+addr+"/mcp", strings.NewReader("{}"))
	req.Header.Set("Authorization", "Bearer "+f.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.StatusCode)
	}
}

func TestRequestTimeout(t *testing.T) {
	f := setUp(t, func(o *Options) {
		o.RequestTimeout = time.Millisecond
		o.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			_, _ = io.WriteString(w, context.Cause(r.Context()).Error())
		})
	})
	if w := f.do("POST", "/mcp", "{}", nil); w.Body.String() != context.DeadlineExceeded.Error() {
		t.Fatal(w.Body)
	}
}

// TestShutdownTells: a request that listens for the end of its context is told once it had its time, and then ends at once.
func TestShutdownTells(t *testing.T) {
	inside, ended := make(chan struct{}), make(chan struct{})
	addr, stop := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(inside)
		<-r.Context().Done()
		close(ended)
	}))
	go func() {
		if resp, err := http.Get("http://" + addr + "/"); err == nil {
			resp.Body.Close()
		}
	}()
	<-inside
	start := time.Now()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	<-ended
	if took := time.Since(start); took < finish || took > finish+drain {
		t.Fatalf("shutdown took %v", took)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Fatal("it still listens")
	}
}

// TestShutdownEnds: a request that never ends does not hold the shutdown past its deadline.
func TestShutdownEnds(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	defer close(leave)
	addr, stop := serving(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(inside); <-leave }))
	go func() {
		if resp, err := http.Get("http://" + addr + "/"); err == nil {
			resp.Body.Close()
		}
	}()
	<-inside
	start := time.Now()
	err := stop()
	if took := time.Since(start); took > 2*time.Second || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v after %v", err, took)
	}
}

func TestServeFailsWithItsListener(t *testing.T) {
	ln := listen(t)
	ln.Close()
	if err := Serve(context.Background(), ln, http.NotFoundHandler(), slog.New(slog.DiscardHandler)); err == nil {
		t.Fatal("no error")
	}
}

// broken is a listener that panics.
type broken struct{ net.Listener }

func (broken) Accept() (net.Conn, error) { panic("the words of a stranger") }

// TestAListenerThatPanicsIsAnErrorOfServe, which can be called again, and not the end of the program.
func TestAListenerThatPanicsIsAnErrorOfServe(t *testing.T) {
	var log lockedBuffer
	err := Serve(context.Background(), broken{listen(t)}, http.NotFoundHandler(), slog.New(slog.NewTextHandler(&log, nil)))
	if !errors.Is(err, errListener) || !strings.Contains(log.String(), "broken.Accept") || strings.Contains(log.String(), "stranger") {
		t.Errorf("%v\n%s", err, log.String())
	}
}
