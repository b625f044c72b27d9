package mcptools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// endpoint stands between web and mcp-go.
type endpoint struct {
	mcp     http.Handler
	cards   http.Handler // for the clients that draw cards, and for the cards; nil where there are none
	drawers drawers
	who     func(context.Context) smsmcp.Principal
	lang    lang.Lang
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = nil // web has read it already: it cannot fail there
	}
	var head struct {
		Method mcp.MCPMethod   `json:"method"`
		ID     json.RawMessage `json:"id"`
		Params struct {
			Name json.RawMessage `json:"name"`
			URI  json.RawMessage `json:"uri"`
			Meta struct {
				ProgressToken json.RawMessage `json:"progressToken"`
			} `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &head) == nil && head.Method == mcp.MethodNotificationCancelled {
		// Without sessions mcp-go finds the request to cancel by its id alone, and all clients count from 1: one would cancel
		// another's. A client cancels by closing its request's connection.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	r.Header.Del("Mcp-Session-Id") // there are none
	r.Body = io.NopCloser(bytes.NewReader(body))
	a := &answer{to: w}
	if head.Method == mcp.MethodSubscriptionsListen {
		var id bytes.Buffer
		if json.Compact(&id, head.ID) == nil { // on one line, as a frame of the stream must be
			a.listens = id.Bytes()
		}
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		a.wants = progressToken(head.Params.Meta.ProgressToken)
	}
	ctx, to := context.WithValue(r.Context(), answerKey{}, a), e.mcp
	switch {
	case e.cards == nil:
	case e.drawers.draws(e.who(ctx), head.Method, r.Header, body):
		ctx, to = context.WithValue(ctx, drawsKey{}, true), e.cards
	case ofCard(head.Method, head.Params.Name, head.Params.URI):
		to = e.cards
	}
	to.ServeHTTP(a, r.WithContext(ctx))
	a.finish(e.lang)
}

type answerKey struct{}

// successHook marks the answer of a request that mcp-go served: its result is ours, and goes out as it is.
func successHook() *mcpserver.Hooks {
	h := &mcpserver.Hooks{}
	h.AddOnSuccess(func(ctx context.Context, _ any, _ mcp.MCPMethod, _, _ any) {
		if a, ok := ctx.Value(answerKey{}).(*answer); ok {
			a.good = true
		}
	})
	return h
}

// answer passes results on and keeps everything else back: mcp-go's errors quote the client's words (invariant 13). It is no
// http.Flusher, so that mcp-go answers each request with one piece of JSON.
type answer struct {
	to      http.ResponseWriter
	good    bool            // a result of ours follows
	listens json.RawMessage // the id of a subscriptions/listen
	wants   json.RawMessage // the token by which the client wants to be told of progress
	open    bool            // a stream was begun for that
	sent    bool
	status  int
	kept    bytes.Buffer
}

func (a *answer) Header() http.Header { return a.to.Header() }

func (a *answer) WriteHeader(status int) { a.status = status }

func (a *answer) Write(p []byte) (int, error) {
	switch {
	case !a.good:
		return a.kept.Write(p)
	case a.sent:
		return a.to.Write(p)
	}
	a.sent = true
	if a.listens != nil {
		return len(p), a.stream(p)
	}
	if a.open {
		return len(p), a.event(p)
	}
	a.Header().Set("Content-Length", strconv.Itoa(len(p))) // mcp-go writes a result in one piece
	if a.status != 0 {
		a.to.WriteHeader(a.status)
	}
	return a.to.Write(p)
}

// stream answers a subscriptions/listen, of which everything is over at once, as there is nothing to subscribe to: what was
// subscribed, which is nothing, and the result. mcp-go itself loses the first of the two now and then when both come together.
func (a *answer) stream(result []byte) error {
	a.Header().Set("Content-Type", "text/event-stream")
	_, err := fmt.Fprintf(a.to,
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":%q,\"params\":{\"_meta\":{%q:%s},\"notifications\":{}}}\n\nevent: message\ndata: %s\n\n",
		mcp.MethodNotificationSubscriptionsAcknowledged, mcp.MetaKeySubscriptionID, a.listens, bytes.TrimSpace(result))
	return err
}

// versionForm is the form of a protocol version: a requested one in another form is not told back.
var versionForm = regexp.MustCompile(`^v?\d{1,4}([.-]\d{1,4}){0,3}$`)

// finish writes what was kept back in our own words: the code and the id stay, and of the data the protocol versions.
func (a *answer) finish(l lang.Lang) {
	if a.sent {
		return
	}
	if a.kept.Len() == 0 && a.status == http.StatusAccepted {
		a.to.WriteHeader(a.status)
		return
	}
	var in struct {
		ID    json.RawMessage `json:"id"`
		Error struct {
			Code int `json:"code"`
			Data struct {
				Supported []string `json:"supported"`
				Requested string   `json:"requested"`
			} `json:"data"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.kept.Bytes(), &in) // a plain text instead of JSON leaves in empty
	if len(in.ID) == 0 {
		in.ID = json.RawMessage("null")
	}
	if in.Error.Code == 0 {
		in.Error.Code = mcp.INVALID_REQUEST
	}
	if a.kept.Len() == 0 { // mcp-go writes nothing when the request's time is over
		a.status, in.Error.Code = http.StatusServiceUnavailable, mcp.INTERNAL_ERROR
	}
	type data struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested,omitempty"`
	}
	type detail struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    *data  `json:"data,omitempty"`
	}
	out := detail{Code: in.Error.Code, Message: protocolSentence(in.Error.Code).In(l)}
	if len(in.Error.Data.Supported) > 0 {
		out.Data = &data{Supported: in.Error.Data.Supported}
		if versionForm.MatchString(in.Error.Data.Requested) {
			out.Data.Requested = in.Error.Data.Requested
		}
	}
	b, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   detail          `json:"error"`
	}{"2.0", in.ID, out})
	if err != nil { // the id came out of JSON: it cannot fail
		b = nil
	}
	if a.open {
		_ = a.event(b)
		return
	}
	a.Header().Set("Content-Type", "application/json")
	a.Header().Set("Content-Length", strconv.Itoa(len(b)))
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.to.WriteHeader(a.status)
	_, _ = a.to.Write(b)
}

func protocolSentence(code int) lang.Message {
	switch code {
	case mcp.PARSE_ERROR:
		return lang.ProtocolParse
	case mcp.INVALID_REQUEST:
		return lang.ProtocolRequest
	case mcp.METHOD_NOT_FOUND:
		return lang.ProtocolMethod
	case mcp.INVALID_PARAMS:
		return lang.ProtocolParams
	case mcp.HEADER_MISMATCH:
		return lang.ProtocolHeaders
	case mcp.UNSUPPORTED_PROTOCOL_VERSION:
		return lang.ProtocolVersion
	}
	return lang.ProtocolInternal
}
