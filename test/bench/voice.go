package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/test/testbed"
	"readback/voice"
	asterisk "readback/voice/line"
	"readback/voice/media"
	"readback/voip/ari"
)

var loopback = netip.MustParseAddrPort("127.0.0.1:0")

// onlyCalls is how many calls are measured, if it is not 0.
var onlyCalls int

// size is how many calls there are at once, and how they are measured.
type size struct {
	calls, rounds int
	lasts         time.Duration // of a round
	talk          time.Duration // of a round of talking; 0: none
}

// One call has one place in the 20 ms of Asterisk's and of ours: many are dialled, one after the other.
var sizes = []size{
	{1, 6, 2 * time.Second, 30 * time.Second},
	{20, 2, 8 * time.Second, 0},
	{50, 2, 8 * time.Second, 30 * time.Second},
	{100, 2, 8 * time.Second, 0},
}

// settling is how long calls stand before they are measured.
const settling = time.Second

// catchUp tells frames that come at once, after the program did not come to run for a while, from those that come at their pace. No echo plays them: it would be as
// late as that for the rest of the call.
const catchUp = media.FrameTime / 4

// endpointing is the silence that ends a turn, which is no time of the program's.
const endpointing = 700 * time.Millisecond

// calls measures sound through an Asterisk: the way of a caller's frames through the line and back, and in turns the way through a bare echo, by the same port; then what
// the ears, the agent and the mouth add, with engines that take no time.
func calls(ctx context.Context, _ string) (rows []row, err error) {
	t := newBench(ctx)
	defer func() { err = errors.Join(err, t.end()) }()
	err = t.run(func() { callRows(t, &rows) })
	return rows, err
}

// take is what was measured of one way at one size.
type take struct {
	found
	cpu, server  time.Duration // in took; server: Asterisk's, or LiveKit's
	took         time.Duration
	memory       int64           // of all calls, bytes
	noticed, own []time.Duration // see talks
}

