package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voice"
	"readback/voice/room"
)

// roomSizes are how many rooms there are at once, and how they are measured. One room has one place in the 20 ms of the server's, of ours and of the caller's: many are made, one after the other.
var roomSizes = []size{{1, 8, 2 * time.Second, 0}, {10, 2, 8 * time.Second, 0}, {20, 2, 8 * time.Second, 0}}

// roomJitter is what a leg in a room holds sound back by: what the bare echo holds it back by as well.
const roomJitter = 60 * time.Millisecond

// rooms measures sound through a LiveKit server: the way of a caller's frames through the room's leg and back, and in turns the way through a bare echo, which is a participant made with the SDK,
// the same jitter buffer and a pacer of its own.
func rooms(ctx context.Context, _ string) (rows []row, err error) {
	t := newBench(ctx)
	defer func() { err = errors.Join(err, t.end()) }()
	err = t.run(func() { roomRows(t, &rows) })
	return rows, err
}

// roomTake is what was measured of one way at one size.
type roomTake struct {
	take
	joins []int64 // µs
}

// echoing answers the caller of a room by an echo. Its end comes with the caller's, and is waited for with wait.
type echoing func(ctx context.Context, name string) (wait func(), err error)

// roomRows adds what it measures to rows as it goes, so that what stops it costs only what follows.
func roomRows(t *bench, rows *[]row) {
	if err := os.Setenv("READBACK_LIVEKIT", "1"); err != nil {
		t.Fatal(err)
	}
	silent()
	kit := testbed.StartLiveKit(t)
	pid := processOf("livekit-server", t.dir)
	base := goroutines()
	var on atomic.Bool
	ours := func(ctx context.Context, name string) (func(), error) { return legEcho(ctx, kit, name, &on) }
	bare := func(ctx context.Context, name string) (func(), error) {
		return bareRoomEcho(ctx, ordered{Rooms: kit.URL, Key: kit.Key, Secret: kit.Secret, To: name}, on.Load)
	}
	left := 0
	for _, s := range roomSizes {
		if onlyCalls != 0 && s.calls != onlyCalls {
			continue
		}
		var way [2]roomTake
		for n := range s.rounds {
			for i, echo := range []echoing{bare, ours} {
				on.Store(false)
				o := ordered{Rooms: kit.URL, Key: kit.Key, Secret: kit.Secret, To: fmt.Sprintf("bench-%d-%d-%d", s.calls, n, i), Calls: s.calls, For: s.lasts}
				roomRound(t, o, pid, &on, echo, &way[i])
				left += guestsLeft(t, kit)
			}
		}
		*rows = append(*rows, roomEchoRows(s.calls, &way[1], &way[0])...)
	}
	more := 0
	for range 500 {
		if more = goroutines() - base; more <= 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if more > 0 {
		_, _ = os.Stderr.Write(stacks())
	}
	*rows = append(*rows,
		row{"left in LiveKit after each round (participants)", strconv.Itoa(left), "", "", "0"},
		row{"goroutines left at the end", strconv.Itoa(max(more, 0)), "", "", "0"})
}

func roomEchoRows(calls int, ours, bare *roomTake) []row {
	n := strconv.Itoa(calls) + " rooms"
	if calls == 1 {
		n = "1 room"
	}
	if len(ours.Round) == 0 || len(bare.Round) == 0 {
		return []row{{"audio round trip in rooms, " + n + ": nothing came back", "", "", "", ""}}
	}
	return []row{
		{"audio round trip, " + n + ", p50, against an echo by the SDK alone", short(at(ours.Round, .5)), short(at(bare.Round, .5)), times(at(ours.Round, .5), at(bare.Round, .5)), "≤ 1.2"},
		{"the same, p95", short(at(ours.Round, .95)), short(at(bare.Round, .95)), times(at(ours.Round, .95), at(bare.Round, .95)), ""},
		{"frames that did not come back", outOf(ours.Missing, ours.Sent), outOf(bare.Missing, bare.Sent), "", ""},
		{"joining a room, to a caller who hears us, p50", short(at(ours.joins, .5)), short(at(bare.joins, .5)), times(at(ours.joins, .5), at(bare.joins, .5)), ""},
		{"the same, p95", short(at(ours.joins, .95)), short(at(bare.joins, .95)), times(at(ours.joins, .95), at(bare.joins, .95)), ""},
		{"processor for a call, of one core", ours.core(calls), bare.core(calls), times(ours.cpu, bare.cpu), ""},
		{"LiveKit's, for a call", part(ours.server, ours.took, calls), part(bare.server, bare.took, calls), "", ""},
		{"memory for a call", kib(ours.memory, calls), kib(bare.memory, calls), "", ""},
	}
}

// roomRound has callers come once, each into a room of its own, and adds what was found.
func roomRound(t *bench, o ordered, pid int, on *atomic.Bool, echo echoing, to *roomTake) {
	before := memory()
	p := startCallers(t, o)
	p.up()
	waits := make([]func(), o.Calls)
	for i := range waits {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		begin := time.Now()
		wait, err := echo(ctx, roomOf(o.To, i))
		cancel()
		if err != nil {
			t.Fatalf("room %d: %v", i, err)
		}
		to.joins = append(to.joins, time.Since(begin).Microseconds())
		waits[i] = wait
	}
	time.Sleep(settling)
	on.Store(true)
	begin, cpu, theirs := time.Now(), processor(os.Getpid()), processor(pid)
	p.tell()
	time.Sleep(o.For)
	to.took += time.Since(begin)
	to.cpu += processor(os.Getpid()) - cpu
	to.server += processor(pid) - theirs
	to.memory = max(to.memory, memory()-before)
	f := p.found()
	p.end()
	for _, wait := range waits {
		wait()
	}
	to.Sent, to.Missing, to.Twice = to.Sent+f.Sent, to.Missing+f.Missing, to.Twice+f.Twice
	to.Round = append(to.Round, f.Round...)
}

// callersProcess is the callers' process.
type callersProcess struct {
	t     *bench
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Reader
}

func startCallers(t *bench, o ordered) *callersProcess {
	order, err := json.Marshal(o) //nolint:gosec // a key of a server that ends with the benchmark
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &callersProcess{t: t, cmd: exec.CommandContext(t.Context(), self, "-callers", string(order))} //nolint:gosec // this program
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewReaderSize(out, 1<<20)
	return p
}

// up waits until all got through.
func (p *callersProcess) up() {
	if up, err := p.lines.ReadString('\n'); err != nil || up != "up\n" {
		_ = p.in.Close()
		p.t.Fatal("the callers did not get through", up, err, p.cmd.Wait())
	}
}

// tell has them begin.
func (p *callersProcess) tell() {
	if _, err := io.WriteString(p.in, "go\n"); err != nil {
		p.t.Errorf("callers: %v", err)
	}
}

func (p *callersProcess) found() (f found) {
	answer, err := p.lines.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(answer, &f)
	}
	if err != nil {
		p.t.Errorf("callers: %v", err)
	}
	return f
}

