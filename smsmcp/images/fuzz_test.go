package images

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// Whatever comes is refused by a code, or is kept as a small image of ours that holds nothing but pixels, and stays what it is if it is judged again.
func FuzzImage(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) < 10 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(webpOf(riffChunk("VP8L", oneColour(30, 20))))
	f.Add(webpOf(vp8x(30, 20, 0x10), riffChunk("ALPH", append([]byte{1}, oneColour(30, 20)[5:]...)), riffChunk("VP8 ", file(f, "lossy.webp")[20:])))
	f.Add(bigPNG(40, 30, 16, 6, 30))
	f.Add(withExif(file(f, "plain.jpg"), binary.BigEndian, 6))
	f.Add(scans(f, 64, 48, 3))
	f.Add([]byte("BEGIN:VCARD"))
	f.Fuzz(func(t *testing.T, b []byte) {
		format, ok := formats[http.DetectContentType(b)]
		if !ok {
			switch class(b) {
			case "vcard", "sound", "video", "text", "other":
			default:
				t.Fatalf("class %q", class(b))
			}
			return
		}
		c, err := format.config(bytes.NewReader(b))
		if err == nil && c.Width*c.Height > 1<<18 && c.Width*c.Height <= mostPixels {
			return // it is as another, and slow
		}
		p, err := judge(t.Context(), format, b)
		if err != nil {
			if !errors.Is(err, refusal(tooLarge)) && !errors.Is(err, refusal(broken)) && !errors.Is(err, refusal(slow)) {
				t.Fatal(err)
			}
			return
		}
		if len(p.bytes) == 0 || len(p.bytes) > Most || http.DetectContentType(p.bytes) != types[p.kind] {
			t.Fatalf("%d bytes, %q", len(p.bytes), p.kind)
		}
		m := decoded(t, p)
		if m.Bounds().Empty() || m.Bounds().Dx() > keptSide || m.Bounds().Dy() > keptSide {
			t.Fatal(m.Bounds())
		}
		again, err := judge(t.Context(), formats[types[p.kind]], p.bytes)
		if err != nil || again.kind != p.kind || again.width != p.width || again.height != p.height {
			t.Fatalf("again: %v, %+v", err, again)
		}
	})
}
