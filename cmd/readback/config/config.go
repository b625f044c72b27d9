// Package config is what the owner set: one TOML file, the environment for what loosens no wall, and flags.
//
// Unknown keys and bad values are errors that name the key and the line, and quote no secret (invariant 11). What may loosen a wall is read
// from the file alone.
//
// Floor 4: imports smsmcp/contacts, smsmcp/guard and below. It alone imports the TOML library.
package config

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/oauth"
)

// Config is the configuration file: every key is here, and deploy/readback.toml says what each one means.
type Config struct {
	Language       string   `toml:"language"`
	TimeZone       string   `toml:"time_zone"`
	HomeRegion     string   `toml:"home_region"`
	Data           string   `toml:"data"`
	Listen         string   `toml:"listen"`
	PublicURL      string   `toml:"public_url"` // checked: without a slash at the end
	PublicHosts    []string `toml:"public_hosts"`
	AllowedOrigins []string `toml:"allowed_origins"`
	TrustedProxies []string `toml:"trusted_proxies"`

	TLS      TLS      `toml:"tls"`
	OAuth    OAuth    `toml:"oauth"`
	Carrier  Carrier  `toml:"carrier"`
	VoipMS   Account  `toml:"voipms"`
	Asterisk Asterisk `toml:"asterisk"`
	Ntfy     Ntfy     `toml:"ntfy"`
	Phone    Phone    `toml:"phone"`
	Speech   Speech   `toml:"speech"`
	Model    Model    `toml:"model"`
	LiveKit  LiveKit  `toml:"livekit"`
	Sync     Sync     `toml:"sync"`
	Read     Read     `toml:"read"`
	Guard    Guard    `toml:"guard"`
	Confirm  Confirm  `toml:"confirm"`
	Limits   Limits   `toml:"limits"`
	Log      Log      `toml:"log"`

	File string         `toml:"-"` // that was read; empty for none
	Lang lang.Lang      `toml:"-"` // Language, read
	Zone *time.Location `toml:"-"` // TimeZone, read

	from map[string]origin // where a key was set, for what an error says
}

// OAuth says whether apps that you agree to in a browser are let in, such as the Claude app. There must be a public_url.
type OAuth struct {
	Enabled bool     `toml:"enabled"`
	Hosts   []string `toml:"hosts"` // beside the machine that the browser runs on
}

// OAuthOn says whether apps are let in by a browser.
func (c *Config) OAuthOn() bool { return c.OAuth.Enabled && c.PublicURL != "" }

// Carrier says what moves texts.
type Carrier struct {
	Kind string `toml:"kind"`
}

// Account is the account at voip.ms.
type Account struct {
	Username     string `toml:"username"`
	Password     Secret `toml:"password"`
	PasswordFile string `toml:"password_file"`
	DID          string `toml:"did"`
	URL          string `toml:"url"`
	TimeZone     string `toml:"time_zone"`

	HookSecretFile string `toml:"hook_secret_file"`
}

// Sync says how the carrier is asked for texts.
type Sync struct {
	Every  Span `toml:"every"`
	Window Span `toml:"window"`
}

// Read says how texts are shown to a model.
type Read struct {
	MaskCodes bool `toml:"mask_codes"`
	MaxChars  int  `toml:"max_chars"`
	BodyChars int  `toml:"body_chars"`
	Images    bool `toml:"images"`
}

// Guard is guard.Settings as the file says it. It is never read from the environment.
type Guard struct {
	Confirm            string `toml:"confirm"`
	PerHour            int    `toml:"per_hour"`
	PerDay             int    `toml:"per_day"`
	KeptForConfirmed   int    `toml:"kept_for_confirmed"`
	UnconfirmedPerHour int    `toml:"unconfirmed_per_hour"`
	UnconfirmedPerDay  int    `toml:"unconfirmed_per_day"`
	Duplicate          Span   `toml:"duplicate"`
	FanOut             int    `toml:"fan_out"`
	Hold               Span   `toml:"hold"`
	Alarm              Span   `toml:"alarm"`
	Named              Span   `toml:"named"`
	Repeats            Span   `toml:"repeats"`
	RepeatWords        int    `toml:"repeat_words"`
	NewHosts           bool   `toml:"new_hosts"`
	QuietFrom          string `toml:"quiet_from"`
	QuietTo            string `toml:"quiet_to"`
	Expiry             Span   `toml:"expiry"`
	MaxWaiting         int    `toml:"max_waiting"`
	AsksPerHour        int    `toml:"asks_per_hour"`
	PauseAfterNo       Span   `toml:"pause_after_no"`
}

