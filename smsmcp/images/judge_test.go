package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// look judges content as a fetch does.
func look(ctx context.Context, b []byte) (picture, error) {
	f, ok := formats[http.DetectContentType(b)]
	if !ok {
		return picture{}, refusal("no image: " + class(b))
	}
	return judge(ctx, f, b)
}

// decoded reads what is kept.
func decoded(t testing.TB, p picture) image.Image {
	t.Helper()
	decode := map[string]func(b []byte) (image.Image, error){
		"png":  func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
		"jpeg": func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
	}[p.kind]
	if decode == nil {
		t.Fatalf("it is kept as %q", p.kind)
	}
	m, err := decode(p.bytes)
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounds().Dx() != p.width || m.Bounds().Dy() != p.height {
		t.Fatalf("%v is said to be %d by %d", m.Bounds(), p.width, p.height)
	}
	return m
}

// quarters says which of the four colours of the test image stand in its corners, from the upper left, row by row; "?" for another.
func quarters(m image.Image) string {
	var out strings.Builder
	b := m.Bounds()
	for _, at := range [][2]int{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		r, g, bl, _ := m.At(b.Min.X+b.Dx()*at[0]/4, b.Min.Y+b.Dy()*at[1]/4).RGBA()
		name := "?"
		for n, c := range map[string]color.RGBA{"r": {0xe0, 0x20, 0x20, 255}, "g": {0x20, 0xc0, 0x20, 255}, "b": {0x20, 0x20, 0xe0, 255}, "w": {255, 255, 255, 255}} {
			off := 0
			for _, d := range [][2]int{{int(r >> 8), int(c.R)}, {int(g >> 8), int(c.G)}, {int(bl >> 8), int(c.B)}} {
				off = max(off, max(d[0]-d[1], d[1]-d[0]))
			}
			if off < 40 {
				name = n
			}
		}
		out.WriteString(name)
	}
	return out.String()
}

func TestFormats(t *testing.T) {
	for name, want := range map[string]string{
		"plain.jpg": "jpeg", "progressive.jpg": "jpeg", "cmyk.jpg": "jpeg", "plain.png": "png", "deep.png": "png", "gray.png": "png", "lossy.webp": "png", "lossless.webp": "png",
		"alpha.webp": "png", "animated.gif": "png",
	} {
		p, err := look(t.Context(), file(t, name))
		if err != nil || p.kind != want || p.width != 64 || p.height != 48 {
			t.Errorf("%s: %v, a %s of %d by %d", name, err, p.kind, p.width, p.height)
			continue
		}
		m := decoded(t, p)
		if _, _, _, a := m.At(8, 8).RGBA(); (a < 0xff00) != (name == "alpha.webp") {
			t.Errorf("%s: alpha %x", name, a)
		}
		if got := quarters(m); got != "rgbw" && name != "gray.png" && name != "alpha.webp" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, err := look(t.Context(), file(t, "animated.webp")); !errors.Is(err, refusal(broken)) {
		t.Errorf("an animated WebP: %v", err)
	}
}

func TestClasses(t *testing.T) {
	for b, want := range map[string]string{
		"BEGIN:VCARD\r\nVERSION:2.1\r\n":                   "vcard",
		"\ufeff\r\nbegin:vcard\n":                          "vcard",
		"#!AMR\n\x00\x01":                                  "sound",
		"ID3\x03\x00\x00\x00\x00\x00\x00":                  "sound",
		"RIFF\x24\x00\x00\x00WAVEfmt ":                     "sound",
		"OggS\x00\x02":                                     "sound",
		"\x00\x00\x00\x18ftyp3gp4\x00\x00\x00\x003gp4":     "video",
		"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom": "video",
		"\x1aE\xdf\xa3":                                    "video",
		"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1":     "other",
		"<smil><body/></smil>":                             "text",
		"<svg xmlns='http://www.w3.org/2000/svg'/>":        "text",
		"<!DOCTYPE html><script>alert(1)</script>":         "text",
		"GIF8":             "text",
		"%PDF-1.7\n":       "other",
		"PK\x03\x04":       "other",
		"BM\x00\x00":       "other",
		"\x00\x01\x02\x03": "other",
	} {
		if _, err := look(t.Context(), []byte(b)); !errors.Is(err, refusal("no image: "+want)) {
			t.Errorf("%q: %v, want %s", b, err, want)
		}
	}
	if _, err := look(t.Context(), nil); err == nil {
		t.Error("nothing is an image")
	}
}

// withExif puts an Exif segment into a JPEG, with an orientation, a place and words.
func withExif(jpg []byte, order binary.ByteOrder, orientation uint16) []byte {
	mark := "MM\x00*"
	if order == binary.LittleEndian {
		mark = "II*\x00"
	}
	tiff := []byte(mark)
	put := func(v any) { tiff, _ = binary.Append(tiff, order, v) }
	put(uint32(8))
	put(uint16(2))
	put([]uint16{0x010e, 2}) // a description
	put(uint32(20))
	put(uint32(38))
	put([]uint16{0x0112, 3}) // the orientation
	put(uint32(1))
	put([]uint16{orientation, 0})
	put(uint32(0))
	tiff = append(tiff, "GPS 45.5017 N 73.5673 W"...)
	seg := append([]byte("Exif\x00\x00"), tiff...)
	out := []byte{0xff, 0xd8, 0xff, 0xe0, 0, 4, 'x', 'y', 0xff, 0xe1, 0, byte(len(seg) + 2)}
	return append(append(out, seg...), jpg[2:]...)
}

func TestAPhotographStandsAsItsCameraWasHeld(t *testing.T) {
	plain := file(t, "plain.jpg")
	for i, want := range []string{0: "rgbw", 1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb", 9: "rgbw"} {
		for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
			p, err := look(t.Context(), withExif(plain, order, uint16(i)))
			if err != nil {
				t.Errorf("%d: %v", i, err)
				continue
			}
			if got := quarters(decoded(t, p)); got != want || (p.width < p.height) != (i >= 5 && i <= 8) {
				t.Errorf("%d: %s, want %s; %d by %d", i, got, want, p.width, p.height)
			}
		}
	}
}

