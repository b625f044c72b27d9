package wyoming

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Bounds of one event that comes. Nothing is allocated for what is announced: memory grows with what has arrived.
const (
	maxLine    = 1 << 20  // the header with its line break; a server may put all of its info there
	maxData    = 4 << 20  // a server that lists every voice of Piper needs a third of a megabyte
	maxPayload = 64 << 20 // of sound, which is read in pieces; what is no sound is skipped
	maxEvents  = 100_000  // on one connection
)

// header is the line that begins an event. data may stand in it, behind it, or both: what stands behind is merged over it.
type header struct {
	Type    string          `json:"type"`
	Data    json.RawMessage `json:"data,omitempty"`
	Length  *int64          `json:"data_length,omitempty"`
	Payload *int64          `json:"payload_length,omitempty"`
}

// event is one that came. Its payload is still to be read.
type event struct {
	kind    string
	data    [2]json.RawMessage // of the header, and behind it; empty where there is none
	payload int64              // bytes
}

// into reads the data into v, what stood behind the header over what stood in it.
func (e event) into(v any) error {
	for _, d := range e.data {
		if len(d) > 0 && json.Unmarshal(d, v) != nil {
			return ErrBroken
		}
	}
	return nil
}

// reader reads events.
type reader struct {
	r      *bufio.Reader
	left   int64 // of the payload of the event that was given last
	events int
}

func newReader(r io.Reader) *reader { return &reader{r: bufio.NewReaderSize(r, 16<<10)} }

// next gives the next event. What was not read of the payload before is skipped.
func (r *reader) next() (event, error) {
	if err := r.skip(); err != nil {
		return event{}, err
	}
	if r.events++; r.events > maxEvents {
		return event{}, ErrBroken
	}
	line, err := r.line()
	if err != nil {
		return event{}, err
	}
	var h header
	if json.Unmarshal(line, &h) != nil || h.Type == "" {
		return event{}, ErrBroken
	}
	e := event{kind: h.Type}
	e.data[0] = h.Data
	if h.Payload != nil {
		e.payload = *h.Payload
	}
	if e.payload < 0 || e.payload > maxPayload {
		return event{}, ErrBroken
	}
	if h.Length != nil && *h.Length != 0 {
		if *h.Length < 0 || *h.Length > maxData {
			return event{}, ErrBroken
		}
		var b bytes.Buffer
		if _, err := io.CopyN(&b, r.r, *h.Length); err != nil {
			return event{}, gone(err)
		}
		e.data[1] = b.Bytes()
	}
	r.left = e.payload
	return e, nil
}

// line reads to the line break. The end of the stream is ErrGone.
func (r *reader) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := r.r.ReadSlice('\n')
		if len(whole)+len(part) > maxLine {
			return nil, ErrBroken
		}
		whole = append(whole, part...)
		switch {
		case err == nil:
			return whole, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, gone(err)
		}
	}
}

// read fills b with the payload, as far as it goes.
func (r *reader) read(b []byte) (int, error) {
	n, err := io.ReadFull(r.r, b[:min(int64(len(b)), r.left)])
	r.left -= int64(n)
	if err != nil {
		return n, gone(err)
	}
	return n, nil
}

func (r *reader) skip() error {
	_, err := io.CopyN(io.Discard, r.r, r.left)
	r.left = 0
	if err != nil {
		return gone(err)
	}
	return nil
}

// gone is what a stream that ended, or failed, is called. Why is in nobody's error: it holds addresses.
func gone(error) error { return ErrGone }

// encode makes the bytes of an event. The data stand behind the header, as all servers read them.
func encode(kind string, data any, payload []byte) ([]byte, error) {
	d, err := json.Marshal(data)
	if err != nil {
		return nil, ErrBroken
	}
	length := int64(len(d))
	h := header{Type: kind, Length: &length}
	if n := int64(len(payload)); n > 0 {
		h.Payload = &n
	}
	out, err := json.Marshal(h)
	if err != nil {
		return nil, ErrBroken
	}
	out = append(out, '\n')
	return append(append(out, d...), payload...), nil
}

// sound is the data of audio-start and audio-chunk.
type sound struct {
	Rate     int `json:"rate"`
	Width    int `json:"width"` // bytes a sample
	Channels int `json:"channels"`
}
