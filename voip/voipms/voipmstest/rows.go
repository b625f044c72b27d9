package voipmstest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Row is one text that the server holds.
type Row struct {
	Kind     string // "sms" or "mms"
	ID       string
	Received bool
	Contact  string // 10 digits of a telephone, a short code, a label, or nothing
	Body     string
	At       time.Time
	Media    int
	Carrier  string // carrier_status

	files  [][]byte       // what its media are, where they are served
	at     []string       // where its media are said to be, instead
	spoilt map[string]any // what members of its row are shown as instead; nil is left out
}

// Quirks are what the API does to texts on their way out.
type Quirks struct {
	Escape    bool // a backslash before every quote
	Twice     bool // and another one
	Entities  bool // HTML entities in getMMS
	Ints      bool // ids, types and telephone numbers as JSON numbers
	Prefix011 bool // 011 before short codes
	E164      bool // +1 before telephone numbers
	NoMedia   bool // media only through getMediaMMS
	Listed    bool // which then gives a list, as it was asked to, with empty places at its end
	MaxRows   int  // a list has no more rows, whatever its limit; 0 is no bound
}

// Set changes the quirks.
func (s *Server) Set(q Quirks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quirks = q
}

// Receive makes a text come in, and gives its id.
func (s *Server) Receive(kind, from, body string, at time.Time, media int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(Row{Kind: kind, Received: true, Contact: from, Body: body, At: at, Media: media}).ID
}

// ReceiveGroup makes a group MMS come in: one row for each leg, the same but for the id.
func (s *Server) ReceiveGroup(from, body string, at time.Time, legs int) {
	for range legs {
		s.Receive("mms", from, body, at, 0)
	}
}

// Deliver sets the carrier_status of a text.
func (s *Server) Deliver(kind, id, carrier string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rows {
		if s.rows[i].Kind == kind && s.rows[i].ID == id {
			s.rows[i].Carrier = carrier
		}
	}
}

// Spoil makes the row of a text show something else as one of its members; nil leaves the member out.
func (s *Server) Spoil(kind, id, member string, as any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rows {
		if r := &s.rows[i]; r.Kind == kind && r.ID == id {
			if r.spoilt == nil {
				r.spoilt = map[string]any{}
			}
			r.spoilt[member] = as
		}
	}
}

// Sent gives the texts that were handed over, oldest first.
func (s *Server) Sent() []Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.rows), func(r Row) bool { return r.Received })
}

// list answers getSMS and getMMS: both give their rows as "sms", newest first.
func (s *Server) list(kind string, f map[string]string) map[string]any {
	today := s.acc.Now().In(s.acc.Zone).Format(time.DateOnly)
	from, to := orElse(f["from"], today), orElse(f["to"], today)
	first, err1 := time.Parse(time.DateOnly, from)
	last, err2 := time.Parse(time.DateOnly, to)
	limit, err3 := strconv.Atoi(orElse(f["limit"], "50"))
	switch {
	case err1 != nil || err2 != nil:
		return status("invalid_date")
	case last.Before(first):
		return status("invalid_date_from")
	case last.Sub(first) > 92*24*time.Hour:
		return status("invalid_daterange")
	case f["timezone"] != "":
		return status("invalid_timezone") // it is a fixed offset that is wrong for half of the year
	case f["did"] != s.acc.DID:
		return status("invalid_did")
	case err3 != nil || limit < 1:
		return status("invalid_limit")
	}
	if s.quirks.MaxRows > 0 {
		limit = min(limit, s.quirks.MaxRows)
	}
	var out []map[string]any
	for i := len(s.rows) - 1; i >= 0 && len(out) < limit; i-- {
		r := s.rows[i]
		date := r.At.In(s.acc.Zone).Format(time.DateOnly)
		typed := f["type"] == "" || f["type"] == "1" && r.Received || f["type"] == "0" && !r.Received
		if r.Kind == kind && date >= from && date <= to && typed && (f["contact"] == "" || f["contact"] == r.Contact) {
			out = append(out, s.shown(r))
		}
	}
	if len(out) == 0 {
		return status("no_sms")
	}
	return map[string]any{"status": "success", "sms": out}
}

