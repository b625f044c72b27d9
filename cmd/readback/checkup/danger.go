package checkup

import (
	"bufio"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"readback/smsmcp/lang/finding"
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
	check := finding.AsteriskLive
	loaded := strings.Join(slices.DeleteFunc(slices.Clone(guarded), func(m string) bool { return !modules[m] }), ", ")
	live, told := beside(ctx, client, modules)
	if !told && local(e.o.Line.URL) {
		live, told = written(e.o.Conf)
	}
	switch {
	case live:
		e.add(Fail, check, finding.AsteriskDanger)
	case told:
		e.add(OK, check, finding.AsteriskSafe)
	case loaded == "":
		e.add(Warn, check, finding.AsteriskUntold)
	default:
		e.add(Warn, check, finding.AsteriskUntoldNear, loaded)
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

// written reads asterisk.conf. It tells nothing where it cannot be read, or where what is not set in it may be set by what it includes or inherits.
func written(file string) (live, told bool) {
	f, err := os.Open(file)
	if err != nil {
		return false, false
	}
	defer func() { _ = f.Close() }()
	value, sure, err := option(io.LimitReader(f, 1<<20), "options", "live_dangerously")
	live = err == nil && yes(value)
	return live, live || err == nil && sure
}

// yes says whether Asterisk takes a value for a yes.
func yes(value string) bool {
	return slices.Contains([]string{"yes", "true", "y", "t", "1", "on"}, strings.ToLower(value))
}

// option gives the last value of a key in a section of a file of Asterisk's. It is not sure of it where the file includes others, where a template that the
// section has says yes, or another section of its name, of which Asterisk reads the first.
func option(r io.Reader, section, key string) (value string, sure bool, err error) {
	sure = true
	depth := 0
	var named, here, seen, inherits bool // of the section that is read
	var elsewhere, again bool            // another one says yes; one of its name does
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		var line string
		line, depth = uncomment(lines.Text(), depth)
		line = strings.TrimSpace(line)
		k, v, set := strings.Cut(line, "=")
		k, more := strings.CutSuffix(strings.TrimSpace(k), "+")
		switch {
		case strings.HasPrefix(line, "#"): // #include, #exec, #tryinclude
			sure = false
		case strings.HasPrefix(line, "["):
			name, rest, _ := strings.Cut(line[1:], "]")
			named = strings.EqualFold(name, section)
			adds, has := marks(rest)
			here = named && (adds || !seen)
			seen = seen || named
			inherits = inherits || named && has
		case set && strings.EqualFold(strings.TrimSpace(k), key):
			v = strings.TrimSpace(strings.TrimPrefix(v, ">")) // "=" and "=>" are one
			switch {
			case here && more:
				value += v
			case here:
				value = v
			default:
				elsewhere = elsewhere || yes(v)
				again = again || yes(v) && named
			}
		}
	}
	return value, sure && !again && !(inherits && elsewhere), lines.Err()
}

// marks reads what stands in parentheses behind a section's name: whether it adds to an earlier one, and whether it has templates.
func marks(s string) (adds, inherits bool) {
	s, ok := strings.CutPrefix(s, "(")
	if !ok {
		return false, false
	}
	s, _, _ = strings.Cut(s, ")")
	for m := range strings.SplitSeq(s, ",") {
		switch strings.TrimSpace(m) {
		case "+":
			adds = true
		case "!", "":
		default:
			inherits = true
		}
	}
	return adds, inherits
}

// uncomment gives a line without its comments: what is behind a semicolon, and what is between ";--" and "--;", over lines and within each other. depth is
// how many of those are open.
func uncomment(line string, depth int) (string, int) {
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		rest := line[i:]
		switch {
		case strings.HasPrefix(rest, `\;`):
			i++
		case strings.HasPrefix(rest, ";--") && !strings.HasPrefix(rest, ";---"):
			depth++
			i += 2
			continue
		case depth > 0 && rest[0] == ';' && strings.HasSuffix(line[:i], "--"):
			depth--
			continue
		case depth == 0 && rest[0] == ';':
			return out.String(), depth
		}
		if depth == 0 {
			out.WriteByte(line[i])
		}
	}
	return out.String(), depth
}
