package images

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"runtime"
	"strings"
	"testing"
	"time"
)

func pngChunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

const pngHead = "\x89PNG\r\n\x1a\n"

// pngWith puts a chunk behind a PNG's header.
func pngWith(kind string, data, whole []byte) []byte {
	const header = len(pngHead) + 25
	return append(append(bytes.Clone(whole[:header]), pngChunk(kind, data)...), whole[header:]...)
}

// bigPNG is a PNG of one colour, of so many bits a sample, that is tiny for its pixels.
func bigPNG(w, h uint32, bits, colour byte, rows int) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	head = append(head, bits, colour, 0, 0, 0)
	samples := map[byte]int{0: 1, 2: 3, 6: 4}[colour]
	var z bytes.Buffer
	zw, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	if rows > 0 {
		row := make([]byte, 1+(int(w)*samples*int(bits)+7)/8)
		for range rows {
			_, _ = zw.Write(row)
		}
	}
	_ = zw.Close()
	out := append([]byte(pngHead), pngChunk("IHDR", head)...)
	out = append(out, pngChunk("IDAT", z.Bytes())...)
	return append(out, pngChunk("IEND", nil)...)
}

// webpOf is a WebP of chunks.
func webpOf(chunks ...[]byte) []byte {
	body := []byte("WEBP")
	for _, c := range chunks {
		body = append(body, c...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func riffChunk(kind string, data []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(data))), data...)
	if len(data)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

// bits writes numbers of so many bits, the lowest first.
type bits struct {
	out []byte
	n   uint
}

func (b *bits) put(v uint32, n uint) *bits {
	for i := range n {
		if b.n%8 == 0 {
			b.out = append(b.out, 0)
		}
		b.out[len(b.out)-1] |= byte(v>>i&1) << (b.n % 8)
		b.n++
	}
	return b
}

// oneColour is a lossless WebP's data of one colour: five codes of one symbol each, which take no bit for a pixel, however many there are.
func oneColour(w, h uint32) []byte {
	b := (&bits{}).put(0x2f, 8).put(w-1, 14).put(h-1, 14).put(0, 1).put(0, 3).put(0, 1).put(0, 1).put(0, 1)
	for _, symbol := range []uint32{0x80, 0x40, 0xc0, 0xff, 0} {
		b.put(1, 1).put(0, 1).put(1, 1).put(symbol, 8)
	}
	return b.put(0, 32).out
}

func vp8x(w, h uint32, flags byte) []byte {
	b := []byte{flags, 0, 0, 0}
	for _, v := range []uint32{w - 1, h - 1} {
		b = append(b, byte(v), byte(v>>8), byte(v>>16))
	}
	return riffChunk("VP8X", b)
}

// resized says in a JPEG's header that it is of another size.
func resized(t testing.TB, jpg []byte, w, h uint16) []byte {
	t.Helper()
	for _, sof := range []string{"\xff\xc0", "\xff\xc2"} {
		if at := bytes.Index(jpg, []byte(sof)); at > 0 {
			out := bytes.Clone(jpg)
			binary.BigEndian.PutUint16(out[at+5:], h)
			binary.BigEndian.PutUint16(out[at+7:], w)
			return out
		}
	}
	t.Fatal("no frame")
	return nil
}

func gifOf(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &gif.GIF{
		Image: []*image.Paletted{image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})}, Delay: []int{0},
		Config: image.Config{Width: w, Height: h, ColorModel: color.Palette{color.Black, color.White}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// spent is how much memory was asked for, in all.
func spent(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What says that it is too large is refused before it is decoded, in whatever format, and whatever else of it says otherwise.
func TestBombs(t *testing.T) {
	plain := file(t, "plain.jpg")
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"a PNG of 4 gigapixels":                 {bigPNG(1<<16-1, 1<<16-1, 1, 0, 10), tooLarge},
		"a PNG of 2^31 by 1":                    {bigPNG(1<<31-1, 1, 1, 0, 0), tooLarge},
		"a PNG just too large":                  {bigPNG(4097, 4096, 1, 0, 1), tooLarge},
		"a PNG too long":                        {bigPNG(mostSide+1, 1, 1, 0, 1), tooLarge},
		"a PNG too high":                        {bigPNG(1, mostSide+1, 1, 0, 1), tooLarge},
		"a PNG without a row":                   {bigPNG(100, 100, 8, 2, 0), broken},
		"a PNG with rows more":                  {bigPNG(10, 10, 8, 2, 20_000), broken},
		"a PNG of no size":                      {bigPNG(0, 10, 8, 2, 10), broken},
		"a PNG with two headers":                {pngWith("IHDR", append(bytes.Clone(bigPNG(9000, 9000, 8, 2, 0)[16:24]), 8, 2, 0, 0, 0), bigPNG(1, 1, 8, 2, 1)), broken},
		"a JPEG of 4 gigapixels":                {resized(t, plain, 1<<16-1, 1<<16-1), tooLarge},
		"a JPEG in passes of 4 gigapixels":      {resized(t, file(t, "progressive.jpg"), 1<<16-1, 1<<16-1), tooLarge},
		"a JPEG of four inks, 9 megapixels":     {resized(t, file(t, "cmyk.jpg"), 3000, 3000), tooLarge},
		"a JPEG with a second, larger frame":    {append(bytes.Clone(plain[:len(plain)-2]), resized(t, plain, 60000, 60000)[2:]...), broken},
		"a GIF of 4 gigapixels":                 {gifOf(t, 1<<16-1, 1<<16-1), tooLarge},
		"a WebP of 16383 by 16383":              {webpOf(riffChunk("VP8L", oneColour(16383, 16383))), tooLarge},
		"a WebP that hides how large it is":     {webpOf(vp8x(1, 1, 0), riffChunk("VP8L", oneColour(16383, 16383))), broken},
		"a WebP that hides it behind no header": {webpOf(riffChunk("VP8 ", make([]byte, 10)), riffChunk("VP8L", oneColour(16383, 16383))), broken},
		"a WebP with a large mask":              {webpOf(vp8x(16384, 16384, 0x10), riffChunk("ALPH", []byte{0})), tooLarge},
		"a WebP with a mask and no image":       {webpOf(vp8x(200, 200, 0x10), riffChunk("ALPH", append([]byte{1}, oneColour(200, 200)[5:]...))), broken},
	} {
		var err error
		took := spent(func() { _, err = look(t.Context(), c.b) })
		if !errors.Is(err, refusal(c.want)) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if most := uint64(4 << 20); c.want == tooLarge && took > most {
			t.Errorf("%s: took %d MB", name, took>>20)
		}
		if took > 300<<20 {
			t.Errorf("%s: took %d MB", name, took>>20)
		}
	}
}

// What is decoded costs no more than is said in the package for each pixel, and as much again for a row and what is made of it.
func TestWhatAPixelCosts(t *testing.T) {
	const side = 600
	for name, b := range map[string][]byte{
		"png, 16 bits a sample": bigPNG(side, side, 16, 6, side),
		"jpeg in passes":        scans(t, side, side, 1),
		"webp, lossless":        webpOf(riffChunk("VP8L", oneColour(side, side))),
	} {
		var p picture
		var err error
		took := spent(func() { p, err = look(t.Context(), b) })
		if err != nil || p.width != side || p.height != side {
			t.Errorf("%s: %v, %d by %d", name, err, p.width, p.height)
		}
		if each := took / (side * side); each > 15+4+4 {
			t.Errorf("%s: %d bytes a pixel, of %d bytes", name, each, len(b))
		}
	}
}

// scans is a JPEG in passes that has so many of them: each is a few bytes, and all pixels to go through.
func scans(t testing.TB, w, h uint16, n int) []byte {
	t.Helper()
	whole := resized(t, file(t, "progressive.jpg"), w, h)
	at := bytes.Index(whole, []byte{0xff, 0xda})
	if at < 0 {
		t.Fatal("no scan")
	}
	out := bytes.Clone(whole[:at])
	// A code of one bit, 0, for the symbol 0xe0: a run of 2^14 blocks and up to 2^14-1 more, of which nothing is to be read.
	out = append(out, 0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)
	blocks := (int(w) + 7) / 8 * ((int(h) + 7) / 8)
	var data []byte
	var acc, have uint
	for range (blocks + 1<<15 - 2) / (1<<15 - 1) {
		acc, have = acc<<15|(1<<14-1), have+15 // the code, and 14 bits
		for have >= 8 {
			have -= 8
			if b := byte(acc >> have); b == 0xff {
				data = append(data, b, 0)
			} else {
				data = append(data, b)
			}
		}
	}
	data = append(data, byte(acc<<(8-have)))
	scan := append([]byte{0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0}, data...)
	for range n {
		out = append(out, scan...)
	}
	return append(out, 0xff, 0xd9)
}

// A JPEG of many scans is small for the time that it takes: it is given up.
func TestAJPEGOfManyScans(t *testing.T) {
	if _, err := look(t.Context(), scans(t, 64, 48, 1)); err != nil {
		t.Fatalf("one scan: %v", err)
	}
	b := scans(t, 4096, 4096, 150_000)
	if len(b) > Most {
		t.Fatal(len(b))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := look(ctx, b); !errors.Is(err, refusal(slow)) {
		t.Errorf("%v", err)
	}
}

// What is two things at once is one afterwards: nothing but pixels is kept.
func TestPolyglots(t *testing.T) {
	const mark = "<script>alert(document.domain)</script>"
	zip := "PK\x03\x04" + mark + "PK\x05\x06" + strings.Repeat("\x00", 18)
	for name, b := range map[string][]byte{
		"a JPEG and an archive":      append(file(t, "plain.jpg"), zip...),
		"a JPEG with a page inside":  bytes.Replace(file(t, "plain.jpg"), []byte{0xff, 0xd8}, append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, byte(2 + len(mark))}, mark...), 1),
		"a PNG and an archive":       append(file(t, "plain.png"), zip...),
		"a PNG with a page inside":   pngWith("tEXt", []byte(mark), file(t, "plain.png")),
		"a PNG with a profile":       pngWith("zzZz", []byte("%PDF-1.7\n"+mark), file(t, "plain.png")),
		"a GIF and an archive":       append(file(t, "animated.gif"), zip...),
		"a GIF with a page inside":   gifWith(file(t, "animated.gif"), mark),
		"a WebP and an archive":      append(file(t, "lossy.webp"), zip...),
		"a WebP with a page inside":  webpOf(file(t, "lossy.webp")[12:], riffChunk("XMP ", []byte(mark))),
		"a JPEG that is a PDF, too":  bytes.Replace(file(t, "plain.jpg"), []byte{0xff, 0xd8}, []byte("\xff\xd8\xff\xfe\x00\x4d%PDF-1.7\n"+mark+strings.Repeat(" ", 27)), 1),
		"a PNG whose pixels say it":  pixelsSay(t, mark),
		"a JPEG with scripts behind": append(file(t, "plain.jpg"), "\n*/=1;alert(1)//"+mark...),
	} {
		if !bytes.Contains(b, []byte("script")) && name != "a PNG whose pixels say it" {
			t.Fatal(name)
		}
		p, err := look(t.Context(), b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		decoded(t, p)
		for _, s := range []string{"script", "PK\x03\x04", "%PDF", "alert"} {
			if bytes.Contains(p.bytes, []byte(s)) {
				t.Errorf("%s: %q is kept", name, s)
			}
		}
		if end := map[string]string{"png": "IEND\xaeB`\x82", "jpeg": "\xff\xd9"}[p.kind]; !bytes.HasSuffix(p.bytes, []byte(end)) {
			t.Errorf("%s: something stands behind its end", name)
		}
	}
}

// gifWith puts a comment into a GIF, behind its colours.
func gifWith(whole []byte, words string) []byte {
	at := 13
	if whole[10]&0x80 != 0 {
		at += 3 << (whole[10]&7 + 1)
	}
	out := append(bytes.Clone(whole[:at]), 0x21, 0xfe, byte(len(words)))
	return append(append(append(out, words...), 0), whole[at:]...)
}

// pixelsSay is a PNG, stored without compression, whose pixels are words.
func pixelsSay(t *testing.T, words string) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, len(words), 1))
	copy(m.Pix, words)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte(words)) {
		t.Fatal("the words are not to be read")
	}
	return b.Bytes()
}