// callRows adds what it measures to rows as it goes, so that what stops it costs only what follows.
func callRows(t *bench, rows *[]row) {
	bed := testbed.Start(t, testbed.Config{NoNtfy: true, Asterisk: map[string]string{
		"extensions.conf": "exten = bare,1,Stasis(" + bareApp + ")\n same = n,Hangup()\n",
		"asterisk.conf":   "[options](+)\nmaxcalls = 400\nmaxfiles = 8192\n",
		"http.conf":       "[general](+)\nsessionlimit = 400\n", // a hundred calls that end at once ask at once
	}})
	base := goroutines()
	var echoes atomic.Bool
	talking := newTalks()
	var talk atomic.Bool
	client := newClient(t, bed, bed.App)
	l, err := asterisk.New(asterisk.Options{
		Asterisk: client, Local: loopback.Addr(), Name: "bench", Now: time.Now, MaxCalls: 200, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Peer: func(raw string) smsmcp.Peer { return contacts.Peer(raw, "CA") },
		Handle: func(ctx context.Context, leg voice.Leg) {
			if talk.Load() {
				talking.answer(ctx, leg)
				return
			}
			var before time.Time
			for {
				f, err := leg.Hear(ctx)
				if err != nil {
					return
				}
				now := time.Now()
				if late := now.Sub(before) < catchUp; echoes.Load() && !late && leg.Play(ctx, f) != nil {
					return
				}
				before = now
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	working, stopWork := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { _ = l.Run(working) })
	endLine := listenTo(t, client, l.Connected, l.Event)
	endEcho := startEcho(t, bed, &echoes)
	pid := asteriskOf(bed)
	var left, missed []string
	for _, s := range sizes {
		if onlyCalls != 0 && s.calls != onlyCalls {
			continue
		}
		ways := map[string]*take{"app": {}, bareApp: {}}
		for range s.rounds {
			for _, to := range []string{bareApp, "app"} {
				echoes.Store(false)
				round(t, ordered{SIP: bed.SIP, To: to, Calls: s.calls, For: s.lasts}, pid, &echoes, ways[to])
				left = append(left, remains(t, client, l)...)
			}
		}
		*rows = append(*rows, echoRows(s.calls, ways["app"], ways[bareApp])...)
		if s.talk == 0 {
			continue
		}
		talk.Store(true)
		var way take
		round(t, ordered{SIP: bed.SIP, To: "app", Calls: s.calls, For: s.talk, Talk: true}, pid, &echoes, &way)
		talk.Store(false)
		left = append(left, remains(t, client, l)...)
		way.noticed, way.own = talking.noticed(way.Hushed), talking.own()
		*rows = append(*rows, talkRows(s.calls, &way, ways[bareApp])...)
		missed = append(missed, fmt.Sprintf("%d of %d", way.Unheard, len(way.Answer)+way.Unheard))
	}
	stopWork()
	work.Wait()
	endLine()
	endEcho()
	client.Close()
	more := 0
	for range 200 {
		if more = goroutines() - base; more <= 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if more > 0 {
		_, _ = os.Stderr.Write(stacks())
	}
	*rows = append(*rows,
		row{"speech that was not answered", strings.Join(missed, ", "), "", "", "0"},
		row{"left in Asterisk after each round (channels, bridges)", strconv.Itoa(len(left)), "", "", "0"},
		row{"goroutines left at the end", strconv.Itoa(max(more, 0)), "", "", "0"})
}

func echoRows(calls int, ours, bare *take) []row {
	n := many(calls)
	if len(ours.Round) == 0 || len(bare.Round) == 0 {
		return []row{{"audio round trip, " + n + ": nothing came back", "", "", "", ""}}
	}
	rows := []row{
		{"audio round trip, " + n + ", p50, against a bare echo by the same port", short(at(ours.Round, .5)), short(at(bare.Round, .5)), times(at(ours.Round, .5), at(bare.Round, .5)), ""},
		{"the same, p95", short(at(ours.Round, .95)), short(at(bare.Round, .95)), times(at(ours.Round, .95), at(bare.Round, .95)), ""},
		{"frames that did not come back", outOf(ours.Missing, ours.Sent), outOf(bare.Missing, bare.Sent), "", ""},
		{"processor for a call, of one core", ours.core(calls), bare.core(calls), times(ours.cpu, bare.cpu), ""},
		{"Asterisk's, for a call", part(ours.server, ours.took, calls), part(bare.server, bare.took, calls), "", ""},
	}
	if calls >= 20 { // else it is that of connections and buffers which serve all
		rows = append(rows, row{"memory for a call", kib(ours.memory, calls), kib(bare.memory, calls), "", ""})
	}
	return rows
}

func talkRows(calls int, way, bare *take) []row {
	n := many(calls)
	if len(way.Answer) == 0 || len(way.Stop) == 0 || len(bare.Round) == 0 {
		return []row{{"talking, " + n + ": nothing was answered", "", "", "", ""}}
	}
	// What the caller waits beyond the silence that ends a turn.
	answer := func(of float64) time.Duration { return at(way.Answer, of) - endpointing }
	slices.Sort(way.noticed)
	slices.Sort(way.own)
	rows := []row{
		{"end of speech to first audio, less 0.7 s, " + n + ", p50, against a bare echo's round trip", short(answer(.5)), short(at(bare.Round, .5)), times(answer(.5), at(bare.Round, .5)), ""},
		{"the same, p99", short(answer(.99)), short(at(bare.Round, .99)), times(answer(.99), at(bare.Round, .99)), ""},
	}
	if k := len(way.own); k > 0 {
		rows = append(rows,
			row{"of it, from the frame that ends the turn to the first sound given to the line, p50", short(way.own[k/2]), "", "", "20ms"},
			row{"the same, p99", short(way.own[k*99/100]), "", "", "20ms"})
	}
	rows = append(rows, []row{
		{"0.3 s of speech over the program's, as the caller has sent them, to the last packet that is not silent, p50", short(at(way.Stop, .5)), "", "", ""},
		{"the same, p99", short(at(way.Stop, .99)), "", "", ""},
	}...)
	if k := len(way.noticed); k > 0 {
		rows = append(rows,
			row{"from when the ears have detected 0.3 s, p50", short(way.noticed[k/2]), "", "", "60ms"},
			row{"the same, p99", short(way.noticed[k*99/100]), "", "", "60ms"})
	}
	rows = append(rows, row{"processor for a call that talks, of one core (" + strconv.Itoa(len(way.Answer)) + " answers)", way.core(calls), "", "", ""})
	if calls >= 20 {
		rows = append(rows, row{"memory for a call that talks", kib(way.memory, calls), "", "", ""})
	}
	return rows
}

func many(calls int) string {
	if calls == 1 {
		return "1 call"
	}
	return strconv.Itoa(calls) + " calls"
}

func (w *take) core(calls int) string { return part(w.cpu, w.took, calls) }

func part(of, took time.Duration, calls int) string {
	return fmt.Sprintf("%.2f %%", 100*of.Seconds()/took.Seconds()/float64(calls))
}

func outOf(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }

func kib(bytes int64, calls int) string { return fmt.Sprintf("%d KiB", bytes/int64(calls)/1024) }

// at is a quantile of what took so many µs.
func at(us []int64, of float64) time.Duration {
	slices.Sort(us)
	return time.Duration(us[int(of*float64(len(us)-1))]) * time.Microsecond
}

// round has callers call once, and adds what was found.
func round(t *bench, o ordered, pid int, echoes *atomic.Bool, to *take) {
	before := memory()
	p := startCallers(t, o)
	p.up()
	time.Sleep(settling)
	echoes.Store(true)
	begin, cpu, theirs := time.Now(), processor(os.Getpid()), processor(pid)
	p.tell()
	time.Sleep(o.For)
	to.took += time.Since(begin)
	to.cpu += processor(os.Getpid()) - cpu
	to.server += processor(pid) - theirs
	to.memory = max(to.memory, memory()-before)
	f := p.found()
	p.end()
	to.Sent, to.Missing, to.Twice = to.Sent+f.Sent, to.Missing+f.Missing, to.Twice+f.Twice
	to.Round, to.Answer, to.Stop, to.Hushed = append(to.Round, f.Round...), append(to.Answer, f.Answer...), append(to.Stop, f.Stop...), append(to.Hushed, f.Hushed...)
	to.Unheard += f.Unheard
}

// remains gives what is still there a while after all have hung up.
func remains(t *bench, client *ari.Client, l *asterisk.Line) (left []string) {
	for range 200 {
		left = nil
		channels, err := client.Channels(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		bridges, err := client.Bridges(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range channels {
			left = append(left, c.ID)
		}
		for _, b := range bridges {
			left = append(left, b.ID)
		}
		if len(left) == 0 && l.Counts().Calls == 0 {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return left
}

func newClient(t *bench, bed *testbed.Bed, app string) *ari.Client {
	c, err := ari.New(ari.Config{
		URL: bed.ARI, App: app, User: bed.User, Password: func() (string, error) { return bed.Password, nil }, Roots: bed.Roots,
		Sources: []string{"endpoint:PJSIP/caller"}, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)), Timeout: 20 * time.Second, //nolint:gosec // chance, not secrecy
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listenTo has events of calls told, once the connection stands, until it is ended.
func listenTo(t *bench, client *ari.Client, connected func(context.Context) error, call func(ari.Event)) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	up := make(chan struct{})
	first := sync.OnceFunc(func() { close(up) })
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = client.Run(ctx, ari.Listener{
			Connected: func(ctx context.Context) error { defer first(); return connected(ctx) },
			Event:     func(context.Context, ari.Event) {}, Call: call,
		})
	})
	select {
	case <-up:
	case <-time.After(30 * time.Second):
		t.Fatal("no connection to Asterisk")
	}
	return func() { cancel(); wg.Wait() }
}

// goroutines are those of this process.
func goroutines() int {
	http.DefaultClient.CloseIdleConnections()
	runtime.GC()
	return runtime.NumGoroutine()
}

func stacks() []byte {
	b := make([]byte, 1<<20)
	return b[:runtime.Stack(b, true)]
}

// memory is what is in use, the goroutines' stacks as well.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse) //nolint:gosec // far below
}

// processor is the time that a process has had; 0 where nobody says.
func processor(pid int) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// asteriskOf finds the bed's Asterisk by the folder that it was started with; 0 where that cannot be had.
func asteriskOf(bed *testbed.Bed) int {
	return processOf(filepath.Dir(filepath.Dir(bed.CAFile)), "asterisk.conf")
}
