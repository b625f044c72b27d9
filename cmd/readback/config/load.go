package config

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"readback/cmd/readback/draw"
	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
)

// maxConfig bounds the configuration file, in bytes.
const maxConfig = 1 << 20

// origin is where a key was set: a line of the file, or a variable of the environment.
type origin struct {
	line int
	env  string
}

// Flags are the settings that the command line gives; empty fields say nothing.
type Flags struct {
	Config, Data, Listen string
}

// Load reads the file (the one named, or the usual one where it exists), then the environment, then the flags, and checks it all.
// The configuration it gives along with an error holds at least a language to say the error in.
func Load(f Flags, environ []string) (*Config, error) {
	c := Defaults()
	c.Lang, c.from = languageOf(environ), map[string]origin{}
	c.Zone = time.UTC
	file, named := f.Config, f.Config != ""
	if !named {
		file = usualConfig(environ)
	}
	if file != "" {
		if err := c.readFile(file, named); err != nil {
			return c, err
		}
	}
	if err := c.readEnviron(environ); err != nil {
		return c, err
	}
	if f.Data != "" {
		c.Data = f.Data
	}
	if f.Listen != "" {
		c.Listen = f.Listen
		c.from["listen"] = origin{env: "--listen"}
	}
	if c.quiet() && c.from["time_zone"].env == "" && c.TimeZone == "Local" && lookup(environ, "TZ") != "" {
		c.from["time_zone"] = origin{env: "TZ"}
	}
	if c.Data == "" {
		c.Data = UsualData(environ)
	}
	if abs, err := filepath.Abs(c.Data); err == nil && c.Data != "" {
		c.Data = abs
	}
	return c, c.check()
}

func (c *Config) readFile(file string, named bool) error {
	b, err := machine.ReadFile(file, maxConfig)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return lang.Say(lang.CLIConfigUnreadable, file, machine.Reason(err))
	}
	c.File = file
	// The lines come first: they are what makes every later error useful.
	lines, twice := keyLines(b)
	for key, line := range lines {
		c.from[key] = origin{line: line}
	}
	d := toml.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err = d.Decode(c)
	if l, lerr := lang.Parse(c.Language); lerr == nil && c.from["language"].line > 0 {
		c.Lang = l
	}
	if err != nil && twice != "" {
		return lang.Say(lang.CLIConfigTwice, file, lines[twice], shownKey(twice))
	}
	return c.tomlError(err)
}

// tomlError turns the library's error into one that names the key and the line, and quotes nothing of the file: it may hold a password.
func (c *Config) tomlError(err error) error {
	var strict *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &strict):
		row, _ := strict.Errors[0].Position()
		key := strings.Join(strict.Errors[0].Key(), ".")
		if _, ok := keyValues(c)[key+"_file"]; ok { // as livekit.secret
			return lang.Say(lang.CLIConfigKeyFile, c.File, row, key, key+"_file")
		}
		return lang.Say(lang.CLIConfigUnknownKey, c.File, row, shownKey(key))
	case errors.As(err, &bad):
		row, _ := bad.Position()
		key := strings.Join(bad.Key(), ".")
		if key == "" {
			return lang.Say(lang.CLIConfigNotTOML, c.File, row)
		}
		return lang.Say(lang.CLIConfigKind, c.File, row, shownKey(key), c.kindOf(key).In(c.Lang))
	}
	return lang.Say(lang.CLIConfigNotTOML, c.File, 1)
}

// shownKey gives a key as an error shows it: TOML lets a key in quotes hold anything.
func shownKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == "" {
		return key
	}
	return draw.Quoted(key)
}

// kindOf says what kind of value a key takes.
func (c *Config) kindOf(key string) lang.Message {
	v, ok := keyValues(c)[key]
	if !ok {
		return lang.CLIKindTable
	}
	if v.Type() == reflect.TypeFor[Span]() {
		return lang.CLIKindSpan
	}
	switch v.Kind() {
	case reflect.Bool:
		return lang.CLIKindBool
	case reflect.Int:
		return lang.CLIKindInt
	case reflect.Slice:
		return lang.CLIKindList
	default:
		return lang.CLIKindString
	}
}

// keyValues gives every key of the configuration, dotted, with its value.
func keyValues(c *Config) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	var walk func(prefix string, v reflect.Value)
	walk = func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag.Get("toml")
			switch {
			case tag == "" || tag == "-":
			case v.Field(i).Kind() == reflect.Struct && v.Field(i).Type() != reflect.TypeFor[Span]():
				walk(prefix+tag+".", v.Field(i))
			default:
				out[prefix+tag] = v.Field(i)
			}
		}
	}
	walk("", reflect.ValueOf(c).Elem())
	return out
}

// keyLines gives the line of every key that a TOML document sets, up to where it stops being TOML, and the first one that is set twice.
func keyLines(b []byte) (lines map[string]int, twice string) {
	lines = map[string]int{}
	p := unstable.Parser{}
	p.Reset(b)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue && e.Kind != unstable.Table {
			continue
		}
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
			if line == 0 {
				line = 1 + bytes.Count(b[:it.Node().Raw.Offset], []byte("\n"))
			}
		}
		key := strings.Join(parts, ".")
		if e.Kind == unstable.Table {
			table = key + "."
			continue
		}
		key = table + key
		if _, there := lines[key]; there && twice == "" {
			twice = key
		}
		lines[key] = line
	}
	return lines, twice
}

// languageOf looks for the language where nothing else has been read yet.
func languageOf(environ []string) lang.Lang {
	if l, err := lang.Parse(lookup(environ, "READBACK_LANGUAGE")); err == nil {
		return l
	}
	return lang.EN
}

// usualConfig is where the file is looked for when none is named.
func usualConfig(environ []string) string {
	if dir := lookup(environ, "XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "readback", "readback.toml")
	}
	if home := lookup(environ, "HOME"); home != "" {
		return filepath.Join(home, ".config", "readback", "readback.toml")
	}
	return ""
}

// UsualData is the data folder when none is named; empty where there is no place for one.
func UsualData(environ []string) string {
	if dir := lookup(environ, "XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "readback")
	}
	if home := lookup(environ, "HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "readback")
	}
	return ""
}

func lookup(environ []string, name string) string {
	for _, kv := range environ {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			return v
		}
	}
	return ""
}
