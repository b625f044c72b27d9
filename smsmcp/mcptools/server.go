package mcptools

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
)

// Options are what New needs. All must be set but those that say otherwise, and Timeout.
type Options struct {
	Reader  Reader
	Book    Book
	Door    Door
	Who     func(context.Context) smsmcp.Principal // whose token a request came with
	Now     func() time.Time
	Random  io.Reader // of the frame's tags: crypto/rand.Reader
	Lang    lang.Lang
	Zone    *time.Location
	Version string // of the program
	Log     *slog.Logger

	MaskCodes bool // hide one-time codes from the model
	MaxChars  int  // of an answer
	BodyChars int  // of one body

	Timeout time.Duration // of one call; 50 s: below the time that web gives a request, so that the model is told
	Wait    time.Duration // how long send_text waits for the owner's yes: none if 0; at most half of Timeout

	Images Images // what a model is shown of images; nil: none, and it hears of no tool for that

	Questions Questions // and Desk: for a yes that comes by a client; none does where either is nil
	Desk      Desk
	Prompt    bool // send_text says that its client should have its user agree to each call
}

// server is what the tools share.
type server struct {
	reading reading
	looking looking
	sending sending
	weak    weak
	images  Images
	prompt  bool
	lang    lang.Lang
	timeout time.Duration
	log     *slog.Logger
}

// New gives the handler of POST /mcp. It wants the whole body at once, of valid UTF-8 and bounded, which package web sees to.
func New(o Options) (http.Handler, error) {
	s := newServer(o)
	e := &endpoint{lang: o.Lang, who: o.Who}
	var err error
	if e.mcp, err = s.serves(o.Version, false); err != nil {
		return nil, err
	}
	if o.Questions != nil && o.Desk != nil { // without them no card has anything to answer with
		if e.cards, err = s.serves(o.Version, true); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// serves gives what answers requests: those of clients that draw cards, or those of all others, who hear nothing of cards.
func (s *server) serves(version string, cards bool) (http.Handler, error) {
	options := []mcpserver.ServerOption{
		mcpserver.WithTitle("Readback"),
		mcpserver.WithInstructions(lang.ToolInstructions.In(s.lang)),
		// The list never changes while the server runs; with true, clients would hold a stream open to hear of it.
		mcpserver.WithToolCapabilities(false),
		mcpserver.WithHooks(successHook()),
	}
	all := slices.Clone(tools)
	if s.images != nil {
		all = append(all, showImages)
	}
	if cards {
		options = append(options, cardOptions()...)
		all = append(all, answerSend)
	}
	m := mcpserver.NewMCPServer("readback", version, options...)
	for _, t := range all {
		if err := s.register(m, t, cards); err != nil {
			return nil, err
		}
	}
	if cards {
		s.cardResource(m)
	}
	s.fixture(m)
	return mcpserver.NewStreamableHTTPServer(m,
		mcpserver.WithStateLess(true),
		mcpserver.WithDisableStreaming(true),
		mcpserver.WithDisableLocalhostProtection(true), // web checks Host, and knows the public names
		mcpserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)),
	), nil
}

func newServer(o Options) *server {
	v := voice{lang: o.Lang, zone: o.Zone}
	s := &server{
		reading: reading{
			voice: v, book: o.Book, box: o.Reader, now: o.Now, random: o.Random,
			maskCodes: o.MaskCodes, maxChars: o.MaxChars, bodyChars: o.BodyChars,
		},
		looking: looking{voice: v, book: o.Book, log: o.Door},
		sending: sending{voice: v, book: o.Book, door: o.Door, who: o.Who},
		weak:    weak{voice: v, book: o.Questions, desk: o.Desk, who: o.Who, now: o.Now, random: o.Random, log: o.Log},
		images:  o.Images,
		prompt:  o.Prompt,
		lang:    o.Lang, timeout: o.Timeout, log: o.Log,
	}
	if s.timeout == 0 {
		s.timeout = 50 * time.Second
	}
	s.sending.wait = min(o.Wait, s.timeout/2)
	return s
}

