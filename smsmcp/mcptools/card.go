package mcptools

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
	"readback/smsmcp/card"
	"readback/smsmcp/clean"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
)

var (
	cardSecret = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`) // 256 bits (weak.ask)
	cardAnswer = regexp.MustCompile(`^(send|dont|freeze)$`)
)

// answerSend is what the card's buttons call. It is in no list that a model is given: clients that draw no card are not told of it, and those that do keep it for the
// card. That is no lock, so the secret is: it stands in the card's data alone, which goes to clients that draw cards and which no model reads, and without it nothing
// happens (invariant 5).
var answerSend = tool{
	name: card.Tool, title: lang.AnswerSendTitle, about: lang.AnswerSend,
	params: []param{
		{name: "id", about: lang.SendID, kind: text, min: 10, max: 10, pattern: sendID, required: true},
		{name: "secret", about: lang.AnswerSendSecret, kind: text, min: 43, max: 43, pattern: cardSecret, required: true},
		{name: "answer", about: lang.AnswerSendAnswer, kind: text, min: 4, max: 6, pattern: cardAnswer, required: true},
	},
	origin: serversWords, reach: goesOut, cards: true,
	hints: hints{destructive: true, openWorld: true},
	serve: pressed(press),
}

// pressed serves the tool of the card's buttons, and no other: the desk is behind what it has, and no door.
type pressed func(ctx context.Context, in *weak, a args) (*mcp.CallToolResult, error)

func (f pressed) run(ctx context.Context, s *server, a args) (reply, error) {
	out, err := f(ctx, &s.weak, a)
	return reply{result: out}, err
}

// press passes on what was pressed, a yes once. A yes counts if the owner takes one by this client now, and if the desk takes a weak one for this text; a no, and a freeze, only tighten.
func press(ctx context.Context, in *weak, a args) (*mcp.CallToolResult, error) {
	answer := card.Answer(a.text("answer"))
	if answer == card.Send && !in.who(ctx).MayConfirm {
		return mcp.NewToolResultError(lang.CardMayNot.In(in.lang)), nil // the secret is not spent: it is good for a no still
	}
	q, err := in.find(ctx, a.text("secret"), smsmcp.Card, cardCall(smsmcp.SendID(a.text("id"))), answer == card.Send)
	if errors.Is(err, errNoQuestion) {
		return over(lang.AnswerSendNone.In(in.lang)), nil
	}
	if err != nil {
		return nil, err
	}
	var send smsmcp.Send
	switch answer {
	case card.Send:
		send, err = in.yes(ctx, q)
	case card.Dont:
		send, err = in.no(ctx, q)
	case card.Freeze:
		if err := in.freeze(ctx, q); err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(lang.AnswerSendFrozen.In(in.lang)), nil
	}
	switch {
	case errors.Is(err, errMayNot):
		return over(lang.CardMayNot.In(in.lang)), nil
	case errors.Is(err, dispatch.ErrTooWeak):
		return over(lang.CardStrong.In(in.lang)), nil
	case errors.Is(err, dispatch.ErrAltered):
		return over(lang.CardAltered.In(in.lang)), nil
	case err != nil && answer == card.Send:
		return nil, spent{err}
	case err != nil:
		return nil, err
	}
	return mcp.NewToolResultText(in.tell(send)), nil
}

// spent is an error after which the card has no answer to give any more.
type spent struct{ error }

func (s spent) Unwrap() error { return s.error }

// over is a refusal after which the card has no answer to give any more.
func over(sentence string) *mcp.CallToolResult {
	out := mcp.NewToolResultError(sentence)
	out.Meta = mcp.NewMetaFromMap(map[string]any{card.MetaKey: map[string]any{"over": true}})
	return out
}

// cardCall binds a card's secret to the send that the card shows: the answer names it.
func cardCall(id smsmcp.SendID) [32]byte { return sha256.Sum256([]byte(card.Tool + " " + id)) }

// draws says whether the client that asks now draws a card for a send that waits: it is answered at once then. What cannot be drawn is not asked about (invariant 14).
func (s *server) draws(ctx context.Context, send smsmcp.Send) bool {
	return ctx.Value(drawsKey{}) != nil && send.State == smsmcp.Waiting && send.Only == smsmcp.NoChannel && clean.Drawable(send.Draft.Body()) == nil
}

// card adds to the answer about a send that waits what the card needs. The secret is written there and nowhere else.
func (s *server) card(ctx context.Context, out *mcp.CallToolResult, send smsmcp.Send) {
	if !s.draws(ctx, send) {
		return
	}
	secret, err := s.weak.ask(ctx, send, smsmcp.Card, cardCall(send.ID))
	if err != nil {
		s.log.Error("a question was not kept, and the card has no buttons", "id", send.ID, "err", err)
		return
	}
	instead := ""
	switch {
	case send.Strong:
		instead = lang.CardStrong.In(s.lang)
	case !s.weak.may(ctx, send):
		instead = lang.CardMayNot.In(s.lang)
	}
	why := make([]string, len(send.Reasons))
	for i, r := range send.Reasons {
		why[i] = guard.ExplainToOwner(s.lang, s.weak.zone, r)
	}
	out.Meta = mcp.NewMetaFromMap(map[string]any{card.MetaKey: card.Of(s.lang, send, s.weak.now(), secret, why, s.weak.at(send.Expires), instead)})
}

// cardMeta is what a tool's definition says of cards (MCP Apps, "Resource Discovery").
func cardMeta(t tool) map[string]any {
	if t.cards {
		return map[string]any{"visibility": []string{"app"}}
	}
	return map[string]any{"resourceUri": card.URI}
}

// cardOptions are what the server for clients that draw cards has beside the other's.
func cardOptions() []mcpserver.ServerOption {
	return []mcpserver.ServerOption{
		mcpserver.WithExtensions(map[string]any{card.Extension: map[string]any{}}),
		mcpserver.WithResourceCapabilities(false, false),
	}
}

// cardResource serves the card's document, the one resource.
func (s *server) cardResource(m *mcpserver.MCPServer) {
	ui := map[string]any{"ui": map[string]any{"prefersBorder": true}} // without csp a client must let it ask nobody for anything
	document := card.Document(s.lang)
	m.AddResource(
		mcp.Resource{URI: card.URI, Name: "send", Title: lang.CardName.In(s.lang), MIMEType: card.MIMEType, Meta: mcp.NewMetaFromMap(ui)},
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: card.URI, MIMEType: card.MIMEType, Text: document, Meta: ui}}, nil
		})
}

type drawsKey struct{}

// mostDrawers bounds whose declarations are remembered; past it all are forgotten, and their clients hear of no card until they say so again.
const mostDrawers = 1024

// drawers knows which clients draw cards. One of the modern era says so in each request. One of an older era says so in initialize alone, and as there are no sessions, its last
// word there is remembered by its token, where no other client has that token: else a client that draws none would be handed another's card, secret and all (invariant 5).
type drawers struct {
	mu     sync.Mutex
	legacy map[string]bool // by the principal's ID
}

// draws says whether the client that sent this message draws cards. The era is read as mcp-go reads it.
func (d *drawers) draws(who smsmcp.Principal, method mcp.MCPMethod, header http.Header, message []byte) bool {
	var m struct {
		Params struct {
			Capabilities json.RawMessage `json:"capabilities"` // of initialize
			Meta         *mcp.Meta       `json:"_meta"`
		} `json:"params"`
	}
	meta := m.Params.Meta
	if json.Unmarshal(message, &m) == nil {
		meta = m.Params.Meta
	}
	if mcp.IsModernProtocol(meta.ProtocolVersion()) || mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion)) {
		return declares(meta.GetMetaField(mcp.MetaKeyClientCapabilities))
	}
	if method != mcp.MethodInitialize {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.legacy[who.ID]
	}
	var capabilities any
	said := json.Unmarshal(m.Params.Capabilities, &capabilities) == nil && declares(capabilities)
	if !who.Alone {
		return said // this answer alone tells of cards: no word of it is kept
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !said {
		delete(d.legacy, who.ID)
		return false
	}
	if d.legacy == nil || len(d.legacy) >= mostDrawers {
		d.legacy = map[string]bool{}
	}
	d.legacy[who.ID] = true
	return true
}

// declares says whether these capabilities name cards, of the one type that there is. What other extensions say of themselves is theirs.
func declares(capabilities any) bool {
	all, _ := capabilities.(map[string]any)
	extensions, _ := all["extensions"].(map[string]any)
	ours, _ := extensions[card.Extension].(map[string]any)
	types, _ := ours["mimeTypes"].([]any)
	return slices.Contains(types, any(card.MIMEType))
}

// ofCard says whether a message is a card's own: it presses a button, or fetches the document. Both are served to whoever asks, since a card on the screen outlives what is
// remembered of its client; the secret is the lock.
func ofCard(method mcp.MCPMethod, name, uri json.RawMessage) bool {
	is := func(raw json.RawMessage, want string) bool {
		var s string
		return json.Unmarshal(raw, &s) == nil && s == want
	}
	return method == mcp.MethodToolsCall && is(name, card.Tool) || method == mcp.MethodResourcesRead && is(uri, card.URI)
}
