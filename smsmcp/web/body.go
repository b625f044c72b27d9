package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"readback/smsmcp/lang"
)

// whole reads the body to its end, bounded in size, time and shape, before anything looks at it; then the request has a slot, and its time to
// be answered. A slow body holds up its own token alone. JSON is UTF-8 (RFC 8259, 8.1): Go's decoder would mend what is not, and a
// mended text is not the one that was asked for.
func (s *server) whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mine, done := s.shares.of(Who(r.Context()).ID)
		defer done()
		size := r.ContentLength
		if size < 0 {
			size = s.body // it may yet be as large
		}
		if size > s.body {
			w.Header().Set("Connection", "close")
			refuse(w, http.StatusRequestEntityTooLarge, codeServer, lang.WebTooLarge.In(s.lang, s.body))
			return
		}
		turn, ok := mine.read(r.Context())
		if !ok {
			s.busy(w)
			return
		}
		if !s.shares.hold(size) {
			turn()
			s.busy(w)
			return
		}
		defer s.shares.give(size)
		body, ok := s.read(w, r, turn)
		if !ok {
			return
		}
		answered, ok := s.shares.answer(r.Context(), mine)
		if !ok {
			s.busy(w)
			return
		}
		defer answered()
		ctx, cancel := context.WithTimeout(r.Context(), s.timeout)
		defer cancel()
		_ = http.NewResponseController(w).SetWriteDeadline(s.now().Add(s.timeout + bodyTimeout))
		r = r.WithContext(ctx)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		guardHeaders(w.Header())
		next.ServeHTTP(w, r)
	})
}

// read reads a body in its token's turn, or answers why it cannot be taken.
func (s *server) read(w http.ResponseWriter, r *http.Request, turn func()) ([]byte, bool) {
	defer turn()
	_ = http.NewResponseController(w).SetReadDeadline(s.now().Add(bodyTimeout)) // anew: it may have waited
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, codeServer, lang.WebTooLarge.In(s.lang, s.body))
	case err != nil:
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestTimeout, codeServer, lang.WebCut.In(s.lang))
	case !utf8.Valid(body):
		refuse(w, http.StatusBadRequest, codeParse, lang.WebUTF8.In(s.lang))
	case !small(body):
		refuse(w, http.StatusRequestEntityTooLarge, codeRequest, lang.WebTooMuch.In(s.lang, mostValues, mostDepth))
	default:
		return body, true
	}
	return nil, false
}

func (s *server) busy(w http.ResponseWriter) {
	retryAfter(w.Header(), time.Second)
	w.Header().Set("Connection", "close") // and with it what was not read of the body
	refuse(w, http.StatusServiceUnavailable, codeServer, lang.WebBusy.In(s.lang))
}

// What a request may hold. The largest that MCP needs has some dozens of values.
const (
	mostValues = 5000
	mostDepth  = 64
)

// small says whether JSON holds few enough values to be parsed: a value of four bytes takes some hundred in memory. Of what is no
// JSON it may say anything: a parser looks for its end before it makes anything of it.
func small(body []byte) bool {
	values, depth := 1, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			values++
			if depth++; depth > mostDepth {
				return false
			}
		case '}', ']':
			depth--
		case ',':
			values++
		}
	}
	return values <= mostValues
}
