package sipmsg

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/voip/ari"
	"readback/voip/segments"
)

// The bounds of a body, in bytes of UTF-8.
const (
	usualBody = 160  // what every carrier of SMS takes in one, and voip.ms no more of
	maxBody   = 1023 // what Asterisk passes on of a message that it receives: more would be lost by a peer that runs it
)

// needed is the module without which Asterisk neither sends nor receives texts.
const needed = "res_pjsip_messaging.so"

// Asterisk is what the carrier uses of an ari.Client.
type Asterisk interface {
	SendMessage(ctx context.Context, m ari.Message) error
	Modules(ctx context.Context) (map[string]bool, error)
}

// Options are what a [Carrier] is made of. All are needed but MaxBody.
type Options struct {
	Asterisk Asterisk
	Endpoint string                       // the trunk's endpoint in pjsip.conf, such as voipms: [A-Za-z0-9_-]{1,64}
	Server   string                       // the trunk's server, host or host:port, such as montreal1.voip.ms:5061
	Number   smsmcp.Number                // the owner's
	Peer     func(raw string) smsmcp.Peer // types what a From address names; never called with ""
	Rand     io.Reader                    // for the keys of what is sent: crypto/rand
	MaxBody  int                          // longest body to send, in bytes: 160 if 0, at most 1023
}

// Carrier hands texts to one trunk of one Asterisk. It is safe for concurrent use if Rand is.
type Carrier struct{ o Options }

var (
	endpointName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	serverName   = regexp.MustCompile(`^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$`)
)

// New checks the options and makes the carrier. It does no I/O.
func New(o Options) (*Carrier, error) {
	if o.MaxBody == 0 {
		o.MaxBody = usualBody
	}
	_, err := smsmcp.ParseNumber(string(o.Number))
	switch {
	case o.Asterisk == nil || o.Peer == nil || o.Rand == nil:
		return nil, errors.New("sipmsg: Asterisk, Peer and Rand are needed")
	case !endpointName.MatchString(o.Endpoint):
		return nil, errors.New("sipmsg: the endpoint's name must be letters, digits, _ and -, at most 64")
	case !serverName.MatchString(o.Server):
		return nil, errors.New("sipmsg: the server must be a host, or host:port")
	case err != nil:
		return nil, errors.New("sipmsg: the owner's number is not in E.164")
	case o.MaxBody < 0 || o.MaxBody > maxBody:
		return nil, errors.New("sipmsg: the longest body must be 1 to 1023 bytes")
	}
	return &Carrier{o}, nil
}

// Name is the first part of every key.
func (c *Carrier) Name() string { return "sipmsg" }

// Plan carries every body as SMS, up to the longest.
func (c *Carrier) Plan(body string) (smsmcp.Plan, error) {
	if len(body) > c.o.MaxBody {
		return smsmcp.Plan{}, smsmcp.ErrTooLong
	}
	return smsmcp.Plan{Kind: smsmcp.SMS, Segments: segments.Count(body)}, nil
}

// Send hands one text to Asterisk. No error says that Asterisk has it, and no more.
func (c *Carrier) Send(ctx context.Context, to smsmcp.Number, body string) (smsmcp.Receipt, error) {
	plan, err := c.Plan(body)
	switch {
	case err != nil:
		return smsmcp.Receipt{}, fail("sms_toolong", err, smsmcp.ErrNotSent)
	case !sendable(body):
		return smsmcp.Receipt{}, fail("bad_body", smsmcp.ErrNotSent)
	case ctx.Err() != nil:
		return smsmcp.Receipt{}, fail("cancelled", ctx.Err(), smsmcp.ErrNotSent)
	}
	// Whatever else a number may be one day, in an address it is digits after a plus.
	if _, err := smsmcp.ParseNumber(string(to)); err != nil || strings.Trim(string(to), "+0123456789") != "" {
		return smsmcp.Receipt{}, fail("invalid_dst", smsmcp.ErrNotE164, smsmcp.ErrNotSent)
	}
	id := make([]byte, 16)
	if _, err := io.ReadFull(c.o.Rand, id); err != nil {
		return smsmcp.Receipt{}, fail("no_randomness", smsmcp.ErrNotSent)
	}
	err = c.o.Asterisk.SendMessage(ctx, ari.Message{
		To:   "pjsip:" + c.o.Endpoint + "/sip:" + string(to) + "@" + c.o.Server,
		From: "sip:" + string(c.o.Number) + "@" + c.o.Server,
		Body: body,
	})
	if err != nil {
		return smsmcp.Receipt{}, judged(err)
	}
	key := smsmcp.Key{Carrier: c.Name(), Kind: plan.Kind, ID: "out-" + hex.EncodeToString(id)}
	return smsmcp.Receipt{Key: key, Delivery: smsmcp.HandedOver}, nil
}

// sendable says whether a body goes as it is: UTF-8, something to read, and no control character but a line break.
func sendable(body string) bool {
	return strings.TrimSpace(body) != "" && utf8.ValidString(body) && !strings.ContainsFunc(body, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' || r == '\u2028' || r == '\u2029'
	})
}

// Check asks whether Asterisk answers, takes the password, and can carry texts.
func (c *Carrier) Check(ctx context.Context) error {
	modules, err := c.o.Asterisk.Modules(ctx)
	if err != nil {
		return judged(err)
	}
	if !modules[needed] {
		return fail("no_messaging_module", smsmcp.ErrDown)
	}
	return nil
}
