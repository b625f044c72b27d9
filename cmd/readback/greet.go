package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

// greet says where the server is, how to add it to Claude, and what to try. It names the token's file and never the token.
func (p *program) greet(a *app, address string, st owner.State) {
	c := p.cfg
	url := "http://" + address + "/mcp"
	kind := lang.CLIGreetSandbox
	if a.real {
		kind = lang.CLIGreetReal
	}
	p.line(kind)
	p.frozen(st)
	config := c.File
	if config == "" {
		config = lang.CLIGreetNoConfig.In(p.lang)
	}
	p.print("\n")
	p.table([][]string{
		{lang.CLIGreetAddress.In(p.lang), url},
		{lang.CLIGreetToken.In(p.lang), lang.CLIGreetTokenFile.In(p.lang, p.data().path(fileToken))},
		{lang.CLIGreetData.In(p.lang), c.Data},
		{lang.CLIGreetConfig.In(p.lang), config},
		{lang.CLIGreetZone.In(p.lang), zoneName(c.Zone, time.Now())},
	})
	p.print("\n%s\n", lang.CLIGreetCode.In(p.lang))
	p.print("  claude mcp add --transport http readback %s --header \"Authorization: Bearer $(cat %s)\"\n", url, shellWord(p.data().path(fileToken)))
	p.print("\n%s\n", lang.CLIGreetDesktop.In(p.lang))
	exe, hint := p.executable()
	p.print("  %s\n", desktopSnippet(exe, c))
	if hint != "" {
		p.print("  %s\n", hint)
	}
	if !a.real {
		p.print("\n%s\n", lang.CLIGreetTry.In(p.lang))
		for _, example := range []lang.Message{lang.CLIGreetTryContact, lang.CLIGreetTryReceive} {
			p.print("  %s %s\n", p.self(), example.In(p.lang)+p.where())
		}
		p.line(lang.CLIGreetTryAsk)
	}
	p.print("\n%s\n", lang.CLIGreetStop.In(p.lang))
}

func desktopSnippet(exe string, c *config.Config) string {
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"readback": map[string]any{"command": exe, "args": []string{"mcp", "--data", c.Data}},
	}})
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

// self is what the owner types to run this program again.
func (p *program) self() string {
	exe, err := os.Executable()
	if err == nil && goRun(exe) {
		return "go run ./cmd/readback"
	}
	return "readback"
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

// shellWord writes a path so that a shell reads it as one word.
func shellWord(s string) string {
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
