package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/images"
	"readback/smsmcp/outside"
	"readback/smsmcp/page/gallery"
	"readback/smsmcp/untrusted"
	store "readback/store/images"
)

// shelf is a carrier that keeps media, and the network that has them; each by its address.
type shelf struct {
	media map[string][]string // the addresses, by a text's id at the carrier
	held  map[string][]byte
	asked int
	err   error
}

func (s *shelf) Media(_ context.Context, key smsmcp.Key) ([]string, error) {
	return s.media[key.ID], s.err
}

func (s *shelf) Get(_ context.Context, address string) (outside.Doc, error) {
	s.asked++
	if b, ok := s.held[address]; ok {
		return outside.Doc{Body: b, Type: "text/html"}, nil
	}
	return outside.Doc{}, outside.ErrAddress
}

// withImages is a page with a gallery over what a shelf holds.
func withImages(t *testing.T) (*house, *shelf) {
	t.Helper()
	s := &shelf{media: map[string][]string{}, held: map[string][]byte{}}
	g := &gallery.Gallery{Zone: time.UTC}
	h := build(t, func(o *Options) { o.Gallery = g })
	g.Texts = h.store
	g.Box = images.New(images.Options{
		Book: store.New(h.store.DB()), Carrier: s, Get: s, Folder: filepath.Join(t.TempDir(), "images"), Now: func() time.Time { return h.now }, Log: slog.New(slog.NewTextHandler(h.log, nil)),
	})
	return h, s
}

func (h *house) receive(id string, from smsmcp.Peer, images int) smsmcp.TextID {
	h.t.Helper()
	added, err := h.store.StoreTexts(h.t.Context(), h.now, []smsmcp.Text{{
		Key: smsmcp.Key{Carrier: "voipms", Kind: smsmcp.MMS, ID: id}, Direction: smsmcp.Received, Peer: from, Body: untrusted.New("words of " + id), At: h.now, Images: images,
	}})
	if err != nil || len(added) != 1 {
		h.t.Fatal(err, added)
	}
	return added[0].ID
}

func photo(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func screenshot(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestImages(t *testing.T) {
	h, s := withImages(t)
	b := h.browser().signIn()
	has(t, b.get("/images"), http.StatusOK, "No text came with an image yet.")
	marie := h.receive("one", smsmcp.NumberPeer("+15145550142"), 2)
	other := h.receive("two", smsmcp.LabelPeer("<script>alert(1)</script>»\u202e"), 1)
	h.receive("three", smsmcp.NumberPeer("+15145550142"), 0)
	s.media["one"] = []string{"a", "b", "c"}
	s.held = map[string][]byte{"a": photo(t), "b": []byte("BEGIN:VCARD"), "c": screenshot(t)}

	w := b.get("/images")
	has(t, w, http.StatusOK, "Marie Tremblay", "2 attachments", "1 attachment", "Sender without a number (not in your contacts), calling itself «<script>", "Show")
	hasNot(t, w, "words of", "<img src=\"/images", "\u202e")
	if strings.Contains(w.Body.String(), "<script>alert") {
		t.Error("a name is markup")
	}
	if s.asked != 0 {
		t.Error("something was fetched before it was asked for")
	}
	one := fmt.Sprintf("/images/%d/", marie)
	for _, n := range []string{"1", "2", "0", "x", "01", "1000"} {
		if w := b.get(one + n); w.Code != http.StatusNotFound {
			t.Errorf("%s before it was fetched: %d", n, w.Code)
		}
	}
	if w := b.press(w, one+"fetch"); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/images" {
		t.Fatalf("%d, %v", w.Code, w.Header())
	}
	w = b.get("/images")
	has(t, w, http.StatusOK, `<img src="`+one+`1" alt="Image 1 of 3 of this text, as it came" width="30" height="20"`, "A contact card. It is no image, and is not shown.", one+"3")
	if _, err := form(w, one+"fetch"); err == nil {
		t.Error("what is all here can be asked for again")
	}
	for n, kind := range map[string]string{"1": "image/jpeg", "3": "image/png"} {
		w := b.get(one + n)
		if w.Code != http.StatusOK || http.DetectContentType(w.Body.Bytes()) != kind {
			t.Errorf("%s: %d, %s", n, w.Code, w.Header())
		}
		for name, want := range map[string]string{
			"Content-Type": kind, "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
			"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
			"Content-Disposition": fmt.Sprintf(`inline; filename="readback-%d-%s.%s"`, marie, n, map[string]string{"1": "jpg", "3": "png"}[n]),
		} {
			if got := w.Header()[http.CanonicalHeaderKey(name)]; len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q, want %q", n, name, got, want)
			}
		}
	}
	if w := b.get(one + "2"); w.Code != http.StatusNotFound {
		t.Errorf("a contact card: %d", w.Code)
	}

	// Of the other the carrier has nothing; and then it says that it is where nobody goes.
	w = b.press(b.get("/images"), fmt.Sprintf("/images/%d/fetch", other))
	has(t, w, http.StatusBadGateway, "The carrier has nothing of this text", "Marie Tremblay")
	s.err = errors.New("hunter2")
	has(t, b.press(b.get("/images"), fmt.Sprintf("/images/%d/fetch", other)), http.StatusBadGateway, "The carrier could not be asked.")
	s.err, s.media["two"] = nil, []string{"https://127.0.0.1/"}
	b.press(b.get("/images"), fmt.Sprintf("/images/%d/fetch", other))
	w = b.get("/images")
	has(t, w, http.StatusOK, "It is said to be where Readback does not go.", "Try again")
	hasNot(t, w, "127.0.0.1")
	if strings.Contains(h.log.String(), "hunter2") || strings.Contains(h.log.String(), "127.0.0.1") {
		t.Error(h.log)
	}
	b.header.Set("Accept-Language", "fr")
	has(t, b.get("/images"), http.StatusOK, "Images reçues avec des textos", "Réessayer")
}

