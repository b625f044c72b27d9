// Package anthropic thinks by Anthropic's Messages API.
//
// The key goes to the configured host alone and stands in no error (invariant 11); of the service's words about what went wrong nothing is kept (invariant 13). No
// variable of the environment and no profile is read, and nothing is traced.
//
// Floor 3: imports smsmcp/lang, voice, voice/llm.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/llm"
)

const home = "https://api.anthropic.com/"

// Options are what an Engine is made of.
type Options struct {
	Key       func() (string, error) // read at each request
	BaseURL   string                 // "" for Anthropic's; it ends before /v1/messages
	Model     string
	MaxTokens int       // of an answer that names no bound; 0 for 1024
	Lang      lang.Lang // of the few words that the model is told besides; "" for English
	Limits    llm.Limits
	Transport *http.Transport // nil is a plain one; it is cloned
}

// Engine is a voice.LLM. It may be used by several goroutines.
type Engine struct {
	o    Options
	wire *llm.Wire
}

var _ voice.LLM = (*Engine)(nil)

// New makes an engine. It asks nothing of the service: Check does. Its error is an *llm.Error.
func New(o Options) (*Engine, error) {
	if o.BaseURL == "" {
		o.BaseURL = home
	}
	base, err := llm.Base(o.BaseURL, true)
	if err != nil {
		return nil, err //nolint:wrapcheck // a code of ours
	}
	if o.Model == "" {
		return nil, llm.ErrNoModel
	}
	if o.Key == nil {
		return nil, llm.ErrNoKey
	}
	o.BaseURL = base
	if o.MaxTokens <= 0 {
		o.MaxTokens = 1024
	}
	return &Engine{o: o, wire: llm.NewWire(o.Transport)}, nil
}

// Close ends the connections that nobody uses.
func (e *Engine) Close() { e.wire.Close() }

// options are those of every request. The services of the module are made without its client, which would read the environment.
func (e *Engine) options() ([]option.RequestOption, error) {
	key, err := llm.Key(e.o.Key)
	if err != nil {
		return nil, err //nolint:wrapcheck // a code of ours
	}
	return []option.RequestOption{
		option.WithBaseURL(e.o.BaseURL), option.WithHTTPClient(e.wire), option.WithMaxRetries(0),
		option.WithoutOpenTelemetry(), option.WithAPIKey(key),
	}, nil
}

// Reply implements voice.LLM. Its errors are *llm.Error; llm.ErrCut after words that the bound of tokens has cut.
func (e *Engine) Reply(ctx context.Context, r voice.Request) iter.Seq2[voice.Delta, error] {
	return func(yield func(voice.Delta, error) bool) {
		e.o.Limits.Run(ctx, r, yield, func(ctx context.Context, a *llm.Answer) error {
			all, err := e.options()
			if err != nil {
				return err
			}
			body, err := e.request(r)
			if err != nil {
				return err
			}
			service := anthropic.NewMessageService(all...)
			stream := service.NewStreaming(ctx, body)
			defer func() { _ = stream.Close() }()
			return read(stream, a)
		})
	}
}

// read gives what a stream brings. The answer is whole when its message stops for a reason that says so.
func read(stream *ssestream.Stream[anthropic.MessageStreamEventUnion], a *llm.Answer) error {
	why := anthropic.StopReason("")
	tools := map[int64]bool{} // the blocks that are calls
	for stream.Next() {
		a.Event()
		var err error
		switch e := stream.Current(); e.Type {
		case "content_block_start":
			switch e.ContentBlock.Type {
			case "tool_use":
				tools[e.Index] = true
				err = a.Call(e.Index, e.ContentBlock.ID, e.ContentBlock.Name, "")
			case "text":
				err = a.Text(e.ContentBlock.Text)
			}
		case "content_block_delta":
			switch {
			case e.Delta.Type == "text_delta":
				err = a.Text(e.Delta.Text)
			case e.Delta.Type == "input_json_delta" && tools[e.Index]:
				err = a.Call(e.Index, "", "", e.Delta.PartialJSON)
			}
		case "message_delta":
			why = e.Delta.StopReason
		case "message_stop":
			return stopped(why)
		}
		if err != nil {
			return err //nolint:wrapcheck // a code of ours
		}
	}
	return failed(stream.Err())
}

func stopped(why anthropic.StopReason) error {
	switch why {
	case anthropic.StopReasonEndTurn, anthropic.StopReasonToolUse, anthropic.StopReasonStopSequence:
		return nil
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		return llm.ErrCut
	case anthropic.StopReasonRefusal:
		return llm.ErrRefused
	}
	return llm.ErrBadAnswer // and a pause: we have no tool of the service's own, which alone would be worth going on for
}

// failed gives the error of a stream that ended too early.
func failed(err error) error {
	var told *anthropic.Error
	var known *llm.Error
	switch {
	case err == nil:
		return llm.ErrCut
	case errors.As(err, &known):
		return err
	case errors.As(err, &told):
		if named := llm.Named([]byte(told.RawJSON())); named != nil {
			return named
		}
	}
	return llm.ErrBadAnswer
}

// request tells a conversation as this service takes it.
func (e *Engine) request(r voice.Request) (anthropic.MessageNewParams, error) {
	p := anthropic.MessageNewParams{Model: e.o.Model, MaxTokens: int64(e.o.MaxTokens)}
	if r.MaxTokens > 0 {
		p.MaxTokens = int64(r.MaxTokens)
	}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	for _, t := range llm.Turns(r.Messages, e.o.Lang) {
		p.Messages = append(p.Messages, message(t))
	}
	for _, d := range r.Tools {
		tool := anthropic.ToolParam{Name: d.Name, Description: anthropic.String(d.Description)}
		if len(d.Schema) > 0 {
			if json.Unmarshal(d.Schema, &tool.InputSchema) != nil {
				return p, llm.ErrBadRequest
			}
		}
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: &tool})
	}
	return p, nil
}

func message(t llm.Turn) anthropic.MessageParam {
	var blocks []anthropic.ContentBlockParamUnion
	for _, a := range t.Answers {
		block := anthropic.NewToolResultBlock(a.CallID, a.Text, a.Failed)
		if a.Text == "" {
			block.OfToolResult.Content = nil // an empty text is refused
		}
		blocks = append(blocks, block)
	}
	for _, s := range t.Texts {
		blocks = append(blocks, anthropic.NewTextBlock(s))
	}
	for _, c := range t.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, c.Args, c.Name))
	}
	if t.Agent {
		return anthropic.NewAssistantMessage(blocks...)
	}
	return anthropic.NewUserMessage(blocks...)
}

// Check asks the service, at no cost, whether the key and the model are good. Its errors are *llm.Error; the sentence is lang.LLMSays.
func (e *Engine) Check(ctx context.Context) error {
	all, err := e.options()
	if err != nil {
		return err
	}
	models := anthropic.NewModelService(all...)
	return e.o.Limits.Check(ctx, func(ctx context.Context) error { //nolint:wrapcheck // a code of ours
		_, err := models.Get(ctx, e.o.Model, anthropic.ModelGetParams{})
		return err //nolint:wrapcheck // Limits.Check makes a code of it
	})
}