// end has them hang up.
func (p *callersProcess) end() {
	_ = p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("callers: %v", err)
	}
}

func roomOf(of string, i int) string { return of + "-" + strconv.Itoa(i) }

// legEcho echoes by the room's leg: each frame that is heard is played.
func legEcho(ctx context.Context, kit *testbed.LiveKit, name string, on *atomic.Bool) (wait func(), err error) {
	leg, err := room.Join(ctx, room.Options{
		URL: kit.URL, Key: kit.Key, Secret: kit.Secret, Room: name, Line: "bench", Now: time.Now, Peer: func(string) smsmcp.Peer { return smsmcp.Peer{} },
	})
	if err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	all.Go(func() { echoLeg(leg, on) })
	return func() {
		all.Wait()
		late, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		_ = leg.HangUp(late)
	}, nil
}

// echoLeg plays what is heard until the call is over, but for what came at once after the program did not come to run: no echo plays that, which would be as late as that for the rest of the call.
func echoLeg(leg voice.Leg, on *atomic.Bool) {
	var before time.Time
	for {
		f, err := leg.Hear(context.Background())
		if err != nil {
			return
		}
		now := time.Now()
		if late := now.Sub(before) < catchUp; on.Load() && !late && leg.Play(context.Background(), f) != nil {
			return
		}
		before = now
	}
}

// guestsLeft is how many are in rooms a while after all have left.
func guestsLeft(t *bench, kit *testbed.LiveKit) (left int) {
	service := lksdk.NewRoomServiceClient(kit.URL, kit.Key, kit.Secret)
	for range 200 {
		left = 0
		all, err := service.ListRooms(t.Context(), &livekit.ListRoomsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all.GetRooms() {
			some, err := service.ListParticipants(t.Context(), &livekit.ListParticipantsRequest{Room: r.GetName()})
			if err == nil { // the room may be gone by now
				left += len(some.GetParticipants())
			}
		}
		if left == 0 {
			return 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	return left
}

// processOf finds a process by what its command line holds; 0 where that cannot be had.
func processOf(what ...string) int {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		b, _ := os.ReadFile(file)
		if s := string(b); !slices.ContainsFunc(what, func(w string) bool { return !strings.Contains(s, w) }) {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			return pid
		}
	}
	return 0
}
