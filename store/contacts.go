package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"readback/smsmcp"
	"readback/smsmcp/fold"
	"readback/store/engine"
)

// Contacts gives every contact, in the order in which they were added.
func (s *Store) Contacts(ctx context.Context) ([]smsmcp.Contact, error) {
	all, err := contacts(s.read(ctx))
	if err != nil {
		return nil, fmt.Errorf("contacts: %w", err)
	}
	return all, nil
}

const contactColumns = `c.id, c.name, c.aliases, c.numbers, c.send_to, c.revision`

func contacts(r engine.Reader) (all []smsmcp.Contact, err error) {
	err = engine.Each(r, `SELECT `+contactColumns+` FROM contacts c ORDER BY c.id`, nil, func(rows *sql.Rows) error {
		c, err := scanContact(rows)
		all = append(all, c)
		return err
	})
	return all, err
}

func scanContact(rows *sql.Rows) (c smsmcp.Contact, err error) {
	var aliases, numbers []byte
	if err := rows.Scan(&c.ID, &c.Name, &aliases, &numbers, &c.To, &c.Revision); err != nil {
		return c, err
	}
	if err := json.Unmarshal(aliases, &c.Aliases); err != nil {
		return c, engine.Fault{Kind: ErrCorrupt, Cause: err}
	}
	if err := json.Unmarshal(numbers, &c.Numbers); err != nil {
		return c, engine.Fault{Kind: ErrCorrupt, Cause: err}
	}
	return c, nil
}

// contact gives the contact of that id at that revision: ids are never used again and revisions grow, so one read before is right.
func (s *Store) contact(r engine.Reader, id smsmcp.ContactID, revision int64) (smsmcp.Contact, error) {
	s.mu.Lock()
	c, ok := s.known[id]
	s.mu.Unlock()
	if ok && c.Revision == revision {
		return c, nil
	}
	err := engine.Each(r, `SELECT `+contactColumns+` FROM contacts c WHERE c.id = ?`, []any{id}, func(rows *sql.Rows) (err error) {
		c, err = scanContact(rows)
		return err
	})
	if err == nil && c.ID == id {
		s.mu.Lock()
		s.known[id] = c
		s.mu.Unlock()
	}
	return c, err
}

// AddContact adds c, under a new id at revision 1, if check, run inside the transaction on all contacts, has nothing against it. ErrTaken
// if a name, an alias or a number is another contact's.
func (s *Store) AddContact(ctx context.Context, c smsmcp.Contact, check func(existing []smsmcp.Contact) error) (smsmcp.Contact, error) {
	added, errs, err := s.AddContacts(ctx, []smsmcp.Contact{c}, func(existing []smsmcp.Contact, _ smsmcp.Contact) error {
		return check(existing)
	})
	if err == nil {
		err = errs[0]
	}
	if err != nil {
		return smsmcp.Contact{}, err
	}
	return added[0], nil
}

// AddContacts adds many in one transaction, each checked against all before it. Both slices are as long as cs: the contact as it was added,
// or why it was not. The last error means that none was.
func (s *Store) AddContacts(ctx context.Context, cs []smsmcp.Contact,
	check func(existing []smsmcp.Contact, c smsmcp.Contact) error,
) (added []smsmcp.Contact, refused []error, err error) {
	added, refused = make([]smsmcp.Contact, len(cs)), make([]error, len(cs))
	err = s.write(ctx, "add contacts", func(t *tx) error {
		existing, err := contacts(t)
		if err != nil {
			return err
		}
		for i, c := range cs {
			if refused[i] = check(existing, c); refused[i] != nil {
				continue
			}
			keys := contactKeys(c)
			if refused[i], err = t.free(c, keys); err != nil {
				return err
			}
			if refused[i] != nil {
				continue
			}
			if added[i], err = t.addContact(c, keys); err != nil {
				return err
			}
			existing = append(existing, added[i])
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return added, refused, nil
}

// contactKeys are the folded name and aliases, each once.
func contactKeys(c smsmcp.Contact) []string {
	keys := map[string]bool{fold.Key(c.Name): true}
	for _, a := range c.Aliases {
		keys[fold.Key(a)] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

// free says why c cannot be added, as refused; err is trouble with the database.
func (t *tx) free(c smsmcp.Contact, keys []string) (refused, err error) {
	if c.Name == "" || keys[0] == "" || !slices.Contains(c.Numbers, c.To) {
		return fmt.Errorf("a contact needs a name, and one of its numbers to text to: %w", ErrInvalid), nil
	}
	for _, n := range c.Numbers {
		if _, err := smsmcp.ParseNumber(string(n)); err != nil {
			return err, nil
		}
		if found, err := engine.One(t, `SELECT contact FROM contact_numbers WHERE number = ?`, []any{string(n)}, new(int64)); found || err != nil {
			return fmt.Errorf("number: %w", ErrTaken), err
		}
	}
	for _, k := range keys {
		if found, err := engine.One(t, `SELECT contact FROM contact_names WHERE key = ?`, []any{k}, new(int64)); found || err != nil {
			return fmt.Errorf("name: %w", ErrTaken), err
		}
	}
	return nil, nil
}

func (t *tx) addContact(c smsmcp.Contact, keys []string) (smsmcp.Contact, error) {
	aliases, err := json.Marshal(slices.Concat([]string{}, c.Aliases))
	if err != nil {
		return c, err
	}
	numbers, err := json.Marshal(c.Numbers)
	if err != nil {
		return c, err
	}
	c.Revision = 1
	if _, err := engine.One(t, `INSERT INTO contacts (name, aliases, numbers, send_to, revision) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		[]any{c.Name, string(aliases), string(numbers), string(c.To), c.Revision}, &c.ID); err != nil {
		return c, err
	}
	for _, k := range keys {
		if _, err := t.Exec(`INSERT INTO contact_names (key, contact) VALUES (?, ?)`, k, c.ID); err != nil {
			return c, err
		}
	}
	for _, n := range c.Numbers {
		if _, err := t.Exec(`INSERT INTO contact_numbers (number, contact) VALUES (?, ?) ON CONFLICT DO NOTHING`, string(n), c.ID); err != nil {
			return c, err
		}
	}
	t.s.memo.heard = nil // a received text may have found its contact
	return c, nil
}

// RemoveContact forgets a contact; ErrNoContact if there is none of that id. What was sent to it stays in the log.
func (s *Store) RemoveContact(ctx context.Context, id smsmcp.ContactID) error {
	return s.onContact(ctx, "remove a contact", id, `DELETE FROM contacts WHERE id = ?`)
}

// ClearStop lets texts go again to a contact who wrote STOP, until they write it again.
func (s *Store) ClearStop(ctx context.Context, id smsmcp.ContactID) error {
	return s.onContact(ctx, "clear a stop", id, `UPDATE contacts SET stop_cleared = (SELECT coalesce(max(stop), 0) FROM texts WHERE stop > 0) WHERE id = ?`)
}

func (s *Store) onContact(ctx context.Context, what string, id smsmcp.ContactID, query string) error {
	return s.write(ctx, what, func(t *tx) error {
		n, err := t.Exec(query, id)
		if err == nil && n == 0 {
			err = ErrNoContact
		}
		t.s.memo.heard = nil
		return err
	})
}
