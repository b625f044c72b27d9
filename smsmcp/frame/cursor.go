package frame

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"readback/smsmcp"
)

// ErrCursor says that a word is no place in the list.
var ErrCursor = errors.New("not a cursor that read_texts gave")

// FormatCursor writes a place in the list as a word that ParseCursor reads.
func FormatCursor(c smsmcp.Cursor) string {
	return strconv.FormatInt(c.At.Unix(), 10) + "-" + strconv.FormatInt(int64(c.ID), 10)
}

// ParseCursor reads what FormatCursor wrote.
func ParseCursor(s string) (smsmcp.Cursor, error) {
	at, id, _ := strings.Cut(s, "-")
	sec, err1 := strconv.ParseInt(at, 10, 64)
	n, err2 := strconv.ParseInt(id, 10, 64)
	c := smsmcp.Cursor{At: time.Unix(sec, 0).UTC(), ID: smsmcp.TextID(n)}
	if err1 != nil || err2 != nil || FormatCursor(c) != s || sec < 0 || n < 0 {
		return smsmcp.Cursor{}, fmt.Errorf("frame: %w", ErrCursor)
	}
	return c, nil
}
