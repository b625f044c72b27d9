package machine

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// IsStore looks at a file's head: SQLite's magic, and the id of the application at byte 68 (sqlite.org/fileformat.html, 1.3), which says
// "Read". An empty file, which SQLite would take for a new store, has neither.
func IsStore(file string) bool {
	f, _, err := regular(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 100)
	_, err = io.ReadFull(f, head)
	return err == nil && strings.HasPrefix(string(head), "SQLite format 3\x00") && string(head[68:72]) == "Read"
}

// CopyStore copies a store's file with its log, and says whether that holds anything: then the file alone says little.
func CopyStore(from, to string) (logged bool, err error) {
	if err := CopyFile(from, to); err != nil {
		return false, err
	}
	err = CopyFile(from+"-wal", to+"-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	info, err := os.Stat(to + "-wal")
	return err == nil && info.Size() > 0, err
}
