package deploy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// typed runs a command on a terminal of its own, as `docker compose run` does, and types an answer whenever it has asked once more; it gives what stood on the screen, and the exit code.
func typed(t *testing.T, answers []string, args ...string) (string, int) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err := errors.Join(err, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = "/", plain(), slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	r := &running{cmd: cmd, done: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		for b := make([]byte, 4096); ; {
			n, err := master.Read(b)
			_, _ = r.Write(b[:n])
			if err != nil { // the last holder of the other end is gone
				return
			}
		}
	}()
	go func() { _ = cmd.Wait(); close(r.done) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-r.done })
	for i, answer := range answers {
		r.until(t, fmt.Sprintf("question %d", i+1), func() bool { return strings.Count(r.said(), ": ") > i })
		if _, err := master.WriteString(answer + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	for _, ended := range []chan struct{}{r.done, read} {
		select {
		case <-ended:
		case <-time.After(patience):
			t.Fatalf("it does not end:\n%s", r.said())
		}
	}
	return r.said(), cmd.ProcessState.ExitCode()
}

// TestTheFirstPassphraseNeedsNoServer: with a real carrier serve ends until there is a passphrase, and the command that sets it works where no server runs and no folder is there yet, or an empty one.
func TestTheFirstPassphraseNeedsNoServer(t *testing.T) {
	for _, name := range []string{"compose/readback/readback.toml", "k8s/readback.toml", "systemd/readback.toml"} {
		t.Run(name, func(t *testing.T) {
			content := strings.Replace(string(awake(read(t, name))), "[voipms]\n", "[voipms]\nurl = \"https://127.0.0.1:1/\"\n", 1)
			secrets, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
			config := lent(t, []byte(content), secrets)
			if name == "systemd/readback.toml" {
				ok(t, "/", plain(), "install", "-d", "-m", "700", data)
			}
			serving := []string{program(t), "serve", "--config", config, "--data", data, "--listen", fmt.Sprintf("127.0.0.1:%d", port(t))}
			if out, code := run(t, "/", plain(), serving...); code != 1 || !strings.Contains(out, "needs a passphrase") {
				t.Fatalf("serve without a passphrase: %d %s", code, out)
			}
			const secret = "nine green kettles over Lévis"
			set := []string{program(t), "passphrase", "--config", config, "--data", data}
			if screen, code := typed(t, []string{secret, secret}, set...); code != 0 || strings.Contains(screen, secret) {
				t.Fatalf("the command: %d %s", code, screen)
			}
			// It holds: another is not taken without it.
			if screen, code := typed(t, []string{"another one, which is wrong", secret, secret}, set...); code == 0 {
				t.Errorf("a wrong one is taken: %s", screen)
			}
		})
	}
}

// TestWhatComesFirst: where the order counts, the commands stand in it: the passphrase before a real carrier's first start, and of a new version workers' end before serve's start.
func TestWhatComesFirst(t *testing.T) {
	for name, all := range map[string][]string{
		"systemd/README.md": {"install -d -m 700 -o readback -g readback /var/lib/readback\n", "rb passphrase\n", "systemctl enable --now readback\n", "systemctl stop 'readback-worker@*'\n", "systemctl restart readback\n", "systemctl start readback-worker@1\n"},
		"compose/README.md": {"compose.yaml run --rm readback passphrase\n", "--profile workers stop worker\n", "--profile workers up -d --build\n"},
		"k8s/README.md":     {"leave `[carrier]` as it is", "kubectl apply -k deploy/k8s\n", "readback passphrase\n", "take the comment signs from `[carrier]`", "`kubectl apply -k deploy/k8s` again", "rollout restart deploy/readback"},
	} {
		rest := string(read(t, name))
		for _, want := range all {
			var found bool
			if _, rest, found = strings.Cut(rest, want); !found {
				t.Errorf("%s: %q is not there, or too early", name, want)
			}
		}
	}
	// What the commands name: a service that needs no other, which is run by the image's entry point.
	serve := composed(t).Services["readback"]
	if len(serve.DependsOn) > 0 || len(serve.Entrypoint) > 0 {
		t.Errorf("readback is not run alone: %v, %v", serve.DependsOn, serve.Entrypoint)
	}
	// The first start of the pod is the sandbox's.
	if s := settingsOf(t, read(t, "k8s/readback.toml")); s.Carrier.Kind != "" {
		t.Errorf("the pod begins with %q", s.Carrier.Kind)
	}
}
