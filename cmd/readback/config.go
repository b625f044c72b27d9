package main

import (
	"fmt"
	"log/slog"
	"time"

	"readback/smsmcp/lang"
)

// Config is the configuration file: every key is here, and deploy/readback.toml says what each one means.
type Config struct {
	Language       string   `toml:"language"`
	TimeZone       string   `toml:"time_zone"`
	HomeRegion     string   `toml:"home_region"`
	Data           string   `toml:"data"`
	Listen         string   `toml:"listen"`
	PublicHosts    []string `toml:"public_hosts"`
	AllowedOrigins []string `toml:"allowed_origins"`

	Carrier CarrierConfig `toml:"carrier"`
	VoipMS  VoipMSConfig  `toml:"voipms"`
	Sync    SyncConfig    `toml:"sync"`
	Read    ReadConfig    `toml:"read"`
	Guard   GuardConfig   `toml:"guard"`
	Limits  LimitsConfig  `toml:"limits"`
	Log     LogConfig     `toml:"log"`

	file string            // the file that was read; empty for none
	from map[string]origin // where a key was set, for what an error says
	lang lang.Lang
	zone *time.Location
}

// CarrierConfig says what moves texts.
type CarrierConfig struct {
	Kind string `toml:"kind"`
}

// VoipMSConfig is the account at voip.ms.
type VoipMSConfig struct {
	Username     string `toml:"username"`
	Password     secret `toml:"password"`
	PasswordFile string `toml:"password_file"`
	DID          string `toml:"did"`
	URL          string `toml:"url"`
	TimeZone     string `toml:"time_zone"`
}

// SyncConfig says how the carrier is asked for texts.
type SyncConfig struct {
	Every  span `toml:"every"`
	Window span `toml:"window"`
}

// ReadConfig says how texts are shown to a model.
type ReadConfig struct {
	MaskCodes bool `toml:"mask_codes"`
	MaxChars  int  `toml:"max_chars"`
	BodyChars int  `toml:"body_chars"`
}

// GuardConfig is guard.Settings as the file says it. It is never read from the environment.
type GuardConfig struct {
	Confirm            string `toml:"confirm"`
	PerHour            int    `toml:"per_hour"`
	PerDay             int    `toml:"per_day"`
	KeptForConfirmed   int    `toml:"kept_for_confirmed"`
	UnconfirmedPerHour int    `toml:"unconfirmed_per_hour"`
	UnconfirmedPerDay  int    `toml:"unconfirmed_per_day"`
	Duplicate          span   `toml:"duplicate"`
	FanOut             int    `toml:"fan_out"`
	Hold               span   `toml:"hold"`
	Alarm              span   `toml:"alarm"`
	Named              span   `toml:"named"`
	Repeats            span   `toml:"repeats"`
	RepeatWords        int    `toml:"repeat_words"`
	NewHosts           bool   `toml:"new_hosts"`
	QuietFrom          string `toml:"quiet_from"`
	QuietTo            string `toml:"quiet_to"`
	Expiry             span   `toml:"expiry"`
	MaxWaiting         int    `toml:"max_waiting"`
	AsksPerHour        int    `toml:"asks_per_hour"`
	PauseAfterNo       span   `toml:"pause_after_no"`
}

// LimitsConfig bounds what one client of the MCP address may ask.
type LimitsConfig struct {
	RequestsPerMinute int  `toml:"requests_per_minute"`
	Burst             int  `toml:"burst"`
	BodyBytes         int  `toml:"body_bytes"`
	RequestTimeout    span `toml:"request_timeout"`
	AtOnce            int  `toml:"at_once"`
}

// LogConfig says what is logged to standard error.
type LogConfig struct {
	Level string `toml:"level"`
}

// The values of CarrierConfig.Kind.
const (
	kindSandbox = "sandbox"
	kindVoipMS  = "voipms"
)

func defaults() *Config {
	return &Config{
		Language:       "en",
		TimeZone:       "Local",
		HomeRegion:     "CA",
		Listen:         "127.0.0.1:8787",
		PublicHosts:    []string{},
		AllowedOrigins: []string{},
		Carrier:        CarrierConfig{Kind: kindSandbox},
		VoipMS:         VoipMSConfig{URL: "https://voip.ms/api/v1/rest.php", TimeZone: "America/New_York"},
		Sync:           SyncConfig{Every: lasting(30 * time.Second), Window: lasting(72 * time.Hour)},
		Read:           ReadConfig{MaskCodes: true, MaxChars: 100_000, BodyChars: 4_000},
		Guard: GuardConfig{
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
		Limits: LimitsConfig{RequestsPerMinute: 120, Burst: 30, BodyBytes: 1 << 20, RequestTimeout: lasting(time.Minute), AtOnce: 16},
		Log:    LogConfig{Level: "info"},
	}
}

// span is a length of time, written as "90s", "10m" or "72h". What is none is kept for check, which knows the key and the line.
type span struct {
	time.Duration
	bad string
}

func lasting(d time.Duration) span { return span{Duration: d} }

// UnmarshalText reads the form that time.ParseDuration reads.
func (s *span) UnmarshalText(b []byte) (err error) {
	if s.Duration, err = time.ParseDuration(string(b)); err != nil {
		s.bad = string(b)
	}
	return nil
}

// secret is a string that no verb, log or JSON shows (invariant 11).
type secret string

// Format prints a placeholder for every verb.
func (secret) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "[secret]") }

// MarshalText gives the placeholder.
func (secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// LogValue gives the placeholder.
func (secret) LogValue() slog.Value { return slog.StringValue("[secret]") }
