package ntfy

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
)

// ntfy's bounds (server.yml: message-size-limit, 4096 by default; the whole JSON at most twice that). A message of 4,096 bytes is one too many.
const (
	maxMessage = 4095
	maxJSON    = 8192
)

// message is all that is ever published: no other of ntfy's fields is set (ntfy's documentation, "Publish as JSON").
type message struct {
	Topic      string   `json:"topic"`
	SequenceID string   `json:"sequence_id"` // a later one with the same takes the earlier one's place in the apps
	Title      string   `json:"title"`
	Message    string   `json:"message"`
	Priority   int      `json:"priority"` // 1 to 5; 3 is ntfy's default
	Tags       []string `json:"tags"`     // names of emoji, which the apps draw before the title

	// Of a Note alone, which the program writes whole: never of a text.
	Click   string   `json:"click,omitempty"`
	Actions []action `json:"actions,omitempty"`
}

// The priorities, and the tags.
const (
	quiet  = 2 // no sound
	usual  = 3
	urgent = 4 // it pops up: a contact's text, and a one-time code, which does not last

	tagContact    = "speech_balloon"
	tagStranger   = "grey_question"
	tagUnverified = "bust_in_silhouette" // beside tagStranger
	tagVoicemail  = "telephone_receiver"
	tagAlarm      = "warning"
	tagCode       = "key"
	tagSummary    = "inbox_tray"
)

// encode writes the message as UTF-8: Go's usual escapes of < > & would make it longer than what was counted.
func (m message) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// notice is a text to tell of.
type notice struct {
	row    *smsmcp.Row
	stored time.Time
	again  bool // it was told of as unverified, and is known since
}

// ofText is the notification of one text. Its sequence is the text's own, whatever is learnt of the text later: a key changes, if the carrier's list has it by another.
func ofText(topic string, n notice, l lang.Lang, hide bool) message {
	r := n.row
	m := message{
		Topic: topic, SequenceID: sequence("text", strconv.FormatInt(int64(r.Text.ID), 10), strconv.FormatInt(n.stored.UnixMilli(), 10)),
		Title: frame.From(r, l), Priority: usual, Tags: []string{tagStranger, tagUnverified, tagVoicemail, tagCode, tagAlarm},
	}
	if r.Text.Key.Kind == smsmcp.Voicemail {
		m.Title = lang.VoicemailTitle.In(l, m.Title)
	}
	m.Title = title(m.Title)
	room := maxJSON
	if whole, err := m.encode(); err == nil {
		room -= len(whole)
	}
	card := frame.Person(r, frame.CardOptions{Lang: l, Hide: hide, Bytes: maxMessage, JSON: room})
	m.Message, m.Tags = card.Text, []string{tagStranger}
	switch {
	case frame.Known(r):
		m.Priority, m.Tags = urgent, []string{tagContact}
	case r.Text.Unverified:
		m.Tags = append(m.Tags, tagUnverified)
	}
	if r.Text.Key.Kind == smsmcp.Voicemail {
		m.Tags = append(m.Tags, tagVoicemail)
	}
	if card.Code {
		m.Priority, m.Tags = urgent, append(m.Tags, tagCode)
	}
	if card.Alarm {
		m.Tags = append(m.Tags, tagAlarm)
	}
	if n.again {
		m.Priority = quiet // the telephone rang when it was told of first
	}
	return m
}

// ofSummary is the one notification of many texts. It is named by when it is due too: a store that is restored gives the ids of texts anew, and another summary must
// not take an earlier one's place.
func ofSummary(topic string, s smsmcp.Summary, due time.Time, l lang.Lang) message {
	lines := []string{lang.NtfyStored.In(l)}
	rest := s.Texts
	for _, t := range s.Most {
		lines = append(lines, lang.NtfyTally.In(l, t.Texts, frame.From(&t.From, l)))
		rest -= t.Texts
	}
	if n := s.Senders - len(s.Most); n > 0 {
		lines = append(lines, lang.NtfyTally.In(l, rest, lang.NtfyOthers.In(l, n)))
	}
	return message{
		Topic: topic, SequenceID: sequence("summary", strconv.FormatInt(int64(s.First), 10), strconv.FormatInt(due.UnixMilli(), 10)),
		Title: title(lang.NtfySummary.In(l, s.Texts)), Message: strings.Join(lines, "\n"), Priority: usual, Tags: []string{tagSummary},
	}
}

// title keeps ntfy from decoding a part of a title as a mail header's (RFC 2047: =?utf-8?q?…?=), which it does to titles in JSON too.
func title(s string) string { return strings.ReplaceAll(s, "=?", "= ?") }

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// sequence names a notification by what it is of: 26 characters that tell nothing of it.
func sequence(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\x00")))
	return base32Lower.EncodeToString(sum[:16])
}
