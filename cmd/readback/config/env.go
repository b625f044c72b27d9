package config

import (
	"slices"
	"strings"

	"readback/smsmcp/lang"
)

// environment lists the keys that a variable may set: those that loosen no wall. Secrets come by the name of a file.
// Whom a secret is shown to, and where texts come from or are told of, is a wall: no address, topic or certificate is among them.
var environment = map[string]struct {
	key string
	set func(*Config, string)
}{
	"READBACK_LANGUAGE":                {"language", func(c *Config, v string) { c.Language = v }},
	"READBACK_TIME_ZONE":               {"time_zone", func(c *Config, v string) { c.TimeZone = v }},
	"READBACK_HOME_REGION":             {"home_region", func(c *Config, v string) { c.HomeRegion = v }},
	"READBACK_DATA":                    {"data", func(c *Config, v string) { c.Data = v }},
	"READBACK_LISTEN":                  {"listen", func(c *Config, v string) { c.Listen = v }},
	"READBACK_LOG_LEVEL":               {"log.level", func(c *Config, v string) { c.Log.Level = v }},
	"READBACK_VOIPMS_USERNAME":         {"voipms.username", func(c *Config, v string) { c.VoipMS.Username = v }},
	"READBACK_VOIPMS_DID":              {"voipms.did", func(c *Config, v string) { c.VoipMS.DID = v }},
	"READBACK_VOIPMS_PASSWORD_FILE":    {"voipms.password_file", func(c *Config, v string) { c.VoipMS.PasswordFile = v }},
	"READBACK_VOIPMS_HOOK_SECRET_FILE": {"voipms.hook_secret_file", func(c *Config, v string) { c.VoipMS.HookSecretFile = v }},
	"READBACK_ASTERISK_USER":           {"asterisk.user", func(c *Config, v string) { c.Asterisk.User = v }},
	"READBACK_ASTERISK_NUMBER":         {"asterisk.number", func(c *Config, v string) { c.Asterisk.Number = v }},
	"READBACK_ASTERISK_PASSWORD_FILE":  {"asterisk.password_file", func(c *Config, v string) { c.Asterisk.PasswordFile = v }},
	"READBACK_NTFY_TOKEN_FILE":         {"ntfy.token_file", func(c *Config, v string) { c.Ntfy.TokenFile = v }},
	"READBACK_PHONE_LANGUAGE":          {"phone.language", func(c *Config, v string) { c.Phone.Language = v }},
	"READBACK_SPEECH_KEY_FILE":         {"speech.key_file", func(c *Config, v string) { c.Speech.KeyFile = v }},
	"READBACK_MODEL_KEY_FILE":          {"model.key_file", func(c *Config, v string) { c.Model.KeyFile = v }},
	"READBACK_LIVEKIT_KEY":             {"livekit.key", func(c *Config, v string) { c.LiveKit.Key = v }},
	"READBACK_LIVEKIT_SECRET_FILE":     {"livekit.secret_file", func(c *Config, v string) { c.LiveKit.SecretFile = v }},
}

// readEnviron takes the READBACK_ variables. One that it does not know is an error and never a silence: whoever set it believes that it
// holds. A value is not repeated in an error: it may be a secret under a wrong name.
func (c *Config) readEnviron(environ []string) error {
	vars := slices.Clone(environ)
	slices.Sort(vars)
	for _, kv := range vars {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "READBACK_") {
			continue
		}
		e, ok := environment[name]
		if !ok {
			return refuseVariable(name)
		}
		e.set(c, value)
		c.from[e.key] = origin{env: name}
	}
	return nil
}

func refuseVariable(name string) error {
	switch rest := strings.TrimPrefix(name, "READBACK_"); {
	case rest == "VOIPMS_PASSWORD", rest == "ASTERISK_PASSWORD", rest == "NTFY_TOKEN", rest == "SPEECH_KEY", rest == "MODEL_KEY", rest == "LIVEKIT_SECRET":
		return lang.Say(lang.CLIEnvSecret, name, name+"_FILE")
	case strings.HasPrefix(rest, "GUARD_"), isKey(rest), rest == "CONFIG":
		return lang.Say(lang.CLIEnvWall, name)
	}
	return lang.Say(lang.CLIEnvUnknown, name)
}

// isKey says whether a variable's name is that of a key, which then is one that only the file may set.
func isKey(rest string) bool {
	for key := range keyValues(Defaults()) {
		if strings.ToUpper(strings.ReplaceAll(key, ".", "_")) == rest {
			return true
		}
	}
	return false
}
