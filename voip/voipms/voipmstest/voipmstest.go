// Package voipmstest is a voip.ms for tests: an http.Handler that speaks the wire of its REST API as strictly as the API, and errs as public
// reports say it errs.
//
// It shares no code with the client. Tests only.
package voipmstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Path is where the API lives on its host.
const Path = "/api/v1/rest.php"

// Account is what the server knows of its one customer.
type Account struct {
	Username, Password string
	DID                string // 10 digits
	Zone               *time.Location
	Now                func() time.Time
	PerDay             int // sends a day; 0 is 100
}

// Request is one request as it came in.
type Request struct {
	HTTPMethod string
	URL        string
	Header     http.Header
	Fields     map[string]string
}

// Server is the handler. It is safe for concurrent use.
type Server struct {
	acc Account

	mu       sync.Mutex
	rows     []Row
	ids      map[string]int
	requests []Request
	quirks   Quirks
	faults   map[string][]Fault
	wake     chan struct{}
}

// New makes a server without texts.
func New(a Account) *Server {
	if a.PerDay == 0 {
		a.PerDay = 100
	}
	// The two sequences meet, as real ones can: an id alone names nothing.
	return &Server{acc: a, ids: map[string]int{"sms": 1000, "mms": 1000}, faults: map[string][]Fault{}, wake: make(chan struct{})}
}

// Close ends every answer that hangs.
func (s *Server) Close() { close(s.wake) }

// Requests gives every request so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Calls counts the requests of one API method.
func (s *Server) Calls(method string) int {
	n := 0
	for _, r := range s.Requests() {
		if r.Fields["method"] == method {
			n++
		}
	}
	return n
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	req := Request{HTTPMethod: r.Method, URL: r.URL.String(), Header: r.Header.Clone(), Fields: map[string]string{}}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	formOK := r.Method == http.MethodPost && kind == "multipart/form-data"
	if formOK {
		formOK = readForm(r.Body, params["boundary"], req.Fields)
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()

	switch {
	case strings.HasPrefix(r.Host, "www."):
		w.Header().Set("Location", "https://"+strings.TrimPrefix(r.Host, "www.")+Path)
		w.WriteHeader(http.StatusMovedPermanently)
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, mediaPath):
		s.file(w, strings.TrimPrefix(r.URL.Path, mediaPath))
	case r.URL.Path != Path:
		http.Error(w, "<html><body>Not Found</body></html>", http.StatusNotFound)
	case r.URL.RawQuery != "":
		http.Error(w, "a parameter in the URL", http.StatusBadRequest)
	case !formOK:
		w.Header().Set("Content-Type", "text/xml")
		_, _ = io.WriteString(w, `<?xml version="1.0"?><SOAP-ENV:Envelope><SOAP-ENV:Fault/></SOAP-ENV:Envelope>`)
	default:
		s.answer(w, r, req.Fields)
	}
}

func readForm(body io.Reader, boundary string, into map[string]string) bool {
	if boundary == "" {
		return false
	}
	for mr := multipart.NewReader(io.LimitReader(body, 8<<20), boundary); ; {
		p, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			return false
		}
		b, err := io.ReadAll(p)
		if err != nil {
			return false
		}
		if _, twice := into[p.FormName()]; twice {
			return false
		}
		into[p.FormName()] = string(b)
	}
}

// answer runs a method between the faults that were asked for.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, f map[string]string) {
	fault := s.nextFault(f["method"])
	if fault.before(w, r, s.wake) {
		return
	}
	out := s.run(f, fault)
	body, err := json.Marshal(out)
	if err != nil {
		http.Error(w, "cannot answer", http.StatusInternalServerError)
		return
	}
	fault.after(w, r, s.wake, body)
}

func status(word string) map[string]any { return map[string]any{"status": word} }

// run is the API: it answers with HTTP 200 and a status, whatever happens.
func (s *Server) run(f map[string]string, fault Fault) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f["method"] == "":
		return status("missing_method")
	case f["content_type"] != "json":
		return status("invalid_content_type")
	case fault.Status != "":
		return status(fault.Status)
	case f["api_username"] == "" || f["api_password"] == "":
		return status("missing_credentials")
	case f["api_username"] != s.acc.Username || f["api_password"] != s.acc.Password:
		return status("invalid_credentials")
	}
	var out map[string]any
	switch f["method"] {
	case "sendSMS":
		out = s.send("sms", 160, f)
	case "sendMMS":
		out = s.send("mms", 2048, f)
	case "getSMS":
		out = s.list("sms", f)
	case "getMMS":
		out = s.list("mms", f)
	case "getMediaMMS":
		out = s.mediaOf(f["id"])
	default:
		out = status("invalid_method")
	}
	if fault.SaysFailed {
		out = status("sms_failed")
	}
	return out
}

func (s *Server) send(kind string, longest int, f map[string]string) map[string]any {
	dst := f["dst"]
	if len(dst) == 11 {
		dst = strings.TrimPrefix(dst, "1")
	}
	size := len(f["message"])
	if kind == "mms" {
		size = len([]rune(f["message"]))
	}
	switch {
	case f["did"] != s.acc.DID:
		return status("invalid_did")
	case len(dst) != 10 || strings.Trim(dst, "0123456789") != "" || dst[0] < '2':
		return status("invalid_dst")
	case f["message"] == "":
		return status("message_empty")
	case size > longest:
		return status("sms_toolong")
	case s.sentToday() >= s.acc.PerDay:
		return status("limit_reached")
	}
	r := s.add(Row{Kind: kind, Contact: dst, Body: f["message"], At: s.acc.Now()})
	return map[string]any{"status": "success", kind: s.value(r.ID)}
}

func (s *Server) sentToday() int {
	today, n := s.acc.Now().In(s.acc.Zone).Format(time.DateOnly), 0
	for _, r := range s.rows {
		if !r.Received && r.At.In(s.acc.Zone).Format(time.DateOnly) == today {
			n++
		}
	}
	return n
}

// add numbers a text and keeps it. The caller holds the lock.
func (s *Server) add(r Row) Row {
	s.ids[r.Kind]++
	r.ID = fmt.Sprint(s.ids[r.Kind])
	r.At = r.At.Truncate(time.Second)
	s.rows = append(s.rows, r)
	return r
}
