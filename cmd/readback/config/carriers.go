package config

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// Asterisk is the owner's Asterisk, where the line is: texts come in by it as SIP MESSAGEs, and with carrier "sipmsg" they leave by it too.
type Asterisk struct {
	URL          string `toml:"url"`
	User         string `toml:"user"`
	Password     Secret `toml:"password"`
	PasswordFile string `toml:"password_file"`
	App          string `toml:"app"`
	Endpoint     string `toml:"endpoint"`
	Server       string `toml:"server"`
	Number       string `toml:"number"`
	CAFile       string `toml:"ca_file"`
	TLSOnly      bool   `toml:"tls_only"`
	MaxBody      int    `toml:"max_body"`
}

// Ntfy is the ntfy server by which the owner hears of received texts.
type Ntfy struct {
	URL           string `toml:"url"`
	Topic         string `toml:"topic"`
	Approvals     string `toml:"approvals_topic"`
	TokenFile     string `toml:"token_file"`
	CAFile        string `toml:"ca_file"`
	HideBodies    bool   `toml:"hide_bodies"`
	AnyoneCanRead bool   `toml:"anyone_can_read"`
	PerSender     int    `toml:"per_sender"`
	InAll         int    `toml:"in_all"`
	Window        Span   `toml:"window"`
}

// What voip/ari, voip/sipmsg and smsmcp/ntfy take.
var (
	word     = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	userName = regexp.MustCompile(`^[A-Za-z0-9_.@-]{1,64}$`)
	server   = regexp.MustCompile(`^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$`)
)

func (c *Config) checkCarrier(k *checker) {
	k.oneOf("carrier.kind", c.Carrier.Kind, Sandbox, VoipMS, SIPMsg)
	v := &c.VoipMS
	k.zone("voipms.time_zone", v.TimeZone)
	k.address("voipms.url", v.URL)
	k.number("voipms.did", v.DID)
	k.oneSecret("voipms", v.Password, v.PasswordFile)
	c.beside("voipms.password_file", &v.PasswordFile)
	c.beside("voipms.hook_secret_file", &v.HookSecretFile)
	if c.Carrier.Kind != VoipMS {
		return
	}
	if v.Username == "" {
		k.fail("voipms.username", "", lang.CLIWantUsername)
	}
	if v.DID == "" {
		k.fail("voipms.did", "", lang.CLIWantE164)
	}
	if v.Password == "" && v.PasswordFile == "" {
		k.fail("voipms.password_file", "", lang.CLIWantPassword)
	}
}

func (c *Config) checkAsterisk(k *checker) {
	a := &c.Asterisk
	if a.URL != "" {
		k.address("asterisk.url", a.URL)
	}
	k.matches("asterisk.user", a.User, userName, lang.CLIWantARIUser)
	k.matches("asterisk.app", a.App, word, lang.CLIWantWord)
	k.matches("asterisk.endpoint", a.Endpoint, word, lang.CLIWantWord)
	if a.Server != "" {
		k.matches("asterisk.server", a.Server, server, lang.CLIWantServer)
	}
	k.number("asterisk.number", a.Number)
	k.between("asterisk.max_body", a.MaxBody, 1, 1023)
	k.oneSecret("asterisk", a.Password, a.PasswordFile)
	c.beside("asterisk.password_file", &a.PasswordFile)
	c.beside("asterisk.ca_file", &a.CAFile)
	if c.Carrier.Kind == SIPMsg {
		for _, needed := range []struct {
			key, value string
			want       lang.Message
		}{{"asterisk.url", a.URL, lang.CLIWantARI}, {"asterisk.server", a.Server, lang.CLIWantServer}, {"asterisk.number", a.Number, lang.CLIWantE164}} {
			if needed.value == "" {
				k.fail(needed.key, "", needed.want)
			}
		}
	}
	if a.URL != "" && a.Password == "" && a.PasswordFile == "" {
		k.fail("asterisk.password_file", "", lang.CLIWantARIPassword)
	}
}

