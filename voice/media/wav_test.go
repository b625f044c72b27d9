package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

func sample(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i*7919 - 3000)
	}
	return out
}

func TestWAVIsReadAsItWasWritten(t *testing.T) {
	pcm := sample(5001)
	var b bytes.Buffer
	if err := WriteWAV(&b, 22050, pcm); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]io.Reader{"whole": bytes.NewReader(b.Bytes()), "byte by byte": iotest.OneByteReader(bytes.NewReader(b.Bytes())), "odd pieces": iotest.HalfReader(bytes.NewReader(b.Bytes()))} {
		rate, got, err := ReadWAV(r, 10000)
		if err != nil || rate != 22050 || !slices.Equal(got, pcm) {
			t.Errorf("%s: rate %d, %d samples, %v", name, rate, len(got), err)
		}
	}
	if _, _, err := ReadWAV(bytes.NewReader(b.Bytes()), 5000); !errors.Is(err, ErrWAV) {
		t.Errorf("one sample more than the limit: %v", err)
	}
}

// a program that writes to a pipe does not know the length yet, and what it writes is heard before its end.
func TestWAVStreams(t *testing.T) {
	var b bytes.Buffer
	pcm := sample(300)
	WriteWAV(&b, 22050, pcm)
	raw := b.Bytes()
	binary.LittleEndian.PutUint32(raw[40:], 0x7ffff000)
	pr, pw := io.Pipe()
	go pw.Write(raw[:44+200])
	w, err := NewWAV(pr)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int16, 400)
	n, err := w.Read(got)
	for n < 100 && err == nil {
		var m int
		m, err = w.Read(got[n:])
		n += m
	}
	if err != nil || n != 100 {
		t.Fatalf("%d samples, %v", n, err)
	}
	go func() { pw.Write(raw[44+200:]); pw.Close() }()
	for {
		m, err := w.Read(got[n:])
		n += m
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got[:n], pcm) {
		t.Errorf("%d samples", n)
	}
}

func TestWAVTwoChannelsAndOtherChunks(t *testing.T) {
	raw := []byte("RIFF\x00\x00\x00\x00WAVELIST\x03\x00\x00\x00abc\x00fmt \x12\x00\x00\x00\x01\x00\x02\x00\x40\x1f\x00\x00\x00\x7d\x00\x00\x04\x00\x10\x00\x00\x00data\x08\x00\x00\x00\x0a\x00\x14\x00\xf6\xff\xec\xffjunk")
	rate, pcm, err := ReadWAV(bytes.NewReader(raw), 10)
	if err != nil || rate != 8000 || !slices.Equal(pcm, []int16{15, -15}) {
		t.Errorf("%d, %v, %v", rate, pcm, err)
	}
}

func TestWAVRefuses(t *testing.T) {
	var good bytes.Buffer
	WriteWAV(&good, 8000, sample(4))
	for name, change := range map[string]func([]byte) []byte{
		"empty":          func([]byte) []byte { return nil },
		"cut in the fmt": func(b []byte) []byte { return b[:30] },
		"not RIFF":       func(b []byte) []byte { b[0] = 'X'; return b },
		"8 bits":         func(b []byte) []byte { b[34] = 8; return b },
		"floats":         func(b []byte) []byte { b[20] = 3; return b },
		"no channel":     func(b []byte) []byte { b[22] = 0; return b },
		"nine channels":  func(b []byte) []byte { b[22] = 9; return b },
		"rate of 0":      func(b []byte) []byte { clear(b[24:28]); return b },
		"data first":     func(b []byte) []byte { return append(b[:12:12], b[36:]...) },
		"endless chunk": func(b []byte) []byte {
			return append(append(b[:12:12], "junk\xff\xff\xff\xff"...), make([]byte, 2<<20)...)
		},
	} {
		if _, _, err := ReadWAV(bytes.NewReader(change(bytes.Clone(good.Bytes()))), 1000); !errors.Is(err, ErrWAV) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// what stands before the sound is bounded, however long it says it is.
func TestWAVWithoutEndIsGivenUp(t *testing.T) {
	endless := &counted{r: io.MultiReader(bytes.NewReader([]byte("RIFF\x00\x00\x00\x00WAVE")), zeros{})}
	if _, err := NewWAV(endless); !errors.Is(err, ErrWAV) && err != nil || endless.n > 2<<20 {
		t.Errorf("chunks of nothing: %v after %d bytes", err, endless.n)
	}
	endless = &counted{r: io.MultiReader(bytes.NewReader([]byte("RIFF\x00\x00\x00\x00WAVEjunk\xff\xff\xff\xff")), zeros{})}
	if _, err := NewWAV(endless); !errors.Is(err, ErrWAV) || endless.n > 2<<20 {
		t.Errorf("a long chunk: %v after %d bytes", err, endless.n)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// counted ends after 8 MB, so that a test of what reads on for ever ends too.
type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	if c.n > 8<<20 {
		return 0, io.EOF
	}
	n, err := c.r.Read(b)
	c.n += n
	return n, err
}

func FuzzWAV(f *testing.F) {
	var good bytes.Buffer
	WriteWAV(&good, 16000, sample(20))
	f.Add(good.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		rate, pcm, err := ReadWAV(bytes.NewReader(b), 1000)
		if err == nil && (rate < minRate || rate > maxRate || len(pcm) > 1000 || 2*len(pcm) > len(b)) {
			t.Errorf("%d samples of rate %d from %d bytes", len(pcm), rate, len(b))
		}
		if err != nil && !errors.Is(err, ErrWAV) {
			t.Errorf("%v", err)
		}
	})
}