func (s *server) register(m *mcpserver.MCPServer, t tool, cards bool) error {
	if err := t.declared(); err != nil {
		return err
	}
	m.AddTool(s.definition(t, cards), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := s.call(ctx, t, r.Params)
		if err != nil {
			if errors.As(err, new(spent)) {
				return over(s.sentence(t.name, err)), nil
			}
			return mcp.NewToolResultError(s.sentence(t.name, err)), nil
		}
		return answer, nil
	})
	return nil
}

func (s *server) definition(t tool, cards bool) mcp.Tool {
	l := s.lang
	d := mcp.NewToolWithRawSchema(t.name, t.about.In(l), schema(l, t.params))
	d.Title = t.title.In(l)
	d.Annotations = mcp.ToolAnnotation{
		Title:        d.Title,
		ReadOnlyHint: &t.hints.readOnly, DestructiveHint: &t.hints.destructive,
		IdempotentHint: &t.hints.idempotent, OpenWorldHint: &t.hints.openWorld,
	}
	meta := map[string]any{}
	if s.prompt && t.reach == goesOut && !t.cards {
		meta["anthropic/requiresUserInteraction"] = true
	}
	if cards && t.reach == goesOut {
		meta["ui"] = cardMeta(t)
	}
	if len(meta) > 0 {
		d.Meta = mcp.NewMetaFromMap(meta)
	}
	return d
}

var errPanic = errors.New("a tool's code broke")

// call runs a tool within its time. A panic becomes an error; what it carries may be a stranger's words, so only the place is logged.
func (s *server) call(ctx context.Context, t tool, in mcp.CallToolParams) (answer *mcp.CallToolResult, err error) {
	defer func() {
		if recover() != nil {
			s.log.Error("a tool broke", "tool", t.name, "stack", string(debug.Stack()))
			answer, err = nil, errPanic
		}
	}()
	if !t.allowed(s.sending.who(ctx)) { // web has refused it already, as far as it read the request as mcp-go did
		return nil, refusal(lang.WebScope.In(s.lang))
	}
	a, err := check(s.lang, t.params, in.Arguments)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	call := callOf(t.name, t.params, a)
	if t.reach == goesOut && (in.RequestState != "" || len(in.InputResponses) > 0) {
		return s.answered(ctx, in.MultiRoundTripParams, call)
	}
	r, err := t.serve.run(ctx, s, a)
	if err != nil {
		return nil, err
	}
	switch {
	case r.result != nil:
		return r.result, nil
	case r.waits.ID != "":
		return s.asks(ctx, r, call), nil
	}
	return mcp.NewToolResultText(r.text), nil // text alone: some clients drop it where structured content stands beside it
}

// sentence is all that a model hears of an error (invariant 13).
func (s *server) sentence(name string, err error) string {
	var said refusal
	switch {
	case errors.As(err, &said):
		return string(said)
	case errors.Is(err, errNoQuestion):
		return lang.ElicitNoQuestion.In(s.lang)
	case errors.Is(err, smsmcp.ErrNoSend):
		return lang.SendNone.In(s.lang)
	case errors.Is(err, errPanic):
		return lang.ToolBroken.In(s.lang)
	}
	s.log.Error("a tool failed", "tool", name, "err", err)
	switch {
	case errors.Is(err, dispatch.ErrNotRecorded):
		return lang.ToolNotLogged.In(s.lang)
	case errors.Is(err, dispatch.ErrClosed):
		return lang.ToolClosing.In(s.lang)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return lang.ToolSlow.In(s.lang)
	}
	for _, known := range []error{inbox.ErrStore, inbox.ErrNotHeld, inbox.ErrCarrier} {
		if errors.Is(err, known) {
			return inbox.Sentence(s.lang, err)
		}
	}
	return lang.ToolStore.In(s.lang)
}
