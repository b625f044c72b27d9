package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

// parse loads one configuration file, and variables, in a home of its own.
func parse(t *testing.T, file string, environ ...string) (*Config, error) {
	t.Helper()
	home := t.TempDir()
	f := Flags{}
	if file != "" {
		f.Config = filepath.Join(home, "c.toml")
		if err := os.WriteFile(f.Config, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(f, append([]string{"HOME=" + home}, environ...))
}

// TestDeployedFileIsTheDefaults holds deploy/readback.toml to the code: every key, with its default, each with a line of meaning.
func TestDeployedFileIsTheDefaults(t *testing.T) {
	b, err := os.ReadFile("../../../deploy/readback.toml")
	if err != nil {
		t.Fatal(err)
	}
	fromFile, err := parse(t, string(b))
	if err != nil {
		t.Fatal(err)
	}
	got, want := keyValues(fromFile), keyValues(Defaults())
	lines, _ := keyLines(b)
	text := strings.Split(string(b), "\n")
	for key, v := range want {
		line, there := lines[key]
		if !there {
			t.Errorf("deploy/readback.toml has no %s", key)
			continue
		}
		if key != "data" && !reflect.DeepEqual(got[key].Interface(), v.Interface()) {
			t.Errorf("%s is %v in deploy/readback.toml and %v in the code", key, got[key].Interface(), v.Interface())
		}
		meaning := text[line-2]
		if !strings.HasPrefix(meaning, "# ") {
			t.Errorf("line %d: %s has no line of meaning before it", line, key)
		}
		var named []string
		for name, e := range environment {
			if e.key == key {
				named = append(named, name)
			}
		}
		for _, name := range named {
			if !strings.Contains(meaning, name) {
				t.Errorf("%s does not name its variable %s", key, name)
			}
		}
		if len(named) == 0 && strings.Contains(meaning, "READBACK_") {
			t.Errorf("%s names a variable that does not exist", key)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("deploy/readback.toml has %d keys, the code %d: %v", len(lines), len(want), slices.Sorted(maps.Keys(lines)))
	}
}

func TestConfigErrorsNameTheKeyAndTheLine(t *testing.T) {
	for file, want := range map[string]string{
		"language = \"en\"\nlangage = \"fr\"\n":                        "line 2: there is no key langage",
		"[guard]\n\nper_huor = 3\n":                                    "line 3: there is no key guard.per_huor",
		"[nothing]\n":                                                  "line 1: there is no key nothing",
		"[guard]\nper_hour = \"3\"\n":                                  "line 2: guard.per_hour takes a whole number",
		"[guard]\nnew_hosts = 1\n":                                     "line 2: guard.new_hosts takes true or false",
		"[guard]\nhold = 60\n":                                         "line 2: guard.hold is \"60\": use a length of time",
		"[guard]\nhold = \"an hour\"\n":                                "line 2: guard.hold is \"an hour\": use a length of time",
		"public_hosts = \"a\"\n":                                       "line 1: public_hosts takes a list",
		"language = 3\n":                                               "line 1: language takes words",
		"guard = 3\n":                                                  "line 1: guard takes a table",
		"language = \"en\n":                                            "line 1: this is not valid TOML",
		"language = \"en\"\n[guard\n":                                  "line 2: this is not valid TOML",
		"language = \"en\"\nlanguage = \"fr\"\n":                       "line 2: language is set a second time",
		"\n\nlanguage = \"de\"\n":                                      "line 3: language is \"de\": use one of: en, fr",
		"time_zone = \"Quebec/Levis\"\n":                               "line 1: time_zone is \"Quebec/Levis\": use a time zone's name",
		"home_region = \"ca\"\n":                                       "line 1: home_region is \"ca\"",
		"listen = \"8787\"\n":                                          "line 1: listen is \"8787\"",
		"public_hosts = [\"*\"]\n":                                     "line 1: public_hosts is \"*\"",
		"allowed_origins = [\"example.com\"]\n":                        "line 1: allowed_origins is \"example.com\"",
		"[oauth]\nhosts = [\"Claude.ai\"]\n":                           "line 2: oauth.hosts is \"Claude.ai\": use a host's name alone",
		"[oauth]\nhosts = [\"claude.ai:443\"]\n":                       "line 2: oauth.hosts is \"claude.ai:443\"",
		"[oauth]\nhosts = [\"*.claude.ai\"]\n":                         "line 2: oauth.hosts is \"*.claude.ai\"",
		"[oauth]\nhosts = [\"127.0.0.1\"]\n":                           "line 2: oauth.hosts is \"127.0.0.1\"",
		"[carrier]\nkind = \"pigeon\"\n":                               "line 2: carrier.kind is \"pigeon\": use one of: sandbox, voipms, sipmsg",
		"[voipms]\nurl = \"http://voip.ms/\"\n":                        "line 2: voipms.url",
		"[voipms]\nurl = \"https://u:p@voip.ms/\"\n":                   "line 2: voipms.url",
		"[voipms]\ndid = \"418-555-0123\"\n":                           "line 2: voipms.did cannot be used as it is: use your number",
		"[carrier]\nkind = \"voipms\"\n":                               "voipms.username",
		"[carrier]\nkind = \"sipmsg\"\n":                               "asterisk.url = \"\": use the address of Asterisk's ARI",
		"[asterisk]\nurl = \"http://192.0.2.1:8088/ari\"\n":            "line 2: asterisk.url is \"http://192.0.2.1:8088\": use an https",
		"[asterisk]\nurl = \"https://127.0.0.1:8089/ari\"\n":           "asterisk.password_file",
		"[asterisk]\nuser = \"read:back\"\n":                           "line 2: asterisk.user cannot be used as it is",
		"[asterisk]\nserver = \"sip:montreal1.voip.ms\"\n":             "line 2: asterisk.server",
		"[asterisk]\nmax_body = 1024\n":                                "line 2: asterisk.max_body is 1024: use 1 to 1023",
		"[asterisk]\npassword = \"hunter22\"\npassword_file = \"x\"\n": "line 3: asterisk.password_file cannot be used as it is: use either asterisk.password or",
		"[ntfy]\nurl = \"https://ntfy.example.com/topic\"\n":           "line 2: ntfy.url is \"https://ntfy.example.com\": use the address of an ntfy server alone",
		"[ntfy]\nurl = \"https://ntfy.example.com\"\n":                 "ntfy.topic",
		"[ntfy]\nurl = \"https://ntfy.example.com\"\ntopic = \"t\"\n":  "ntfy.token_file",
		"[ntfy]\nurl = \"https://ntfy.example.com\"\ntopic = \"t\"\napprovals_topic = \"t\"\ntoken_file = \"x\"\n": "line 4: ntfy.approvals_topic cannot be used as it is: use a topic of its own",
		"[ntfy]\napprovals_topic = \"t\"\n":                                                      "ntfy.url",
		"public_url = \"http://texts.example.com\"\n":                                            "line 1: public_url is \"http://texts.example.com\": use an https",
		"public_url = \"https://texts.example.com/a\"\n":                                         "line 1: public_url is \"https://texts.example.com\": use the address of this server alone",
		"[confirm]\nwait = \"46s\"\n":                                                            "line 2: confirm.wait is 46s: use 0s to 45s",
		"[ntfy]\nwindow = \"13h\"\n":                                                             "line 2: ntfy.window is 13h0m0s: use 1m0s to 12h0m0s",
		"[phone]\nanswer = true\n":                                                               "asterisk.url",
		"[phone]\nowners = [\"4185550123\"]\n":                                                   "line 2: phone.owners",
		"[phone]\nowner_name = \"Zoé [[\"\n":                                                     "line 2: phone.owner_name",
		"[phone]\nmedia_address = \"0.0.0.0\"\n":                                                 "line 2: phone.media_address",
		"[speech]\nhears = \"wyoming\"\n":                                                        "speech.hears_url",
		"[speech]\nhears = \"wyoming\"\nhears_url = \"tcp://8.8.8.8:1\"\n":                       "line 3: speech.hears_url",
		"[speech]\nspeaks = \"openai\"\nspeaks_url = \"http://10.0.0.2/v1\"\nkey_file = \"k\"\n": "line 3: speech.speaks_url",
		"[model]\nkind = \"anthropic\"\n":                                                        "model.name",
		"[model]\nkind = \"anthropic\"\nname = \"m\"\n":                                          "model.key_file",
		"[model]\nkind = \"openai\"\nname = \"m\"\nurl = \"http://example.com/v1\"\n":            "line 4: model.url",
		"[livekit]\nurl = \"ws://livekit.example.com:7880\"\n":                                   "line 2: livekit.url is \"ws://livekit.example.com:7880\": use the address of a LiveKit server",
		"[livekit]\nurl = \"https://livekit.example.com\"\n":                                     "line 2: livekit.url is \"https://livekit.example.com\"",
		"[livekit]\nurl = \"wss://livekit.example.com/rtc\"\n":                                   "line 2: livekit.url is \"wss://livekit.example.com\": use that alone, with no user name",
		"[livekit]\nurl = \"wss://user:hunter22@livekit.example.com\"\n":                         "line 2: livekit.url is \"wss://livekit.example.com\": use that alone, with no user name",
		"[livekit]\nsecret = \"hunter22\"\n":                                                     "line 2: there is no key livekit.secret: put what it is into a file for Readback's user alone, and the name of the file into livekit.secret_file",
		"[livekit]\nsecrets = \"hunter22\"\n":                                                    "line 2: there is no key livekit.secrets",
		"[livekit]\nurl = \"wss://\"\n":                                                          "line 2: livekit.url",
		"[livekit]\nurl = \"ws://livekit:7880\"\n":                                               "livekit.key = \"\": use the name of an API key",
		"[livekit]\nurl = \"ws://livekit:7880\"\nkey = \"k\"\n":                                  "livekit.secret_file = \"\": use the name of a file",
		"[livekit]\nsecret_file = \"x\"\n":                                                       "livekit.url = \"\": use the address of a LiveKit server",
		"[livekit]\nkey = \"k\"\n":                                                               "livekit.url",
		"[livekit]\npublic_url = \"wss://livekit.example.com\"\n":                                "livekit.url",
		"[livekit]\npublic_url = \"ws://livekit.example.com\"\n":                                 "line 2: livekit.public_url cannot be used as it is: use the address by which your browser reaches",
		"[livekit]\nagent = \"\"\n":                                                              "line 2: livekit.agent",
		"[livekit]\ndispatch = \"both\"\n":                                                       "line 2: livekit.dispatch cannot be used as it is: use one of: agent, webhook",
		"[livekit]\ndrain = \"13h\"\n":                                                           "line 2: livekit.drain is 13h0m0s: use 0s to 12h0m0s",
		"[livekit]\nmax_calls = 201\n":                                                           "line 2: livekit.max_calls is 201: use 1 to 200",
		"[sync]\nevery = \"1s\"\n":                                                               "line 2: sync.every is 1s: use 15s to 1h0m0s",
		"[guard]\nconfirm = \"sometimes\"\n":                                                     "line 2: guard.confirm is \"sometimes\": use one of: auto, always, never",
		"[guard]\nper_hour = 0\n":                                                                "line 2: guard.per_hour is 0: use 1 to 1000",
		"guard.per_hour = -1\n":                                                                  "line 1: guard.per_hour is -1",
		"guard = { per_hour = 0 }\n":                                                             "guard.per_hour",
		"[guard]\nquiet_from = \"25:00\"\n":                                                      "line 2: guard.quiet_from is \"25:00\"",
		"[guard]\nquiet_from = \"7:30\"\n":                                                       "line 2: guard.quiet_from is \"7:30\"",
		"[guard]\nquiet_from = \"22:00\"\n":                                                      "guard.quiet_from and guard.quiet_to",
		"[log]\nlevel = \"loud\"\n":                                                              "line 2: log.level is \"loud\"",
		"[voipms]\npassword = \"hunter22\"\npassword_file = \"x\"\n":                             "line 3: voipms.password_file",
		"[voipms]\npassword = [\"hunter22\"]\n":                                                  "line 2: voipms.password takes words",
		"[voipms]\npassword = \"hunter22\" oops\n":                                               "line 2: this is not valid TOML",
		"[voipms]\nhunter22 = \"hunter22\"\nusername = \"hunter22\"\n":                           "line 2: there is no key voipms.hunter22",
	} {
		_, err := parse(t, file)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q\n got  %v\n want %s", file, err, want)
		}
		if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), "voipms.hunter22", ""), "hunter22") {
			t.Errorf("%q shows the password: %v", file, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: not one sentence: %v", file, err)
		}
	}
}

