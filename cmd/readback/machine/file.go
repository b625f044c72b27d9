package machine

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"readback/smsmcp/lang"
)

// ErrTooBig says that a file is larger than what is read of it.
var ErrTooBig = errors.New("too big")

// ErrIrregular says that a name is a device's, a pipe's or a socket's: what is read of it may never end, or never begin.
var ErrIrregular = errors.New("no regular file")

// NoRoom says that a copy did not fit where it was to go, which says nothing against what was copied.
type NoRoom struct{ err error }

func (n NoRoom) Error() string { return n.err.Error() }
func (n NoRoom) Unwrap() error { return n.err }

// ReadFile reads a file of at most limit bytes; ErrTooBig if there are more.
func ReadFile(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = ErrTooBig
	}
	return b, err
}

// Reason says in a few words why a file could not be used.
func Reason(err error) lang.Message {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lang.CLIFileMissing
	case errors.Is(err, fs.ErrPermission):
		return lang.CLIFileForbidden
	case errors.Is(err, syscall.EISDIR):
		return lang.CLIFileIsFolder
	case errors.Is(err, syscall.ENOTDIR):
		return lang.CLIFileNoFolder
	case errors.Is(err, syscall.EROFS):
		return lang.CLIFileReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return lang.CLIFileFull
	case errors.Is(err, ErrIrregular):
		return lang.CLIFileIrregular
	case errors.Is(err, ErrTooBig):
		return lang.CLIFileTooBig
	}
	return lang.CLIFileOther
}

// regular opens a regular file to be read, and nothing else.
func regular(name string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the open of a pipe would wait for its writer
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = syscall.EISDIR
	case !info.Mode().IsRegular():
		err = ErrIrregular
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// CopyFile copies a regular file, as long as it is now, to a new file for the owner's user alone. NoRoom where the disk has too little for
// it, if it can be told before anything is written.
func CopyFile(from, to string) error {
	in, info, err := regular(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	var disk unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(to), &disk); err == nil && info.Size() > int64(disk.Bavail)*int64(disk.Bsize) { //nolint:unconvert // not so everywhere
		return NoRoom{syscall.ENOSPC}
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, info.Size()))
	err = errors.Join(err, out.Sync(), out.Close())
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		err = NoRoom{err}
	}
	return err
}

// SyncFolder has the disk keep what a folder lists.
func SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
