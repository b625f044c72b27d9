package images

import (
	"encoding/binary"
	"image"
	"image/draw"
)

// shrink gives an image whose sides are no longer than most, each pixel the mean of those it stands for. It needs one row of the source at a time beside what it makes.
func shrink(src image.Image, most int) *image.RGBA {
	from := src.Bounds()
	w, h := from.Dx(), from.Dy()
	tw, th := w, h
	if long := max(w, h); long > most {
		tw, th = max(1, w*most/long), max(1, h*most/long)
	}
	out := image.NewRGBA(image.Rect(0, 0, tw, th))
	if tw == w && th == h {
		draw.Draw(out, out.Rect, src, from.Min, draw.Src)
		return out
	}
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	sums, counts := make([]uint32, 4*tw), make([]uint32, tw)
	for y := range h {
		draw.Draw(row, row.Rect, src, image.Pt(from.Min.X, from.Min.Y+y), draw.Src)
		for x := range w {
			t := x * tw / w
			for i := range 4 {
				sums[4*t+i] += uint32(row.Pix[4*x+i])
			}
			counts[t]++
		}
		if ty := y * th / h; (y+1)*th/h != ty { // the last row of those that make one
			to := out.Pix[ty*out.Stride:]
			for i, s := range sums {
				to[i] = uint8((s + counts[i/4]/2) / counts[i/4]) //nolint:gosec // a mean of bytes is one
			}
			clear(sums)
			clear(counts)
		}
	}
	return out
}

// ground puts white behind what can be seen through.
func ground(m *image.RGBA) {
	for i := 0; i < len(m.Pix); i += 4 {
		rest := 255 - m.Pix[i+3] // colours are multiplied by their own share already
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = m.Pix[i]+rest, m.Pix[i+1]+rest, m.Pix[i+2]+rest, 255
	}
}

// turn stands an image as its camera was held: an orientation of Exif, 1 to 8.
func turn(m *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return m
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	tw, th := w, h
	if orientation >= 5 {
		tw, th = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, tw, th))
	for y := range th {
		for x := range tw {
			sx, sy := x, y
			if orientation >= 5 {
				sx, sy = y, x
			}
			switch orientation {
			case 2, 7, 3, 8: // from the right
				sx = w - 1 - sx
			}
			switch orientation {
			case 3, 4, 6, 7: // from below
				sy = h - 1 - sy
			}
			copy(out.Pix[out.PixOffset(x, y):][:4], m.Pix[m.PixOffset(sx, sy):][:4])
		}
	}
	return out
}

// orientation reads how the camera was held from a JPEG's Exif (CIPA DC-008, 4.6.4 A, tag 0x0112); 1 where it says nothing that can be read.
func orientation(b []byte) int {
	for b = b[min(2, len(b)):]; len(b) > 4 && b[0] == 0xff && b[1] != 0xda; {
		n := 2 + int(binary.BigEndian.Uint16(b[2:]))
		if n > len(b) {
			break
		}
		if seg := b[4:max(4, n)]; b[1] == 0xe1 && len(seg) > 14 && string(seg[:6]) == "Exif\x00\x00" {
			return tagged(seg[6:])
		}
		b = b[n:]
	}
	return 1
}

func tagged(tiff []byte) int {
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == 0x0112 {
			return int(order.Uint16(entries[8:]))
		}
		entries = entries[12:]
	}
	return 1
}