// TestEveryKeyIsChecked sets each key to something that it cannot be: none may pass unseen.
func TestEveryKeyIsChecked(t *testing.T) {
	free := "data voipms.username voipms.password voipms.password_file read.mask_codes guard.new_hosts asterisk.password asterisk.password_file asterisk.ca_file " +
		"asterisk.tls_only voipms.hook_secret_file ntfy.token_file ntfy.ca_file ntfy.hide_bodies ntfy.anyone_can_read tls.cert_file tls.key_file tls.acme phone.answer speech.key_file speech.silero model.key_file livekit.secret_file livekit.talk"
	for key, v := range keyValues(Defaults()) {
		if slices.Contains(strings.Fields(free), key) {
			continue
		}
		bad := `"no such thing / *"`
		switch v.Kind() {
		case reflect.Int:
			bad = "-1"
		case reflect.Slice:
			bad = "[" + bad + "]"
		}
		if _, err := parse(t, key+" = "+bad+"\n"); err == nil || !strings.Contains(err.Error(), "line 1: "+key) {
			t.Errorf("%s = %s: %v", key, bad, err)
		}
	}
}

// TestInvariant11ConfigErrorsQuoteNoSecret: a password in the wrong line, or in a URL, is not in what is said of it.
func TestInvariant11ConfigErrorsQuoteNoSecret(t *testing.T) {
	for _, file := range []string{
		"[voipms]\ndid = \"hunter22\"\n", "[voipms]\ntime_zone = \"hunter22\"\n", "[voipms]\nurl = \"hunter22\"\n",
		"[voipms]\nurl = \"http://voip.ms/?api_password=hunter22\"\n", "[voipms]\nurl = \"https://me:hunter22@voip.ms/\"\n",
		"[voipms]\nurl = \"http://voip.ms/hunter22#hunter22\"\n", "[voipms]\nusername = \"x\"\npassword = \"y\"\npassword_file = \"hunter22\"\n",
		"voipms = { did = \"hunter22\" }\n", "[voipms]\ndid = \"hunter22://x\"\n", "public_hosts = [\"https://me:hunter22@example.com/\"]\n",
		"allowed_origins = [\"https://me:hunter22@example.com\", \"https://example.com/hunter22\"]\n", "allowed_origins = [\"https://example.com/hunter22\"]\n",
		"[asterisk]\nurl = \"https://me:hunter22@127.0.0.1/ari\"\n", "[asterisk]\nurl = \"https://127.0.0.1/ari?api_key=me:hunter22\"\n",
		"[asterisk]\nserver = \"hunter22!\"\n", "[asterisk]\nnumber = \"hunter22\"\n", "[asterisk]\npassword = \"x\"\npassword_file = \"hunter22\"\n",
		"[ntfy]\ntopic = \"tk_hunter22!\"\n", "[ntfy]\nurl = \"https://:tk_hunter22@ntfy.sh\"\n", "[ntfy]\ntoken = \"hunter22\"\n",
		"[livekit]\nkey = \"hunter22!\"\n", "[livekit]\nsecret = \"hunter22\"\n", "[livekit]\nurl = \"wss://key:hunter22@livekit.example.com\"\n", "[livekit]\nagent = \"hunter22!\"\n",
		"[livekit]\npublic_url = \"wss://livekit.example.com/?access_token=hunter22\"\n",
		"listen = \"me:hunter22@127.0.0.1\"\n", "listen = \"http://me:hunter22@127.0.0.1/\"\n",
	} {
		_, err := parse(t, file)
		if err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", file, err)
		}
	}
	_, err := parse(t, "", "READBACK_VOIPMS_DID=hunter22")
	if err == nil || strings.Contains(err.Error(), "hunter22") || !strings.Contains(err.Error(), "READBACK_VOIPMS_DID") {
		t.Errorf("%v", err)
	}
	if _, err := parse(t, "[voipms]\nurl = \"http://voip.ms/secret\"\n"); err == nil || !strings.Contains(err.Error(), `is "http://voip.ms": use`) {
		t.Errorf("the scheme and the host are no secret: %v", err)
	}
}

