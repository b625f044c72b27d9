package wyoming

import (
	"context"
	"strings"
	"time"
	"unicode"

	"readback/smsmcp/lang"
)

// info is what a server says of itself.
type info struct {
	ASR []program `json:"asr"`
	TTS []program `json:"tts"`
}

// program is one engine of a server.
type program struct {
	Name      string  `json:"name"`
	Version   string  `json:"version"`
	Installed bool    `json:"installed"`
	Models    []model `json:"models"` // of one that hears
	Voices    []model `json:"voices"` // of one that speaks
}

type model struct {
	Name      string   `json:"name"`
	Languages []string `json:"languages"`
}

// Check says which engine hears there, such as "faster-whisper 2.4.0", or why none does. It takes 10 s at most.
func (s *STT) Check(ctx context.Context) (string, error) {
	i, err := s.s.describe(ctx, s.o.Timeout)
	if err != nil {
		return "", err
	}
	for _, p := range i.ASR {
		if p.Installed {
			return p.title(), nil
		}
	}
	return "", ErrService
}

// Check says which engine speaks there, such as "piper 1.6.3", or why none does. Of a server that lists its voices, those of the options must be among them.
func (t *TTS) Check(ctx context.Context) (string, error) {
	i, err := t.s.describe(ctx, t.o.Patience)
	if err != nil {
		return "", err
	}
	title, voices := "", map[string]bool{}
	for _, p := range i.TTS {
		if !p.Installed {
			continue
		}
		if title == "" {
			title = p.title()
		}
		for _, v := range p.Voices {
			voices[v.Name] = true
		}
	}
	if title == "" {
		return "", ErrService
	}
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		for _, name := range []string{t.o.Voices[l].Program, t.o.Voices[l].Quote} {
			if name != "" && len(voices) > 0 && !voices[name] {
				return title, ErrVoice
			}
		}
	}
	return title, nil
}

func (s server) describe(ctx context.Context, patience time.Duration) (info, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, ErrStalled)
	defer cancel()
	i, err := s.ask(ctx)
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = cause
	}
	return i, err
}

func (s server) ask(ctx context.Context) (info, error) {
	l, err := s.connect(ctx)
	if err != nil {
		return info{}, err
	}
	defer l.close()
	if err := l.send("describe", struct{}{}, nil); err != nil {
		return info{}, err
	}
	for {
		e, err := l.next()
		if err != nil {
			return info{}, err
		}
		switch e.kind {
		case "error":
			return info{}, ErrFailed
		case "info":
			var i info
			err := e.into(&i)
			return i, err
		}
	}
}

// title is a name and a version, reduced to what these are made of (invariant 13).
func (p program) title() string {
	known := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".+~-_", r)) {
				return r
			}
			return -1
		}, s)
		return s[:min(len(s), 40)]
	}
	title := strings.TrimSpace(known(p.Name) + " " + known(p.Version))
	if title == "" {
		return "Wyoming"
	}
	return title
}
