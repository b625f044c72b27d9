package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrWAV is what no WAV of 16-bit PCM is.
var ErrWAV = errors.New("not a WAV of 16-bit PCM")

// The rates and channels that a WAV may have, and how much may stand before its sound.
const (
	minRate     = 4000
	maxRate     = 192000
	maxChannels = 2
	maxForeword = 1 << 20
)

// WAV reads a WAV as a stream: its header first, then its sound as it comes. Of two channels, the mean is read.
type WAV struct {
	Rate int

	r        io.Reader
	channels int
	left     uint64 // bytes of sound that the header promises: programs that write to a pipe promise two gigabytes, and end earlier
	buf      []byte
	have     int
}

// NewWAV reads the header.
func NewWAV(r io.Reader) (*WAV, error) {
	var riff [12]byte
	if err := fill(r, riff[:]); err != nil {
		return nil, err
	}
	if string(riff[:4]) != "RIFF" || string(riff[8:]) != "WAVE" {
		return nil, ErrWAV
	}
	w := &WAV{r: r}
	for before := 0; ; {
		var head [8]byte
		if err := fill(r, head[:]); err != nil {
			return nil, err
		}
		size := binary.LittleEndian.Uint32(head[4:])
		if string(head[:4]) == "data" {
			if w.channels == 0 {
				return nil, ErrWAV
			}
			w.left = uint64(size)
			return w, nil
		}
		padded := int64(size) + int64(size&1)
		if before += 8 + int(min(padded, maxForeword)); before > maxForeword {
			return nil, ErrWAV
		}
		if string(head[:4]) == "fmt " {
			if err := w.format(r, size); err != nil {
				return nil, err
			}
			padded -= 16
		}
		if _, err := io.CopyN(io.Discard, r, padded); err != nil {
			return nil, broken(err)
		}
	}
}

// format reads the first 16 bytes of the chunk that says what the sound is like.
func (w *WAV) format(r io.Reader, size uint32) error {
	var f [16]byte
	if size < 16 || w.channels != 0 {
		return ErrWAV
	}
	if err := fill(r, f[:]); err != nil {
		return err
	}
	kind, channels, rate, bits := binary.LittleEndian.Uint16(f[:]), binary.LittleEndian.Uint16(f[2:]), binary.LittleEndian.Uint32(f[4:]), binary.LittleEndian.Uint16(f[14:])
	if kind != 1 || bits != 16 || channels < 1 || channels > maxChannels || rate < minRate || rate > maxRate {
		return ErrWAV
	}
	w.Rate, w.channels = int(rate), int(channels)
	return nil
}

// Read gives the next samples: as many as have come, one at least. io.EOF is the end of the sound; a sound that ends before its header says so ends like that.
func (w *WAV) Read(pcm []int16) (int, error) {
	if len(pcm) == 0 {
		return 0, nil
	}
	width := 2 * w.channels
	if need := len(pcm) * width; cap(w.buf) < need {
		w.buf = append(make([]byte, 0, need), w.buf[:w.have]...)
	}
	for w.have < width {
		room := w.buf[w.have:min(cap(w.buf), len(pcm)*width)]
		if uint64(len(room)) > w.left {
			room = room[:w.left]
		}
		if len(room) == 0 {
			return 0, io.EOF
		}
		n, err := w.r.Read(room)
		w.have += n
		w.left -= uint64(n)
		if err != nil && w.have < width {
			return 0, err
		}
	}
	n := w.have / width
	b := w.buf[:w.have]
	for i := range n {
		sum := 0
		for c := range w.channels {
			sum += int(int16(binary.LittleEndian.Uint16(b[i*width+2*c:])))
		}
		pcm[i] = int16(sum / w.channels)
	}
	w.have = copy(w.buf[:cap(w.buf)], b[n*width:])
	return n, nil
}

// ReadWAV reads a whole WAV, of so many samples at most.
func ReadWAV(r io.Reader, limit int) (rate int, pcm []int16, err error) {
	w, err := NewWAV(r)
	if err != nil {
		return 0, nil, err
	}
	buf := make([]int16, 4096)
	for {
		n, err := w.Read(buf)
		if len(pcm)+n > limit {
			return 0, nil, fmt.Errorf("%w: longer than %d samples", ErrWAV, limit)
		}
		pcm = append(pcm, buf[:n]...)
		if errors.Is(err, io.EOF) {
			return w.Rate, pcm, nil
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

// WriteWAV writes a WAV of one channel.
func WriteWAV(w io.Writer, rate int, pcm []int16) error {
	b := make([]byte, 0, 44+2*len(pcm))
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(36+2*len(pcm)))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(2*rate))
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*len(pcm)))
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	_, err := w.Write(b)
	return err
}

func fill(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	return broken(err)
}

// broken makes a header that ends too early no WAV; what else fails stays what it is.
func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrWAV
	}
	return err
}
