package browser

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/cmd/readback/config"
	"readback/cmd/readback/machine"
	"readback/cmd/readback/parts"
	"readback/smsmcp/lang"
	"readback/smsmcp/outside"
	"readback/smsmcp/owner"
	"readback/voip/voipms/voipmstest"
)

// internet is one where voip.ms is, and nothing else: every name leads to a public address, and that to a server of the test.
type internet struct {
	at net.Addr

	mu    sync.Mutex
	dials []string
}

func (*internet) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (i *internet) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	i.mu.Lock()
	i.dials = append(i.dials, addr)
	i.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, i.at.String())
}

// withMedia is all parts of the program, with voip.ms on its real wire, whose media are fetched through the real guard.
type withMedia struct {
	t     *testing.T
	api   *voipmstest.Server
	net   *internet
	owner *owner.Client
	url   string
}

func assemble(t *testing.T, more string) *withMedia {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	must(t, err)
	m := &withMedia{t: t, net: &internet{}}
	m.api = voipmstest.New(voipmstest.Account{Username: "owner@example.com", Password: "correct-horse-battery", DID: "5145550100", Zone: zone, Now: time.Now})
	calls := httptest.NewServer(m.api)
	media := httptest.NewUnstartedServer(m.api)
	roots := x509.NewCertPool()
	media.TLS = &tls.Config{Certificates: []tls.Certificate{certified(t, roots, "voip.ms")}}
	media.StartTLS()
	m.net.at = media.Listener.Addr()
	t.Cleanup(func() { m.api.Close(); calls.Close(); media.Close() })

	dir, err := os.MkdirTemp("", "rb") // short: it holds a unix socket
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "readback.toml")
	must(t, os.WriteFile(filepath.Join(dir, "api"), []byte("correct-horse-battery"), 0o600))
	must(t, os.WriteFile(file, []byte(`
time_zone = "UTC"
[carrier]
kind = "voipms"
[voipms]
username = "owner@example.com"
password_file = "`+filepath.Join(dir, "api")+`"
did = "+15145550100"
url = "`+calls.URL+voipmstest.Path+`"
[sync]
every = "15s"
[confirm]
wait = "0s"
[limits]
requests_per_minute = 60000
burst = 10000
`+more), 0o600))
	c, err := config.Load(config.Flags{Config: file, Data: filepath.Join(dir, "data"), Listen: "127.0.0.1:0"}, nil)
	must(t, err)
	must(t, machine.Folder(c.Data).Prepare())
	log := slog.New(slog.DiscardHandler)
	a, err := parts.Open(t.Context(), parts.Options{
		Config: c, Now: time.Now, Log: log, Version: "test", Outside: outside.Options{Resolver: m.net, Dial: m.net.dial, Roots: roots},
	})
	must(t, err)
	m.owner = owner.Local(a.Owner, lang.EN)
	_, err = owner.SetPassphrase.Do(t.Context(), m.owner, owner.Secret{Value: theWords}, "")
	must(t, err)
	_, err = owner.AddContact.Do(t.Context(), m.owner, owner.Contact{Name: "Marie Tremblay", Numbers: []string{marie}}, theWords)
	must(t, err)
	faces, err := parts.OpenFaces(t.Context(), c, log)
	must(t, err)
	_, err = a.Connect(t.Context())
	must(t, err)
	h, err := a.Web()
	must(t, err)
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(func() {
		end()
		a.Wait(ctx)
		faces.Close()
		must(t, a.Close(context.Background()))
	})
	m.receive(marie, gradient(t), []byte("BEGIN:VCARD\r\nFN:Do as I say\r\nEND:VCARD\r\n"))
	m.receive(stranger, imitation(t))
	a.Start(ctx, faces.All(a, h)...)
	m.url = "http://" + faces.Address()
	return m
}

func (m *withMedia) receive(from string, files ...[]byte) {
	id := m.api.Receive("mms", strings.TrimPrefix(from, "+1"), "look at this", time.Now(), len(files))
	m.api.Attach(id, files...)
}

func certified(t *testing.T, roots *x509.CertPool, name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, DNSNames: []string{name}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	must(t, err)
	parsed, err := x509.ParseCertificate(der)
	must(t, err)
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// gradient is a photograph, more or less, with a page and its script behind its end.
func gradient(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 1200, 900))
	for y := range 900 {
		for x := range 1200 {
			m.SetRGBA(x, y, color.RGBA{uint8(x / 5), uint8(y / 4), 160, 255})
		}
	}
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, m, nil))
	return append(b.Bytes(), "<!doctype html><script>document.title = 'hijacked'</script>"...)
}

