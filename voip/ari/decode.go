package ari

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp/untrusted"
)

// The bounds of what is kept of an event. A longer value is cut; an event is at most maxEvent bytes.
const (
	maxEvent = 256 << 10
	maxValue = 8 << 10
	maxVars  = 100
	maxArgs  = 50
)

// wire holds the fields of all events that are used. Values whose form is open stay raw, so that nothing is lost for a field that has another type.
type wire struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Message   struct {
		From string                     `json:"from"`
		To   string                     `json:"to"`
		Body string                     `json:"body"`
		Vars map[string]json.RawMessage `json:"variables"`
	} `json:"message"`
	Endpoint struct {
		Resource string `json:"resource"`
	} `json:"endpoint"`
	Channel  wireChannel `json:"channel"`
	Args     []string    `json:"args"`
	Digit    string      `json:"digit"`
	Duration int64       `json:"duration_ms"`
	Cause    int         `json:"cause"`
	Playback struct {
		ID     string `json:"id"`
		Target string `json:"target_uri"`
		State  string `json:"state"`
	} `json:"playback"`
}

type wireChannel struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	State  string `json:"state"`
	Caller struct {
		Name   string `json:"name"`
		Number string `json:"number"`
	} `json:"caller"`
	Dialplan struct {
		Exten string `json:"exten"`
		App   string `json:"app_name"`
		Data  string `json:"app_data"`
	} `json:"dialplan"`
}

// channel checks the id, which goes into addresses.
func (w wireChannel) channel() (Channel, bool) {
	if !validID(w.ID) {
		return Channel{}, false
	}
	return Channel{
		ID: w.ID, Name: visible(w.Name), State: letters(w.State), Number: foreign(w.Caller.Number), Caller: foreign(w.Caller.Name),
		Dialed: foreign(w.Dialplan.Exten), App: letters(w.Dialplan.App), Args: visible(w.Dialplan.Data),
	}, true
}

// unmarshal is json.Unmarshal for what others write: a field of another type than expected is left out, and the others are read.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return nil
	}
	return err
}

// Decode reads one event. It gives Other for an event that is not used, and an error only for what is no event at all: too long, no JSON, or without a type.
func Decode(b []byte) (Event, error) {
	const op = "event"
	if len(b) > maxEvent {
		return nil, &Error{op, CodeTooBig, true}
	}
	var w wire
	if unmarshal(b, &w) != nil {
		return nil, &Error{op, CodeBadAnswer, true}
	}
	typ := letters(w.Type)
	if typ == "" {
		return nil, &Error{op, CodeBadAnswer, true}
	}
	h := Head{At: moment(w.Timestamp)}
	switch w.Type {
	case "TextMessageReceived":
		return w.text(h), nil
	case "ApplicationReplaced":
		return ApplicationReplaced{h}, nil
	case "PlaybackStarted", "PlaybackFinished":
		if !validID(w.Playback.ID) {
			break
		}
		p := Playback{ID: w.Playback.ID, Target: visible(w.Playback.Target), State: letters(w.Playback.State)}
		if w.Type == "PlaybackStarted" {
			return PlaybackStarted{h, p}, nil
		}
		return PlaybackFinished{h, p}, nil
	}
	if ch, ok := w.Channel.channel(); ok {
		if e := w.ofChannel(h, ch); e != nil {
			return e, nil
		}
	}
	return Other{h, typ}, nil
}

func (w wire) ofChannel(h Head, ch Channel) Event {
	switch w.Type {
	case "StasisStart":
		args := make([]string, 0, min(len(w.Args), maxArgs))
		for _, a := range w.Args[:cap(args)] {
			args = append(args, visible(a))
		}
		return StasisStart{h, ch, args}
	case "StasisEnd":
		return StasisEnd{h, ch}
	case "ChannelDtmfReceived":
		if len(w.Digit) == 1 && strings.Trim(w.Digit, "0123456789ABCD*#") == "" {
			return ChannelDtmfReceived{h, ch, w.Digit[0], time.Duration(min(max(w.Duration, 0), 60_000)) * time.Millisecond}
		}
	case "ChannelHangupRequest":
		return ChannelHangupRequest{h, ch, w.Cause}
	case "ChannelStateChange":
		return ChannelStateChange{h, ch}
	case "ChannelHold", "ChannelUnhold":
		return ChannelHold{h, ch, w.Type == "ChannelUnhold"}
	case "ChannelDestroyed":
		return ChannelDestroyed{h, ch, w.Cause}
	}
	return nil
}

func (w wire) text(h Head) TextMessageReceived {
	t := TextMessageReceived{
		Head: h, From: foreign(w.Message.From), To: foreign(w.Message.To), Endpoint: visible(w.Endpoint.Resource),
		Body: untrusted.New(w.Message.Body), Vars: map[string]untrusted.Text{}, Length: -1,
	}
	for name, raw := range w.Message.Vars {
		var value string
		if json.Unmarshal(raw, &value) != nil {
			continue
		}
		if strings.EqualFold(name, "Content-Length") {
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 {
				t.Length = n
			}
		}
		// PJSIP_TRANSPORT and its kind would say how the message came; but a header of that name in the message replaces what Asterisk wrote.
		if len(t.Vars) < maxVars && len(name) <= 256 && !strings.HasPrefix(strings.ToUpper(name), "PJSIP_") {
			t.Vars[name] = foreign(value)
		}
	}
	return t
}

// moment reads ARI's form of a time.
func moment(s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05.999-0700", time.RFC3339Nano} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

func validID(s string) bool {
	return len(s) <= 150 && token(strings.ReplaceAll(s, ".", "_"))
}

func foreign(s string) untrusted.Text { return untrusted.New(cut(s, maxValue)) }

// letters keeps a word of ASCII letters, and of anything else nothing.
func letters(s string) string {
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) && r != '_' }) {
		return ""
	}
	return s
}

// visible keeps visible ASCII: what Asterisk's own configuration names is that.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f {
			return -1
		}
		return r
	}, cut(s, 256))
}

// cut shortens to at most n bytes, between two characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
