package web

import (
	"testing"

	"readback/smsmcp"
)

// TestHealthNamesWhatIsNotWell: 200 while the server serves, whatever does not, and nothing but codes.
func TestHealthNamesWhatIsNotWell(t *testing.T) {
	for want, parts := range map[string][]smsmcp.Part{
		`{"status":"ok","parts":{"carrier":"ok","line":"ok"}}`: {{Name: "carrier"}, {Name: "line"}},
		`{"status":"degraded","parts":{"bridge":"ntfy_lost","carrier":"ok","line":"ari_unauthorized"}}`: {
			{Name: "carrier"}, {Name: "line", Failure: "ari_unauthorized"}, {Name: "bridge", Failure: "ntfy_lost"},
		},
		`{"status":"degraded","parts":{"carrier":"marie_is_away_"}}`: {{Name: "carrier", Failure: "Marie is away: +14185550123"}},
	} {
		f := setUp(t, func(o *Options) { o.Parts = func() []smsmcp.Part { return parts } })
		w := f.do("GET", "/healthz?verbose=1", "", nil)
		if w.Code != 200 || w.Body.String() != want+"\n" || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%d %q %s\n want %s", w.Code, w.Header().Get("Content-Type"), w.Body, want)
		}
	}
}
