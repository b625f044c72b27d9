package clients

import (
	"encoding/json"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// expected is a line of testdata/expected-failures.txt.
type expected struct {
	revision, scenario, check string
	seen                      bool
}

func readExpected(t *testing.T) []*expected {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "expected-failures.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*expected
	for _, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		what, why, _ := strings.Cut(line, "|")
		f := strings.Fields(what)
		if len(f) != 3 || strings.TrimSpace(why) == "" {
			t.Fatalf("not three words and a reason: %q", line)
		}
		out = append(out, &expected{revision: f[0], scenario: f[1], check: f[2]})
	}
	return out
}

func (e *expected) covers(revision, scenario, check string) bool {
	for _, p := range [][2]string{{e.revision, revision}, {e.scenario, scenario}, {e.check, check}} {
		if ok, err := path.Match(p[0], p[1]); err != nil || !ok {
			return false
		}
	}
	return true
}

// product is what a server without test tools must pass, by its parts.
var product = map[string][]string{
	"2026-07-28": {"server-stateless", "tools-list", "http-header-validation", "dns-rebinding-protection", "caching", "sep-2164-resource-not-found", "server-sse-multiple-streams"},
	"2025-11-25": {"server-initialize", "ping", "tools-list", "dns-rebinding-protection"},
}

// TestConformance runs what the conformance suite requires of a server, through a proxy that adds the token: the suite has no option for one.
func TestConformance(t *testing.T) {
	k, s := clients(t), start(t)
	list := readExpected(t)
	mcp := s.open(t)
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			dir := t.TempDir()
			script := filepath.Join(k.modules, "@modelcontextprotocol", "conformance", "dist", "index.js")
			out, _ := k.run(t, nil, script, "server", "--url", mcp, "--requirements", revision, "-o", dir)
			passed := conforms(t, dir, revision, list)
			for _, scenario := range product[revision] {
				if passed[scenario] == 0 {
					t.Errorf("nothing of %s passed", scenario)
				}
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
	for _, e := range list {
		if !e.seen {
			t.Errorf("expected-failures.txt: nothing fails of %s %s %s", e.revision, e.scenario, e.check)
		}
	}
}

// open gives the address of a proxy that adds the token.
func (s *server) open(t *testing.T) string {
	t.Helper()
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host})
		r.Out.Host = r.In.Host // Host and Origin are what some scenarios are about
		r.Out.Header.Set("Authorization", "Bearer "+s.token)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL + "/mcp"
}

// inputRequired are the scenarios of a server that asks its client for input. All are passed, each in full, by the product's own stack with the suite's tools on it.
var inputRequired = []string{
	"basic-elicitation", "basic-list-roots", "basic-sampling", "capability-check", "ignore-extra-params", "missing-input-response", "multi-round", "multiple-input-requests",
	"non-tool-request", "request-state", "result-type", "tampered-state", "unsupported-methods", "validate-input",
}

func TestConformanceOfInputRequired(t *testing.T) {
	k, s := clients(t), startBuilt(t, withFixture, "")
	dir := t.TempDir()
	script := filepath.Join(k.modules, "@modelcontextprotocol", "conformance", "dist", "index.js")
	k.run(t, nil, script, "server", "--url", s.open(t), "--requirements", "2026-07-28", "-o", dir)
	all := results(t, dir)
	for _, name := range inputRequired {
		checks := all["input-required-result-"+name]
		if len(checks) == 0 {
			t.Errorf("%s did not run", name)
		}
		for _, c := range checks {
			if c.Status != "SUCCESS" && c.Status != "INFO" {
				t.Errorf("%s: %s: %s: %s", name, c.ID, c.Status, c.ErrorMessage)
			}
		}
	}
	for scenario, checks := range all { // of the suite's other tools it has none: TestConformance looks at what there is
		for _, c := range checks {
			if c.failed() && (c.ID == "wire-schema-valid" || c.ID == "sep-2575-http-server-no-independent-requests-on-stream") {
				t.Errorf("%s: %s: %s", scenario, c.ID, c.ErrorMessage)
			}
		}
	}
}

var resultDir = regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// check is one result of the suite.
type check struct{ ID, Status, ErrorMessage string }

// results reads each check of each scenario.
func results(t *testing.T, dir string) map[string][]check {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d results: %v", len(files), err)
	}
	all := map[string][]check{}
	for _, name := range files {
		m := resultDir.FindStringSubmatch(filepath.Base(filepath.Dir(name)))
		if m == nil {
			t.Fatalf("whose result is %s?", name)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var checks []check
		if err := json.Unmarshal(b, &checks); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[m[1]] = append(all[m[1]], checks...)
	}
	return all
}

func (c check) failed() bool { return c.Status == "FAILURE" || c.Status == "WARNING" }

// conforms gives how many checks passed in each scenario.
func conforms(t *testing.T, dir, revision string, list []*expected) map[string]int {
	t.Helper()
	passed := map[string]int{}
	all := results(t, dir)
	for scenario, checks := range all {
		for _, c := range checks {
			switch {
			case c.Status == "SUCCESS":
				passed[scenario]++
			case !c.failed():
			case c.ID == "wire-schema-valid" || !excused(list, revision, scenario, c.ID):
				t.Errorf("%s: %s: %s: %s", scenario, c.ID, c.Status, c.ErrorMessage)
			}
		}
	}
	t.Logf("%d scenarios, passed checks of ours: %v", len(all), passed)
	return passed
}

// excused marks the lines that a failure is expected by.
func excused(list []*expected, revision, scenario, check string) bool {
	ok := false
	for _, e := range list {
		if e.covers(revision, scenario, check) {
			e.seen, ok = true, true
		}
	}
	return ok
}
