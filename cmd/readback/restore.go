package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/machine"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/command"
	"readback/smsmcp/owner"
	"readback/store"
	"readback/store/restore"
)

// The copies in a working folder: of the backup, and of the store that is there.
const (
	firstFile   = "first.db"
	presentFile = "present.db"
)

func (p *program) restore() *cobra.Command {
	c := p.command("restore FILE", lang.CLIRestore, lang.CLIRestoreLong, groupOwn)
	c.Example = "  readback restore readback-monday.db"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		if err := p.data().Prepare(); err != nil {
			return err
		}
		release, err := p.data().LockAlone()
		switch {
		case errors.Is(err, machine.ErrLocked):
			return lang.Say(lang.CLIRestoreRunning, p.cfg.Data)
		case errors.Is(err, machine.ErrWorkers):
			return lang.Say(command.RestoreWorkers, p.cfg.Data)
		case err != nil:
			return err
		}
		defer release()
		kept, in, err := p.putBack(ctx, args[0])
		if err != nil {
			return err
		}
		p.line(lang.CLIRestored, args[0])
		if kept != "" {
			p.line(lang.CLIRestoredKept, kept)
		}
		p.inherited(in)
		p.line(lang.CLIRestoredThaw)
		return nil
	})
}

// inheritance is what the restored store has of the one that was there.
type inheritance struct {
	restore.Inherited
	passphrase bool // there is one
}

// inherited says which passphrase holds, and how the restored store differs from the one that was there.
func (p *program) inherited(in inheritance) {
	switch {
	case !in.passphrase:
		p.line(lang.CLIRestoredNoPassphrase)
	case in.Secrets:
		p.line(lang.CLIRestoredKeptPassphrase)
	default:
		p.line(lang.CLIRestoredItsPassphrase)
	}
	if in.Dropped > 0 {
		p.line(lang.CLIRestoredNoSecrets)
	}
	count := func(n int, m lang.Plural) {
		if n > 0 {
			p.print("%s\n", m.In(p.lang, n))
		}
	}
	if !in.Read {
		count(in.Revoked, lang.CLIRestoredNoToken)
		count(in.Ended, lang.CLIRestoredNoApp)
		return
	}
	count(in.Revoked, lang.CLIRestoredRevoked)
	count(in.Missing, lang.CLIRestoredMissing)
	count(in.Ended, lang.CLIRestoredEnded)
	count(in.Out, lang.CLIRestoredOut)
	count(in.Contacts, lang.CLIRestoredContacts)
}

// putBack puts the backup in the place of the store. The caller holds the data folder. Kept is where a copy of the store that was there is now.
func (p *program) putBack(ctx context.Context, file string) (kept string, in inheritance, err error) {
	d := p.data()
	unusable := func(err error) error { return lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err)) }
	defer func() {
		if full := (machine.NoRoom{}); errors.As(err, &full) || errors.Is(err, store.ErrFull) {
			err = lang.Say(lang.CLIRestoreRoom, p.cfg.Data)
		}
	}()
	work, err := d.Work()
	if err != nil {
		return "", in, unusable(err)
	}
	defer func() { _ = os.RemoveAll(string(work)) }()
	backup, err := checked(ctx, file, d, work)
	if err != nil {
		return "", in, err
	}
	defer func() { _ = backup.Close() }()
	present, err := p.prove(ctx, work.Path(presentFile))
	if err != nil {
		return "", in, err
	}
	defer func() { _ = present.Close() }()
	there := ""
	if present != nil {
		there = work.Path(presentFile)
	}
	if in.Inherited, err = restore.Inherit(ctx, time.Now(), work.Path(firstFile), there); err != nil {
		return "", in, err
	}
	if in.passphrase, err = owner.HasPassphrase(ctx, backup); err != nil {
		return "", in, err
	}
	fresh := work.Path("fresh.db") // marked as a copy: what waits in it is void when it is opened, and all sends are frozen
	if err := backup.Backup(ctx, fresh); err != nil {
		return "", in, err
	}
	if present != nil { // opened and closed, it is whole in its one file: the rename below is then all that happens to it
		s, err := store.Open(ctx, d.Path(machine.StoreFile))
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			return "", in, err
		}
	}
	if kept, err = d.Keep(work, "readback-"+time.Now().In(p.cfg.Zone).Format("2006-01-02-150405"), ".db"); err != nil {
		return "", in, errors.Join(unusable(err), err)
	}
	// A log that is still there belongs to a store that nobody could read, and has been kept with it: the backup must not find it.
	for _, end := range machine.Beside {
		if err := os.Remove(d.Path(machine.StoreFile) + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", in, unusable(err)
		}
	}
	if err := errors.Join(os.Rename(fresh, d.Path(machine.StoreFile)), machine.SyncFolder(p.cfg.Data)); err != nil {
		return "", in, unusable(err)
	}
	return kept, in, nil
}

// checked opens a copy of a backup in a working folder. The file itself is only read. What it may have in a log beside it (it need not come
// from readback backup) is taken along. Nothing in it runs before it was compared with what a store is.
func checked(ctx context.Context, file string, d, work machine.Folder) (_ *store.Store, err error) {
	unreadable := func(err error) error {
		return errors.Join(lang.Say(lang.CLIFileUnreadable, file, machine.Reason(err)), err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, unreadable(err)
	}
	if there, err := os.Stat(d.Path(machine.StoreFile)); err == nil && os.SameFile(info, there) {
		return nil, lang.Say(lang.CLIRestoreInPlace, file)
	}
	first := work.Path(firstFile)
	switch logged, err := machine.CopyStore(file, first); {
	case err != nil:
		return nil, unreadable(err)
	case !logged && !machine.IsStore(first):
		return nil, lang.Say(lang.CLIRestoreForeign, file)
	}
	var s *store.Store
	if err = restore.Genuine(ctx, first); err == nil {
		if s, err = store.Open(ctx, first); err == nil {
			if err = s.Check(ctx); err == nil {
				return s, nil
			}
			_ = s.Close()
		}
	}
	for _, k := range []struct {
		err error
		say lang.Message
	}{
		{store.ErrForeign, lang.CLIRestoreForeign}, {store.ErrNewer, lang.CLIRestoreNewer},
		{restore.ErrAltered, lang.CLIRestoreAltered}, {store.ErrCorrupt, lang.CLIRestoreDamaged},
	} {
		if errors.Is(err, k.err) {
			return nil, lang.Say(k.say, file)
		}
	}
	return nil, err
}

// prove asks for the passphrase of the store that is there, and opens a copy of it; nil if it cannot be read. One that cannot asks nothing: it
// may be why the owner is here. It looks at a copy: SQLite throws away the log of what it takes for no store.
func (p *program) prove(ctx context.Context, at string) (_ *store.Store, err error) {
	if logged, err := machine.CopyStore(p.data().Path(machine.StoreFile), at); errors.Is(err, fs.ErrNotExist) || err == nil && !logged && !machine.IsStore(at) {
		return nil, nil
	} else if err != nil {
		return nil, errors.Join(lang.Say(lang.CLIDataUnwritable, p.cfg.Data, machine.Reason(err)), err)
	}
	s, err := store.Open(ctx, at)
	if errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrNewer) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	set, err := owner.HasPassphrase(ctx, s)
	if err == nil && set {
		var pass string
		if pass, err = p.secret(ctx, lang.CLIPassphrase); err == nil {
			err = owner.Prove(ctx, s, p.lang, pass)
		}
	}
	if err == nil {
		return s, nil
	}
	_ = s.Close()
	if errors.Is(err, store.ErrCorrupt) {
		err = nil
	}
	return nil, err
}
