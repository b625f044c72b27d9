package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var errNoNPM = errors.New("npm is not installed")

// modules gives the folder of what npm fetches into the module's .cache at the versions and with the hashes that the lock names.
var modules = sync.OnceValues(func() (string, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return "", errNoNPM
	}
	var sum []byte
	files := map[string][]byte{}
	for _, name := range []string{"package.json", "package-lock.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			return "", err
		}
		files[name], sum = b, append(sum, b...)
	}
	hash := sha256.Sum256(sum)
	cache, err := filepath.Abs(filepath.Join("..", "..", ".cache", "browser"))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, hex.EncodeToString(hash[:8]))
	folder := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(cache, "installing-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(work, name), b, 0o644); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(folder); there != nil {
			return "", err
		}
	}
	return folder, nil
})

// axe gives axe-core's script.
func axe() (string, error) {
	folder, err := modules()
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(folder, "axe-core", "axe.min.js"))
	return string(b), err
}

// judge has axe-core look at the page as it stands. Every rule counts, also the ones that it calls best practice.
func (b *tab) judge(state string) {
	b.t.Helper()
	script, err := axe()
	if errors.Is(err, errNoNPM) && os.Getenv("CI") != "true" {
		b.t.Log("left out: what axe-core says of the page: ", err)
		return
	}
	must(b.t, err)
	b.within(func(ctx context.Context) error {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script+"\n;true"))
		return err
	})
	var found string
	b.within(func(ctx context.Context) error {
		found, err = chromedp.Run(ctx, chromedp.Evaluate[string](`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify({
			passes: r.passes.length,
			violations: r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.map(n => n.html.slice(0, 200) + " | " + n.failureSummary)})),
		}))`, chromedp.EvalAwaitPromise))
		return err
	})
	var result struct {
		Passes     int
		Violations []struct {
			ID, Help string
			Nodes    []string
		}
	}
	must(b.t, json.Unmarshal([]byte(found), &result))
	if result.Passes < 10 {
		b.t.Errorf("%s: axe-core found only %d rules to hold: it saw no page", state, result.Passes)
	}
	for _, v := range result.Violations {
		b.t.Errorf("%s: %s: %s\n%s", state, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
	}
}

// TestTheJudgeSeesWhatIsWrong: what axe-core says counts only if it says something of a bad page.
func TestTheJudgeSeesWhatIsWrong(t *testing.T) {
	h := build(t)
	b := open(t, h.url)
	script, err := axe()
	if errors.Is(err, errNoNPM) && os.Getenv("CI") != "true" {
		t.Skip("left out: ", err)
	}
	must(t, err)
	b.visit("/sign-in")
	eval[bool](b, `document.querySelector("label").remove(), true`)
	eval[bool](b, script+"\n;true")
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run().then(r => r.violations.map(v => v.id).join(" "))`, chromedp.EvalAwaitPromise))
	must(t, err)
	if !strings.Contains(found, "label") {
		t.Errorf("a field without a label is no violation: %q", found)
	}
}