// Who is not signed in sees none and has none fetched; a form from elsewhere does nothing.
func TestImagesAreTheOwnersAlone(t *testing.T) {
	h, s := withImages(t)
	id := h.receive("one", smsmcp.NumberPeer("+15145550142"), 1)
	s.media["one"], s.held["a"] = []string{"a"}, photo(t)
	path := fmt.Sprintf("/images/%d/", id)
	in := h.browser().signIn()
	list := in.get("/images")
	out := h.browser()
	for _, at := range []string{"/images", "/images/before/1-1", path + "1"} {
		if w := out.get(at); w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/sign-in") {
			t.Errorf("%s: %d", at, w.Code)
		}
	}
	f, err := form(list, path+"fetch")
	if err != nil {
		t.Fatal(err)
	}
	if w := out.post(path+"fetch", f); w.Code != http.StatusSeeOther || s.asked != 0 {
		t.Errorf("nobody's form: %d", w.Code)
	}
	stale := map[string][]string{"csrf": {"x"}}
	if w := in.post(path+"fetch", stale); w.Code != http.StatusForbidden || s.asked != 0 {
		t.Errorf("a form without the token: %d", w.Code)
	}
	if w := in.get(path + "fetch"); w.Code == http.StatusOK || s.asked != 0 {
		t.Errorf("a GET: %d", w.Code)
	}
	r := in.request(path+"fetch", f)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := in.do(r); w.Code != http.StatusForbidden || s.asked != 0 {
		t.Errorf("another site: %d", w.Code)
	}
	for _, bad := range []string{"/images/0/fetch", "/images/99/fetch", "/images/x/fetch", "/images/99999999999999999999/fetch"} {
		if w := in.post(bad, f); w.Code != http.StatusNotFound || s.asked != 0 {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
	f.Set("next", "https://evil.example/")
	if w := in.post(path+"fetch", f); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || s.asked != 1 {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

func TestTheListOfImagesGoesOn(t *testing.T) {
	h, _ := withImages(t)
	for i := range 45 {
		h.now = h.now.Add(time.Minute)
		h.receive(fmt.Sprint("m", i), smsmcp.NumberPeer("+15145550142"), i+1)
	}
	b := h.browser().signIn()
	seen := map[string]bool{}
	at, pages := "/images", 0
	for ; at != "" && pages < 10; pages++ {
		w := b.get(at)
		has(t, w, http.StatusOK)
		body := w.Body.String()
		for i := range 45 {
			if n := fmt.Sprintf("· %d attachment", i+1); strings.Contains(body, n+"s<") || strings.Contains(body, n+"<") {
				if seen[n] {
					t.Errorf("%s twice", n)
				}
				seen[n] = true
			}
		}
		at = ""
		if _, rest, ok := strings.Cut(body, `<a href="/images/before/`); ok {
			at = "/images/before/" + rest[:strings.Index(rest, `"`)]
		}
	}
	if len(seen) != 45 || pages != 3 {
		t.Errorf("%d texts on %d pages", len(seen), pages)
	}
	has(t, b.get("/images/before/nonsense"), http.StatusOK, "45 attachments")
}

func TestWithoutAGalleryThereAreNoImages(t *testing.T) {
	b := build(t).browser().signIn()
	hasNot(t, b.get("/"), "/images")
	if w := b.get("/images"); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}
