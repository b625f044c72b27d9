package config

import (
	"net/url"
	"strings"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/page/talk"
)

// LiveKit is the owner's LiveKit server, in whose rooms calls are taken: from the owner's browser, and from telephones that its SIP bridge brings. What the calls are like is said by Phone,
// Speech and Model, as for those of the Asterisk line.
type LiveKit struct {
	URL        string `toml:"url"`        // checked: without a slash at the end
	PublicURL  string `toml:"public_url"` // the same
	Key        string `toml:"key"`
	SecretFile string `toml:"secret_file"`
	Agent      string `toml:"agent"`
	Dispatch   string `toml:"dispatch"`
	Talk       bool   `toml:"talk"`
	Drain      Span   `toml:"drain"`
	MaxCalls   int    `toml:"max_calls"`
}

// The values of LiveKit.Dispatch.
const (
	ByAgent   = "agent"
	ByWebhook = "webhook"
)

// LiveKitOn says whether calls are taken in rooms.
func (c *Config) LiveKitOn() bool { return c.LiveKit.URL != "" }

// TalkOn says whether the owner can talk to the program in the browser.
func (c *Config) TalkOn() bool { return c.LiveKitOn() && c.LiveKit.Talk }

// Calls says whether any calls are answered.
func (c *Config) Calls() bool { return c.Phone.Answer || c.LiveKitOn() }

// BrowserURL is where a browser reaches the LiveKit server.
func (l *LiveKit) BrowserURL() string {
	if l.PublicURL != "" {
		return l.PublicURL
	}
	return l.URL
}

func (c *Config) checkLiveKit(k *checker) {
	l := &c.LiveKit
	c.beside("livekit.secret_file", &l.SecretFile)
	k.rooms("livekit.url", &l.URL, lang.CLIWantLiveKit)
	k.rooms("livekit.public_url", &l.PublicURL, lang.CLIWantLiveKitPublic)
	if l.Key != "" {
		k.matches("livekit.key", l.Key, word, lang.CLIWantLiveKitKey)
	}
	k.matches("livekit.agent", l.Agent, word, lang.CLIWantWord)
	k.oneOf("livekit.dispatch", l.Dispatch, ByAgent, ByWebhook)
	k.length("livekit.drain", l.Drain, 0, 12*time.Hour)
	k.between("livekit.max_calls", l.MaxCalls, 1, 200)
	if l.URL == "" {
		if l.PublicURL != "" || l.Key != "" || l.SecretFile != "" {
			k.fail("livekit.url", "", lang.CLIWantLiveKit)
		}
		return
	}
	if l.Key == "" {
		k.fail("livekit.key", "", lang.CLIWantLiveKitKey)
	}
	if l.SecretFile == "" {
		k.fail("livekit.secret_file", "", lang.CLIWantLiveKitSecret)
	}
	if _, err := talk.Sources(l.BrowserURL()); l.Talk && err != nil { // the page names it in its policy
		k.fail("livekit.public_url", l.PublicURL, lang.CLIWantLiveKitPublic)
	}
}

// rooms takes the address of a LiveKit server alone. What is said there, and a token that lets into one room, goes to an encrypted address, or stays near.
// Of another address the error says want.
func (k *checker) rooms(key string, v *string, want lang.Message) {
	if *v == "" {
		return
	}
	u, err := url.Parse(*v)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "wss" && (u.Scheme != "ws" || !near(u.Hostname())):
		k.fail(key, *v, want)
		return
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "": // of which the error shows nothing: what it shows would look right
		k.fail(key, *v, lang.CLIWantLiveKitBare)
		return
	}
	*v = u.Scheme + "://" + strings.ToLower(u.Host) // as a browser writes it
}