// Confirm says how your yes is waited for.
type Confirm struct {
	Wait         Span `toml:"wait"`
	ClientPrompt bool `toml:"client_prompt"`
}

// Limits bounds what one client of the MCP address may ask.
type Limits struct {
	RequestsPerMinute int  `toml:"requests_per_minute"`
	Burst             int  `toml:"burst"`
	BodyBytes         int  `toml:"body_bytes"`
	RequestTimeout    Span `toml:"request_timeout"`
	AtOnce            int  `toml:"at_once"`
}

// Log says what is logged to standard error.
type Log struct {
	Level string `toml:"level"`
}

// The values of Carrier.Kind.
const (
	Sandbox = "sandbox"
	VoipMS  = "voipms"
	SIPMsg  = "sipmsg"
)

// Defaults is the configuration without a file: what deploy/readback.toml says.
func Defaults() *Config {
	return &Config{
		Language:       "en",
		TimeZone:       "Local",
		HomeRegion:     "CA",
		Listen:         "127.0.0.1:8787",
		PublicHosts:    []string{},
		AllowedOrigins: []string{},
		TrustedProxies: []string{},
		OAuth:          OAuth{Enabled: true, Hosts: slices.Clone(oauth.DefaultHosts)},
		Carrier:        Carrier{Kind: Sandbox},
		VoipMS:         Account{URL: "https://voip.ms/api/v1/rest.php", TimeZone: "America/New_York"},
		Asterisk:       Asterisk{User: "readback", App: "readback", Endpoint: "voipms", MaxBody: 160},
		Ntfy:           Ntfy{PerSender: 20, InAll: 60, Window: lasting(10 * time.Minute)},
		Phone: Phone{
			Owners: []string{}, MediaAddress: "127.0.0.1", Silence: lasting(700 * time.Millisecond), BargeIn: lasting(300 * time.Millisecond),
			MaxMessage: lasting(2 * time.Minute), MaxCalls: 20,
		},
		Speech:  Speech{Speaks: Espeak},
		Model:   Model{Kind: Scripted, MaxTokens: 1024},
		LiveKit: LiveKit{Agent: "readback", Dispatch: ByAgent, Talk: true, Drain: lasting(10 * time.Minute), MaxCalls: 20},
		Sync:    Sync{Every: lasting(30 * time.Second), Window: lasting(72 * time.Hour)},
		Read:    Read{MaskCodes: true, MaxChars: 100_000, BodyChars: 4_000},
		Guard: Guard{
			Confirm: "auto",
			PerHour: 30, PerDay: 90, KeptForConfirmed: 10,
			UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
			Duplicate: lasting(2 * time.Minute),
			FanOut:    3,
			Hold:      lasting(time.Hour), Alarm: lasting(time.Hour),
			Named: lasting(24 * time.Hour), Repeats: lasting(24 * time.Hour), RepeatWords: 8,
			NewHosts: true,
			Expiry:   lasting(10 * time.Minute), MaxWaiting: 3, AsksPerHour: 6,
			PauseAfterNo: lasting(30 * time.Minute),
		},
		Confirm: Confirm{Wait: lasting(25 * time.Second)},
		Limits:  Limits{RequestsPerMinute: 120, Burst: 30, BodyBytes: 1 << 20, RequestTimeout: lasting(time.Minute), AtOnce: 16},
		Log:     Log{Level: "info"},
	}
}

// Span is a length of time, written as "90s", "10m" or "72h". What is none is kept for check, which knows the key and the line.
type Span struct {
	time.Duration
	bad string
}

func lasting(d time.Duration) Span { return Span{Duration: d} }

// UnmarshalText reads the form that time.ParseDuration reads.
func (s *Span) UnmarshalText(b []byte) (err error) {
	if s.Duration, err = time.ParseDuration(string(b)); err != nil {
		s.bad = string(b)
	}
	return nil
}

// Secret is a string that no verb, log or JSON shows (invariant 11).
type Secret string

// Format prints a placeholder for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "[secret]") }

// MarshalText gives the placeholder.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// LogValue gives the placeholder.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// Level is the least level that is logged.
func (c *Config) Level() (l slog.Level) {
	_ = l.UnmarshalText([]byte(c.Log.Level)) // checked
	return l
}
