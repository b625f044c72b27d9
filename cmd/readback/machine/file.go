package machine

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"readback/smsmcp/lang"
)

// ErrTooBig says that a file is larger than what is read of it.
var ErrTooBig = errors.New("too big")

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
	case errors.Is(err, ErrTooBig):
		return lang.CLIFileTooBig
	}
	return lang.CLIFileOther
}

// CopyFile copies to a new file, for the owner's user alone.
func CopyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// SyncFolder has the disk keep what a folder lists.
func SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
