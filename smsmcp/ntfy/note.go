package ntfy

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"readback/smsmcp"
)

// action is a button of a notification (ntfy's documentation, "Action buttons"): "view" opens a page, "http" posts a body.
type action struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Method string `json:"method,omitempty"`
	// Headers name the body's type: without, iOS calls every body a form, which is what a page of any site could have a browser post.
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Clear   bool              `json:"clear"` // the notification goes once ntfy's app has posted, where it can
}

// The bounds of a note. ntfy takes no fourth button.
const (
	maxButtons = 3
	maxTitle   = 250 // bytes
	maxLabel   = 80  // bytes
)

var sequenceForm = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// Publish hands a note over, and returns nil once ntfy says that it has it. A body that is too long loses its end; all else of a note that ntfy would not take as
// it is, is refused here. Whoever reads the topic reads what its buttons post: that must be good once.
func (c *Client) Publish(ctx context.Context, n smsmcp.Note) error {
	m, ok := ofNote(c.c.Topic, n)
	if !ok {
		return &Error{op: "publish", code: CodeRefused}
	}
	return c.publish(ctx, m)
}

// ofNote is the notification of a note, whole within ntfy's bounds, or false if there can be none.
func ofNote(topic string, n smsmcp.Note) (m message, ok bool) {
	body := strings.TrimSpace(n.Body) // as ntfy would; and of an empty one it makes "triggered"
	if !sequenceForm.MatchString(n.Sequence) || body == "" || len(n.Buttons) > maxButtons || n.Priority < 1 || n.Priority > 5 {
		return m, false
	}
	m = message{
		Topic: topic, SequenceID: n.Sequence, Title: title(clip(n.Title, maxTitle)), Message: clip(body, maxMessage), Priority: n.Priority, Tags: n.Tags, Click: n.Click,
	}
	if m.Tags == nil {
		m.Tags = []string{}
	}
	for _, b := range n.Buttons {
		a := action{Action: "view", Label: clip(b.Label, maxLabel), URL: b.URL, Clear: true}
		if b.Body != "" {
			a.Action, a.Method, a.Body, a.Headers = "http", "POST", b.Body, map[string]string{"Content-Type": "text/plain"}
		}
		m.Actions = append(m.Actions, a)
	}
	for {
		whole, err := m.encode()
		if err != nil || len(whole) <= maxJSON {
			return m, err == nil
		}
		shorter := clip(m.Message, len(m.Message)-(len(whole)-maxJSON+5)/6) // one byte is at most six in JSON
		if shorter == "" {
			return m, false
		}
		m.Message = shorter
	}
}

// clip keeps the first bytes of s, at most n of them, in whole characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n = max(n, 0); n > 0 && !utf8.RuneStart(s[n]); n-- {
	}
	return s[:n]
}

// Approvals is a topic that is trusted with questions to the owner and with the tokens that answer them: nobody without a token reads it, or writes to it.
type Approvals struct{ *Client }

// NewApprovals is NewClient for such a topic. No word of the owner's opens it.
func NewApprovals(c Config) (Approvals, error) {
	c.AnyoneMayRead = false
	client, err := NewClient(c)
	return Approvals{client}, err
}

// TokenReads says whether our own token reads the topic. It need not, and should not: whoever gets hold of it could answer in the owner's place.
func (a Approvals) TokenReads(ctx context.Context) (bool, error) {
	_, err := a.exchange(ctx, "check", http.MethodGet, "/"+a.c.Topic+"/json?poll=1&since=none", nil, true)
	switch {
	case err == nil:
		return true, nil
	case err.code == CodeForbidden || err.code == CodeUnauthorized:
		return false, nil
	}
	return false, err
}

// Check asks what Client.Check asks, and whether the topic is closed to those who would write: ErrAnonymous or ErrWritable if it is not.
func (a Approvals) Check(ctx context.Context) error {
	if err := a.Client.Check(ctx); err != nil {
		return err
	}
	switch open, err := a.AnyoneMayWrite(ctx); {
	case err != nil:
		return err
	case open:
		return ErrWritable
	}
	return nil
}
