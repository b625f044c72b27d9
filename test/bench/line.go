package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/test/testbed"
	readback "readback/test/testbed/program"
)

// Texts in turns, and those before that are not counted.
const lineTurns, lineWarm = 200, 20

// lineRest is the time between two: ntfy answers who published long after it has told its subscribers, and texts are not so close.
const lineRest = 50 * time.Millisecond

// line measures a text from the SIP packet to ntfy's subscriber: through the program, and, in turns, through a bare loop that takes ARI's event and posts the
// body to ntfy. Both hear the same Asterisk and speak to the same ntfy; the bare loop's texts come by an endpoint of its own, of which the program takes none.
func line(ctx context.Context, _ string) (rows []row, err error) {
	t := newBench(ctx)
	defer func() { err = errors.Join(err, t.end()) }()
	err = t.run(func() { rows = lineRows(t) })
	return rows, err
}

func lineRows(t *bench) []row {
	bed := testbed.Start(t, testbed.Config{
		Ntfy: []string{"visitor-request-limit-burst: 1000000", "visitor-message-daily-limit: 1000000"},
		Asterisk: map[string]string{"pjsip.conf": `
[bare](trunk-endpoint)
transport = test-udp
media_encryption = no
[bare]
type = identify
endpoint = bare
match = 127.0.0.3/32
`},
	})
	home := readback.New(t, []readback.Contact{{Name: "Marie Tremblay", Numbers: []string{"+15145550101"}}}, `
[carrier]
kind = "sipmsg"
[asterisk]
url = "`+bed.ARI+`"
password_file = "$DIR/ari"
ca_file = "`+bed.CAFile+`"
server = "`+bed.Trunk.String()+`"
number = "+15145550100"
[ntfy]
url = "`+bed.NtfyURL+`"
topic = "texts"
token_file = "$DIR/ntfy"
per_sender = 1000
in_all = 10000
window = "1m"
`, map[string]string{"ari": bed.Password, "ntfy": bed.NtfyToken})
	home.Start()
	testbed.Until(t, 30*time.Second, "the program hears Asterisk", func() bool { return strings.Contains(home.Log(), "the line to Asterisk stands") })

	came := make(chan testbed.Notification, 64)
	for _, topic := range []string{"texts", "bare"} {
		testbed.NewSubscriber(t, bed, topic, func(n testbed.Notification) { came <- n })
	}
	client := &http.Client{Timeout: 10 * time.Second}
	testbed.NewEar(t, bed, "bare", "endpoint:PJSIP/bare", func(h testbed.Heard) {
		if err := post(t.Context(), client, bed, h.Body); err != nil {
			t.Errorf("%v", err)
		}
	})
	phones := []*testbed.Phone{
		testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.1:0"), nil),
		testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.3:0"), nil),
	}
	took := make([][]time.Duration, len(phones))
	for i := range lineWarm + lineTurns {
		for who, phone := range phones {
			time.Sleep(lineRest)
			body := fmt.Sprintf("Text %d of %d", i, who)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			sent := make(chan error, 1)
			begin := time.Now()
			go func() {
				status, err := phone.Text(ctx, bed.SIP, testbed.SIPText{From: "+15145550101", Body: body})
				if err == nil && status != http.StatusAccepted {
					err = fmt.Errorf("status %d", status)
				}
				sent <- err
			}()
			for n := range until(ctx, came) {
				if strings.Contains(n.Message, body) {
					if i >= lineWarm {
						took[who] = append(took[who], n.Got.Sub(begin))
					}
					break
				}
			}
			if err := errors.Join(ctx.Err(), <-sent); err != nil {
				cancel()
				t.Fatalf("%s: %v", body, err)
			}
			cancel()
		}
	}
	home.Stop()
	at := func(d []time.Duration, of float64) time.Duration {
		slices.Sort(d)
		return d[int(of*float64(len(d)-1))]
	}
	ours, bare := took[0], took[1]
	return []row{
		{"SIP packet to ntfy subscriber, p50, against a bare ARI-to-ntfy loop", short(at(ours, 0.5)), short(at(bare, 0.5)), times(at(ours, 0.5), at(bare, 0.5)), "≤ 2"},
		{"the same, p99", short(at(ours, 0.99)), short(at(bare, 0.99)), times(at(ours, 0.99), at(bare, 0.99)), ""},
	}
}

// until gives what comes until ctx ends.
func until(ctx context.Context, came <-chan testbed.Notification) func(func(testbed.Notification) bool) {
	return func(yield func(testbed.Notification) bool) {
		for {
			select {
			case n := <-came:
				if !yield(n) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// post is all that the bare loop does.
func post(ctx context.Context, client *http.Client, bed *testbed.Bed, words string) error {
	body, err := json.Marshal(map[string]string{"topic": "bare", "message": words})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, bed.NtfyURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+bed.NtfyToken)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		err = errors.New(resp.Status)
	}
	return errors.Join(err, resp.Body.Close())
}

// bench is what a testbed asks of a test, outside of one.
type bench struct {
	testing.TB
	ctx      context.Context
	cleanups []func()
	dir      string // the last of TempDir

	mu     sync.Mutex
	failed []error
}

// stopped is how Fatal and Skip leave.
type stopped struct{}

func newBench(ctx context.Context) *bench { return &bench{ctx: ctx} }

// run calls f, which may end by Fatal or Skip, and gives what was wrong.
func (b *bench) run(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		err = errors.Join(b.failed...)
	}()
	f()
	return nil
}

// end undoes what was begun, the last first.
func (b *bench) end() error {
	return b.run(func() {
		for _, f := range slices.Backward(b.cleanups) {
			f()
		}
		b.cleanups = nil
	})
}

func (b *bench) Helper()                           {}
func (b *bench) Name() string                      { return "bench" }
func (b *bench) Context() context.Context          { return b.ctx }
func (b *bench) Cleanup(f func())                  { b.cleanups = append(b.cleanups, f) }
func (b *bench) Log(...any)                        {}
func (b *bench) Logf(string, ...any)               {}
func (b *bench) Error(args ...any)                 { b.fail(errors.New(fmt.Sprint(args...))) }
func (b *bench) Errorf(format string, args ...any) { b.fail(fmt.Errorf(format, args...)) }

// TempDir makes a folder that ends with the benchmark.
func (b *bench) TempDir() string {
	dir, err := os.MkdirTemp("", "readback-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.dir = dir
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Failed says whether anything was wrong.
func (b *bench) Failed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.failed) > 0
}

func (b *bench) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = append(b.failed, err)
}

// Fatal leaves run.
func (b *bench) Fatal(args ...any) {
	b.Error(args...)
	panic(stopped{})
}

// Fatalf leaves run.
func (b *bench) Fatalf(format string, args ...any) {
	b.Errorf(format, args...)
	panic(stopped{})
}

// Skipf leaves run: what cannot be measured here is an error of the benchmark.
func (b *bench) Skipf(format string, args ...any) { b.Fatalf(format, args...) }