// TestEnvironmentDoesNotMoveTheQuietHours: they are a wall, and walls come from the file alone.
func TestEnvironmentDoesNotMoveTheQuietHours(t *testing.T) {
	const quiet = "[guard]\nquiet_from = \"22:00\"\nquiet_to = \"07:00\"\n"
	for _, c := range []struct{ file, environ, want string }{
		{"time_zone = \"America/Toronto\"\n" + quiet, "READBACK_TIME_ZONE=Asia/Tokyo", "READBACK_TIME_ZONE would move the quiet hours"},
		{quiet, "TZ=Asia/Tokyo", "TZ would move the quiet hours"},
		{"time_zone = \"America/Toronto\"\n" + quiet, "TZ=Asia/Tokyo", ""},
		{"", "READBACK_TIME_ZONE=Asia/Tokyo", ""},
		{"", "TZ=Asia/Tokyo", ""},
	} {
		_, err := parse(t, c.file, c.environ)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %s: %v", c.file, c.environ, err)
		}
	}
}

// TestThePublicURLIsANameToCallBy, written as an origin is.
func TestThePublicURLIsANameToCallBy(t *testing.T) {
	c, err := parse(t, "public_url = \"https://Texts.Example.com:8443/\"\n")
	if err != nil || c.PublicURL != "https://texts.example.com:8443" || fmt.Sprint(c.PublicHosts) != "[Texts.Example.com]" {
		t.Errorf("%q %v %v", c.PublicURL, c.PublicHosts, err)
	}
	if c, err := parse(t, "public_url = \"https://texts.example.com:443\"\n"); err != nil || c.PublicURL != "https://texts.example.com" {
		t.Errorf("%q %v", c.PublicURL, err)
	}
}

