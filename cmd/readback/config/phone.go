package config

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Phone says how calls are answered.
type Phone struct {
	Answer       bool     `toml:"answer"`
	Owners       []string `toml:"owners"`
	OwnerName    string   `toml:"owner_name"`
	Language     string   `toml:"language"`
	MediaAddress string   `toml:"media_address"`
	Silence      Span     `toml:"silence"`
	BargeIn      Span     `toml:"barge_in"`
	MaxMessage   Span     `toml:"max_message"`
	MaxCalls     int      `toml:"max_calls"`

	Lang  lang.Lang  `toml:"-"` // Language, read
	Media netip.Addr `toml:"-"` // MediaAddress, read
}

// Speech says what hears and what speaks on a call.
type Speech struct {
	Hears      string `toml:"hears"`
	HearsURL   string `toml:"hears_url"`
	HearsModel string `toml:"hears_model"`

	Speaks      string `toml:"speaks"`
	SpeaksURL   string `toml:"speaks_url"`
	SpeaksModel string `toml:"speaks_model"`

	VoiceEN string `toml:"voice_en"`
	VoiceFR string `toml:"voice_fr"`
	QuoteEN string `toml:"quote_voice_en"`
	QuoteFR string `toml:"quote_voice_fr"`
	KeyFile string `toml:"key_file"`

	Silero string `toml:"silero"`
}

// Model says what leads the conversation on a call.
type Model struct {
	Kind      string `toml:"kind"`
	URL       string `toml:"url"`
	Name      string `toml:"name"`
	KeyFile   string `toml:"key_file"`
	MaxTokens int    `toml:"max_tokens"`
}

// The kinds of engines.
const (
	Espeak    = "espeak"
	Wyoming   = "wyoming"
	OpenAI    = "openai"
	Anthropic = "anthropic"
	Scripted  = "scripted"
)

// engineName is a model's or a voice's name, as servers have them.
var engineName = regexp.MustCompile(`^[A-Za-z0-9._:/+@-]{1,128}$`)

func (c *Config) checkPhone(k *checker) {
	p := &c.Phone
	p.Lang = c.Lang
	if p.Language != "" {
		l, err := lang.Parse(p.Language)
		if err != nil {
			k.fail("phone.language", p.Language, lang.CLIWantOneOf, "en, fr")
		}
		p.Lang = l
	}
	for _, n := range p.Owners {
		if _, err := smsmcp.ParseNumber(n); err != nil {
			k.fail("phone.owners", n, lang.CLIWantE164)
		}
	}
	if len([]rune(p.OwnerName)) > 40 || strings.ContainsFunc(p.OwnerName, notOfAName) {
		k.fail("phone.owner_name", p.OwnerName, lang.CLIWantShortName)
	}
	var err error
	if p.Media, err = netip.ParseAddr(p.MediaAddress); err != nil || p.Media.IsUnspecified() {
		k.fail("phone.media_address", p.MediaAddress, lang.CLIWantMedia)
	}
	k.length("phone.silence", p.Silence, 300*time.Millisecond, 3*time.Second)
	k.length("phone.barge_in", p.BargeIn, 100*time.Millisecond, 2*time.Second)
	k.length("phone.max_message", p.MaxMessage, 10*time.Second, 10*time.Minute)
	k.between("phone.max_calls", p.MaxCalls, 1, 200)
	if p.Answer && c.Asterisk.URL == "" {
		k.fail("asterisk.url", "", lang.CLIWantARI)
	}
	c.checkSpeech(k)
	c.checkModel(k)
}

// notOfAName says whether an engine that speaks could read a character as something else than a name's.
func notOfAName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -'’.", r)
}

func (c *Config) checkSpeech(k *checker) {
	s := &c.Speech
	k.oneOf("speech.hears", s.Hears, "", Wyoming, OpenAI)
	k.oneOf("speech.speaks", s.Speaks, Espeak, Wyoming, OpenAI)
	c.beside("speech.key_file", &s.KeyFile)
	c.beside("speech.silero", &s.Silero)
	for _, e := range []struct{ key, kind, url string }{{"speech.hears_url", s.Hears, s.HearsURL}, {"speech.speaks_url", s.Speaks, s.SpeaksURL}} {
		switch {
		case e.kind == Wyoming:
			k.wyoming(e.key, e.url)
		case e.kind == OpenAI || e.url != "":
			k.engine(e.key, e.url, s.KeyFile)
		}
	}
	for key, name := range map[string]string{
		"speech.hears_model": s.HearsModel, "speech.speaks_model": s.SpeaksModel,
		"speech.voice_en": s.VoiceEN, "speech.voice_fr": s.VoiceFR, "speech.quote_voice_en": s.QuoteEN, "speech.quote_voice_fr": s.QuoteFR,
	} {
		if name != "" {
			k.matches(key, name, engineName, lang.CLIWantEngineName)
		}
	}
}

func (c *Config) checkModel(k *checker) {
	m := &c.Model
	k.oneOf("model.kind", m.Kind, Scripted, OpenAI, Anthropic)
	c.beside("model.key_file", &m.KeyFile)
	k.between("model.max_tokens", m.MaxTokens, 64, 8192)
	if m.URL != "" {
		k.engine("model.url", m.URL, m.KeyFile)
	}
	if m.Name != "" {
		k.matches("model.name", m.Name, engineName, lang.CLIWantEngineName)
	}
	if m.Kind == Scripted {
		return
	}
	if m.Name == "" {
		k.fail("model.name", "", lang.CLIWantEngineName)
	}
	if m.Kind == Anthropic && m.KeyFile == "" {
		k.fail("model.key_file", "", lang.CLIWantKeyFile)
	}
}

// engine takes the address of an engine. A key goes to an encrypted address or to this machine alone; without one a machine of the same network will do, which
// hears all that is said to it.
func (k *checker) engine(key, v, keyFile string) {
	if u, err := url.Parse(v); keyFile == "" && err == nil && u.Scheme == "http" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && near(u.Hostname()) {
		return
	}
	k.address(key, v)
}

// wyoming takes tcp://HOST:PORT: that wire knows no encryption, so the host is near.
func (k *checker) wyoming(key, v string) {
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "tcp" || u.Port() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || !near(u.Hostname()) {
		k.fail(key, v, lang.CLIWantWyoming)
	}
}

// nearEnds are of names that no public server has (RFC 6762, RFC 8375 and ICANN's .internal).
var nearEnds = []string{".local", ".lan", ".internal", ".home.arpa"}

// near says whether a host is this machine or, by its address or name, one of the same network.
func near(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	for _, end := range nearEnds {
		if strings.HasSuffix(strings.ToLower(host), end) {
			return true
		}
	}
	return host != "" && !strings.Contains(host, ".")
}
