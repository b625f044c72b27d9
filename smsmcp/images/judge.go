package images

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/webp"
)

// Bounds of an image that is decoded. A photograph of 12 megapixels, 4000 by 3000, is within them. What a decoder needs at most is 15 bytes for a pixel (a JPEG that
// comes in passes): about 250 MB, one at a time.
const (
	mostPixels = 1 << 24 // 16 megapixels
	mostInks   = 1 << 22 // of four inks (CMYK), which need twice as much
	mostSide   = 1 << 14
	decodeFor  = 10 * time.Second // a JPEG's scans can be many for its bytes
)

// What is kept of an image.
const (
	keptSide = 2048    // pixels of the longer side
	mostPNG  = 2 << 20 // bytes; a larger one is kept as a JPEG
	quality  = 88
)

// Why something is not shown. Each is a code.
const (
	tooLarge = "too_large" // in pixels
	broken   = "broken"
	slow     = "slow" // to decode
)

// picture is an image as it is kept: made by our own encoder, so that nothing is in it but pixels.
type picture struct {
	bytes         []byte
	kind          string // "png" or "jpeg"
	width, height int
}

// format is a kind of image that can be decoded.
type format struct {
	kind   string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// The formats by what their content begins with, as net/http reads it off (MIME Sniffing, 6.1). What a server or a name says of the content counts for nothing.
var formats = map[string]format{
	"image/jpeg": {"jpeg", jpeg.DecodeConfig, jpeg.Decode},
	"image/png":  {"png", png.DecodeConfig, png.Decode},
	"image/gif":  {"gif", gif.DecodeConfig, gif.Decode}, // of more than one picture the first
	"image/webp": {"webp", webp.DecodeConfig, webp.Decode},
}

// stills are the brands of still images in the container of videos (ISO/IEC 23008-12); no decoder is here for them.
var stills = []string{"HEIC", "HEIX", "HEIF", "MIF1", "MSF1", "AVIF"}

// class says what content is that is no image: one of the codes that the page has words for.
func class(b []byte) string {
	head := strings.ToUpper(string(b[:min(len(b), 64)]))
	kind := http.DetectContentType(b)
	switch {
	case strings.HasPrefix(strings.TrimLeft(head, "\ufeff \r\n\t"), "BEGIN:VCARD"):
		return "vcard"
	case strings.HasPrefix(head, "#!AMR"), strings.HasPrefix(kind, "audio/"), kind == "application/ogg":
		return "sound"
	case len(head) >= 12 && head[4:8] == "FTYP" && slices.Contains(stills, head[8:12]):
		return "other"
	case strings.HasPrefix(kind, "video/"), len(head) >= 12 && head[4:8] == "FTYP":
		return "video"
	case strings.HasPrefix(kind, "text/"):
		return "text"
	}
	return "other"
}

// refusal says why an image is not shown.
type refusal string

func (r refusal) Error() string { return "images: " + string(r) }

// judge makes of content what is kept of it. ctx bounds the decoding. Its error is a refusal.
func judge(ctx context.Context, f format, b []byte) (p picture, err error) {
	defer func() {
		if recover() != nil { // a decoder that meets what it does not know
			p, err = picture{}, refusal(broken)
		}
	}()
	c, err := f.config(bytes.NewReader(b))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return p, refusal(broken)
	}
	most := mostPixels
	if c.ColorModel == color.CMYKModel {
		most = mostInks
	}
	if c.Width > mostSide || c.Height > mostSide || c.Width*c.Height > most {
		return p, refusal(tooLarge)
	}
	m, err := f.decode(&timed{ctx, bytes.NewReader(b)})
	switch {
	case ctx.Err() != nil:
		return p, refusal(slow)
	case err != nil || m.Bounds().Empty() || m.Bounds().Dx() > c.Width || m.Bounds().Dy() > c.Height:
		return p, refusal(broken)
	}
	small := shrink(m, keptSide)
	if f.kind == "jpeg" {
		small = turn(small, orientation(b))
	}
	return encode(small, f.kind == "jpeg", mostPNG)
}

// timed is content that ends in an error when its time is over: decoders know no context, and read on. It comes in small pieces: of a JPEG in passes a few bytes stand for
// going through all pixels once more.
type timed struct {
	ctx context.Context
	r   *bytes.Reader
}

func (t *timed) Read(p []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.r.Read(p[:min(len(p), 512)])
}

var errTooLong = errors.New("longer than it may be")

// encode writes an image in one of two formats, neither of which can hold anything that is not in the pixels; a PNG of at most so many bytes.
func encode(m *image.RGBA, photo bool, most int) (picture, error) {
	p := picture{width: m.Rect.Dx(), height: m.Rect.Dy()}
	var out bytes.Buffer
	if !photo || !m.Opaque() {
		p.kind = "png"
		err := png.Encode(&limited{&out, most}, m)
		if err == nil {
			p.bytes = out.Bytes()
			return p, nil
		}
		if !errors.Is(err, errTooLong) {
			return picture{}, refusal(broken)
		}
		out.Reset()
		ground(m)
	}
	p.kind = "jpeg"
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		return picture{}, refusal(broken)
	}
	p.bytes = out.Bytes()
	return p, nil
}

// limited takes so many bytes.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errTooLong
	}
	return l.w.Write(p)
}
