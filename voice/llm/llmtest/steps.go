package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Step is one thing that a model does. After the last step the answer ends as it should, unless a step ended it otherwise.
type Step func(*stream) error

// Text says words, in one piece.
func Text(s string) Step { return func(o *stream) error { return o.text(s) } }

// Call calls a tool, its arguments in pieces.
func Call(id, name string, pieces ...string) Step {
	return func(o *stream) error { return o.call(id, name, pieces) }
}

// Wait goes on when c is closed, or gives something.
func Wait(c <-chan struct{}) Step {
	return func(o *stream) error {
		o.begin()
		select {
		case <-c:
			return nil
		case <-o.r.Context().Done():
			return errWant
		case <-o.end:
			return errWant
		}
	}
}

// Tell calls f when the script comes by.
func Tell(f func()) Step { return func(*stream) error { f(); return nil } }

// Pause goes on after a time; for bubbles.
func Pause(d time.Duration) Step {
	return func(o *stream) error {
		o.begin()
		select {
		case <-time.After(d):
			return nil
		case <-o.r.Context().Done():
			return errWant
		case <-o.end:
			return errWant
		}
	}
}

// Hang says nothing more, until the client goes.
func Hang() Step { return Wait(nil) }

// Silent hangs before even a status is given.
func Silent() Step {
	return func(o *stream) error {
		select {
		case <-o.r.Context().Done():
		case <-o.end:
		}
		return errWant
	}
}

// Break ends the connection, in the middle of whatever there was.
func Break() Step { return func(*stream) error { panic(http.ErrAbortHandler) } }

// Raw writes bytes as they are.
func Raw(s string) Step { return func(o *stream) error { return o.raw(s) } }

// Ping writes what keeps a connection alive and is no part of an answer.
func Ping() Step {
	return func(o *stream) error {
		if o.wire == Anthropic {
			return o.event("ping", map[string]any{"type": "ping"})
		}
		return o.raw(": ping\n\n")
	}
}

// End ends the answer for a reason, one of the wire's own words.
func End(reason string) Step { return func(o *stream) error { return o.finish(reason) } }

// Stop writes no more, and ends the answer's body as HTTP does.
func Stop() Step { return func(o *stream) error { o.begin(); o.over = true; return nil } }

// Fault tells of an error in the middle of an answer, as the service does; as a first step, it is the first event.
func Fault(kind, words string) Step {
	return func(o *stream) error {
		if !o.begun {
			o.begun = true
			o.w.Header().Set("Content-Type", "text/event-stream")
		}
		o.over = true
		e := map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": words, "code": kind}}
		return o.event("error", e)
	}
}

// Status answers with a status, a header or two ("Retry-After: 1") and a body. It is the only step.
func Status(code int, body string, headers ...string) Step {
	return func(o *stream) error {
		o.w.Header().Set("Content-Type", "application/json")
		for _, h := range headers {
			k, v, _ := strings.Cut(h, ": ")
			o.w.Header().Set(k, v)
		}
		o.w.WriteHeader(code)
		_, _ = io.WriteString(o.w, body)
		o.over = true
		return nil
	}
}

// Refuse answers with a status and an error of the service's form.
func Refuse(code int, kind, words string, headers ...string) Step {
	b, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": words, "code": kind}})
	return Status(code, string(b), headers...)
}

// stream is one answer on its way out.
type stream struct {
	w     http.ResponseWriter
	r     *http.Request
	wire  Wire
	end   <-chan struct{}
	model string

	begun bool
	over  bool
	block string // Anthropic's open block
	index int    // of the next block, or call
	calls int
}

func (o *stream) run(steps []Step) {
	for _, s := range steps {
		if o.over || s(o) != nil {
			return
		}
	}
	if !o.over {
		reason := map[Wire][2]string{OpenAI: {"stop", "tool_calls"}, Anthropic: {"end_turn", "tool_use"}}[o.wire][min(o.calls, 1)]
		_ = o.finish(reason)
	}
}

// begin writes what comes before the first piece.
func (o *stream) begin() {
	if o.begun {
		return
	}
	o.begun = true
	if o.w.Header().Get("Content-Type") == "" {
		o.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	}
	o.w.WriteHeader(http.StatusOK)
	if o.wire == OpenAI {
		_ = o.chunk(map[string]any{"role": "assistant", "content": ""}, nil)
		return
	}
	_ = o.event("message_start", map[string]any{"type": "message_start", "message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "content": []any{}, "model": o.model,
		"stop_reason": nil, "stop_sequence": nil, "usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
	}})
}

func (o *stream) raw(s string) error {
	o.begin()
	if _, err := io.WriteString(o.w, s); err != nil {
		return errWant
	}
	if http.NewResponseController(o.w).Flush() != nil {
		return errWant
	}
	return nil
}

func (o *stream) event(name string, v any) error {
	b, _ := json.Marshal(v)
	if o.wire == OpenAI {
		return o.raw(fmt.Sprintf("data: %s\n\n", b))
	}
	return o.raw(fmt.Sprintf("event: %s\ndata: %s\n\n", name, b))
}

func (o *stream) chunk(delta map[string]any, reason any) error {
	return o.event("", map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": o.model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason, "logprobs": nil}},
	})
}

func (o *stream) text(s string) error {
	o.begin()
	if o.wire == OpenAI {
		return o.chunk(map[string]any{"content": s}, nil)
	}
	if err := o.open("text", map[string]any{"type": "text", "text": ""}); err != nil {
		return err
	}
	return o.event("content_block_delta", map[string]any{"type": "content_block_delta", "index": o.index - 1, "delta": map[string]any{"type": "text_delta", "text": s}})
}

func (o *stream) call(id, name string, pieces []string) error {
	o.begin()
	o.calls++
	if o.wire == OpenAI {
		i := o.index
		o.index++
		err := o.chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": id, "type": "function", "function": map[string]any{"name": name, "arguments": ""}}}}, nil)
		for _, p := range pieces {
			if err == nil {
				err = o.chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
			}
		}
		return err
	}
	err := o.shut()
	if err == nil {
		err = o.open("tool_use", map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{}})
	}
	for _, p := range pieces {
		if err == nil {
			err = o.event("content_block_delta", map[string]any{"type": "content_block_delta", "index": o.index - 1, "delta": map[string]any{"type": "input_json_delta", "partial_json": p}})
		}
	}
	if err != nil {
		return err
	}
	return o.shut()
}

// open begins a block of a kind, unless it is open.
func (o *stream) open(kind string, block map[string]any) error {
	if o.block == kind {
		return nil
	}
	if err := o.shut(); err != nil {
		return err
	}
	o.block = kind
	o.index++
	return o.event("content_block_start", map[string]any{"type": "content_block_start", "index": o.index - 1, "content_block": block})
}

func (o *stream) shut() error {
	if o.block == "" {
		return nil
	}
	o.block = ""
	return o.event("content_block_stop", map[string]any{"type": "content_block_stop", "index": o.index - 1})
}

func (o *stream) finish(reason string) error {
	o.begin()
	o.over = true
	if o.wire == OpenAI {
		if err := o.chunk(map[string]any{}, reason); err != nil {
			return err
		}
		return o.raw("data: [DONE]\n\n")
	}
	if err := o.shut(); err != nil {
		return err
	}
	if err := o.event("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]int{"output_tokens": 1}}); err != nil {
		return err
	}
	return o.event("message_stop", map[string]any{"type": "message_stop"})
}
