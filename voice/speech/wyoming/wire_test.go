package wyoming

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
)

// heard is an event as a test compares it.
type heard struct {
	kind, text, payload string
}

// all reads a whole stream.
func all(r io.Reader) (out []heard, err error) {
	in := newReader(r)
	for {
		e, err := in.next()
		if err != nil {
			return out, err
		}
		h := heard{kind: e.kind}
		var d struct{ Text string }
		if err := e.into(&d); err != nil {
			return out, err
		}
		h.text = d.Text
		b := make([]byte, min(e.payload, 1<<20))
		n, err := in.read(b)
		if h.payload = string(b[:n]); err != nil {
			return append(out, h), err
		}
		out = append(out, h)
	}
}

func TestEventsAreReadFromBothPlaces(t *testing.T) {
	for _, c := range []struct {
		stream string
		want   string
		end    error
	}{
		{"", "[]", ErrGone},
		{"{\"type\":\"transcript\",\"data\":{\"text\":\"a\"}}\n", "[{transcript a }]", ErrGone},
		{"{\"type\":\"transcript\",\"data_length\":12}\n{\"text\":\"b\"}", "[{transcript b }]", ErrGone},
		{"{\"type\":\"transcript\",\"data\":{\"text\":\"a\"},\"data_length\":12}\n{\"text\":\"b\"}", "[{transcript b }]", ErrGone},
		{"{\"type\":\"x\",\"data\":{\"text\":\"a\"},\"data_length\":2,\"payload_length\":3}\n{}xyz{\"type\":\"y\",\"payload_length\":null,\"data_length\":null,\"data\":null}\n", "[{x a xyz} {y  }]", ErrGone},
		{"{\"type\":\"x\",\"payload_length\":3}\nxy", "[{x  xy}]", ErrGone},
		{"{\"type\":\"x\",\"data_length\":30}\n{}", "[]", ErrGone},
		{"{\"type\":\"x\"}", "[]", ErrGone},
		{"\n", "[]", ErrBroken},
		{"{}\n", "[]", ErrBroken},
		{"[]\n", "[]", ErrBroken},
		{"{\"type\":7}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data_length\":-1}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"payload_length\":-1}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data_length\":1.5}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data_length\":\"2\"}\n{}", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data_length\":2}\n[]", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data\":\"text\"}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"data\":{\"text\":1}}\n", "[]", ErrBroken},
		{"{\"type\":\"x\",\"payload_length\":99999999999999999999}\n", "[]", ErrBroken},
		{fmt.Sprintf("{\"type\":\"x\",\"payload_length\":%d}\n", maxPayload+1), "[]", ErrBroken},
		{fmt.Sprintf("{\"type\":\"x\",\"data_length\":%d}\n", maxData+1), "[]", ErrBroken},
		{"{\"type\":\"x\",\"data\":{\"text\":\"" + strings.Repeat("a", maxLine) + "\"}}\n", "[]", ErrBroken},
		{strings.Repeat("{\"type\":\"x\"}\n", maxEvents+1), "", ErrBroken},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.stream), iotest.OneByteReader(strings.NewReader(c.stream))} {
			if _, plain := r.(*strings.Reader); !plain && len(c.stream) > 4096 {
				continue
			}
			got, err := all(r)
			if s := fmt.Sprint(got); c.want != "" && s != c.want || !errors.Is(err, c.end) {
				t.Errorf("%.80s: %.200s, %v", c.stream, s, err)
			}
		}
	}
	long := "{\"type\":\"x\",\"data\":{\"text\":\"" + strings.Repeat("a", maxLine-32) + "\"}}\n"
	if got, err := all(strings.NewReader(long)); len(long) != maxLine || len(got) != 1 || !errors.Is(err, ErrGone) {
		t.Errorf("a line of %d: %v", len(long), err)
	}
}

// TestWhatIsWrittenIsRead by the reader, with payloads that hold line breaks.
func TestWhatIsWrittenIsRead(t *testing.T) {
	var b bytes.Buffer
	for _, payload := range []string{"", "\n{\"type\":\"x\"}\n", strings.Repeat("\x00\xff", 40000)} {
		e, err := encode("audio-chunk", map[string]string{"text": "l'été\n"}, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		b.Write(e)
	}
	got, err := all(&b)
	if len(got) != 3 || !errors.Is(err, ErrGone) || got[1].payload != "\n{\"type\":\"x\"}\n" || len(got[2].payload) != 80000 || got[2].text != "l'été\n" {
		t.Errorf("%d events, %v", len(got), err)
	}
}

// FuzzReader: no stream makes the reader fail with anything but a code, or give more than came.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{\"type\":\"transcript\",\"data\":{\"text\":\"a\"},\"data_length\":12,\"payload_length\":3}\n{\"text\":\"b\"}xyz"))
	f.Add([]byte("{\"type\":\"x\",\"data_length\":-9223372036854775808}\n"))
	f.Add([]byte("{\"type\":\"x\",\"Type\":\"y\",\"data\":[[[[{\"text\":{}}]]]]}\n\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		got, err := all(bytes.NewReader(stream))
		if !errors.Is(err, ErrGone) && !errors.Is(err, ErrBroken) {
			t.Fatalf("%v", err)
		}
		size := 0
		for _, h := range got {
			size += len(h.payload)
			if h.kind == "" {
				t.Error("an event without a kind")
			}
		}
		if size > len(stream) {
			t.Errorf("%d bytes of payload of %d", size, len(stream))
		}
		slow, err2 := all(iotest.HalfReader(bytes.NewReader(stream)))
		if fmt.Sprint(got) != fmt.Sprint(slow) || !errors.Is(err2, err) {
			t.Error("how it comes changes what is read")
		}
		var whole atomic.Bool
		whole.Store(true)
		if words, err := transcript(newReader(bytes.NewReader(stream)), &whole); err != nil && words != "" || len(words) > maxTranscript {
			t.Errorf("%d bytes, %v", len(words), err)
		}
		var i info
		_ = json.Unmarshal(stream, &i)
		for _, p := range append(i.ASR, i.TTS...) {
			if title := p.title(); len(title) > 81 || strings.ContainsAny(title, "\n\x1b<") {
				t.Errorf("%q", title)
			}
		}
	})
}
