package machine

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// Clients names the Claude clients that run as uid, as in "claude (4711)"; false where the system has no /proc. It reads what each process
// was started as: the program's name, and the script's where that is node. Nothing else of a command line is kept: it may hold secrets.
func Clients(proc fs.FS, uid, self int) (names []string, ok bool) {
	all, err := fs.ReadDir(proc, ".")
	if err != nil {
		return nil, false
	}
	seen := false
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == self {
			continue
		}
		seen = true
		info, err := e.Info()
		if err != nil {
			continue
		}
		if st, is := info.Sys().(*syscall.Stat_t); is && int(st.Uid) != uid {
			continue
		}
		line, err := fs.ReadFile(proc, e.Name()+"/cmdline")
		if err != nil {
			continue
		}
		if name := clientName(line); name != "" {
			names = append(names, fmt.Sprintf("%s (%d)", name, pid))
		}
	}
	return names, seen
}

// clientName says which client a command line is; empty if it is none.
func clientName(line []byte) string {
	args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
	program := strings.ToLower(path.Base(args[0]))
	if strings.HasPrefix(program, "claude") {
		return "claude"
	}
	if program != "node" && program != "bun" {
		return ""
	}
	for _, a := range args[1:min(len(args), 4)] {
		if !strings.HasPrefix(a, "-") {
			if strings.Contains(a, "claude") {
				return "claude"
			}
			return ""
		}
	}
	return ""
}
