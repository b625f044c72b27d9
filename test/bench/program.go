package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// program measures the program as its owner starts it: from exec to the first answer, and what it holds when nothing happens.
func program(ctx context.Context, dir string) ([]row, error) {
	binary := filepath.Join(dir, "readback")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/readback").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w\n%s", err, out)
	}
	var ups, versions []time.Duration
	var rss, peak string
	for i := range 7 {
		begin := time.Now()
		if err := exec.CommandContext(ctx, binary, "--version").Run(); err != nil {
			return nil, err
		}
		versions = append(versions, time.Since(begin))
		up, now, most, err := start(ctx, binary, filepath.Join(dir, "home"), i > 0)
		if err != nil {
			return nil, err
		}
		ups, rss, peak = append(ups, up), now, most
	}
	slices.Sort(ups[1:]) // the first one makes the folder
	slices.Sort(versions)
	up, version := ups[1:][len(ups[1:])/2], versions[len(versions)/2]
	return []row{
		{"start-up to the first answer, against `readback --version`", short(up), short(version), times(up, version), ""},
		{"first start, which makes the data folder", short(ups[0]), "", "", ""},
		{"memory of an idle server (resident, and its peak)", rss + ", " + peak, "", "", ""},
	}, nil
}

func start(ctx context.Context, binary, data string, settle bool) (up time.Duration, rss, peak string, err error) {
	cmd := exec.CommandContext(ctx, binary, "serve", "--data", data, "--listen", "127.0.0.1:0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, "", "", err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if e := cmd.Wait(); err == nil && e != nil {
			err = fmt.Errorf("serve: %w\n%s", e, &out)
		}
	}()
	for {
		if time.Since(begin) > 30*time.Second {
			return 0, "", "", fmt.Errorf("serve does not answer")
		}
		address, err := os.ReadFile(filepath.Join(data, "address"))
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		base, _, _ := strings.Cut(string(address), "\n")
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+base+"/healthz", http.NoBody)
		if err != nil {
			return 0, "", "", err
		}
		if a, err := http.DefaultClient.Do(r); err == nil {
			_ = a.Body.Close()
			break
		}
		time.Sleep(time.Millisecond)
	}
	up = time.Since(begin)
	if settle {
		time.Sleep(300 * time.Millisecond) // the first sync is over by then
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return up, "?", "?", nil //nolint:nilerr // not Linux: the time alone is measured
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "VmRSS":
			rss = strings.TrimSpace(value)
		case "VmHWM":
			peak = strings.TrimSpace(value)
		}
	}
	return up, rss, peak, nil
}
