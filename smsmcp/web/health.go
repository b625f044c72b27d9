package web

import (
	"encoding/json"
	"net/http"

	"readback/smsmcp"
)

// The values of health's status, and of a part that is well.
const (
	healthy  = "ok"
	degraded = "degraded"
)

// health says that the server serves, and which of its parts does not do its work, by codes alone: whoever asks may be anybody. It is 200 while the server
// serves: restarting it would mend no other program.
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	out := struct {
		Status string            `json:"status"`
		Parts  map[string]string `json:"parts"`
	}{healthy, map[string]string{}}
	if s.parts != nil {
		for _, p := range s.parts() {
			out.Parts[p.Name] = healthy
			if p.Failure != "" {
				out.Status, out.Parts[p.Name] = degraded, smsmcp.Reduce(p.Failure)
			}
		}
	}
	guardHeaders(w.Header())
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}
