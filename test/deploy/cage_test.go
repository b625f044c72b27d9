package deploy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// caged is the first argument by which this test's own program starts another as the unit does: caged CALLS DATA PROGRAM [ARGUMENT...], with the names of the system calls that are let
// through, divided by commas.
const caged = "run-as-the-unit-does"

// cage does what it can of what systemd does by the unit, and becomes the program. It only gives an error.
func cage(args []string) error {
	runtime.LockOSThread()
	calls, data, argv := strings.Split(args[0], ","), args[1], args[2:]
	if os.Geteuid() == 0 { // else the machine is whose runs this, and what they may write is writable
		if err := closed(data); err != nil {
			return err
		}
	}
	if err := filtered(calls); err != nil {
		return err
	}
	// The cage must hold, or what runs in it shows nothing.
	if _, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("a family of addresses that is refused: %w", err)
	}
	if _, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("memory that is written and executed: %w", err)
	}
	if err := unix.Mount("none", data, "tmpfs", 0, ""); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("a system call that is refused: %w", err)
	}
	if err := os.WriteFile("/var/tmp/outside", nil, 0o600); os.Geteuid() == 0 && !errors.Is(err, unix.EROFS) {
		return fmt.Errorf("a file outside the data folder: %w", err)
	}
	return syscall.Exec(argv[0], argv, os.Environ())
}

// closed is ProtectSystem=strict with StateDirectory, and CapabilityBoundingSet= with nothing in it.
func closed(data string) error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("a view of its own of the files: %w", err)
	}
	err := errors.Join(
		unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount(data, data, "", unix.MS_BIND, ""),
		unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}),
		unix.MountSetattr(unix.AT_FDCWD, data, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}),
	)
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		err = errors.Join(err, unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0))
	}
	header, none := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
	return errors.Join(err, unix.Capset(header, &none[0]))
}

// filtered is NoNewPrivileges, SystemCallFilter, RestrictAddressFamilies, RestrictNamespaces and MemoryDenyWriteExecute.
func filtered(calls []string) error {
	here, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	known := slices.DeleteFunc(calls, func(name string) bool { _, ok := here.SyscallNames[name]; return !ok })
	others := func(values ...uint64) (all seccomp.ArgumentConditions) {
		for _, v := range values {
			all = append(all, seccomp.Condition{Argument: 0, Operation: seccomp.NotEqual, Value: v})
		}
		return all
	}
	executed := seccomp.ArgumentConditions{{Argument: 2, Operation: seccomp.BitsSet, Value: unix.PROT_EXEC}}
	return seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: true, Flag: seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionErrno, Names: []string{"unshare", "setns"}, NamesWithCondtions: []seccomp.NameWithConditions{
				{Name: "socket", Conditions: others(unix.AF_INET, unix.AF_INET6, unix.AF_UNIX, unix.AF_NETLINK)},
				{Name: "mmap", Conditions: append(executed, seccomp.Condition{Argument: 2, Operation: seccomp.BitsSet, Value: unix.PROT_WRITE})},
				{Name: "mprotect", Conditions: executed},
				{Name: "pkey_mprotect", Conditions: executed},
			}},
			{Action: seccomp.ActionAllow, Names: known},
		}},
	})
}

// set gives the system calls of one of systemd's sets, as the real systemd lists them.
func set(t testing.TB, name string) []string {
	t.Helper()
	var out []string
	for _, line := range strings.Split(ok(t, "/", plain(), append(systemd(t, "systemd-analyze"), "--no-pager", "syscall-filter", name)...), "\n") {
		word := strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, " ") || word == "" || strings.HasPrefix(word, "#"):
		case strings.HasPrefix(word, "@"):
			out = append(out, set(t, word)...)
		default:
			out = append(out, word)
		}
	}
	return out
}

