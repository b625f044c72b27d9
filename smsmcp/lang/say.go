package lang

import "errors"

// Said is an error that is a sentence of the catalogue, to be said in the language of whoever hears it.
type Said struct {
	m    Message
	args []any
}

// Say makes an error of a sentence. Arguments that are messages are said in the same language.
func Say(m Message, args ...any) error { return &Said{m, args} }

// Error is the English sentence.
func (s *Said) Error() string { return s.In(EN) }

// In is the sentence in l.
func (s *Said) In(l Lang) string {
	args := make([]any, len(s.args))
	for i, a := range s.args {
		if m, ok := a.(Message); ok {
			a = m.In(l)
		}
		args[i] = a
	}
	return s.m.In(l, args...)
}

// Heard gives the sentence in l that an error wraps, or false.
func Heard(l Lang, err error) (string, bool) {
	var s *Said
	if !errors.As(err, &s) {
		return "", false
	}
	return s.In(l), true
}
