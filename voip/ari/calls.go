package ari

import (
	"context"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	ari "github.com/CyCoreSystems/ari/v5"
	"github.com/CyCoreSystems/ari/v5/client/native"
)

// Info is what Asterisk says of itself.
type Info struct {
	Version string // such as 22.10.1, reduced to letters, digits and . + ~ -
	User    string // whom it runs as; empty if it does not say
}

// Info asks what answers, and thereby whether user and password are right.
func (c *Client) Info(ctx context.Context) (Info, error) {
	var got *ari.AsteriskInfo
	err := c.native(ctx, "info", func(n *native.Client) (err error) {
		got, err = n.Asterisk().Info(nil)
		return err
	})
	if err != nil {
		return Info{}, err
	}
	return Info{Version: known(got.SystemInfo.Version), User: known(got.ConfigInfo.SetID.User)}, nil
}

// known keeps what a version or a name is made of.
func known(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".+~-_", r)) {
			return r
		}
		return -1
	}, cut(s, 64))
}

// Modules gives the names of the modules that are loaded, such as res_pjsip_messaging.so.
func (c *Client) Modules(ctx context.Context) (map[string]bool, error) {
	var keys []*ari.Key
	err := c.native(ctx, "modules", func(n *native.Client) (err error) {
		keys, err = n.Asterisk().Modules().List(nil)
		return err
	})
	out := make(map[string]bool, len(keys))
	for _, k := range keys {
		out[k.ID] = true
	}
	return out, err
}

// Subscribed gives the endpoints that the application is subscribed to, such as "PJSIP/" for all of that technology. Where the application does not exist
// (nobody is connected) the error has CodeNotFound.
func (c *Client) Subscribed(ctx context.Context) ([]string, error) {
	var data *ari.ApplicationData
	err := c.native(ctx, "application", func(n *native.Client) (err error) {
		data, err = n.Application().Data(ari.NewKey(ari.ApplicationKey, c.c.App))
		return err
	})
	if err != nil {
		return nil, err
	}
	return data.EndpointIDs, nil
}

// subscribe adds one source to the application.
func (c *Client) subscribe(ctx context.Context, source string) error {
	return c.native(ctx, "subscribe", func(n *native.Client) error {
		return n.Application().Subscribe(ari.NewKey(ari.ApplicationKey, c.c.App), source)
	})
}

// Channels gives the channels that exist now. (The library's list keeps nothing but their ids.)
func (c *Client) Channels(ctx context.Context) ([]Channel, error) {
	var got []wireChannel
	if err := c.do(ctx, "channels", http.MethodGet, "/channels", nil, &got); err != nil {
		return nil, err
	}
	out := make([]Channel, 0, len(got))
	for _, w := range got {
		if ch, ok := w.channel(); ok {
			out = append(out, ch)
		}
	}
	return out, nil
}

// Message is one SIP MESSAGE to send.
type Message struct {
	To   string            // such as pjsip:voipms/sip:+15145550100@host
	From string            // a SIP URI
	Body string            // UTF-8, no control character but \n, at most 32 KiB
	Vars map[string]string // headers
}

// maxMessage keeps a message's JSON, at worst escaped, below the 40960 bytes that Asterisk takes.
const maxMessage = 32 << 10

// SendMessage hands one message to Asterisk, once. No error means that Asterisk has it: nothing ever says whether the other side took it.
// An error with Left() false, or with CodeRefused, CodeNotFound, CodeUnauthorized, CodeBadValue or CodeTooBig, means that nothing was sent.
func (c *Client) SendMessage(ctx context.Context, m Message) error {
	const op = "send"
	size := len(m.To) + len(m.From) + len(m.Body)
	if !plain(m.To) || !plain(m.From) || m.To == "" || m.From == "" || m.Body == "" || !drawable(m.Body) {
		return &Error{op, CodeBadValue, false}
	}
	for name, value := range m.Vars {
		// CR and LF in a value would write a header of their own into the SIP message.
		if !token(name) || !drawable(value) || strings.Contains(value, "\n") {
			return &Error{op, CodeBadValue, false}
		}
		size += len(name) + len(value)
	}
	if size > maxMessage {
		return &Error{op, CodeTooBig, false}
	}
	vars := m.Vars
	if vars == nil {
		vars = map[string]string{} // Asterisk refuses null
	}
	// The library's own Send puts the body in the query, where it ends in logs, and drops the variables.
	return c.do(ctx, op, http.MethodPut, "/endpoints/sendMessage", map[string]any{"to": m.To, "from": m.From, "body": m.Body, "variables": vars}, nil)
}

// plain says whether a string is visible ASCII without quotes, angle brackets and blanks.
func plain(s string) bool {
	for _, r := range s {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`"<>\`, r) {
			return false
		}
	}
	return true
}

// drawable says whether a string is UTF-8 without control characters, but for line breaks.
func drawable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || r == '\u2028' || r == '\u2029'
	})
}

// token says whether a string can name a header.
func token(s string) bool {
	return s != "" && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