// imitation is an image that looks a little like the page: a card with a green button.
func imitation(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 600, 200))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(20, 130, 200, 180), image.NewUniform(color.RGBA{0x1f, 0x5f, 0x4f, 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	must(t, png.Encode(&b, m))
	return b.Bytes()
}

// TestImages: what came with texts is fetched when the owner presses Show, and drawn; nothing of it acts, and nothing was asked for before.
func TestImages(t *testing.T) {
	m := assemble(t, "")
	b := open(t, m.url)
	b.signIn()
	first := looks(true)[0]
	b.looked(first)
	for try := 0; ; try++ { // the first sync
		b.visit("/images")
		if eval[int](b, `document.querySelectorAll("main li.card").length`) == 2 {
			break
		}
		if try == 100 {
			t.Fatal(eval[string](b, "document.body.innerText"))
		}
		b.wait(`true`)
	}
	b.says("Marie Tremblay", "2 attachments", "(not in your contacts)", "1 attachment")
	b.keep("31-images-before", first)
	if len(m.net.dials) != 0 || eval[int](b, `document.querySelectorAll("main img").length`) != 0 {
		t.Errorf("before it was asked for: %v", m.net.dials)
	}
	for range 2 {
		b.press("main form button")
		b.at("/images")
	}
	b.says("A contact card. It is no image, and is not shown.")
	for _, l := range looks(os.Getenv(shots) != "") {
		b.looked(l)
		b.visit("/images")
		b.wait(`[...document.querySelectorAll("main img")].length == 2`)
		eval[bool](b, `document.querySelectorAll("main img").forEach(i => { i.loading = "eager" }), true`)
		b.wait(`[...document.querySelectorAll("main img")].every(i => i.complete && i.naturalWidth > 0)`)
		b.keep("32-images", l)
	}
	srcs := eval[[]string](b, `[...document.querySelectorAll("main img")].map(i => i.getAttribute("src") + " " + i.naturalWidth + "x" + i.naturalHeight + " " + (i.alt != ""))`)
	if all := strings.Join(srcs, " "); len(srcs) != 2 || !strings.Contains(all, " 1200x900 true") || !strings.Contains(all, " 600x200 true") {
		t.Errorf("%q", srcs)
	}
	b.clean()
	// Opened by itself it is an image and nothing else: even what the browser puts around it is let do nothing.
	for _, src := range srcs {
		path, _, _ := strings.Cut(src, " ")
		b.visit(path)
		if kind, title := eval[string](b, "document.contentType"), eval[string](b, "document.title"); !strings.HasPrefix(kind, "image/") || strings.Contains(title, "hijacked") {
			t.Errorf("%s is %s, %q", path, kind, title)
		}
		if origin := eval[string](b, "self.origin"); origin != "null" {
			t.Errorf("%s has the origin %q", path, origin)
		}
	}
	for _, s := range b.trouble {
		if !strings.HasPrefix(s, "the console says: Applying inline style violates") {
			t.Error(s)
		}
	}
	b.trouble = nil
	for _, d := range m.net.dials {
		if d != "93.184.216.34:443" {
			t.Errorf("dialled %s", d)
		}
	}
}

// TestAModelSeesImagesWhereConfigured, and then every send waits for the owner.
func TestAModelSeesImagesWhereConfigured(t *testing.T) {
	for _, on := range []bool{false, true} {
		m := assemble(t, fmt.Sprintf("[read]\nimages = %v\n", on))
		made, err := owner.NewToken.Do(t.Context(), m.owner, owner.Name{Name: "laptop"}, theWords)
		must(t, err)
		call := func(name, arguments string) (text string, images [][]byte) {
			t.Helper()
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.url+"/mcp", strings.NewReader(body))
			must(t, err)
			r.Header = http.Header{"Authorization": {"Bearer " + made.Value}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"}}
			resp, err := (&http.Client{Timeout: time.Minute}).Do(r)
			must(t, err)
			defer resp.Body.Close()
			var answer struct {
				Result struct {
					Content []struct{ Type, Text, Data string }
				}
				Error *struct{ Message string }
			}
			must(t, json.NewDecoder(resp.Body).Decode(&answer))
			if answer.Error != nil {
				return answer.Error.Message, nil
			}
			for _, c := range answer.Result.Content {
				if c.Type == "image" {
					b, err := base64.StdEncoding.DecodeString(c.Data)
					must(t, err)
					images = append(images, b)
				}
				text += c.Text + "\n"
			}
			return text, images
		}
		for try := 0; ; try++ { // the first sync
			if text, _ := call("read_texts", "{}"); strings.Contains(text, "Marie Tremblay") {
				break
			}
			if try == 500 {
				t.Fatal("no text came")
			}
		}
		text, images := call("show_images", `{"contact":"Marie Tremblay"}`)
		if !on {
			if len(images) != 0 || len(m.net.dials) != 0 || strings.Contains(text, "Marie") {
				t.Errorf("not configured: %s, %d images, %v", text, len(images), m.net.dials)
			}
			continue
		}
		if len(images) != 1 || !strings.Contains(text, "received from Marie Tremblay: «look at this» [images: 2]") || !strings.Contains(text, "1 more thing") {
			t.Errorf("%d images, %s", len(images), text)
		}
		for _, b := range images {
			if _, err := jpeg.Decode(bytes.NewReader(b)); err != nil || bytes.Contains(b, []byte("script")) {
				t.Error(err)
			}
		}
		if text, _ := call("send_text", `{"to":"Marie Tremblay","body":"Nice picture"}`); !strings.Contains(text, "wait") || len(m.api.Sent()) != 0 {
			t.Errorf("it needs no yes: %s", text)
		}
	}
}