func TestKeysAreDrawn(t *testing.T) {
	_, err := parse(t, "\"a\\u001b[2J\\u202e\\nb\" = 1\n")
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\u202e\n") || !strings.Contains(err.Error(), `\x1b[2J\u202e\nb`) {
		t.Errorf("%q", err)
	}
}

func TestConfigErrorsSpeakTheConfiguredLanguage(t *testing.T) {
	c, err := parse(t, "language = \"fr\"\n[guard]\nper_hour = 0\n")
	if said, _ := lang.Heard(c.Lang, err); c.Lang != lang.FR || !strings.Contains(said, "ligne 3\u00a0: guard.per_hour vaut 0") {
		t.Errorf("%v %v", c.Lang, err)
	}
}

func TestEnvironmentSetsWhatLoosensNoWall(t *testing.T) {
	c, err := parse(t, "language = \"en\"\n", "READBACK_LANGUAGE=fr", "READBACK_TIME_ZONE=America/Toronto", "READBACK_HOME_REGION=FR",
		"READBACK_DATA=/tmp/x", "READBACK_LISTEN=127.0.0.1:1", "READBACK_LOG_LEVEL=debug", "READBACK_VOIPMS_USERNAME=u",
		"READBACK_VOIPMS_DID=+14185550123", "READBACK_VOIPMS_PASSWORD_FILE=/run/secret", "READBACK_ASTERISK_USER=a", "READBACK_ASTERISK_NUMBER=+14185550124",
		"READBACK_ASTERISK_PASSWORD_FILE=/run/ari", "READBACK_VOIPMS_HOOK_SECRET_FILE=/run/hook", "READBACK_NTFY_TOKEN_FILE=/run/ntfy",
		"READBACK_PHONE_LANGUAGE=fr", "READBACK_SPEECH_KEY_FILE=/run/speech", "READBACK_MODEL_KEY_FILE=/run/model",
		"READBACK_LIVEKIT_KEY=", "READBACK_LIVEKIT_SECRET_FILE=")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.Language, string(c.Lang), c.Zone.String(), c.HomeRegion, c.Data, c.Listen, c.Log.Level, c.VoipMS.Username, c.VoipMS.DID, c.VoipMS.PasswordFile,
		c.Asterisk.User, c.Asterisk.Number, c.Asterisk.PasswordFile, c.Ntfy.TokenFile, c.VoipMS.HookSecretFile, string(c.Phone.Lang), c.Speech.KeyFile, c.Model.KeyFile}
	if want := "[fr fr America/Toronto FR /tmp/x 127.0.0.1:1 debug u +14185550123 /run/secret a +14185550124 /run/ari /run/ntfy /run/hook fr /run/speech /run/model]"; fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
	c, err = parse(t, "[livekit]\nurl = \"ws://127.0.0.1:7880\"\n", "READBACK_LIVEKIT_KEY=k", "READBACK_LIVEKIT_SECRET_FILE=/run/livekit")
	if err != nil || c.LiveKit.Key != "k" || c.LiveKit.SecretFile != "/run/livekit" {
		t.Errorf("%+v %v", c.LiveKit, err)
	}
	if _, err := parse(t, "", "READBACK_TIME_ZONE=Mars"); err == nil || !strings.Contains(err.Error(), "READBACK_TIME_ZONE is \"Mars\"") {
		t.Errorf("%v", err)
	}
}

