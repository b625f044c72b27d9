// Package openai thinks by a service with OpenAI's chat completions: OpenAI's own, or one on this machine or in the house that speaks the same.
//
// The key goes to the configured host alone and stands in no error (invariant 11); of the service's words about what went wrong nothing is kept (invariant 13). No
// variable of the environment is read. A service is asked to keep nothing of the conversation, where it knows such a wish.
//
// Floor 3: imports smsmcp/lang, voice, voice/llm.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/llm"
)

const home = "https://api.openai.com/v1/"

// Options are what an Engine is made of.
type Options struct {
	Key       func() (string, error) // read at each request; nil for a service of one's own that takes none
	BaseURL   string                 // "" for OpenAI's; it ends before /chat/completions, as in http://127.0.0.1:11434/v1
	Model     string
	MaxTokens int       // of an answer that names no bound; 0 for 1024
	Lang      lang.Lang // of the few words that the model is told besides; "" for English
	Limits    llm.Limits
	Transport *http.Transport // nil is a plain one; it is cloned
}

// Engine is a voice.LLM. It may be used by several goroutines.
type Engine struct {
	o    Options
	own  bool // a service of one's own, and not OpenAI's
	wire *llm.Wire
}

var _ voice.LLM = (*Engine)(nil)

// New makes an engine. It asks nothing of the service: Check does. Its error is an *llm.Error.
func New(o Options) (*Engine, error) {
	e := &Engine{o: o, own: o.BaseURL != "", wire: llm.NewWire(o.Transport)}
	if !e.own {
		e.o.BaseURL = home
	}
	base, err := llm.Base(e.o.BaseURL, o.Key != nil)
	if err != nil {
		return nil, err //nolint:wrapcheck // a code of ours
	}
	if o.Model == "" {
		return nil, llm.ErrNoModel
	}
	if !e.own && o.Key == nil {
		return nil, llm.ErrNoKey
	}
	e.o.BaseURL = base
	if e.o.MaxTokens <= 0 {
		e.o.MaxTokens = 1024
	}
	return e, nil
}

// Close ends the connections that nobody uses.
func (e *Engine) Close() { e.wire.Close() }

// options are those of every request. The services of the module are made without its client, which would read the environment.
func (e *Engine) options() ([]option.RequestOption, error) {
	all := []option.RequestOption{option.WithBaseURL(e.o.BaseURL), option.WithHTTPClient(e.wire), option.WithMaxRetries(0)}
	if e.o.Key == nil {
		return all, nil
	}
	key, err := llm.Key(e.o.Key)
	if err != nil {
		return nil, err //nolint:wrapcheck // a code of ours
	}
	return append(all, option.WithAPIKey(key)), nil
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
			service := openai.NewChatCompletionService(all...)
			stream := service.NewStreaming(ctx, body)
			defer func() { _ = stream.Close() }()
			return read(stream, a)
		})
	}
}

// read gives what a stream brings. The answer is whole when the service says why it stopped, and not before.
func read(stream *ssestream.Stream[openai.ChatCompletionChunk], a *llm.Answer) error {
	for stream.Next() {
		a.Event()
		for _, c := range stream.Current().Choices {
			if c.Index != 0 {
				continue
			}
			if c.Delta.Refusal != "" {
				return llm.ErrRefused
			}
			if err := a.Text(c.Delta.Content); err != nil {
				return err //nolint:wrapcheck // a code of ours
			}
			for _, call := range c.Delta.ToolCalls {
				if err := a.Call(call.Index, call.ID, call.Function.Name, call.Function.Arguments); err != nil {
					return err //nolint:wrapcheck // a code of ours
				}
			}
			switch c.FinishReason {
			case "":
			case "stop", "tool_calls":
				return nil
			case "length":
				return llm.ErrCut
			case "content_filter":
				return llm.ErrRefused
			default:
				return llm.ErrBadAnswer
			}
		}
	}
	return failed(stream.Err())
}

// failed gives the error of a stream that ended too early.
func failed(err error) error {
	var told *ssestream.StreamError
	var known *llm.Error
	switch {
	case err == nil:
		return llm.ErrCut
	case errors.As(err, &known):
		return err
	case errors.As(err, &told):
		if named := llm.Named(told.Event.Data); named != nil {
			return named
		}
	}
	return llm.ErrBadAnswer
}

// request tells a conversation as this service takes it.
func (e *Engine) request(r voice.Request) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: e.o.Model}
	most := int64(e.o.MaxTokens)
	if r.MaxTokens > 0 {
		most = int64(r.MaxTokens)
	}
	// OpenAI's newer models know the one name of the bound alone, and many other services the other.
	if e.own {
		p.MaxTokens = openai.Int(most)
	} else {
		p.MaxCompletionTokens, p.Store = openai.Int(most), openai.Bool(false)
	}
	if r.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(r.System))
	}
	for _, t := range llm.Turns(r.Messages, e.o.Lang) {
		p.Messages = append(p.Messages, messages(t)...)
	}
	for _, d := range r.Tools {
		f := openai.FunctionDefinitionParam{Name: d.Name, Description: openai.String(d.Description)}
		if len(d.Schema) > 0 {
			if json.Unmarshal(d.Schema, &f.Parameters) != nil {
				return p, llm.ErrBadRequest
			}
		}
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(f))
	}
	return p, nil
}

func messages(t llm.Turn) (all []openai.ChatCompletionMessageParamUnion) {
	text := strings.Join(t.Texts, "\n")
	if !t.Agent {
		for _, a := range t.Answers {
			all = append(all, openai.ToolMessage(a.Text, a.CallID))
		}
		if text != "" {
			all = append(all, openai.UserMessage(text))
		}
		return all
	}
	m := openai.ChatCompletionAssistantMessageParam{}
	if text != "" {
		m.Content.OfString = openai.String(text)
	}
	for _, c := range t.Calls {
		m.ToolCalls = append(m.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: string(c.Args)},
			},
		})
	}
	return append(all, openai.ChatCompletionMessageParamUnion{OfAssistant: &m})
}

// Check asks the service, at no cost, whether the key and the model are good. Its errors are *llm.Error; the sentence is lang.LLMSays.
func (e *Engine) Check(ctx context.Context) error {
	all, err := e.options()
	if err != nil {
		return err
	}
	models := openai.NewModelService(all...)
	return e.o.Limits.Check(ctx, func(ctx context.Context) error { //nolint:wrapcheck // a code of ours
		_, err := models.Get(ctx, e.o.Model)
		if e.own && (errors.Is(err, llm.ErrNoModel) || errors.Is(err, llm.ErrBadRequest)) {
			// Some services only know the whole list.
			page, err := models.List(ctx)
			if err != nil {
				return err //nolint:wrapcheck // Limits.Check makes a code of it
			}
			var names []string
			for _, m := range page.Data {
				names = append(names, m.ID)
			}
			return llm.Known(names, e.o.Model) //nolint:wrapcheck // a code of ours
		}
		return err //nolint:wrapcheck // Limits.Check makes a code of it
	})
}
