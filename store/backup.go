package store

import (
	"context"
	"fmt"

	"readback/smsmcp"
	"readback/store/engine"
)

// Backup writes a copy, whole and synced, of the database as it is now to a new file that its owner alone can read. ErrExists if the file is
// there. The copy is marked: what it says is pending may have gone long before it is used.
func (s *Store) Backup(ctx context.Context, file string) error {
	if err := s.db.Copy(ctx, file, `INSERT INTO flags (name, at, by) VALUES ('copied', 0, '') ON CONFLICT DO NOTHING`); err != nil {
		return fmt.Errorf("back up to %s: %w", file, err)
	}
	return nil
}

// restored ends what was open in a copy, the first time that it is opened: a yes to what waited may have been given and used since, and what
// was reserved may have gone. What went since is counted nowhere, so nothing goes until the owner has lifted the freeze. When that is, is for
// Recover to say.
func (s *Store) restored(ctx context.Context) error {
	return s.write(ctx, "restore", func(t *tx) error {
		n, err := t.Exec(`DELETE FROM flags WHERE name = 'copied'`)
		if err != nil || n == 0 {
			return err
		}
		if _, err := t.Exec(`INSERT INTO flags (name, at, by) VALUES ('frozen', 0, ?1) ON CONFLICT DO UPDATE SET at = 0, by = ?1`,
			string(smsmcp.ByRestore)); err != nil {
			return err
		}
		// Buttons that may have been pressed since, questions that may have been answered, codes that may have been exchanged, passes that may have been taken, and calls that are over.
		if err := t.Script(`DELETE FROM taps; DELETE FROM questions; DELETE FROM oauth_codes; DELETE FROM talks; DELETE FROM leases`); err != nil {
			return err
		}
		list, err := sends(t, `WHERE `+open)
		if err != nil {
			return err
		}
		for _, got := range list {
			from := got.State
			switch from {
			case smsmcp.Waiting:
				got.State = smsmcp.Void
			case smsmcp.Reserved:
				got.State, got.Failure = smsmcp.Unknown, smsmcp.Restored
			default:
				continue
			}
			if err := t.update(got, from); err != nil {
				return err
			}
		}
		return nil
	})
}

// Check reads the whole file and says whether it is sound: nil, or ErrCorrupt.
func (s *Store) Check(ctx context.Context) error {
	var first string
	if _, err := engine.One(s.read(ctx), `PRAGMA quick_check(1)`, nil, &first); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if first != "ok" {
		return fmt.Errorf("check: %w", ErrCorrupt)
	}
	return nil
}