// TestInvariant09NoVariableLoosensAWall tries a variable for every key that has none, and the ones that people guess.
func TestInvariant09NoVariableLoosensAWall(t *testing.T) {
	allowed := map[string]bool{}
	for _, e := range environment {
		allowed[e.key] = true
	}
	refused := []string{"READBACK_GUARD_ANYTHING", "READBACK_CONFIG", "READBACK_NTFY_TOKEN", "READBACK_LIVEKIT_SECRET"}
	for key := range keyValues(Defaults()) {
		if !allowed[key] {
			refused = append(refused, "READBACK_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_")))
		}
		if allowed[key] && regexp.MustCompile(`^(guard|read|limits|carrier|sync)\.|hosts|origins|proxies|^tls|password$|url$|topic|ca_file|tls_only|can_read|per_sender|in_all|window|endpoint|server`).MatchString(key) {
			t.Errorf("%s can be set by the environment", key)
		}
	}
	for _, name := range refused {
		c, err := parse(t, "", name+"=hunter22")
		want := "configuration file alone"
		switch name {
		case "READBACK_VOIPMS_PASSWORD", "READBACK_ASTERISK_PASSWORD", "READBACK_NTFY_TOKEN", "READBACK_LIVEKIT_SECRET":
			want = name + "_FILE"
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%s: %v", name, err)
		}
		if c.Guard != Defaults().Guard {
			t.Errorf("%s changed the guard", name)
		}
	}
	if _, err := parse(t, "", "READBACK_LANGAGE=fr"); err == nil || !strings.Contains(err.Error(), "no variable READBACK_LANGAGE") {
		t.Errorf("%v", err)
	}
}