func (c *Config) checkNtfy(k *checker) {
	n := &c.Ntfy
	if n.URL != "" {
		k.address("ntfy.url", n.URL)
		if u, err := url.Parse(n.URL); err == nil && strings.Trim(u.Path, "/") != "" {
			k.fail("ntfy.url", n.URL, lang.CLIWantNtfy)
		}
	}
	if n.Topic != "" {
		k.matches("ntfy.topic", n.Topic, word, lang.CLIWantWord)
	}
	if n.Approvals != "" {
		k.matches("ntfy.approvals_topic", n.Approvals, word, lang.CLIWantWord)
		if n.Approvals == n.Topic {
			k.fail("ntfy.approvals_topic", n.Approvals, lang.CLIWantOwnTopic)
		}
		if n.URL == "" {
			k.fail("ntfy.url", "", lang.CLIWantNtfy)
		}
	}
	k.between("ntfy.per_sender", n.PerSender, 1, 1_000)
	k.between("ntfy.in_all", n.InAll, 1, 10_000)
	k.length("ntfy.window", n.Window, time.Minute, 12*time.Hour)
	c.beside("ntfy.token_file", &n.TokenFile)
	c.beside("ntfy.ca_file", &n.CAFile)
	if n.URL == "" {
		return
	}
	if n.Topic == "" {
		k.fail("ntfy.topic", "", lang.CLIWantWord)
	}
	if n.TokenFile == "" {
		k.fail("ntfy.token_file", "", lang.CLIWantToken)
	}
}

// usualPort is what a browser leaves out.
var usualPort = map[string]string{"https": ":443", "http": ":80"}

// checkPublic takes the address by which the owner's browser and phone reach this server: what they post there is worth a yes.
func (c *Config) checkPublic(k *checker) {
	if c.PublicURL == "" {
		return
	}
	k.address("public_url", c.PublicURL)
	u, err := url.Parse(c.PublicURL)
	if err == nil && strings.Trim(u.Path, "/") != "" {
		k.fail("public_url", c.PublicURL, lang.CLIWantPublic)
	}
	if k.err == nil {
		c.PublicURL = strings.TrimSuffix(u.Scheme+"://"+strings.ToLower(u.Host), usualPort[u.Scheme]) // as a browser writes an origin
		c.PublicHosts = append(c.PublicHosts, u.Hostname())                                           // it is called by that name
	}
}

// address takes what a password may be sent to: an encrypted address, or one on this machine.
func (k *checker) address(key, v string) {
	if u, err := url.Parse(v); err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())) {
		k.fail(key, v, lang.CLIWantURL)
	}
}

func (k *checker) matches(key, v string, form *regexp.Regexp, want lang.Message) {
	if !form.MatchString(v) {
		k.fail(key, v, want)
	}
}

func (k *checker) number(key, v string) {
	if _, err := smsmcp.ParseNumber(v); v != "" && err != nil {
		k.fail(key, v, lang.CLIWantE164)
	}
}

func (k *checker) oneSecret(table string, password Secret, file string) {
	if password != "" && file != "" {
		k.fail(table+".password_file", file, lang.CLIWantOneOfTwo, table, table)
	}
}

// beside has a file's name in the configuration file begin at that file's folder.
func (c *Config) beside(key string, name *string) {
	if *name != "" && c.File != "" && c.from[key].env == "" && !filepath.IsAbs(*name) {
		*name = filepath.Join(filepath.Dir(c.File), *name)
	}
}

// Secrets are the files that hold a secret: of none of them others may read a word.
func (c *Config) Secrets() []string {
	var out []string
	for _, file := range []string{c.VoipMS.PasswordFile, c.VoipMS.HookSecretFile, c.Asterisk.PasswordFile, c.Ntfy.TokenFile, c.Speech.KeyFile, c.Model.KeyFile, c.LiveKit.SecretFile} {
		if file != "" {
			out = append(out, file)
		}
	}
	if c.VoipMS.Password != "" || c.Asterisk.Password != "" {
		out = append(out, c.File)
	}
	return out
}
