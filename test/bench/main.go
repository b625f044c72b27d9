// Command bench measures what ARCHITECTURE.md promises, each against a baseline in the same run, and prints a table in Markdown.
//
// The machines that it runs on are shared and noisy: a ratio of medians, taken by turns, means something where a time does not. It
// fails on an error only, never on a number.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"
)

// row is a line of the table.
type row struct{ what, ours, baseline, ratio, aim string }

var measures = map[string]func(context.Context, string) ([]row, error){"reads": reads, "sends": sends, "frames": frames, "program": program, "line": line, "voice": calls, "rooms": rooms}

func main() {
	only := flag.String("only", "", "measure one of reads, sends, frames, program, line, voice, rooms (the last two are not among the others)")
	profile := flag.String("profile", "", "write a CPU profile to this file")
	callers := flag.String("callers", "", "be the callers of voice or rooms: for those alone")
	flag.IntVar(&onlyCalls, "calls", 0, "of voice or rooms, measure this many calls alone")
	flag.Parse()
	if *callers != "" {
		if err := callersMain(*callers); err != nil {
			fmt.Fprintln(os.Stderr, "callers:", err)
			os.Exit(1)
		}
		return
	}
	names := []string{"reads", "sends", "frames", "program", "line"}
	if *only != "" {
		names = []string{*only}
	}
	err := profiled(*profile, func() error { return run(context.Background(), names) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	dir, err := os.MkdirTemp("", "readback-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fmt.Printf("%s, %d cores, %s, %s/%s\n\n", time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Println("| what | Readback | baseline | ratio | aim |")
	fmt.Println("|---|---|---|---|---|")
	for _, name := range names {
		measure, ok := measures[name]
		if !ok {
			return fmt.Errorf("no measure is called %q", name)
		}
		rows, err := measure(ctx, dir)
		for _, r := range rows {
			fmt.Printf("| %s | %s | %s | %s | %s |\n", r.what, r.ours, r.baseline, r.ratio, r.aim)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

// byTurns calls each function n times, one after the other, and gives each one's median, so that what else the machine does slows all.
func byTurns(n int, fs ...func() error) ([]time.Duration, error) {
	took := make([][]time.Duration, len(fs))
	for range n {
		for i, f := range fs {
			begin := time.Now()
			if err := f(); err != nil {
				return nil, err
			}
			took[i] = append(took[i], time.Since(begin))
		}
	}
	medians := make([]time.Duration, len(fs))
	for i, d := range took {
		slices.Sort(d)
		medians[i] = d[len(d)/2]
	}
	return medians, nil
}

func times(ours, baseline time.Duration) string {
	return fmt.Sprintf("%.2f", float64(ours)/float64(baseline))
}

func short(d time.Duration) string {
	if d > 10*time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(100 * time.Nanosecond).String()
}