// shown writes a row as the API would.
func (s *Server) shown(r Row) map[string]any {
	kind, body, contact := "0", r.Body, r.Contact
	if r.Received {
		kind = "1"
	}
	if s.quirks.Escape {
		mark := `\`
		if s.quirks.Twice {
			mark = `\\`
		}
		body = strings.NewReplacer(`'`, mark+`'`, `"`, mark+`"`).Replace(body)
	}
	if s.quirks.Entities && r.Kind == "mms" {
		body = html.EscapeString(body)
	}
	digits := contact != "" && strings.Trim(contact, "0123456789") == ""
	switch {
	case digits && len(contact) == 10 && s.quirks.E164:
		contact = "+1" + contact
	case digits && len(contact) <= 6 && s.quirks.Prefix011:
		contact = "011" + contact
	}
	m := map[string]any{
		"id": s.value(r.ID), "date": r.At.In(s.acc.Zone).Format(time.DateTime), "type": s.value(kind),
		"did": s.value(s.acc.DID), "contact": s.value(contact), "message": body, "carrier_status": r.Carrier,
	}
	if r.Kind == "mms" {
		var media []string
		for i := range r.Media {
			m[fmt.Sprintf("col_media%d", i+1)] = nil
			if !s.quirks.NoMedia {
				m[fmt.Sprintf("col_media%d", i+1)] = mediaURL(r, i)
				media = append(media, mediaURL(r, i))
			}
		}
		m["media"] = media
	}
	for member, as := range r.spoilt {
		if m[member] = as; as == nil {
			delete(m, member)
		}
	}
	return m
}

// Attach has a received MMS come with files, which are served at the addresses of its media to whoever asks, without credentials.
func (s *Server) Attach(id string, files ...[]byte) {
	s.change(id, func(r *Row) { r.Media, r.files = len(files), files })
}

// Point has the media of an MMS be said to be elsewhere.
func (s *Server) Point(id string, addresses ...string) {
	s.change(id, func(r *Row) { r.Media, r.at = len(addresses), addresses })
}

func (s *Server) change(id string, f func(*Row)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rows {
		if s.rows[i].Kind == "mms" && s.rows[i].ID == id {
			f(&s.rows[i])
		}
	}
}

func (s *Server) mediaOf(id string) map[string]any {
	for _, r := range s.rows {
		if r.Kind != "mms" || r.ID != id {
			continue
		}
		object, list := map[string]string{}, []string{}
		for i := range r.Media {
			object[strconv.Itoa(i+1)] = mediaURL(r, i)
			list = append(list, mediaURL(r, i))
		}
		if s.quirks.Listed {
			return map[string]any{"status": "success", "media": append(list, "", "")}
		}
		return map[string]any{"status": "success", "media": object}
	}
	return status("invalid_id")
}

func mediaURL(r Row, i int) string {
	if i < len(r.at) {
		return r.at[i]
	}
	return fmt.Sprintf("https://voip.ms%s%s-%d.jpg", mediaPath, r.ID, i)
}

const mediaPath = "/media/"

// file serves one of the media, always as image/jpeg, whatever it is.
func (s *Server) file(w http.ResponseWriter, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, n, _ := strings.Cut(strings.TrimSuffix(name, ".jpg"), "-")
	i, err := strconv.Atoi(n)
	for _, r := range s.rows {
		if err == nil && r.Kind == "mms" && r.ID == id && i >= 0 && i < len(r.files) {
			w.Header().Set("Content-Type", "image/jpeg")
			_, _ = w.Write(r.files[i])
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// value writes digits as a string, or as a number where that quirk is on.
func (s *Server) value(v string) any {
	if s.quirks.Ints && v != "" && v[0] != '0' && strings.Trim(v, "0123456789") == "" || s.quirks.Ints && v == "0" {
		return json.Number(v)
	}
	return v
}

func orElse(v, other string) string {
	if v == "" {
		return other
	}
	return v
}
