// Package lang is the catalogue: every sentence that a person or a model reads, in English and French.
//
// One file for each place that speaks (guard.go, frame.go, cli.go, …) holds exported [Message] and [Plural] variables; the code
// elsewhere holds no prose. A test walks the package and fails on a message that lacks a language or whose two
// languages take different arguments.
//
// Floor 0: imports the standard library alone.
package lang

import (
	"fmt"
	"strings"
	"time"
)

// Lang is a language that Readback speaks: EN or FR.
type Lang string

// The languages.
const (
	EN Lang = "en"
	FR Lang = "fr"
)

// Message is one sentence in both languages, a fmt format.
type Message struct{ EN, FR string }

// In gives the sentence in l (English unless l is FR) with its arguments filled in.
func (m Message) In(l Lang, args ...any) string {
	s := m.EN
	if l == FR {
		s = m.FR
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

// Plural is a sentence that counts. Its first argument is the count.
type Plural struct{ One, Many Message }

// In gives the form for n: French says one for 0 and 1, English for 1 alone.
func (p Plural) In(l Lang, n int, args ...any) string {
	m := p.Many
	if n == 1 || n == 0 && l == FR {
		m = p.One
	}
	return m.In(l, append([]any{n}, args...)...)
}

var weekdays = map[Lang][7]string{
	EN: {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
	FR: {"dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."},
}

// Stamp writes a time in its own zone, to the minute: "Mon 2026-11-30 14:05".
func Stamp(l Lang, t time.Time) string { return string(AppendStamp(nil, l, t)) }

// AppendStamp appends what Stamp writes.
func AppendStamp(b []byte, l Lang, t time.Time) []byte {
	days, ok := weekdays[l]
	if !ok {
		days = weekdays[EN]
	}
	b = append(b, days[t.Weekday()]...)
	return t.AppendFormat(b, " 2006-01-02 15:04")
}

// Parse reads a configured language.
func Parse(s string) (Lang, error) {
	switch l := Lang(strings.ToLower(s)); l {
	case EN, FR:
		return l, nil
	}
	return "", fmt.Errorf("language is %q: use \"en\" or \"fr\"", s)
}
