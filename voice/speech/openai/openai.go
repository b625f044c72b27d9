// Package openai hears and speaks by servers with OpenAI's endpoints for speech, /v1/audio/transcriptions and /v1/audio/speech: OpenAI's own, and those of one's own
// machine (speaches, Kokoro, LocalAI and others).
//
// What is heard is a stranger's words from the first moment (invariant 4). The server is given the sound and its language: no prompt, no keywords, nothing of what
// is expected (invariant 10). A text was spoken only if the wire said that the answer is whole. The key is read for every request, goes to the server that was
// configured and to no other, in the header alone, and is in no error and no log (invariant 11); it needs TLS, or this machine. Requests are made by the vendor's
// library, without its retries and without its defaults from the environment. Answers and waits are bounded.
//
// Floor 3: imports smsmcp/lang, smsmcp/untrusted, voice, voice/media, voice/media/rate, voice/speech/plain, github.com/openai/openai-go. It waits by timers, and is
// given the clock.
package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"readback/smsmcp/lang"
	"readback/voice/speech/plain"
)

// Error is what went wrong, as a code. It never holds anybody's words, an address, a key, nor anything that the server said.
type Error struct{ code string }

func (e *Error) Error() string { return "openai: " + e.code }

// Code implements smsmcp.Coded.
func (e *Error) Code() string { return e.code }

// What may go wrong. Advice says it in a sentence.
var (
	ErrAddress     = &Error{"not_an_address"}      // of New
	ErrName        = &Error{"not_a_name"}          // of New: of a model or a voice
	ErrRate        = &Error{"not_a_rate"}          // of the sound that is to be heard
	ErrUnreachable = &Error{"engine_unreachable"}  // nobody listens there, or it is not who it says
	ErrGone        = &Error{"engine_gone"}         // the answer ended before it was whole
	ErrStalled     = &Error{"engine_stalled"}      // it did not answer in time
	ErrBroken      = &Error{"engine_broken"}       // what it answers is none, or more than is taken
	ErrFailed      = &Error{"engine_failed"}       // it says so itself, or gave no sound for words
	ErrBusy        = &Error{"engine_busy"}         // too many requests, or the quota is used up
	ErrKey         = &Error{"key_refused"}         // or none can be read
	ErrModel       = &Error{"no_such_model"}       // or voice, or no such endpoint
	ErrTooLong     = &Error{"utterance_too_long"}  // of what is heard
	ErrTextTooLong = &Error{"text_too_long"}       // of what is to be spoken, or was
	ErrEnded       = &Error{"utterance_has_ended"} // of a Hearing that was finished or cancelled
)

// Advice is the sentence for what went wrong.
func Advice(err error) (m lang.Message, known bool) {
	for is, says := range map[error]lang.Message{
		ErrAddress: lang.SpeechOpenAIAddress, ErrName: lang.SpeechOpenAIModel, ErrRate: lang.SpeechEngineBroken,
		ErrUnreachable: lang.SpeechOpenAIUnreachable, ErrGone: lang.SpeechEngineGone, ErrStalled: lang.SpeechEngineStalled, ErrBroken: lang.SpeechOpenAIBroken,
		ErrFailed: lang.SpeechEngineFailed, ErrBusy: lang.SpeechEngineBusy, ErrKey: lang.SpeechOpenAIKey, ErrModel: lang.SpeechOpenAIModel,
		ErrTooLong: lang.SpeechUtteranceTooLong, ErrTextTooLong: lang.SpeechTooLong, plain.ErrTooLong: lang.SpeechTooLong,
	} {
		if errors.Is(err, is) {
			return says, true
		}
	}
	return m, false
}

// Server is where the requests go.
type Server struct {
	URL   string                 // to its version, such as https://api.openai.com/v1; http with a key for a loopback address alone
	Key   func() (string, error) // read for every request, so that a new one needs no restart; nil or "" for a server that wants none
	Roots *x509.CertPool         // whom to trust with TLS; nil is the system's
	Pause time.Duration          // before a server that was not there, or went away before it answered, is asked once more; 0 for 300 ms
}

