package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
	"readback/store"
)

func (p *program) restore() *cobra.Command {
	c := p.command("restore FILE", lang.CLIRestore, lang.CLIRestoreLong, groupOwn)
	c.Example = "  readback restore readback-monday.db"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		if err := p.data().Prepare(); err != nil {
			return err
		}
		release, err := p.data().Lock()
		if errors.Is(err, machine.ErrLocked) {
			return lang.Say(lang.CLIRestoreRunning, p.cfg.Data)
		}
		if err != nil {
			return err
		}
		defer release()
		kept, err := p.putBack(ctx, args[0])
		if err != nil {
			return err
		}
		p.line(lang.CLIRestored, args[0])
		if kept != "" {
			p.line(lang.CLIRestoredKept, kept)
		}
		p.line(lang.CLIRestoredThaw)
		return nil
	})
}

// putBack puts the backup in the place of the store. The caller holds the data folder. Kept is where the store that was there is now.
func (p *program) putBack(ctx context.Context, file string) (kept string, err error) {
	d := p.data()
	unusable := func(err error) error { return lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err)) }
	work, err := os.MkdirTemp(p.cfg.Data, ".restore-*") // 0700
	if err != nil {
		return "", unusable(err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	fresh, err := checked(ctx, file, d, machine.Folder(work))
	if err != nil {
		return "", err
	}
	sound, err := p.prove(ctx, machine.Folder(work).Path("present.db"))
	if err != nil {
		return "", err
	}
	if sound { // opened and closed, it is whole in its one file: the rename below is then all that happens to it
		s, err := store.Open(ctx, d.Path(machine.StoreFile))
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			return "", err
		}
	}
	if kept, err = d.Keep("readback-"+time.Now().In(p.cfg.Zone).Format("2006-01-02-150405"), ".db"); err != nil {
		return "", unusable(err)
	}
	// A log that is still there belongs to a store that nobody could read, and has been kept with it: the backup must not find it.
	for _, end := range machine.Beside {
		if err := os.Remove(d.Path(machine.StoreFile) + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", unusable(err)
		}
	}
	if err := errors.Join(os.Rename(fresh, d.Path(machine.StoreFile)), machine.SyncFolder(p.cfg.Data)); err != nil {
		return "", unusable(err)
	}
	return kept, nil
}

// checked makes a whole, fresh copy of a backup in a working folder. The file itself is only read. What it may have in a log machine.Beside it (it
// need not come from readback backup) is taken along.
func checked(ctx context.Context, file string, d, work machine.Folder) (fresh string, err error) {
	unreadable := func(err error) error { return lang.Say(lang.CLIFileUnreadable, file, machine.Reason(err)) }
	info, err := os.Stat(file)
	if err != nil {
		return "", unreadable(err)
	}
	if there, err := os.Stat(d.Path(machine.StoreFile)); err == nil && os.SameFile(info, there) {
		return "", lang.Say(lang.CLIRestoreInPlace, file)
	}
	first := work.Path("first.db")
	switch logged, err := copyStore(file, first); {
	case err != nil:
		return "", unreadable(err)
	case !logged && !isStore(first):
		return "", lang.Say(lang.CLIRestoreForeign, file)
	}
	s, err := store.Open(ctx, first)
	if err == nil {
		if err = s.Check(ctx); err == nil {
			fresh = work.Path("fresh.db") // marked as a copy: what waits in it is void when it is opened, and all sends are frozen
			err = s.Backup(ctx, fresh)
		}
		err = errors.Join(err, s.Close())
	}
	switch {
	case errors.Is(err, store.ErrForeign):
		return "", lang.Say(lang.CLIRestoreForeign, file)
	case errors.Is(err, store.ErrNewer):
		return "", lang.Say(lang.CLIRestoreNewer, file)
	case errors.Is(err, store.ErrCorrupt):
		return "", lang.Say(lang.CLIRestoreDamaged, file)
	}
	return fresh, err
}

// isStore looks at a file's head: SQLite's magic, and the id of the application at byte 68 (sqlite.org/fileformat.html, 1.3), which says
// "Read". An empty file, which SQLite would take for a new store, has neither.
func isStore(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 100)
	_, err = io.ReadFull(f, head)
	return err == nil && strings.HasPrefix(string(head), "SQLite format 3\x00") && string(head[68:72]) == "Read"
}

// copyStore copies a store's file with its log, and says whether that holds anything: then the file alone says little.
func copyStore(from, to string) (logged bool, err error) {
	if err := machine.CopyFile(from, to); err != nil {
		return false, err
	}
	err = machine.CopyFile(from+"-wal", to+"-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	info, err := os.Stat(to + "-wal")
	return err == nil && info.Size() > 0, err
}

// prove asks for the passphrase of the store that is there, and says whether that can be read. One that cannot asks nothing: it may be why the
// owner is here. It looks at a copy: SQLite throws away the log of what it takes for no store.
func (p *program) prove(ctx context.Context, at string) (sound bool, err error) {
	if logged, err := copyStore(p.data().Path(machine.StoreFile), at); errors.Is(err, fs.ErrNotExist) || err == nil && !logged && !isStore(at) {
		return false, nil
	} else if err != nil {
		return false, lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err))
	}
	s, err := store.Open(ctx, at)
	if errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrNewer) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	set, err := owner.HasPassphrase(ctx, s)
	switch {
	case errors.Is(err, store.ErrCorrupt):
		return false, nil
	case err != nil || !set:
		return err == nil, err
	}
	pass, err := p.secret(ctx, lang.CLIPassphrase)
	if err != nil {
		return false, err
	}
	return true, owner.Prove(ctx, s, p.lang, pass)
}
