package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/draw"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/cmd/readback/say"
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// greet says where the server is, how to add it to Claude, and what to try. It names the token's file and never the token.
func (p *program) greet(a *parts.App, at *parts.Faces, st owner.State, stand []smsmcp.Part) {
	c := p.cfg
	address := at.Address()
	url := "http://" + address + "/mcp"
	kind := lang.CLIGreetSandbox
	if a.Real {
		kind = lang.CLIGreetReal
	}
	p.line(kind)
	p.frozen(st)
	file := c.File
	if file == "" {
		file = lang.CLIGreetNoConfig.In(p.lang)
	}
	p.print("\n")
	rows := [][]string{
		{lang.CLIGreetAddress.In(p.lang), url},
		{lang.CLIGreetPage.In(p.lang), p.page(address)},
		{lang.CLIGreetToken.In(p.lang), lang.CLIGreetTokenFile.In(p.lang, p.data().Path(machine.TokenFile))},
		{lang.CLIGreetData.In(p.lang), c.Data},
		{lang.CLIGreetConfig.In(p.lang), file},
		{lang.CLIGreetZone.In(p.lang), zoneName(c.Zone, time.Now())},
	}
	if at.TLS() != "" {
		rows = append(rows, []string{lang.CLIGreetTLS.In(p.lang), at.TLS()})
	}
	for _, part := range stand {
		switch part.Name {
		case "line":
			by := lang.CLIGreetAsterisk
			if c.Carrier.Kind == config.SIPMsg {
				by = lang.CLIGreetBothWays
			}
			rows = append(rows, []string{lang.CLIGreetLine.In(p.lang), by.In(p.lang, c.Asterisk.URL)})
		case "push":
			by := lang.CLIGreetButtons
			if c.PublicURL == "" {
				by = lang.CLIGreetNoButtons
			}
			rows = append(rows, []string{lang.CLIGreetPush.In(p.lang), by.In(p.lang)})
		case "bridge":
			rows = append(rows, []string{lang.CLIGreetBridge.In(p.lang), lang.CLIGreetNtfy.In(p.lang, c.Ntfy.URL)})
		}
	}
	if c.Phone.Answer {
		says := lang.CLIGreetAnswers
		if !st.PIN || len(c.Phone.Owners) == 0 {
			says = lang.CLIGreetNoOwner
		}
		rows = append(rows, []string{lang.CLIGreetPhone.In(p.lang), says.In(p.lang)})
	}
	if c.LiveKitOn() {
		rows = append(rows, []string{lang.CLIGreetRooms.In(p.lang), lang.CLIGreetRoomsOf.In(p.lang, c.LiveKit.URL)})
	}
	if c.TalkOn() {
		rows = append(rows, []string{lang.CLIGreetTalk.In(p.lang), p.page(address) + "talk"})
	}
	p.table(rows)
	for _, w := range []error{a.Warning(), at.Alike()} {
		if w != nil {
			p.print("\n%s", draw.Hung("", say.Error(p.lang, w), p.width()))
		}
	}
	for _, part := range stand {
		if part.Failure != "" {
			p.print("\n%s", draw.Hung("", lang.CLIGreetTrouble.In(p.lang, lang.PartSays(p.lang, part.Failure)), p.width()))
		}
	}
	exe, build := p.executable()
	mcp := p.mcpArgs()
	p.print("\n%s\n", lang.CLIGreetCode.In(p.lang))
	p.print("  claude mcp add readback -- %s\n", shellWords(append([]string{exe}, mcp...)))
	p.print("\n%s\n  %s\n", lang.CLIGreetDesktop.In(p.lang), draw.Line(desktopSnippet(exe, mcp)))
	if build != "" {
		p.print("  %s\n", build)
	}
	if c.OAuthOn() && strings.HasPrefix(c.PublicURL, "https:") {
		p.print("\n%s\n  %s\n", lang.CLIGreetApp.In(p.lang), c.PublicURL+"/mcp")
	}
	p.print("\n%s", draw.Hung("", lang.CLIGreetOther.In(p.lang), p.width()))
	if !a.Real {
		p.print("\n%s\n", lang.CLIGreetTry.In(p.lang))
		p.hint(lang.CLIGreetTryContact.In(p.lang))
		p.hint(lang.CLIGreetTryReceive.In(p.lang))
		p.line(lang.CLIGreetTryAsk)
	}
	p.print("\n%s\n", lang.CLIGreetStop.In(p.lang))
}

// page is where the owner's browser finds the page.
func (p *program) page(address string) string {
	if p.cfg.PublicURL != "" {
		return p.cfg.PublicURL + "/"
	}
	return "http://" + address + "/"
}

// hint shows a command to copy: this program as it was called, on the same folder.
func (p *program) hint(command string) { p.print("  %s %s%s\n", p.self(), command, p.where()) }

// mcpArgs are what a client starts this program with. Its environment is not this one: the data folder is named unless it is the usual one.
func (p *program) mcpArgs() []string {
	if p.cfg.Data == config.UsualData(p.environ) {
		return []string{"mcp"}
	}
	return []string{"mcp", "--data", p.cfg.Data}
}

func desktopSnippet(exe string, args []string) string {
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"readback": map[string]any{"command": exe, "args": args}}})
	if err != nil { // strings alone: it cannot fail
		return ""
	}
	return string(b)
}

// executable gives the program's own path, and what has to be done first where that path will not last (go run).
func (p *program) executable() (path, hint string) {
	exe, err := os.Executable()
	if err != nil {
		return "readback", ""
	}
	if !goRun(exe) {
		return exe, ""
	}
	here, err := os.Getwd()
	if err != nil {
		return "readback", ""
	}
	return filepath.Join(here, "bin", "readback"), lang.CLIGreetBuild.In(p.lang)
}

// self is what the owner types to run this program again: its name where the shell finds it by that, and else what was typed this time.
func (p *program) self() string {
	exe, err := os.Executable()
	if err == nil && goRun(exe) {
		return "go run ./cmd/readback"
	}
	name := filepath.Base(os.Args[0])
	found, err := exec.LookPath(name)
	if err == nil && sameFile(found, exe) || !strings.ContainsRune(os.Args[0], filepath.Separator) {
		return shellWord(name)
	}
	return shellWord(os.Args[0])
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	two, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, two)
}

func goRun(exe string) bool { return strings.Contains(exe, string(filepath.Separator)+"go-build") }

// where repeats the flags by which another command finds this server.
func (p *program) where() string {
	s := ""
	if p.flags.Config != "" {
		s += " --config " + shellWord(p.flags.Config)
	}
	if p.flags.Data != "" {
		s += " --data " + shellWord(p.flags.Data)
	}
	return s
}

func shellWords(all []string) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = shellWord(s)
	}
	return strings.Join(out, " ")
}

// shellWord writes a path so that a shell reads it as one word, and a terminal draws it.
func shellWord(s string) string {
	s = draw.Line(s)
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// zoneName names a zone and what it is at now: "Local" alone tells nobody what the times mean.
func zoneName(zone *time.Location, now time.Time) string {
	name := zone.String()
	if name == "Local" {
		if link, err := os.Readlink("/etc/localtime"); err == nil {
			if _, tz, ok := strings.Cut(link, "zoneinfo/"); ok {
				name = tz
			}
		}
	}
	return name + " (" + now.In(zone).Format("MST, UTC-07:00") + ")"
}
