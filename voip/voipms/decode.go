package voipms

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

// answer is what a method answers, as far as it is used here; the answers that are lists are read by readPage.
type answer struct {
	Status scalar          `json:"status"`
	SMS    json.RawMessage `json:"sms"` // the id of a sent SMS
	MMS    json.RawMessage `json:"mms"` // the id of a sent MMS
	Media  json.RawMessage `json:"media"`
}

// scalar is a value that voip.ms writes as a string or as a number, kept as its digits stand: a telephone number is never computed with.
type scalar string

func (s *scalar) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '"':
		var v string
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		*s = scalar(v)
	case string(b) == "null":
		*s = ""
	case len(b) > 0 && (b[0] == '-' || b[0] >= '0' && b[0] <= '9'):
		*s = scalar(b)
	default:
		return errors.New("not a string and not a number")
	}
	return nil
}

// row is one text of a list.
type row struct {
	ID      scalar          `json:"id"`
	Date    scalar          `json:"date"`
	Type    scalar          `json:"type"` // 1 received, 0 sent
	Contact scalar          `json:"contact"`
	Message scalar          `json:"message"`
	Carrier loose           `json:"carrier_status"`
	Media   json.RawMessage `json:"media"`
	Media1  loose           `json:"col_media1"`
	Media2  loose           `json:"col_media2"`
	Media3  loose           `json:"col_media3"`
}

// loose is a scalar that a text can do without: of another form, it is as if it were not there.
type loose string

func (l *loose) UnmarshalJSON(b []byte) error {
	var s scalar
	_ = s.UnmarshalJSON(b)
	*l = loose(s)
	return nil
}

// decode reads an answer and its status.
func decode(body []byte) (answer, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		if webPage(body) {
			return answer{}, newFault(codeHTML, smsmcp.ErrDown)
		}
		return answer{}, newFault(codeBadAnswer)
	}
	switch a.Status {
	case "success":
		return a, nil
	case "":
		return answer{}, newFault(codeBadAnswer)
	}
	return answer{}, newStatus(string(a.Status))
}

// sentID gives the id of the text that a send made.
func (a answer) sentID(kind smsmcp.Kind) (string, error) {
	raw := a.SMS
	if kind == smsmcp.MMS {
		raw = a.MMS
	}
	var id scalar
	if len(raw) == 0 || json.Unmarshal(raw, &id) != nil || !goodID(string(id)) {
		return "", newFault(codeBadAnswer)
	}
	return string(id), nil
}

// goodID takes what can be a key: digits in practice, and never 0.
func goodID(id string) bool {
	if id == "" || id == "0" || len(id) > 40 {
		return false
	}
	return strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

// text makes a text of a row, if it can be understood.
func (c *Carrier) text(kind smsmcp.Kind, r row, now time.Time) (smsmcp.Text, bool) {
	at, ok := wallClock(string(r.Date), c.opt.Zone, now)
	if !ok || !goodID(string(r.ID)) || r.Type != "1" && r.Type != "0" {
		return smsmcp.Text{}, false
	}
	t := smsmcp.Text{
		Key:       smsmcp.Key{Carrier: c.Name(), Kind: kind, ID: string(r.ID)},
		Direction: smsmcp.Sent,
		Body:      untrusted.New(unquirk(kind, string(r.Message))),
		At:        at,
		Images:    r.images(),
	}
	if r.Type == "1" {
		t.Direction = smsmcp.Received
	}
	if raw := sender(string(r.Contact)); raw != "" {
		t.Peer = c.opt.Peer(raw)
	}
	if strings.ContainsAny(strings.ToLower(string(r.Carrier)), "abcdefghijklmnopqrstuvwxyz") {
		t.Delivery = smsmcp.Reduce(string(r.Carrier))
	}
	return t, true
}

// images counts the media that the row itself tells of; media[] is often empty where there are some.
func (r row) images() int {
	n := 0
	for _, m := range []loose{r.Media1, r.Media2, r.Media3} {
		if m != "" {
			n++
		}
	}
	return max(n, len(media(r.Media)))
}

// maxMedia bounds how many media a text has.
const maxMedia = 100

// media gives the addresses in a list, or in an object by number, without what is empty or stands there twice. One of another form than a string is kept as it is: it
// is something, and no address.
func media(raw json.RawMessage) (all []string) {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil && json.Unmarshal(raw, &object) == nil {
		keys := slices.Collect(maps.Keys(object))
		slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		for _, k := range keys {
			list = append(list, object[k])
		}
	}
	for _, v := range list {
		s := string(v)
		if json.Unmarshal(v, &s) == nil && s == "" || s == "null" || slices.Contains(all, s) {
			continue
		}
		if all = append(all, s); len(all) == maxMedia {
			break
		}
	}
	return all
}