func TestBrokenExif(t *testing.T) {
	whole := withExif(file(t, "plain.jpg"), binary.BigEndian, 6)
	if orientation(whole) != 6 {
		t.Fatal(orientation(whole))
	}
	for n := range len(whole) {
		for _, with := range []byte{0, 0xff} {
			b := bytes.Clone(whole)
			b[n] = with
			orientation(b)
			orientation(b[:n])
		}
	}
}

// Nothing of a photograph but its pixels is kept.
func TestMetadata(t *testing.T) {
	for name, b := range map[string][]byte{
		"a JPEG's Exif":    withExif(file(t, "plain.jpg"), binary.BigEndian, 1),
		"a JPEG's comment": bytes.Replace(file(t, "plain.jpg"), []byte{0xff, 0xd8}, []byte("\xff\xd8\xff\xfe\x00\x05GPS"), 1),
		"a PNG's text":     pngWith("tEXt", []byte("Comment\x00GPS 45"), file(t, "plain.png")),
		"a PNG's Exif":     pngWith("eXIf", []byte("MM\x00*\x00\x00\x00\x08GPS"), file(t, "plain.png")),
	} {
		if !bytes.Contains(b, []byte("GPS")) {
			t.Fatal(name)
		}
		p, err := look(t.Context(), b)
		if err != nil || bytes.Contains(p.bytes, []byte("GPS")) || quarters(decoded(t, p)) != "rgbw" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestShrinking(t *testing.T) {
	src := image.NewNRGBA(image.Rect(3, 5, 3+5000, 5+120))
	for y := range 120 {
		for x := range 5000 {
			c := color.NRGBA{200, 100, 0, 255}
			if x%2 == 0 {
				c = color.NRGBA{0, 100, 200, 255}
			}
			src.SetNRGBA(3+x, 5+y, c)
		}
	}
	m := shrink(src, 1000)
	if m.Rect != image.Rect(0, 0, 1000, 24) {
		t.Fatal(m.Rect)
	}
	for _, at := range []image.Point{{0, 0}, {999, 23}, {500, 12}} {
		if c := m.RGBAAt(at.X, at.Y); c.R < 70 || c.R > 130 || c.G != 100 || c.B < 70 || c.B > 130 || c.A != 255 {
			t.Errorf("%v: %v is no mean", at, c)
		}
	}
	for _, r := range []image.Rectangle{{Max: image.Pt(16384, 1)}, {Max: image.Pt(1, 16384)}, {Max: image.Pt(2049, 20)}} {
		if m := shrink(image.NewGray(r), keptSide); max(m.Rect.Dx(), m.Rect.Dy()) != keptSide || m.Rect.Empty() {
			t.Errorf("%v becomes %v", r, m.Rect)
		}
	}
	if m := shrink(image.NewGray(image.Rect(0, 0, 2048, 7)), keptSide); m.Rect.Dx() != 2048 || m.Rect.Dy() != 7 {
		t.Errorf("what is small enough becomes %v", m.Rect)
	}
}

// A PNG that would be too long is kept as a JPEG, on white where it can be seen through.
func TestALongPNG(t *testing.T) {
	src := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	seed := uint32(1)
	for i := 4 * 100 * 50; i < len(src.Pix); i++ {
		seed = seed*1664525 + 1013904223
		src.Pix[i] = byte(seed >> 24)
	}
	p, err := encode(shrink(src, keptSide), false, 50_000)
	if err != nil || p.kind != "png" {
		t.Fatal(err, p.kind, len(p.bytes))
	}
	p, err = encode(shrink(src, keptSide), false, len(p.bytes)-1)
	if err != nil || p.kind != "jpeg" {
		t.Fatal(err, p.kind, len(p.bytes))
	}
	if r, g, bl, _ := decoded(t, p).At(20, 20).RGBA(); min(r, g, bl) < 0xf000 {
		t.Errorf("behind it is %x %x %x", r, g, bl)
	}
}
