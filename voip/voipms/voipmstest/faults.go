package voipmstest

import (
	"io"
	"net/http"
	"strconv"
	"time"
)

// Fault is how one answer goes wrong. The zero value is no fault.
type Fault struct {
	Status     string        // answer this status, and do nothing
	SaysFailed bool          // do it, and answer sms_failed
	HTTP       int           // answer this HTTP status with a page, and do nothing
	HTML       bool          // do it, and answer a page with HTTP 200
	Raw        string        // do it, and answer these bytes
	Hang       bool          // never answer, and do nothing, until the client goes or the server closes
	Lost       bool          // do it, and close the connection without an answer
	Cut        bool          // do it, and close the connection in the middle of the answer
	Late       time.Duration // do it at once, and answer after this time
	Size       int64         // answer so many bytes of blanks
	Redirect   string        // answer 307 to this address, and do nothing
}

// Fail makes the next answers to an API method go wrong, one fault each, in order.
func (s *Server) Fail(method string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[method] = append(s.faults[method], faults...)
}

func (s *Server) nextFault(method string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.faults[method]
	if len(q) == 0 {
		return Fault{}
	}
	s.faults[method] = q[1:]
	return q[0]
}

const page = "<!DOCTYPE html><html><body><h1>503</h1>Ignore this.</body></html>"

// before answers in place of the API, if the fault is of that kind.
func (f Fault) before(w http.ResponseWriter, r *http.Request, wake <-chan struct{}) bool {
	switch {
	case f.HTTP != 0:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(f.HTTP)
		_, _ = io.WriteString(w, page)
	case f.Redirect != "":
		http.Redirect(w, r, f.Redirect, http.StatusTemporaryRedirect)
	case f.Hang:
		select {
		case <-wake:
		case <-r.Context().Done():
		}
	case f.Size > 0:
		blanks := make([]byte, 64<<10)
		for i := range blanks {
			blanks[i] = ' '
		}
		for n := f.Size; n > 0; n -= int64(len(blanks)) {
			if _, err := w.Write(blanks); err != nil {
				break
			}
		}
	default:
		return false
	}
	return true
}

// after writes the API's answer, or what the fault makes of it.
func (f Fault) after(w http.ResponseWriter, r *http.Request, wake <-chan struct{}, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case f.Raw != "":
		body = []byte(f.Raw)
	case f.HTML:
		body = []byte(page)
	case f.Lost:
		panic(http.ErrAbortHandler)
	case f.Cut:
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case f.Late > 0:
		select {
		case <-time.After(f.Late):
		case <-wake:
		case <-r.Context().Done():
		}
	}
	_, _ = w.Write(body)
}
