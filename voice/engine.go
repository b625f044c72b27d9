package voice

import (
	"context"
	"encoding/json"
	"iter"

	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
)

// STT hears: it turns speech to words.
type STT interface {
	// Listen begins one utterance, in a language, of frames of a rate. There is nothing here to tell the engine what is expected, on purpose: a recogniser that
	// knew the draft or the question would hear a yes in a noise.
	Listen(ctx context.Context, l lang.Lang, rate int) (Hearing, error)
}

// Hearing is one utterance on its way through a recogniser. It ends with Finish or Cancel, one of which must be called.
type Hearing interface {
	// Write gives it the next frame. It does not wait for the engine.
	Write(f Frame) error
	// Interim gives what the engine believes so far, each time that changes. It is closed when the utterance ends; an engine that tells nothing before the end
	// closes it then as well.
	Interim() <-chan untrusted.Text
	// Finish says that the utterance is over and waits for its words. They may be empty.
	Finish(ctx context.Context) (untrusted.Text, error)
	// Cancel gives it up.
	Cancel()
}

// Voice is which of the two voices speaks.
type Voice int

// The voices.
const (
	ProgramVoice Voice = iota // the program and the model
	QuoteVoice                // words that are quoted: the body of a draft, a stranger's text
)

// TTS speaks: it turns a sentence to sound.
type TTS interface {
	// Speak gives the sound of text as it comes, in frames of the engine's own rate (all of one rate). The text is plain: no engine may read
	// markup in it. Frames may come faster than they sound. It ends with an error, or when all was said; ending the loop or ctx ends the engine's work.
	Speak(ctx context.Context, l lang.Lang, v Voice, text string) iter.Seq2[Frame, error]
}

// LLM thinks: the model that leads the conversation. It prepares, and never sends.
type LLM interface {
	// Reply streams the model's answer to a conversation. It ends with an error, or when the answer is whole; ending the loop or ctx ends the request.
	Reply(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// Request is what a model is asked.
type Request struct {
	System    string    // the program's own instructions
	Messages  []Message // the conversation, oldest first
	Tools     []ToolDef // what the model may call
	MaxTokens int       // of the answer; 0 for the engine's own bound
}

// Message is one part of a conversation, as the model is shown it. Its text was framed by who made it.
type Message struct {
	Role   Role       // who it is from; a Tool's is the answer to one call
	Text   string     // what was said, or answered
	Calls  []ToolCall // of an Agent's: the tools that the model called in it
	CallID string     // of a Tool's: the call that it answers
	Failed bool       // of a Tool's: it was refused
}

// ToolDef is a tool that a model may call.
type ToolDef struct {
	Name        string
	Description string
	Schema      json.RawMessage // the JSON Schema of its arguments, an object
}

// ToolCall is a model's call of a tool. All of it is the model's word.
type ToolCall struct {
	ID   string // the engine's, to answer by
	Name string
	Args json.RawMessage // may be anything, JSON or not
}

// Delta is the next piece of an answer: some words, or a whole call of a tool.
type Delta struct {
	Text string
	Call *ToolCall // nil if it is words
}
