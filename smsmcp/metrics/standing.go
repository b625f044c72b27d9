package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"readback/smsmcp"
)

var (
	queueDesc    = prometheus.NewDesc("readback_queue_length", "How much waits; nothing is given where the store could not be read.", []string{"queue"}, nil)
	partDesc     = prometheus.NewDesc("readback_part_up", "1 if this part of the program is well, 0 if it is not.", []string{"part"}, nil)
	scrapeErrors = prometheus.CounterOpts{Name: "readback_scrape_errors_total", Help: "Scrapes at which the store could not be read."}
)

// readTime is what a scrape gives the store.
const readTime = 2 * time.Second

// standing collects what is true at the moment of a scrape.
type standing struct {
	lengths func(context.Context) (smsmcp.Lengths, error)
	parts   func() []smsmcp.Part
	names   *labels // of parts: the program's own, and codes
	failed  prometheus.Counter
}

func (s *standing) Describe(ch chan<- *prometheus.Desc) {
	ch <- queueDesc
	ch <- partDesc
	s.failed.Describe(ch)
}

// Collect gives no length where the store cannot be read: an old or made up one would hide that.
func (s *standing) Collect(ch chan<- prometheus.Metric) {
	defer s.failed.Collect(ch)
	s.up(ch)
	if s.lengths == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	l, err := s.lengths(ctx)
	if err != nil {
		s.failed.Inc()
		return
	}
	for queue, n := range map[string]int{
		"notices": l.Notices, "held": l.Held, "asked": l.Asked, "unknown": l.Unknown, "unverified": l.Unverified, "holds": l.Holds,
	} {
		ch <- prometheus.MustNewConstMetric(queueDesc, prometheus.GaugeValue, float64(n), queue)
	}
}

// up gives one value for each part. Two parts that come out as one name are well if both are.
func (s *standing) up(ch chan<- prometheus.Metric) {
	if s.parts == nil {
		return
	}
	up := map[string]float64{}
	for _, p := range s.parts() {
		name := s.names.known(p.Name)
		before, twice := up[name]
		if p.Failure == "" && (!twice || before == 1) {
			up[name] = 1
		} else {
			up[name] = 0
		}
	}
	for name, v := range up {
		ch <- prometheus.MustNewConstMetric(partDesc, prometheus.GaugeValue, v, name)
	}
}
