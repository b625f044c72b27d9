package clean

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// What keeps a body from being drawn as it is. Test with errors.Is, or take the code with Why.
var (
	ErrEmpty   = errors.New("nothing to draw")
	ErrUTF8    = errors.New("not valid UTF-8")
	ErrControl = errors.New("a control character")
	ErrHidden  = errors.New("a hidden character")
	ErrReorder = errors.New("a character that reorders the line")
	ErrMarks   = errors.New("combining marks piled too high, or on nothing")
)

// The codes that Why gives; [a-z_]+.
const (
	Empty   = "empty"
	NotUTF8 = "not_utf8"
	Control = "control"
	Hidden  = "hidden"
	Reorder = "reorder"
	Marks   = "marks"
)

// Drawable says whether a body can be drawn as it is: valid UTF-8, no control but the line feed, nothing that hides or reorders, not
// empty and not blank (invariant 14). It mends nothing.
func Drawable(s string) error {
	if !utf8.ValidString(s) {
		return ErrUTF8
	}
	drawn := false
	for i, r := range s {
		switch k := class(r); {
		case r == '\n', k == space && r > 0xA0 && r != 0x2028 && r != 0x2029, r == ' ', r == 0xA0, r == 0x202F:
		case k == control, k == space:
			return at(i, r, ErrControl)
		case k == reorders:
			return at(i, r, ErrReorder)
		case k == blank:
			return at(i, r, ErrHidden)
		case k == letter:
			drawn = true
		}
	}
	if !plain(s) {
		w := washer{}
		w.fix(s)
		switch {
		case w.Hidden > 0:
			return ErrHidden
		case w.Marks > 0:
			return ErrMarks
		}
	}
	if !drawn {
		return ErrEmpty
	}
	return nil
}

func at(i int, r rune, err error) error { return fmt.Errorf("U+%04X at byte %d: %w", r, i, err) }

// Why gives the code for an error of Drawable, and "" for nil.
func Why(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrEmpty):
		return Empty
	case errors.Is(err, ErrUTF8):
		return NotUTF8
	case errors.Is(err, ErrControl):
		return Control
	case errors.Is(err, ErrReorder):
		return Reorder
	case errors.Is(err, ErrMarks):
		return Marks
	}
	return Hidden
}