// calls gives the system calls that a unit's SystemCallFilter lets through.
func calls(t testing.TB, unit string) []string {
	t.Helper()
	d := directives(t, unit)
	if families := d["RestrictAddressFamilies"]; len(families) != 1 || families[0] != "AF_INET AF_INET6 AF_UNIX AF_NETLINK" || d["MemoryDenyWriteExecute"][0] != "yes" || d["ProtectSystem"][0] != "strict" || d["NoNewPrivileges"][0] != "yes" {
		t.Fatalf("the cage of this test is another than the unit's: %v", families)
	}
	allowed := map[string]bool{}
	for _, line := range d["SystemCallFilter"] {
		sets, no := strings.CutPrefix(line, "~")
		for _, name := range strings.Fields(sets) {
			for _, call := range set(t, name) {
				allowed[call] = !no
			}
		}
	}
	var out []string
	for call, yes := range allowed {
		if yes {
			out = append(out, call)
		}
	}
	if len(out) < 150 || slices.Contains(out, "mount") || slices.Contains(out, "setrlimit") {
		t.Fatalf("%d calls", len(out))
	}
	slices.Sort(out)
	return out
}

// inCage gives the command that runs a program as the unit does, with one folder to write to.
func inCage(t testing.TB, data string, args ...string) []string {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{me, caged, strings.Join(calls(t, "readback.service"), ","), data}, args...)
}

// TestTheProgramRunsAsTheUnitHasIt: it serves, its owner's commands reach it by the socket, another finds the lock, it starts espeak-ng, asks for the machine's addresses, and ends.
func TestTheProgramRunsAsTheUnitHasIt(t *testing.T) {
	speech := filepath.Join(source, ".cache", "speech")
	script(t, "voice/media/mediatest/install.sh", speech)
	dir, err := os.MkdirTemp(scratch, "state-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	etc := t.TempDir()
	write(t, filepath.Join(etc, "ari.password"), []byte("secret\n"), 0o600)
	config := write(t, filepath.Join(etc, "readback.toml"), fmt.Appendf(nil, "data = %q\n[asterisk]\nurl = \"http://127.0.0.1:%d/ari\"\npassword_file = \"ari.password\"\n[phone]\nanswer = true\nowners = [\"+15145550101\"]\n", dir, port(t)), 0o644)
	env := append(plain(), "PATH="+filepath.Join(speech, "bin")+":"+os.Getenv("PATH"))
	n := port(t)
	r := start(t, "/", env, inCage(t, dir, program(t), "serve", "--config", config, "--listen", fmt.Sprintf("127.0.0.1:%d", n))...)
	r.until(t, "serving", func() bool {
		status, _ := get(fmt.Sprintf("http://127.0.0.1:%d/healthz", n))
		return status == 200
	})
	if out := ok(t, "/", env, program(t), "pending", "--config", config); out == "" {
		t.Error("the owner's socket says nothing")
	}
	if out, code := run(t, "/", env, inCage(t, dir, program(t), "serve", "--config", config, "--listen", "127.0.0.1:0")...); code != 1 || !strings.Contains(out, dir) {
		t.Errorf("another server on the same data folder: %d %s", code, out)
	}
	out, _ := run(t, "/", env, inCage(t, dir, program(t), "doctor", "--config", config)...)
	for _, want := range []string{"ok    data folder", "ok    store", "ok    server", "ok    what speaks"} {
		if !strings.Contains(out, want) {
			t.Errorf("doctor says no %q:\n%s", want, out)
		}
	}
	if code := r.stop(t); code != 0 || strings.Contains(r.said(), "not permitted") || strings.Contains(r.said(), "denied") {
		t.Errorf("it ends with %d:\n%s", code, r.said())
	}
	// The store as the kernel left it is opened again, by another process of the same cage.
	ok(t, "/", env, inCage(t, dir, program(t), "pending", "--config", config)...)

	speak := exec.Command(inCage(t, dir, filepath.Join(speech, "bin", "espeak-ng"))[0], inCage(t, dir, filepath.Join(speech, "bin", "espeak-ng"), "--stdin", "--stdout", "-b", "1", "-s", "160", "-v", "en-us")[1:]...)
	speak.Stdin, speak.Env = strings.NewReader("Shall I let it leave?"), env
	if sound, err := speak.Output(); err != nil || len(sound) < 20_000 || !strings.HasPrefix(string(sound), "RIFF") {
		t.Errorf("espeak-ng: %v, %d bytes", err, len(sound))
	}
}
