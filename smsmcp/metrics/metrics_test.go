package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"readback/smsmcp"
	"readback/smsmcp/metrics"
	"readback/voice/voicemail"
	"readback/voip/sandbox"
	"readback/voip/sipmsg"
	"readback/voip/voipms"
)

// scrape gives what Prometheus reads, parsed by its own parser.
func scrape(t *testing.T, m *metrics.Metrics) (map[string]*dto.MetricFamily, string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	p := expfmt.NewTextParser(model.LegacyValidation)
	got, err := p.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return got, string(text)
}

// value gives the value of one series, its label's value if it has one, or -1.
func value(families map[string]*dto.MetricFamily, name, label string) float64 {
	for _, m := range families[name].GetMetric() {
		got := ""
		for _, l := range m.GetLabel() {
			got = l.GetValue()
		}
		if got == label {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return -1
}

func full() *metrics.Metrics {
	return metrics.New(metrics.Options{
		Lengths: func(context.Context) (smsmcp.Lengths, error) {
			return smsmcp.Lengths{Notices: 1, Held: 2, Asked: 3, Unknown: 4, Unverified: 5, Holds: 6}, nil
		},
		Parts:   func() []smsmcp.Part { return []smsmcp.Part{{Name: "carrier"}, {Name: "line", Failure: "ari_silent"}} },
		Version: "1.2.3",
	})
}

// series are the events with a label of theirs that is right, and where it is counted.
var series = []struct {
	event       smsmcp.Event
	label       string
	name, shown string
}{
	{smsmcp.TextReceived, "voipms", "readback_texts_received_total", "voipms"},
	{smsmcp.TextUnverified, "sipmsg", "readback_texts_unverified_total", ""},
	{smsmcp.TextLost, "sipmsg", "readback_texts_lost_total", ""},
	{smsmcp.TextRefused, "bad_sender", "readback_messages_refused_total", "bad_sender"},
	{smsmcp.SendJudged, "confirm", "readback_verdicts_total", "confirm"},
	{smsmcp.SendEnded, "sent", "readback_sends_total", "sent"},
	{smsmcp.HoldStarted, "alarm", "readback_holds_started_total", "alarm"},
	{smsmcp.Asked, "", "readback_asked_total", ""},
	{smsmcp.Answered, "command_line", "readback_answers_total", "command_line"},
	{smsmcp.CarrierFailed, "time_out", "readback_carrier_errors_total", "time_out"},
	{smsmcp.LineFailed, "ari_lost", "readback_line_errors_total", "ari_lost"},
	{smsmcp.Notified, "summary", "readback_notifications_total", "summary"},
	{smsmcp.NtfyFailed, "ntfy_down", "readback_ntfy_errors_total", "ntfy_down"},
}

func TestEveryEventIsCounted(t *testing.T) {
	m := full()
	var observe smsmcp.Observe = m.Observe
	for _, s := range series {
		observe.Count(s.event, s.label)
		observe.Count(s.event, s.label)
	}
	got, text := scrape(t, m)
	for _, s := range series {
		if v := value(got, s.name, s.shown); v != 2 {
			t.Errorf("%s{%s}: %v", s.name, s.shown, v)
		}
	}
	for queue, want := range map[string]float64{"notices": 1, "held": 2, "asked": 3, "unknown": 4, "unverified": 5, "holds": 6} {
		if v := value(got, "readback_queue_length", queue); v != want {
			t.Errorf("%s: %v", queue, v)
		}
	}
	if value(got, "readback_part_up", "carrier") != 1 || value(got, "readback_part_up", "line") != 0 || value(got, "readback_part_up", "bridge") != -1 {
		t.Error(got["readback_part_up"])
	}
	if !strings.Contains(text, `version="1.2.3"`) || value(got, "readback_sends_total", "failed") != 0 || got["go_goroutines"] == nil || got["process_open_fds"] == nil {
		t.Error(text)
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}

// hostile are labels that are somebody's word or number, that break the format, or that have no end.
func hostile() []string {
	out := []string{
		"", "Marie", "marie curie", "+15145550100", "15145550100", "a1", "A", "é", "state\"} 1\nevil_total{x=\"", "\n# HELP x y\n", "\\", "\xff\xfe", "\x00", "..",
		strings.Repeat("a", 41), strings.Repeat("_", 41), "a__b", "‮", "{}", "$(rm -rf /)", "<script>", "one-two",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		b := make([]byte, 1+r.IntN(60))
		for j := range b {
			b[j] = byte(r.IntN(256))
		}
		out = append(out, string(b), fmt.Sprintf("word%d", i))
	}
	return out
}

func letters(i int) string {
	return "code_" + string([]byte{byte('a' + i/26/26%26), byte('a' + i/26%26), byte('a' + i%26)})
}

// TestInvariant13LabelsAreCodesAndBounded: what is no code of ours is "other", and no metric grows without end.
func TestInvariant13LabelsAreCodesAndBounded(t *testing.T) {
	m := full()
	var wg sync.WaitGroup
	for _, s := range series {
		wg.Go(func() {
			for _, label := range hostile() {
				m.Observe(s.event, label)
			}
			for i := range 1000 {
				m.Observe(s.event, letters(i))
			}
		})
	}
	m.Observe("unheard_of", "x")
	m.Observe("", "")
	wg.Wait()
	got, text := scrape(t, m)
	form := regexp.MustCompile(`^[a-z_]{1,40}$`)
	sent := float64(len(hostile()) + 1000)
	for _, s := range series {
		whole := 0.0
		for _, metric := range got[s.name].GetMetric() {
			whole += metric.GetCounter().GetValue()
			for _, l := range metric.GetLabel() {
				if !form.MatchString(l.GetValue()) {
					t.Errorf("%s: %q", s.name, l.GetValue())
				}
			}
		}
		if n := len(got[s.name].GetMetric()); whole != sent || n > 65 {
			t.Errorf("%s: %v of %v, in %d series", s.name, whole, sent, n)
		}
	}
	for _, word := range []string{"Marie", "5145550100", "evil", "unheard_of", "word1", "<script"} {
		if strings.Contains(text, word) {
			t.Errorf("%s is there", word)
		}
	}
	closed := []string{
		"readback_texts_received_total", "readback_verdicts_total", "readback_sends_total", "readback_holds_started_total", "readback_answers_total",
		"readback_notifications_total",
	}
	for _, name := range closed {
		if value(got, name, "other") != sent {
			t.Errorf("%s: %v others", name, value(got, name, "other"))
		}
	}
	// A code that came first is still counted by its name, and one that came too late is not.
	if value(got, "readback_carrier_errors_total", letters(0)) != 1 || value(got, "readback_carrier_errors_total", letters(999)) != -1 {
		t.Error("the first codes are not kept, or the last are")
	}
}

// TestPartsWithNamesOfOthers: a name that is no part's, and two of one name, leave a page that can be read.
func TestPartsWithNamesOfOthers(t *testing.T) {
	for _, bad := range []int{0, 1} {
		all := []smsmcp.Part{{Name: "Marie"}, {Name: "+15145550100"}, {Name: "carrier"}, {Name: "desk"}}
		all[bad].Failure = "x"
		m := metrics.New(metrics.Options{Parts: func() []smsmcp.Part { return all }})
		got, text := scrape(t, m)
		if value(got, "readback_part_up", "other") != 0 || value(got, "readback_part_up", "carrier") != 1 || value(got, "readback_part_up", "desk") != 1 || strings.Contains(text, "Marie") {
			t.Error(text)
		}
	}
}

// TestAStoreThatCannotBeRead costs its own metrics alone, and is seen.
func TestAStoreThatCannotBeRead(t *testing.T) {
	fail := true
	m := metrics.New(metrics.Options{Lengths: func(ctx context.Context) (smsmcp.Lengths, error) {
		if d, ok := ctx.Deadline(); !ok || time.Until(d) > 2*time.Second {
			t.Error("a scrape may take for ever")
		}
		if fail {
			return smsmcp.Lengths{}, errors.New("Marie +15145550100")
		}
		return smsmcp.Lengths{}, nil
	}})
	got, text := scrape(t, m)
	if got["readback_queue_length"] != nil || value(got, "readback_scrape_errors_total", "") != 1 || value(got, "readback_asked_total", "") != 0 || strings.Contains(text, "Marie") {
		t.Error(text)
	}
	fail = false
	got, _ = scrape(t, m)
	if value(got, "readback_queue_length", "notices") != 0 || value(got, "readback_scrape_errors_total", "") != 1 {
		t.Error(got["readback_queue_length"], got["readback_scrape_errors_total"])
	}
}

func TestNothingToAsk(t *testing.T) {
	got, _ := scrape(t, metrics.New(metrics.Options{}))
	names := slices.Sorted(maps.Keys(got))
	if got["readback_queue_length"] != nil || got["readback_part_up"] != nil || value(got, "readback_asked_total", "") != 0 {
		t.Error(names)
	}
}

// TestTheCarriersAreKnown: the closed set of carriers is theirs.
func TestTheCarriersAreKnown(t *testing.T) {
	m := full()
	for _, name := range []string{(&voipms.Carrier{}).Name(), (&sipmsg.Carrier{}).Name(), (&sandbox.Carrier{}).Name(), voicemail.Carrier} {
		m.Observe(smsmcp.TextReceived, name)
		if got, _ := scrape(t, m); value(got, "readback_texts_received_total", name) != 1 {
			t.Error(name)
		}
	}
}

// TestTheChannelsAreKnown: every channel by which a yes may come, as smsmcp names them.
func TestTheChannelsAreKnown(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	var channels []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && v.Type != nil && len(v.Values) == 1 {
				typ, named := v.Type.(*ast.Ident)
				if value, ok := v.Values[0].(*ast.BasicLit); ok && named && typ.Name == "Channel" {
					channels = append(channels, strings.Trim(value.Value, `"`))
				}
			}
			return true
		})
	}
	m := full()
	for _, c := range channels {
		if c == string(smsmcp.NoChannel) || c == string(smsmcp.ByRestore) {
			continue // no yes comes by these
		}
		m.Observe(smsmcp.Answered, c)
		if got, _ := scrape(t, m); value(got, "readback_answers_total", c) != 1 {
			t.Errorf("%s is not in metrics' set", c)
		}
	}
	if len(channels) < 3 {
		t.Error(channels)
	}
}
