package parts

import (
	"context"
	"io"

	"readback/cmd/readback/checkup"
	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/finding"
	"readback/voice"
	"readback/voice/llm/anthropic"
	openllm "readback/voice/llm/openai"
	"readback/voice/llm/scripted"
	"readback/voice/speech/espeak"
	openspeech "readback/voice/speech/openai"
	"readback/voice/speech/wyoming"
)

// Engines are what hears, speaks and thinks on a call.
type Engines struct {
	STT    voice.STT // nil: keys alone are understood
	TTS    voice.TTS
	Second voice.TTS // speaks where TTS cannot; nil for none
	LLM    voice.LLM

	detectors *detectors // of speech in the sound of a call; nil: the ears' own

	checks  []checkup.Engine
	closing []io.Closer
}

// Checks are the questions whether each engine is there.
func (e *Engines) Checks() []checkup.Engine { return e.checks }

// Close lets go of idle connections.
func (e *Engines) Close() {
	for _, c := range e.closing {
		_ = c.Close()
	}
}

// asked adds the question of an engine of speech.
func (e *Engines) asked(check lang.Message, ask func(context.Context) (string, error), advice func(error) (lang.Message, bool)) {
	e.checks = append(e.checks, checkup.Engine{Check: check, Ask: ask, Say: func(l lang.Lang, err error) string {
		m, _ := advice(err)
		return m.In(l)
	}})
}

// thought adds the question of a model.
func (e *Engines) thought(check func(context.Context) error) {
	e.checks = append(e.checks, checkup.Engine{
		Check: finding.Thinks, Ask: func(ctx context.Context) (string, error) { return "", check(ctx) },
		Say: func(l lang.Lang, err error) string { return lang.LLMSays(l, codeOf(err)) },
	})
}

// MakeEngines makes the engines of the configuration. It asks nothing of them. It fails where a file that the configuration names cannot be used.
func MakeEngines(c *config.Config, o Options) (*Engines, error) {
	e := &Engines{}
	for _, step := range []func(*config.Config, Options) error{e.detects, e.hears, e.speaks, e.thinks} {
		if err := step(c, o); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// key gives what reads a file with an API's key; nil where there is none.
func key(name, file string) (func() (string, error), error) {
	if file == "" {
		return nil, nil
	}
	return secret(name, file)
}

// The models that a server with OpenAI's API has where none is named.
const (
	usualHears  = "whisper-1"
	usualSpeaks = "tts-1"
)

func (e *Engines) hears(c *config.Config, _ Options) error {
	s := &c.Speech
	switch s.Hears {
	case config.Wyoming:
		stt, err := wyoming.NewSTT(wyoming.STTOptions{Address: s.HearsURL})
		if err != nil {
			return lang.Say(lang.CLIEngine, "speech.hears_url", s.Hears)
		}
		e.STT = stt
		e.asked(finding.Hears, stt.Check, wyoming.Advice)
	case config.OpenAI:
		read, err := key("speech.key_file", s.KeyFile)
		if err != nil {
			return err
		}
		stt, err := openspeech.NewSTT(openspeech.STTOptions{Server: openspeech.Server{URL: s.HearsURL, Key: read}, Model: either(s.HearsModel, usualHears)})
		if err != nil {
			return lang.Say(lang.CLIEngine, "speech.hears_url", s.Hears)
		}
		e.STT = stt
		e.asked(finding.Hears, stt.Check, openspeech.Advice)
	}
	return nil
}

func (e *Engines) speaks(c *config.Config, o Options) error {
	s := &c.Speech
	switch s.Speaks {
	case config.Wyoming:
		tts, err := wyoming.NewTTS(wyoming.TTSOptions{Address: s.SpeaksURL, Now: o.Now, Voices: map[lang.Lang]wyoming.Pair{
			lang.EN: {Program: s.VoiceEN, Quote: s.QuoteEN}, lang.FR: {Program: s.VoiceFR, Quote: s.QuoteFR},
		}})
		if err != nil {
			return lang.Say(lang.CLIEngine, "speech.speaks_url", s.Speaks)
		}
		e.TTS = tts
		e.asked(finding.Speaks, tts.Check, wyoming.Advice)
	case config.OpenAI:
		read, err := key("speech.key_file", s.KeyFile)
		if err != nil {
			return err
		}
		tts, err := openspeech.NewTTS(openspeech.TTSOptions{
			Server: openspeech.Server{URL: s.SpeaksURL, Key: read}, Model: either(s.SpeaksModel, usualSpeaks), Now: o.Now,
			Voices: map[lang.Lang]openspeech.Pair{lang.EN: {Program: s.VoiceEN, Quote: s.QuoteEN}, lang.FR: {Program: s.VoiceFR, Quote: s.QuoteFR}},
		})
		if err != nil {
			return lang.Say(lang.CLIEngine, "speech.speaks_url", s.Speaks)
		}
		e.TTS = tts
		e.asked(finding.Speaks, tts.Check, openspeech.Advice)
	}
	if e.TTS != nil { // the program on this machine speaks where the network's engine cannot, with its usual voices
		second, err := espeak.New(espeak.Options{})
		e.Second = second
		return err
	}
	voices := map[lang.Lang]espeak.Pair{}
	for l, p := range map[lang.Lang]espeak.Pair{lang.EN: {Program: s.VoiceEN, Quote: s.QuoteEN}, lang.FR: {Program: s.VoiceFR, Quote: s.QuoteFR}} {
		if p != (espeak.Pair{}) {
			voices[l] = p
		}
	}
	tts, err := espeak.New(espeak.Options{Voices: voices})
	if err != nil {
		return lang.Say(lang.CLIEngine, "speech.voice_en", s.Speaks)
	}
	e.TTS = tts
	e.asked(finding.Speaks, tts.Check, espeak.Advice)
	return nil
}

func (e *Engines) thinks(c *config.Config, _ Options) error {
	m := &c.Model
	read, err := key("model.key_file", m.KeyFile)
	if err != nil {
		return err
	}
	l := c.Phone.Lang
	switch m.Kind {
	case config.Anthropic:
		llm, err := anthropic.New(anthropic.Options{Key: read, BaseURL: m.URL, Model: m.Name, MaxTokens: m.MaxTokens, Lang: l})
		if err != nil {
			return lang.Say(lang.CLIEngine, "model.url", m.Kind)
		}
		e.LLM, e.closing = llm, append(e.closing, closer(llm.Close))
		e.thought(llm.Check)
	case config.OpenAI:
		llm, err := openllm.New(openllm.Options{Key: read, BaseURL: m.URL, Model: m.Name, MaxTokens: m.MaxTokens, Lang: l})
		if err != nil {
			return lang.Say(lang.CLIEngine, "model.url", m.Kind)
		}
		e.LLM, e.closing = llm, append(e.closing, closer(llm.Close))
		e.thought(llm.Check)
	default:
		e.LLM = scripted.Engine{Lang: l}
	}
	return nil
}

func either(v, usual string) string {
	if v == "" {
		return usual
	}
	return v
}