// Bounds of what a server answers.
const (
	maxHeaders = 64 << 10
	maxAnswer  = 1 << 20  // an answer in JSON, or an error
	maxSound   = 64 << 20 // 600 s at 48 kHz
)

var named = regexp.MustCompile(`^[A-Za-z0-9._:/+@-]{1,128}$`)

// client makes the requests.
type client struct {
	s    Server
	base []option.RequestOption
}

func newClient(s Server) (*client, error) {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil, u.Hostname() == "", u.User != nil, u.RawQuery != "", u.Fragment != "":
		return nil, ErrAddress
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, ErrAddress
	case u.Scheme == "http" && s.Key != nil && !loopback(u.Hostname()):
		return nil, ErrAddress // without a key, which machine may hear is the configuration's care
	}
	if s.Pause <= 0 {
		s.Pause = 300 * time.Millisecond
	}
	// No proxy and no redirect: key and words go to the address that was configured and to no other.
	hc := &http.Client{
		Transport: bounded{&http.Transport{
			DialContext:            (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: s.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: maxHeaders,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &client{s, []option.RequestOption{
		option.WithBaseURL(strings.TrimRight(s.URL, "/") + "/"),
		option.WithHTTPClient(hc),
		option.WithMaxRetries(0),
	}}, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// options are those of one request, with the key as it is now.
func (c *client) options() ([]option.RequestOption, error) {
	if c.s.Key == nil {
		return c.base, nil
	}
	key, err := c.s.Key()
	if err != nil || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, ErrKey // a reason would name a file, a bad key would be quoted by the library
	}
	if key == "" {
		return c.base, nil
	}
	return append(c.base[:len(c.base):len(c.base)], option.WithAPIKey(key)), nil
}

// bounded limits what an answer may hold, and makes one of our errors of an answer that is none, unread: the library would lose its status where it cannot read it.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if err := refused(res.StatusCode); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	limit := int64(maxAnswer)
	if strings.HasSuffix(r.URL.Path, "/audio/speech") {
		limit = maxSound
	}
	res.Body = &body{res.Body, limit}
	return res, nil
}

func refused(status int) error {
	switch status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return ErrKey
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return ErrModel
	case http.StatusTooManyRequests:
		return ErrBusy
	}
	if status < 400 {
		return ErrBroken // a redirect goes nowhere
	}
	return ErrFailed
}

// body ends with an error where it holds more than its bound or is cut off: half of an answer must not pass for all of it.
type body struct {
	io.ReadCloser
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrBroken
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, ErrBroken
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = ErrGone
	}
	return n, err
}

// twice asks once more, if the server was not there or went away before it answered.
func (c *client) twice(ctx context.Context, request func(...option.RequestOption) error) error {
	for try := 0; ; try++ {
		opts, err := c.options()
		if err != nil {
			return err
		}
		err = reduce(ctx, request(opts...))
		if try > 0 || !errors.Is(err, ErrUnreachable) {
			return err
		}
		pause := time.NewTimer(c.s.Pause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return reduce(ctx, ctx.Err())
		}
	}
}

// reduce makes one of our errors of whatever went wrong: what the library says may hold addresses, and what the server says.
func reduce(ctx context.Context, err error) error {
	var own *Error
	var sent *url.Error
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case cause != nil:
		return cause
	case errors.As(err, &own):
		return own
	case errors.As(err, &sent):
		return ErrUnreachable
	}
	return ErrBroken
}

// listed says whether the server lists a model. One that has no list says neither yes nor no.
func (c *client) listed(ctx context.Context, model string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrStalled)
	defer cancel()
	opts, err := c.options()
	if err != nil {
		return err
	}
	models := sdk.NewModelService(opts...)
	page, err := models.List(ctx)
	if err = reduce(ctx, err); errors.Is(err, ErrModel) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, m := range page.Data {
		if m.ID == model {
			return nil
		}
	}
	return ErrModel
}