func TestWhereThingsAre(t *testing.T) {
	for environ, want := range map[string]string{
		"HOME=/h":                           "/h/.local/share/readback",
		"HOME=/h XDG_DATA_HOME=/x":          "/x/readback",
		"HOME=/h XDG_DATA_HOME=relative":    "/h/.local/share/readback",
		"HOME=/h READBACK_DATA=/elsewhere":  "/elsewhere",
		"HOME=/h XDG_CONFIG_HOME=/nowhere/": "/h/.local/share/readback",
	} {
		c, err := Load(Flags{}, strings.Fields(environ))
		if err != nil || c.Data != want {
			t.Errorf("%s: %s %v", environ, c.Data, err)
		}
	}
	c, err := Load(Flags{Data: "/flag", Listen: "127.0.0.1:2"}, []string{"HOME=/h", "READBACK_DATA=/elsewhere"})
	if err != nil || c.Data != "/flag" || c.Listen != "127.0.0.1:2" {
		t.Errorf("%s %s %v", c.Data, c.Listen, err)
	}
	if _, err := Load(Flags{Listen: "nonsense"}, []string{"HOME=/h"}); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("%v", err)
	}
	if _, err := Load(Flags{}, nil); err == nil || !strings.Contains(err.Error(), "data") {
		t.Errorf("without a home: %v", err)
	}
	if _, err := Load(Flags{Config: "/nowhere.toml"}, []string{"HOME=/h"}); err == nil || !strings.Contains(err.Error(), "/nowhere.toml") {
		t.Errorf("%v", err)
	}
}

