package engine

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Copy writes a copy of the file as it is now, whole and synced, to a new file that its owner alone can read, and runs a statement on the copy before it
// has its name. ErrExists if the file is there.
func (d *DB) Copy(ctx context.Context, file, statement string) (err error) {
	defer func() { err = Known(err) }()
	// The name is taken first, so that nothing that comes to be there meanwhile is replaced.
	place, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the owner names it
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			_ = os.Remove(file)
		}
	}()
	if err := place.Close(); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".backup-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	if err := temp.Close(); err != nil {
		return err
	}
	// On connections of its own: the pool's may not write even a copy.
	if err := run(ctx, DSN(d.file), `VACUUM INTO ?`, temp.Name()); err != nil {
		return err
	}
	if err := run(ctx, DSN(temp.Name(), [2]string{"_pragma", "journal_mode(DELETE)"}), statement); err != nil {
		return err
	}
	if err := syncFile(temp.Name()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), file); err != nil {
		return err
	}
	done = true
	return syncFile(filepath.Dir(file))
}

func run(ctx context.Context, dsn, statement string, args ...any) error {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement, args...)
	return errors.Join(err, db.Close())
}

func syncFile(name string) error {
	f, err := os.Open(name) //nolint:gosec // as above
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
