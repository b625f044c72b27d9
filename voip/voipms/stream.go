package voipms

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// How reading an answer piece by piece ends before its end.
var (
	errShape  = errors.New("not the form of an answer")
	errBound  = errors.New("longer than its bound")
	errEnough = errors.New("no more is wanted")
)

// stream cuts an answer into its members and rows without holding it whole. It finds where a value ends and no more: what a value says,
// and whether it is JSON at all, is judged on each by itself, so that one that is broken or huge costs none of the others.
type stream struct {
	r   *bufio.Reader
	buf []byte // of the last value
}

// newStream reads up to bound bytes; then comes errBound.
func newStream(r io.Reader, bound int) *stream {
	return &stream{r: bufio.NewReaderSize(&bounded{r, bound}, 32<<10)}
}

type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBound
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// next gives the next byte that is no blank, and leaves it unread.
func (s *stream) next() (byte, error) {
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !blank(c) {
			return c, s.r.UnreadByte()
		}
	}
}

// take reads the byte c, after blanks.
func (s *stream) take(c byte) error {
	got, err := s.next()
	if err == nil && got != c {
		return errShape
	}
	if err == nil {
		_, err = s.r.ReadByte()
	}
	return err
}

// each reads what stands between open and shut, with commas between; one reads one.
func (s *stream) each(open, shut byte, one func() error) error {
	if err := s.take(open); err != nil {
		return err
	}
	if c, err := s.next(); err != nil {
		return err
	} else if c == shut {
		return s.take(shut)
	}
	for {
		if err := one(); err != nil {
			return err
		}
		if c, err := s.next(); err != nil {
			return err
		} else if c == shut {
			return s.take(shut)
		}
		if err := s.take(','); err != nil {
			return err
		}
	}
}

// members reads an object; member reads the value of a name, which is in lower case.
func (s *stream) members(member func(name string) error) error {
	return s.each('{', '}', func() error {
		raw, whole, err := s.value(1 << 10)
		if err != nil {
			return err
		}
		name := ""
		if whole && json.Unmarshal(raw, &name) != nil {
			return errShape
		}
		if err := s.take(':'); err != nil {
			return err
		}
		return member(strings.ToLower(name))
	})
}

// value reads one value and gives its bytes, good until the next call; not whole if there are more than most.
func (s *stream) value(most int) (raw []byte, whole bool, err error) {
	c, err := s.next()
	if err != nil {
		return nil, false, err
	}
	if strings.IndexByte(",:]}", c) >= 0 {
		return nil, false, errShape
	}
	s.buf = s.buf[:0]
	whole = true
	keep := func(b ...byte) {
		if whole = whole && len(s.buf)+len(b) <= most; whole {
			s.buf = append(s.buf, b...)
		}
	}
	depth, quoted, escaped := 0, false, false
	for {
		if quoted && !escaped { // nearly all of a list is plain parts of strings: take them at a stroke
			plain, _ := s.r.Peek(s.r.Buffered())
			if i := bytes.IndexAny(plain, `"\`); i >= 0 {
				plain = plain[:i]
			}
			keep(plain...)
			_, _ = s.r.Discard(len(plain))
		}
		if c, err = s.r.ReadByte(); err != nil {
			return nil, false, err
		}
		keep(c)
		switch {
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = c != '"', c == '\\'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if quoted || depth > 0 {
			continue
		}
		if c == '"' || c == '}' || c == ']' {
			return s.buf, whole, nil
		}
		ahead, err := s.r.Peek(1) // a number or a word ends where something else begins
		if err != nil {
			return nil, false, err
		}
		if blank(ahead[0]) || strings.IndexByte(",:]}", ahead[0]) >= 0 {
			return s.buf, whole, nil
		}
	}
}
