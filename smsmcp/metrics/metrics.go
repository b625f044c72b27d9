package metrics

import (
	"context"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"readback/smsmcp"
)

// Options are what New needs. A function that is nil is not asked, and its metrics are not there.
type Options struct {
	Lengths func(context.Context) (smsmcp.Lengths, error) // asked at each scrape, within 2 s
	Parts   func() []smsmcp.Part                          // asked at each scrape; must not block
	Version string                                        // of the program
}

// Metrics is one registry. Its methods are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	counts   map[smsmcp.Event]*count
}

// count is the metric of one event.
type count struct {
	vec    *prometheus.CounterVec
	labels *labels // nil where it has none
}

// names says what each event is to Prometheus. Where label is empty, what the event tells is dropped.
var names = map[smsmcp.Event]struct {
	name, help, label string
	set               []string // of the label; nil for codes
}{
	smsmcp.TextReceived:   {"readback_texts_received_total", "Received texts that were stored, by the carrier that brought them.", "carrier", carriers},
	smsmcp.TextUnverified: {"readback_texts_unverified_total", "Received texts of which, when they were stored, nothing said yet who they are from.", "", nil},
	smsmcp.TextLost:       {"readback_texts_lost_total", "Texts that arrived without their body; the carrier's list, if it has one, may still bring it.", "", nil},
	smsmcp.TextRefused:    {"readback_messages_refused_total", "Messages that were not taken for a text, by why.", "why", nil},
	smsmcp.SendJudged:     {"readback_verdicts_total", "Drafts that the guard judged, by what it said; one that it denies after the owner's yes counts again.", "verdict", verdicts},
	smsmcp.SendEnded:      {"readback_sends_total", "Sends by how they ended; one that is unknown counts again once it is settled.", "state", states},
	smsmcp.HoldStarted:    {"readback_holds_started_total", "Holds that began, by kind.", "kind", holds},
	smsmcp.Asked:          {"readback_asked_total", "Sends of which the owner was asked for a yes.", "", nil},
	smsmcp.Answered:       {"readback_answers_total", "What became of the asking: the channel of a yes, declined or expired.", "channel", answers},
	smsmcp.CarrierFailed:  {"readback_carrier_errors_total", "Lists and sends of a carrier that failed, by code.", "code", nil},
	smsmcp.LineFailed:     {"readback_line_errors_total", "Ends of the event connection to Asterisk, and tries that failed, by code.", "code", nil},
	smsmcp.Notified:       {"readback_notifications_total", "Notifications that ntfy took, by kind.", "kind", kinds},
	smsmcp.CallAnswered:   {"readback_calls_total", "Calls that were answered, by who called.", "who", callers},
	smsmcp.CallEnded:      {"readback_calls_ended_total", "Calls that are over, by what ended them.", "why", endings},
	smsmcp.DraftRead:      {"readback_readbacks_total", "Drafts that were read back on a call to their end; one that is read again counts again.", "", nil},
	smsmcp.DraftEnded:     {"readback_call_drafts_total", "Drafts of calls, by what became of them: the state after a yes, or why there was none.", "how", nil},
	smsmcp.NtfyFailed:     {"readback_ntfy_errors_total", "Notifications that ntfy did not take, by code.", "code", nil},
}

// New makes a registry of its own with all metrics in it. Each label of a closed set begins at 0, so that its first event is seen as a rise.
func New(o Options) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), counts: make(map[smsmcp.Event]*count, len(names))}
	for event, n := range names {
		c := &count{}
		var label []string
		if n.label != "" {
			label = []string{n.label}
			c.labels = &labels{set: n.set, codes: map[string]bool{}}
		}
		c.vec = prometheus.NewCounterVec(prometheus.CounterOpts{Name: n.name, Help: n.help}, label)
		for _, value := range n.set {
			c.vec.WithLabelValues(value)
		}
		if n.label == "" {
			c.vec.WithLabelValues()
		}
		m.registry.MustRegister(c.vec)
		m.counts[event] = c
	}
	version := o.Version
	if version == "" {
		version = "unknown"
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "readback_build_info", Help: "Always 1; which program this is."}, []string{"version", "goversion"})
	build.WithLabelValues(version, runtime.Version()).Set(1)
	now := &standing{lengths: o.Lengths, parts: o.Parts, names: &labels{codes: map[string]bool{}}, failed: prometheus.NewCounter(scrapeErrors)}
	m.registry.MustRegister(build, now,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Observe counts one event: it is an [smsmcp.Observe].
func (m *Metrics) Observe(e smsmcp.Event, label string) {
	c := m.counts[e]
	switch {
	case c == nil: // no metric of ours
	case c.labels == nil:
		c.vec.WithLabelValues().Inc()
	default:
		c.vec.WithLabelValues(c.labels.known(label)).Inc()
	}
}

// Bounds of what scrapes can cost.
const (
	atOnce  = 2
	timeout = 5 * time.Second
)

// Handler answers a scrape.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: atOnce, Timeout: timeout})
}
