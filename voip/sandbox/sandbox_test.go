package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/voip/carriertest"
)

const friend = smsmcp.Number("+15145550123")

var noon = time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

func open(t testing.TB, file string) *Carrier {
	t.Helper()
	c, err := Open(file, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func fresh(t testing.TB) (*Carrier, string) {
	file := filepath.Join(t.TempDir(), "sandbox.jsonl")
	return open(t, file), file
}

func all(t testing.TB, c *Carrier) []smsmcp.Text {
	t.Helper()
	got, err := c.List(t.Context(), time.Unix(0, 0), noon.AddDate(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestContract(t *testing.T) {
	carriertest.Run(t, func(t *testing.T) carriertest.Harness {
		c, _ := fresh(t)
		return carriertest.Harness{
			Carrier: c, To: friend, Now: clock,
			Taken: func() int {
				n := 0
				for _, x := range all(t, c) {
					if x.Direction == smsmcp.Sent {
						n++
					}
				}
				return n
			},
			Receive: func(t *testing.T, from smsmcp.Peer, body string, at time.Time) {
				if _, err := c.Receive(t.Context(), from, body, at, 0); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}

func TestTheFileIsPrivate(t *testing.T) {
	_, file := fresh(t)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
}

func TestTextsSurviveAndAreShared(t *testing.T) {
	a, file := fresh(t)
	b := open(t, file)
	if _, err := a.Send(t.Context(), friend, "from a"); err != nil {
		t.Fatal(err)
	}
	if len(all(t, a)) != 1 || len(all(t, b)) != 1 {
		t.Fatal("a text of one process is not seen by the other")
	}
	if _, err := b.Receive(t.Context(), smsmcp.CodePeer("72975"), "to b", noon.Add(-time.Hour), 2); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Carrier{a, b, open(t, file)} {
		got := all(t, c)
		if len(got) != 2 || got[0].Direction != smsmcp.Received || got[0].Images != 2 || got[0].Key.Kind != smsmcp.MMS {
			t.Fatalf("%+v", got)
		}
	}
}

func TestTheWindowIncludesItsEnds(t *testing.T) {
	c, _ := fresh(t)
	for i := range 5 {
		if _, err := c.Receive(t.Context(), smsmcp.NumberPeer(friend), fmt.Sprint(i), noon.Add(time.Duration(i)*time.Second), 0); err != nil {
			t.Fatal(err)
		}
	}
	got, err := c.List(t.Context(), noon.Add(1500*time.Millisecond), noon.Add(3*time.Second))
	if err != nil || len(got) != 3 || got[0].Body.RawForStore() != "1" || got[2].Body.RawForStore() != "3" {
		t.Fatalf("%d texts, %v", len(got), err)
	}
	if got, err := c.List(t.Context(), noon.Add(time.Hour), noon); err != nil || len(got) != 0 {
		t.Fatalf("%d texts, %v", len(got), err)
	}
}

// TestInvariant08ATornLineLosesNothingElse: a crash in the middle of a write costs the text that was written, and no other.
func TestInvariant08ATornLineLosesNothingElse(t *testing.T) {
	whole := []byte(`{"kind":"sms","id":"aa","number":"+15145550123","at":1764522000,"body":"torn"}`)
	for cut := range len(whole) + 1 {
		c, file := fresh(t)
		if _, err := c.Send(t.Context(), friend, "before"); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append([]byte("\n"), whole[:cut]...)); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if n := len(all(t, c)); n != 1 {
			t.Fatalf("cut at %d: %d texts before the next write", cut, n)
		}
		again := open(t, file)
		if _, err := again.Send(t.Context(), friend, "after"); err != nil {
			t.Fatal(err)
		}
		want := 2
		if cut == len(whole) {
			want = 3 // all but its line break was written: it is a text
		}
		for _, x := range []*Carrier{c, again, open(t, file)} {
			if n := len(all(t, x)); n != want {
				t.Fatalf("cut at %d: %d texts, want %d", cut, n, want)
			}
		}
	}
}

func TestHostileFiles(t *testing.T) {
	good := `{"kind":"sms","id":"ab","number":"+15145550123","at":1764522000,"body":"good"}` + "\n"
	for name, content := range map[string]string{
		"NUL":           "\x00\x00\n" + good,
		"a long line":   strings.Repeat("x", 3<<20) + "\n" + good,
		"a wide text":   `{"kind":"sms","id":"ac","at":1,` + strings.Repeat(" ", 2<<20) + `"body":"x"}` + "\n" + good,
		"a long text":   `{"kind":"sms","id":"ac","at":1,"body":"` + strings.Repeat("x", 900<<10) + `"}` + "\n" + good,
		"odd values":    `{"kind":"fax","id":"ac"}` + "\n" + `{"kind":"sms","id":"../x","at":1}` + "\n" + `{"kind":"sms","id":"ad","at":-1}` + "\n" + good,
		"far future":    `{"kind":"sms","id":"ac","at":999999999999999}` + "\n" + good,
		"wrong types":   `{"kind":1}` + "\n[]\n12\n\"x\"\n" + good,
		"an open tail":  good + `{"kind":"sms","id":"ac","at":1764522000,"body":"no end`,
		"an open flood": good + strings.Repeat("y", 2<<20),
	} {
		_, file := fresh(t)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c := open(t, file)
		got := all(t, c)
		if len(got) != 1 || got[0].Body.RawForStore() != "good" {
			t.Errorf("%s: %d texts", name, len(got))
		}
	}
	c, file := fresh(t)
	if _, err := c.Send(t.Context(), friend, "x"); err != nil || len(all(t, c)) != 1 {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 0); err != nil || len(all(t, c)) != 0 {
		t.Error("an emptied file still has texts")
	}
	both := line{Number: "+15145550123", Label: "x"}
	if both.peer().Kind != smsmcp.PeerLabel {
		t.Error("a line with a number and a label is taken for that number")
	}
}

func TestReceiveHasBounds(t *testing.T) {
	c, _ := fresh(t)
	peer := smsmcp.NumberPeer(friend)
	if _, err := c.Receive(t.Context(), peer, strings.Repeat("x", 64<<20), noon, 0); !errors.Is(err, smsmcp.ErrTooLong) {
		t.Error(err)
	}
	if _, err := c.Receive(t.Context(), smsmcp.LabelPeer(strings.Repeat("x", 64<<20)), "x", noon, 0); !errors.Is(err, smsmcp.ErrTooLong) {
		t.Error(err)
	}
	for _, at := range []time.Time{{}, time.Unix(maxTime+1, 0)} {
		if _, err := c.Receive(t.Context(), peer, "x", at, 0); err == nil {
			t.Errorf("%v is taken", at)
		}
	}
	if _, err := c.Receive(t.Context(), peer, "a\x00b\xff\u2028\u202e", noon, 0); err != nil {
		t.Error(err)
	}
	if got := all(t, c); len(got) != 1 || got[0].Body.RawForStore() != "a\x00b\ufffd\u2028\u202e" {
		t.Errorf("%d texts", len(got))
	}
	if _, err := c.Receive(t.Context(), peer, strings.Repeat("\x01", maxBody), noon, 0); err != nil || len(all(t, c)) != 2 {
		t.Errorf("the longest body is not listed: %v", err)
	}
}

// TestInvariant07AFailedWriteIsNotSent: what is no whole line is no text, and its send says so.
func TestInvariant07AFailedWriteIsNotSent(t *testing.T) {
	c, file := fresh(t)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := c.Send(t.Context(), friend, "x")
	var coded smsmcp.Coded
	if !errors.Is(err, smsmcp.ErrNotSent) || !errors.As(err, &coded) || coded.Code() != "sandbox_file" {
		t.Fatal(err)
	}
	if len(all(t, open(t, file))) != 0 {
		t.Error("it is listed")
	}
	if got, err := c.List(t.Context(), noon, noon); !errors.Is(err, smsmcp.ErrDown) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	if err := c.Check(t.Context()); !errors.Is(err, smsmcp.ErrDown) {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(filepath.Dir(file), "no", "such"), clock); err == nil {
		t.Error("a file in no folder is opened")
	}
}

// TestProcesses: several processes write at once, some are killed; every text that one of them said it wrote is listed once, whole.
func TestProcesses(t *testing.T) {
	file := os.Getenv("SANDBOX_TEST_FILE")
	if file != "" {
		writer(t, file)
		return
	}
	_, file = fresh(t)
	const processes = 3
	var outs [processes]bytes.Buffer
	var wg sync.WaitGroup
	for i := range processes {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
		cmd.Env = append(os.Environ(), "SANDBOX_TEST_FILE="+file)
		cmd.Stdout = &outs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		wg.Go(func() {
			_ = cmd.Wait() // killed
			close(ended)
		})
		wg.Go(func() { // kill -9 once the file has grown: in the middle of its writes
			for {
				select {
				case <-ended:
					return
				default:
				}
				if info, err := os.Stat(file); err != nil || info.Size() > int64(i+1)*200_000 {
					_ = cmd.Process.Kill()
					return
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	listed := map[string]int{}
	for _, x := range all(t, open(t, file)) {
		listed[x.Key.ID]++
		if x.Body.RawForStore() != strings.Repeat("abc", 50) {
			t.Fatalf("a text is mangled: %q", x.Body.RawForStore())
		}
	}
	said := 0
	for i := range outs {
		for id := range strings.Lines(outs[i].String()) {
			if !strings.HasSuffix(id, "\n") {
				continue
			}
			said++
			if n := listed[strings.TrimSpace(id)]; n != 1 {
				t.Fatalf("the text %s is listed %d times", id, n)
			}
		}
	}
	if said < 500 || len(listed) < said || len(listed) > said+processes {
		t.Fatalf("%d were said to be written, %d are listed", said, len(listed))
	}
}

// writer is the other process: it says each key once its text is written.
func writer(t *testing.T, file string) {
	c := open(t, file)
	for range 50_000 {
		r, err := c.Send(t.Context(), friend, strings.Repeat("abc", 50))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString(r.Key.ID + "\n")
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"kind":"sms","id":"ab","number":"+15145550123","at":1764522000,"body":"good"}`+"\n"), 10)
	f.Add([]byte("\n{\"kind\":\"mms\",\"id\":\"0\",\"sent\":true,\"label\":\"x\",\"at\":0}\n\x00"), 3)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		read := func(b []byte) (texts []smsmcp.Text, done int64) {
			done, err := scan(bytes.NewReader(b), func(l []byte) {
				if x, ok := parse(l); ok {
					texts = append(texts, x)
				}
			})
			if err != nil || done > int64(len(b)) {
				t.Fatalf("%d of %d bytes, %v", done, len(b), err)
			}
			return texts, done
		}
		whole, _ := read(b)
		// Read in two parts, as a file that grows is, it holds the same texts.
		cut = min(max(cut, 0), len(b))
		first, done := read(b[:cut])
		second, _ := read(b[done:])
		if got := append(first, second...); len(got) != len(whole) {
			t.Fatalf("%d texts at once, %d in two parts", len(whole), len(got))
		}
		for _, x := range whole {
			if x.Key.ID == "" || x.At.Unix() < 0 || x.At.Unix() > maxTime || x.Images > maxImages || x.Body.Len() > 3*maxBody {
				t.Fatalf("%+v", x)
			}
		}
	})
}

func BenchmarkSend(b *testing.B) {
	c, _ := fresh(b)
	for b.Loop() {
		if _, err := c.Send(b.Context(), friend, "On se voit à 17 h devant la gare ?"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkList lists 100 texts out of 100,000, of which one is new.
func BenchmarkList(b *testing.B) {
	c, _ := fresh(b)
	for i := range 100_000 {
		if _, err := c.Receive(b.Context(), smsmcp.NumberPeer(friend), "salut", noon.Add(-time.Duration(100_000-i)*time.Minute), 0); err != nil {
			b.Fatal(err)
		}
	}
	all(b, c)
	for b.Loop() {
		if _, err := c.Send(b.Context(), friend, "salut"); err != nil {
			b.Fatal(err)
		}
		if _, err := c.List(b.Context(), noon.Add(-100*time.Minute), noon.Add(-time.Second)); err != nil {
			b.Fatal(err)
		}
	}
}
