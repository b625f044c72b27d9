package testbed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// edit is one change to a file of deploy/asterisk. What it looks for must be there exactly once: a file that changed is noticed here.
type edit struct{ file, old, new string }

// configure writes the folder's Asterisk configuration: deploy/asterisk as it is, but for ports, folders, secrets and a listener without
// TLS on which tests speak SIP.
func (b *Bed) configure(c Config) error {
	etc := filepath.Join(b.dir, "etc")
	from := filepath.Join(module(), "deploy", "asterisk")
	if err := os.CopyFS(etc, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(etc, "readback-trunk.conf.example"), filepath.Join(etc, "readback-trunk.conf")); err != nil {
		return err
	}
	const server = "montreal1.voip.ms"
	provider := fmt.Sprintf("127.0.0.1:%d", b.ports.trunk)
	edits := []edit{
		{"asterisk.conf", "maxload = 8.0", "maxload = 0"}, // a machine that runs tests is busy
		{"http.conf", "bindport = 8088", fmt.Sprintf("bindport = %d", b.ports.http)},
		{"http.conf", "tlsbindaddr = 127.0.0.1:8089", fmt.Sprintf("tlsbindaddr = 127.0.0.1:%d", b.ports.https)},
		{"http.conf", "/etc/asterisk/keys/ari.crt", b.CAFile},
		{"http.conf", "/etc/asterisk/keys/ari.key", b.KeyFile},
		{"rtp.conf", "rtpstart = 10000", fmt.Sprintf("rtpstart = %d", b.ports.rtp)},
		{"rtp.conf", "rtpend = 10999", fmt.Sprintf("rtpend = %d", b.ports.rtp+rtpPorts-1)},
		{"pjsip.conf", "bind = 0.0.0.0:5061", fmt.Sprintf("bind = 127.0.0.1:%d", b.ports.sips)},
		{"pjsip.conf", "/etc/ssl/certs/ca-certificates.crt", b.CAFile},
		{"readback-trunk.conf", "contact = sip:" + server + ":5061", "contact = sip:" + provider},
		{"readback-trunk.conf", "server_uri = sip:" + server + ":5061", "server_uri = sip:" + provider},
		{"readback-trunk.conf", "@" + server + ":5061", "@" + provider},
		{"readback-trunk.conf", "match = " + server, "match = 127.0.0.1/32"},
	}
	for _, e := range edits {
		if err := e.apply(etc); err != nil {
			return err
		}
	}
	if err := b.addForTests(etc, c.TLSOnly); err != nil {
		return err
	}
	for file, more := range c.Asterisk {
		if err := appendTo(filepath.Join(etc, file), more); err != nil {
			return err
		}
	}
	return b.writePassword()
}

func (e edit) apply(etc string) error {
	path := filepath.Join(etc, e.file)
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if n := strings.Count(string(src), e.old); n != 1 {
		return fmt.Errorf("deploy/asterisk/%s holds %q %d times, not once", e.file, e.old, n)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(src), e.old, e.new, 1)), 0o600)
}

// addForTests adds what only a test has: SIP without TLS, somebody to send to, extensions that enter the application, and the folders. Files that the
// distribution brings, and Asterisk looks for, are made empty.
func (b *Bed) addForTests(etc string, tlsOnly bool) error {
	root := filepath.Join(folder(), "root")
	modules, err := filepath.Glob(filepath.Join(root, "usr/lib/*/asterisk/modules"))
	if err != nil {
		return err
	}
	if len(modules) != 1 {
		return fmt.Errorf("the modules of the unpacked Asterisk: %v", modules)
	}
	added := map[string]string{
		"asterisk.conf": fmt.Sprintf(`
[directories]
astetcdir => %[1]s/etc
astmoddir => %[3]s
astvarlibdir => %[1]s/lib
astdbdir => %[1]s/lib
astkeydir => %[1]s/lib
astdatadir => %[2]s/usr/share/asterisk
astagidir => %[1]s/lib
astspooldir => %[1]s/spool
astrundir => %[1]s/sock
astlogdir => %[1]s/log
astcachedir => %[1]s/lib
astsbindir => %[2]s/usr/sbin
`, b.dir, root, modules[0]),
		"pjsip.conf": fmt.Sprintf(`
[test-udp]
type = transport
protocol = udp
bind = 127.0.0.1:%d
[peer](trunk-endpoint)
transport = test-udp
aors = peer
media_encryption = no
from_domain = 127.0.0.1
[peer]
type = aor
contact = sip:peer@%s
[caller](trunk-endpoint)
transport = test-udp
media_encryption = no
from_domain = 127.0.0.1
[caller]
type = identify
endpoint = caller
match = %s/32
`, b.SIP.Port(), b.Peer, callersHost),
		"extensions.conf": fmt.Sprintf("[from-trunk]\nexten = app,1,Stasis(%s)\n same = n,Hangup()\n", b.App),
	}
	if tlsOnly {
		delete(added, "pjsip.conf")
	}
	for file, more := range added {
		if err := appendTo(filepath.Join(etc, file), more); err != nil {
			return err
		}
	}
	for file, content := range map[string]string{
		"cdr": "[general]\nenable = no\n", "cel": "[general]\nenable = no\n", "manager": "[general]\nenabled = no\n", "acl": "",
		"indications": "[general]\ncountry = us\n[us]\ndescription = US\nringcadence = 2000,4000\ndial = 350+440\nring = 440+480/2000,0/4000\n" +
			"busy = 480+620/500,0/500\ncongestion = 480+620/250,0/250\n",
		"stasis": "[general]\n", "features": "[general]\n", "udptl": "[general]\n", "ccss": "[general]\n", "codecs": "[general]\n", "dsp": "[general]\n",
		"cli": "[general]\n", "enum": "[general]\n", "pjproject": "[general]\n", "sorcery": "[general]\n", "websocket_client": "[general]\n",
		"dnsmgr": "[general]\n", "extconfig": "[general]\n",
	} {
		if err := os.WriteFile(filepath.Join(etc, file+".conf"), []byte(content), 0o600); err != nil {
			return err
		}
	}
	for _, d := range []string{"lib/keys", "spool", "sock", "log", "ntfy"} {
		if err := os.MkdirAll(filepath.Join(b.dir, d), 0o700); err != nil {
			return err
		}
	}
	return nil
}

func appendTo(path, more string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString("\n" + more); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// writePassword writes the file of ARI's user, which the owner makes by hand.
func (b *Bed) writePassword() error {
	return os.WriteFile(filepath.Join(b.dir, "etc", "readback-ari.conf"),
		fmt.Appendf(nil, "[%s]\ntype = user\nread_only = no\npassword = %s\n", b.User, b.Password), 0o600)
}