func TestInvariant11SecretsDoNotPrint(t *testing.T) {
	c, err := parse(t, "[voipms]\npassword = \"hunter22\"\n")
	if err != nil || c.VoipMS.Password != "hunter22" {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		if s := fmt.Sprintf(format, *c); strings.Contains(s, "hunter22") || strings.Contains(s, "68756e746572") {
			t.Errorf("%s shows it", format)
		}
	}
}

// TestEnginesNearby: what is said on a call goes to a machine of the owner's own network or over TLS, and a key never goes in the clear to another machine.
func TestEnginesNearby(t *testing.T) {
	for _, file := range []string{
		"[speech]\nhears = \"wyoming\"\nhears_url = \"tcp://whisper:10300\"\nspeaks = \"wyoming\"\nspeaks_url = \"tcp://192.168.1.4:10200\"\n",
		"[speech]\nhears = \"openai\"\nhears_url = \"http://speech.lan:8000/v1\"\n",
		"[model]\nkind = \"openai\"\nname = \"llama3.2:3b\"\nurl = \"http://10.0.0.2:11434/v1\"\n",
		"[model]\nkind = \"anthropic\"\nname = \"claude\"\nkey_file = \"key\"\n",
		"[phone]\nowner_name = \"Anne-Marie d'Août\"\n",
	} {
		if _, err := parse(t, file); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestLiveKitNearby: what is said in a room goes to a machine of the owner's own network or over TLS. Without an address there are no calls in rooms, and no page to talk on.
func TestLiveKitNearby(t *testing.T) {
	for _, at := range []string{"ws://127.0.0.1:7880", "ws://livekit:7880", "ws://192.168.1.4:7880", "ws://livekit.lan:7880/", "wss://livekit.example.com", "wss://livekit.example.com:7443/"} {
		c, err := parse(t, "[livekit]\nurl = \""+at+"\"\npublic_url = \"wss://livekit.example.com\"\nkey = \"key\"\nsecret_file = \"secret\"\n")
		if err != nil || !c.LiveKitOn() || !c.TalkOn() || !c.Calls() || c.LiveKit.URL != strings.TrimSuffix(at, "/") || !filepath.IsAbs(c.LiveKit.SecretFile) || !slices.Contains(c.Secrets(), c.LiveKit.SecretFile) {
			t.Errorf("%s: %+v %v", at, c.LiveKit, err)
		}
	}
	c, err := parse(t, "[livekit]\nurl = \"ws://livekit:7880\"\npublic_url = \"wss://livekit.example.com\"\ntalk = false\nkey = \"key\"\nsecret_file = \"secret\"\n")
	if err != nil || !c.LiveKitOn() || c.TalkOn() || c.LiveKit.BrowserURL() != "wss://livekit.example.com" {
		t.Errorf("%+v %v", c.LiveKit, err)
	}
	// What a browser does not reach is no place to talk.
	for public, ok := range map[string]bool{"": false, "ws://livekit.lan:7880": false, "ws://localhost:7880": true, "wss://livekit.lan": true} {
		for _, talk := range []bool{true, false} {
			_, err := parse(t, fmt.Sprintf("[livekit]\nurl = \"ws://livekit:7880\"\npublic_url = %q\ntalk = %t\nkey = \"key\"\nsecret_file = \"secret\"\n", public, talk))
			if (err == nil) != (ok || !talk) || err != nil && !strings.Contains(err.Error(), "livekit.public_url") {
				t.Errorf("%q, talk %t: %v", public, talk, err)
			}
		}
	}
	if c := Defaults(); c.LiveKitOn() || c.TalkOn() || c.Calls() {
		t.Error("by default there are calls in rooms")
	}
}
