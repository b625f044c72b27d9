package config

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a small machine may have no zone files

	"readback/cmd/readback/draw"
	"readback/smsmcp/contacts"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
)

// appHost is a name as DNS has them, in lower case.
var appHost = regexp.MustCompile(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

// checker keeps the first thing that is wrong.
type checker struct {
	c   *Config
	err error
}

// fail says that a key's value is wrong, where it was set, and what would be right.
func (k *checker) fail(key string, value any, want lang.Message, args ...any) {
	if k.err != nil {
		return
	}
	l := k.c.Lang
	o := k.c.from[key]
	if s, ok := value.(string); ok {
		var shown bool
		if value, shown = show(key, s); !shown {
			k.unusable(key, o, want.In(l, args...))
			return
		}
	}
	switch {
	case o.env != "":
		k.err = lang.Say(lang.CLIConfigValueEnv, o.env, value, want.In(l, args...))
	case o.line > 0:
		k.err = lang.Say(lang.CLIConfigValue, k.c.File, o.line, key, value, want.In(l, args...))
	default:
		k.err = lang.Say(lang.CLIConfigMissing, key, value, want.In(l, args...))
	}
}

// unusable says the same without the value.
func (k *checker) unusable(key string, o origin, want string) {
	switch {
	case o.env != "":
		k.err = lang.Say(lang.CLIConfigHiddenEnv, o.env, want)
	case o.line > 0:
		k.err = lang.Say(lang.CLIConfigHidden, k.c.File, o.line, key, want)
	default:
		k.err = lang.Say(lang.CLIConfigHiddenEnv, key, want)
	}
}

// show gives a value as an error may show it, or false where it may hold a secret, whatever the key is for: people paste a password into the
// wrong line. Of a URL it shows the scheme and the host alone (invariant 11).
func show(key, v string) (string, bool) {
	table, name, _ := strings.Cut(key, ".")
	account := secretive[table]
	if v == "" || account && name != "url" {
		return `""`, v == ""
	}
	if u, err := url.Parse(v); err == nil && u.Scheme != "" && u.Host != "" {
		return draw.Quoted(u.Scheme + "://" + u.Host), true
	}
	return draw.Quoted(v), !account && !strings.ContainsAny(v, "@?") && !strings.Contains(v, "//")
}

// secretive are the tables that hold a password or a token.
var secretive = map[string]bool{"voipms": true, "asterisk": true, "ntfy": true, "speech": true, "model": true, "livekit": true}

func (k *checker) between(key string, n, lo, hi int) {
	if n < lo || n > hi {
		k.fail(key, n, lang.CLIWantBetween, lo, hi)
	}
}

func (k *checker) length(key string, s Span, lo, hi time.Duration) {
	switch {
	case s.bad != "":
		k.fail(key, s.bad, lang.CLIKindSpan)
	case s.Duration < lo || s.Duration > hi:
		k.fail(key, s.Duration, lang.CLIWantBetween, lo, hi)
	}
}

func (k *checker) oneOf(key, v string, all ...string) {
	if !slices.Contains(all, v) {
		k.fail(key, v, lang.CLIWantOneOf, strings.Join(all, ", "))
	}
}

func (k *checker) zone(key, name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil || name == "" {
		k.fail(key, name, lang.CLIWantZone)
		return time.UTC
	}
	return z
}

func (k *checker) clock(key, v string) {
	if _, err := time.Parse("15:04", v); v != "" && (err != nil || len(v) != 5) {
		k.fail(key, v, lang.CLIWantClock)
	}
}

// check looks at every value and resolves the language and the zone.
func (c *Config) check() error {
	k := &checker{c: c}
	l, err := lang.Parse(c.Language)
	if err != nil {
		k.fail("language", c.Language, lang.CLIWantOneOf, "en, fr")
	} else {
		c.Lang = l
	}
	c.Zone = k.zone("time_zone", c.TimeZone)
	if !contacts.Known(c.HomeRegion) {
		k.fail("home_region", c.HomeRegion, lang.CLIWantRegion)
	}
	if c.Data == "" {
		k.fail("data", "", lang.CLIWantFolder)
	}
	if host, port, err := net.SplitHostPort(c.Listen); err != nil || port == "" || strings.ContainsAny(host+port, " /@") {
		k.fail("listen", c.Listen, lang.CLIWantAddress)
	}
	for _, h := range c.PublicHosts {
		if h == "" || strings.ContainsAny(h, "/ *") {
			k.fail("public_hosts", h, lang.CLIWantHost)
		}
	}
	c.checkPublic(k)
	c.checkTLS(k)
	for _, h := range c.OAuth.Hosts {
		k.matches("oauth.hosts", h, appHost, lang.CLIWantHost)
	}
	for _, o := range c.AllowedOrigins {
		if u, err := url.Parse(o); err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || strings.Contains(o, "*") {
			k.fail("allowed_origins", o, lang.CLIWantOrigin)
		}
	}
	k.oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error")
	c.checkCarrier(k)
	c.checkAsterisk(k)
	c.checkNtfy(k)
	c.checkPhone(k)
	c.checkLiveKit(k)
	k.length("sync.every", c.Sync.Every, 15*time.Second, time.Hour)
	k.length("sync.window", c.Sync.Window, time.Hour, 90*24*time.Hour)
	k.between("read.max_chars", c.Read.MaxChars, 2_000, 140_000)
	k.between("read.body_chars", c.Read.BodyChars, 160, 20_000)
	k.between("limits.requests_per_minute", c.Limits.RequestsPerMinute, 1, 100_000)
	k.between("limits.burst", c.Limits.Burst, 1, 10_000)
	k.between("limits.body_bytes", c.Limits.BodyBytes, 16<<10, 16<<20)
	k.between("limits.at_once", c.Limits.AtOnce, 1, 1_000)
	k.length("limits.request_timeout", c.Limits.RequestTimeout, 5*time.Second, 5*time.Minute)
	c.checkGuard(k)
	k.length("confirm.wait", c.Confirm.Wait, 0, 45*time.Second)
	return k.err
}

func (c *Config) checkGuard(k *checker) {
	g := &c.Guard
	day := 24 * time.Hour
	k.oneOf("guard.confirm", g.Confirm, guard.ConfirmAuto, guard.ConfirmAlways, guard.ConfirmNever)
	k.between("guard.per_hour", g.PerHour, 1, 1_000)
	k.between("guard.per_day", g.PerDay, 1, 10_000)
	k.between("guard.kept_for_confirmed", g.KeptForConfirmed, 0, g.PerDay)
	k.between("guard.unconfirmed_per_hour", g.UnconfirmedPerHour, 0, 1_000)
	k.between("guard.unconfirmed_per_day", g.UnconfirmedPerDay, 0, 10_000)
	k.length("guard.duplicate", g.Duplicate, 0, day)
	k.between("guard.fan_out", g.FanOut, 1, 1_000)
	k.length("guard.hold", g.Hold, 0, 7*day)
	k.length("guard.alarm", g.Alarm, 0, 7*day)
	k.length("guard.named", g.Named, 0, 30*day)
	k.length("guard.repeats", g.Repeats, 0, 30*day)
	k.between("guard.repeat_words", g.RepeatWords, 3, 100)
	k.clock("guard.quiet_from", g.QuietFrom)
	k.clock("guard.quiet_to", g.QuietTo)
	if o := c.from["time_zone"]; c.quiet() && o.env != "" && k.err == nil {
		k.err = lang.Say(lang.CLIEnvQuiet, o.env)
	}
	if (g.QuietFrom == "") != (g.QuietTo == "") {
		k.fail("guard.quiet_to", g.QuietTo, lang.CLIWantBoth)
	}
	k.length("guard.expiry", g.Expiry, time.Minute, day)
	k.between("guard.max_waiting", g.MaxWaiting, 1, 100)
	k.between("guard.asks_per_hour", g.AsksPerHour, 1, 1_000)
	k.length("guard.pause_after_no", g.PauseAfterNo, 0, day)
}

// quiet says whether there are hours in which each text is asked for: then what time it is must not come from the environment.
func (c *Config) quiet() bool { return c.Guard.QuietFrom != "" || c.Guard.QuietTo != "" }

// Settings gives the guard its part.
func (c *Config) Settings() guard.Settings {
	g := &c.Guard
	return guard.Settings{
		Confirm: g.Confirm,
		PerHour: g.PerHour, PerDay: g.PerDay, KeptForConfirmed: g.KeptForConfirmed,
		UnconfirmedPerHour: g.UnconfirmedPerHour, UnconfirmedPerDay: g.UnconfirmedPerDay,
		Duplicate: g.Duplicate.Duration,
		FanOut:    g.FanOut,
		Hold:      g.Hold.Duration, Alarm: g.Alarm.Duration,
		Named: g.Named.Duration, Repeats: g.Repeats.Duration, RepeatWords: g.RepeatWords,
		NewHosts:  g.NewHosts,
		QuietFrom: g.QuietFrom, QuietTo: g.QuietTo, Zone: c.Zone,
		Expiry: g.Expiry.Duration, MaxWaiting: g.MaxWaiting, AsksPerHour: g.AsksPerHour,
		PauseAfterNo: g.PauseAfterNo.Duration,
	}
}

// Loopback says whether a host is this machine and nothing else.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
