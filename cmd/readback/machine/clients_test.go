package machine

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestClientsAreFoundByWhatTheyWereStartedAs(t *testing.T) {
	file := func(args ...string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Join(args, "\x00") + "\x00")}
	}
	names, ok := Clients(fstest.MapFS{
		"1/cmdline":  file("/sbin/init"),
		"10/cmdline": file("/usr/bin/claude", "--resume"),
		"11/cmdline": file("node", "--max-old-space-size=4096", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
		"12/cmdline": file("node", "server.js", "claude"),
		"13/cmdline": file("vim", "claude.txt"),
		"14/cmdline": file("/opt/Claude/claude-desktop"),
		"15/cmdline": file("claude"), // this process
		"16/cmdline": {},
		"self":       file("claude"),
	}, 0, 15)
	if got := strings.Join(names, " "); !ok || got != "claude (10) claude (11) claude (14)" {
		t.Errorf("%v %q", ok, got)
	}
	if _, ok := Clients(fstest.MapFS{}, 0, 0); ok {
		t.Error("a system without /proc tells nothing")
	}
}
