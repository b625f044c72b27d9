package checkup

import (
	"bufio"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"readback/smsmcp/lang"
	"readback/voip/ari"
)

// guarded are the modules whose functions reach the shell, files, the network or a database, and are closed to ARI unless live_dangerously is set.
var guarded = []string{
	"app_confbridge.so", "func_curl.so", "func_db.so", "func_env.so", "func_lock.so", "func_odbc.so", "func_periodic_hook.so", "func_realtime.so", "func_shell.so",
}

// dangers finds out whether live_dangerously is set. Asterisk does not say. Its own file says so, where it is on this machine and can be read; and a function without
// effect tells, where its module is loaded and a call stands, since Asterisk evaluates none for ARI otherwise. That no such module is loaded is
// no comfort: ARI loads modules.
func (e *examination) dangers(ctx context.Context, client *ari.Client, modules map[string]bool) {
	check := lang.DoctorAsteriskLive
	loaded := strings.Join(slices.DeleteFunc(slices.Clone(guarded), func(m string) bool { return !modules[m] }), ", ")
	live, told := beside(ctx, client, modules)
	if !told && local(e.o.Line.URL) {
		live, told = written(e.o.Conf)
	}
	switch {
	case live:
		e.add(Fail, check, lang.DoctorAsteriskDanger)
	case told:
		e.add(OK, check, lang.DoctorAsteriskSafe)
	case loaded == "":
		e.add(Warn, check, lang.DoctorAsteriskUntold)
	default:
		e.add(Warn, check, lang.DoctorAsteriskUntoldNear, loaded)
	}
}

// beside asks beside a call that stands.
func beside(ctx context.Context, client *ari.Client, modules map[string]bool) (live, told bool) {
	if !modules["func_env.so"] {
		return false, false
	}
	channels, err := client.Channels(ctx)
	if err != nil {
		return false, false
	}
	for _, ch := range channels[:min(len(channels), 3)] { // the first ones may end meanwhile
		if live, err := client.LivesDangerously(ctx, ch.ID); err == nil {
			return live, true
		}
	}
	return false, false
}

// written reads asterisk.conf. It tells nothing where it cannot be read, or where it includes other files and does not say it itself.
func written(file string) (live, told bool) {
	f, err := os.Open(file)
	if err != nil {
		return false, false
	}
	defer func() { _ = f.Close() }()
	value, included, err := option(io.LimitReader(f, 1<<20), "options", "live_dangerously")
	if err != nil || value == "" && included {
		return false, false
	}
	return slices.Contains([]string{"yes", "true", "y", "t", "1", "on"}, strings.ToLower(value)), true
}

// option gives the last value of a key in a section of a file of Asterisk's, and whether the file includes others.
func option(r io.Reader, section, key string) (value string, included bool, err error) {
	in, comment := "", false
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if comment = comment || strings.HasPrefix(line, ";--"); comment {
			comment = !strings.Contains(line, "--;")
			continue
		}
		line, _, _ = strings.Cut(line, ";")
		k, v, set := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "#"):
			included = true
		case strings.HasPrefix(line, "["):
			in, _, _ = strings.Cut(line[1:], "]")
		case set && strings.EqualFold(in, section) && strings.EqualFold(strings.TrimSpace(k), key):
			value = strings.TrimSpace(strings.TrimPrefix(v, ">")) // "=" and "=>" are one
		}
	}
	return value, included, lines.Err()
}
