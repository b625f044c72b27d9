package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/fold"
	"readback/smsmcp/signs"
	"readback/store/engine"
	"readback/store/outbox"
)

// StoreTexts stores what a carrier listed, or what came by itself, and gives those that were new, with their ids. One that is known by its key is the
// same text (invariant 8): only its delivery state is taken, for the text and for the send with that key. So is a received one that another carrier
// brought: it is no new one, and an unverified one has become the carrier's then (pair.go). A received MMS with the peer, the
// body and the second of another is a leg of the same group message: it is stored, and shown as one with the first. A sent text that is what a send
// without the carrier's id became is no new one. Where the outbox is on, a new received text is in it by the same transaction.
func (s *Store) StoreTexts(ctx context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, err error) {
	added, _, err = s.store(ctx, now, texts)
	return added, err
}

// Receive is StoreTexts of one text that came by itself. absorbed says that it is unverified and was taken for one that is in the carrier's list
// already, by its words and its time: it may be another, that the list does not have yet.
func (s *Store) Receive(ctx context.Context, now time.Time, x smsmcp.Text) (added []smsmcp.Text, absorbed bool, err error) {
	return s.store(ctx, now, []smsmcp.Text{x})
}

func (s *Store) store(ctx context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, absorbed bool, err error) {
	for _, x := range texts {
		if x.Key.Carrier == "" || x.Key.Kind == "" || x.Key.ID == "" || x.Direction != smsmcp.Received && x.Direction != smsmcp.Sent {
			return nil, false, fmt.Errorf("store texts: a text without its key or direction: %w", ErrInvalid)
		}
		if x.Unverified && x.Direction != smsmcp.Received {
			return nil, false, fmt.Errorf("store texts: a sent text, unverified: %w", ErrInvalid)
		}
		if x.Key.Kind == smsmcp.Voicemail && !x.Unverified {
			return nil, false, fmt.Errorf("store texts: a voicemail from somebody who is known: %w", ErrInvalid)
		}
	}
	// Most of what a poll lists is stored already. It is looked for beside the writer, so that an idle poll commits nothing.
	fresh, err := s.changed(ctx, texts)
	if err != nil {
		return nil, false, fmt.Errorf("store texts: %w", err)
	}
	if len(fresh) == 0 {
		return nil, false, nil
	}
	wake, owed := s.wake.Load(), false
	err = s.write(ctx, "store texts", func(t *tx) error {
		carriers, err := t.carriers(fresh)
		if err != nil {
			return err
		}
		for _, x := range fresh {
			claimed, err := t.claim(x)
			if err != nil {
				return err
			}
			if claimed {
				if err := t.delivery(x, false); err != nil {
					return err
				}
				continue
			}
			a, err := t.arrive(now, x, carriers)
			if err != nil {
				return err
			}
			owed, absorbed = owed || a.owed, absorbed || a.absorbed
			if a.added {
				x.ID, x.At = a.id, x.At.UTC().Truncate(time.Second)
				added = append(added, x)
			}
			if a.added && wake != nil && x.Direction == smsmcp.Received {
				if err := outbox.Owe(t.Tx, a.id, senderOf(x)); err != nil {
					return err
				}
				owed = true
			}
			if err := t.delivery(x, a.added); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	if owed && wake != nil {
		(*wake)()
	}
	return added, absorbed, nil
}

// changed are the texts that are not stored as they are. All of one carrier and kind are looked for in one query: a list of three months is
// polled as often as one of three days. What JSON cannot carry of an id is not found, and is left to the writer.
func (s *Store) changed(ctx context.Context, texts []smsmcp.Text) (fresh []smsmcp.Text, err error) {
	ids := map[smsmcp.Key][]string{} // by carrier and kind
	for _, x := range texts {
		group := smsmcp.Key{Carrier: x.Key.Carrier, Kind: x.Key.Kind}
		ids[group] = append(ids[group], x.Key.ID)
	}
	stored := make(map[smsmcp.Key]string, len(texts))
	for group, refs := range ids {
		list, err := json.Marshal(refs)
		if err != nil {
			return nil, err
		}
		err = engine.Each(s.read(ctx), `SELECT x.ref, x.delivery FROM json_each(?3) j CROSS JOIN texts x ON x.carrier = ?1 AND x.kind = ?2 AND x.ref = j.value`,
			[]any{group.Carrier, string(group.Kind), string(list)}, func(rows *sql.Rows) error {
				key, delivery := group, ""
				err := rows.Scan(&key.ID, &delivery)
				stored[key] = delivery
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	missing := map[smsmcp.Key][]string{}
	for _, x := range texts {
		if delivery, found := stored[x.Key]; !found {
			group := smsmcp.Key{Carrier: x.Key.Carrier, Kind: x.Key.Kind}
			missing[group] = append(missing[group], x.Key.ID)
			fresh = append(fresh, x)
		} else if x.Delivery != "" && x.Delivery != delivery {
			fresh = append(fresh, x)
		}
	}
	return s.unknown(ctx, fresh, missing)
}

// unknown leaves out of fresh what came another way. Only what is missing under its key is looked for.
func (s *Store) unknown(ctx context.Context, fresh []smsmcp.Text, missing map[smsmcp.Key][]string) ([]smsmcp.Text, error) {
	known := map[smsmcp.Key]bool{}
	for group, refs := range missing {
		list, err := json.Marshal(refs)
		if err != nil {
			return nil, err
		}
		err = engine.Each(s.read(ctx), `SELECT w.ref FROM json_each(?3) j CROSS JOIN ways w ON w.carrier = ?1 AND w.kind = ?2 AND w.ref = j.value`,
			[]any{group.Carrier, string(group.Kind), string(list)}, func(rows *sql.Rows) error {
				key := group
				err := rows.Scan(&key.ID)
				known[key] = true
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(fresh, func(x smsmcp.Text) bool { return known[x.Key] }), nil
}

// arrival is what became of a text that came.
type arrival struct {
	id       smsmcp.TextID // of one that was added
	added    bool
	absorbed bool // an unverified one is one that the list has
	owed     bool // the owner has to hear of what it was found to be
}

// arrive stores a text, if it is new: known by no key, and no text that came another way.
func (t *tx) arrive(now time.Time, x smsmcp.Text, carriers []string) (a arrival, err error) {
	leg, err := t.leg(x)
	if err != nil {
		return a, err
	}
	var pair []byte
	if leg == nil {
		if pair = pairOf(x, x.Key.Carrier); pair != nil {
			a, paired, err := t.other(now, x, carriers)
			if paired || err != nil {
				return a, err
			}
		}
	}
	a.id, a.added, err = t.addText(now, x, pair, leg, nil)
	return a, err
}

// columns are what the store makes of a text: times, what is looked into, and its peer over four columns, of which at most one is not NULL. A label
// is a BLOB: it equals no number. Nor does a claim, in a column of its own: whatever finds a contact by a number finds none by a claim.
type columns struct {
	number, code, label, claim any
	body, folded               []byte
	at, stop                   int64
}

func columnsOf(x smsmcp.Text) columns {
	body, received := x.Body.RawForStore(), x.Direction == smsmcp.Received
	c := columns{
		body: []byte(body), folded: []byte(searched(body, received)), at: ms(x.At.Truncate(time.Second)),
		stop: flag(received && !x.Unverified && signs.Stop(body)),
	}
	c.peer(x)
	return c
}

func (c *columns) peer(x smsmcp.Text) {
	switch {
	case x.Peer.Kind == smsmcp.PeerNumber && x.Unverified:
		c.claim = string(x.Peer.Number)
	case x.Peer.Kind == smsmcp.PeerNumber:
		c.number = string(x.Peer.Number)
	case x.Peer.Kind == smsmcp.PeerCode:
		c.code = x.Peer.Code
	case x.Peer.Kind == smsmcp.PeerLabel:
		c.label = []byte(x.Peer.Label.RawForStore())
	}
}

// peerOf are the bytes of a peer: its kind, and what it is.
func peerOf(p smsmcp.Peer) []byte {
	return append([]byte{'0' + byte(p.Kind)}, string(p.Number)+p.Code+p.Label.RawForStore()...)
}

// senderOf is whose a text is, as the outbox keeps it.
func senderOf(x smsmcp.Text) any {
	if x.Peer.Kind == smsmcp.PeerNumber && !x.Unverified {
		return string(x.Peer.Number)
	}
	return append([]byte{'0' + byte(flag(x.Unverified))}, peerOf(x.Peer)...)
}

// nextStop is what texts.stop is of a text that is a STOP from now on: no contact's stop_cleared is as much. A text's id does not say when it became one.
const nextStop = `(1 + (SELECT coalesce(max(stop_cleared), 0) FROM contacts))`

// addText stores a text, once by its key and by the ways that are known, and its links' hosts if we sent it. pair is what it is found by
// when another carrier has it too, leg the first leg of its group, send the id of the send that it came from; nil for none.
func (t *tx) addText(now time.Time, x smsmcp.Text, pair []byte, leg, send any) (id smsmcp.TextID, added bool, err error) {
	c := columnsOf(x)
	added, err = engine.One(t, `INSERT INTO texts (carrier, kind, ref, direction, number, code, label, claim, body, folded, at, stored, images, delivery,
		stop, unverified, pair, group_of, send) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, CASE ?15 WHEN 1 THEN `+nextStop+` ELSE 0 END, ?16, ?17, ?18, ?19
		WHERE NOT EXISTS (SELECT 1 FROM ways WHERE carrier = ?1 AND kind = ?2 AND ref = ?3) ON CONFLICT DO NOTHING RETURNING id`,
		[]any{
			x.Key.Carrier, string(x.Key.Kind), x.Key.ID, int64(x.Direction), c.number, c.code, c.label, c.claim, c.body, c.folded, c.at, ms(now),
			x.Images, x.Delivery, c.stop, flag(x.Unverified), pair, leg, send,
		}, &id)
	if err != nil || !added {
		return 0, false, err
	}
	if x.Direction == smsmcp.Received {
		if !x.Unverified { // else it counts once it is shown
			t.s.memo.heard = nil
		}
		return id, true, nil
	}
	return id, true, t.hosts(x.Body.RawForStore())
}

// searched is what a query for words looks into: what is shown of a body. A code that is masked there cannot be spelt out by asking.
func searched(body string, received bool) string {
	text := clean.Body(body).Text
	if received {
		text, _ = signs.Mask(text)
	}
	return fold.Key(text)
}

// leg finds the first leg of the group message that x is another leg of; nil if there is none.
func (t *tx) leg(x smsmcp.Text) (any, error) {
	if x.Direction != smsmcp.Received || x.Key.Kind != smsmcp.MMS || x.Unverified {
		return nil, nil
	}
	var c columns
	c.peer(x)
	var first int64
	found, err := engine.One(t, `SELECT id FROM texts WHERE direction = 1 AND group_of IS NULL AND at = ? AND number IS ? AND code IS ? AND label IS ?
		AND unverified = 0 AND kind = 'mms' AND carrier = ? AND body = ? AND images = ? AND ref <> ? ORDER BY id LIMIT 1`,
		[]any{ms(x.At.Truncate(time.Second)), c.number, c.code, c.label, x.Key.Carrier, []byte(x.Body.RawForStore()), x.Images, x.Key.ID}, &first)
	if !found || err != nil {
		return nil, err
	}
	return first, nil
}

// delivery takes the carrier's newer word on a known text, and on the send that it came from.
func (t *tx) delivery(x smsmcp.Text, isNew bool) error {
	if x.Delivery == "" {
		return nil
	}
	if !isNew {
		if _, err := t.Exec(`UPDATE texts SET delivery = ?1 WHERE carrier = ?2 AND kind = ?3 AND ref = ?4 AND delivery <> ?1`,
			x.Delivery, x.Key.Carrier, string(x.Key.Kind), x.Key.ID); err != nil {
			return err
		}
	}
	if x.Direction != smsmcp.Sent {
		return nil
	}
	_, err := t.Exec(`UPDATE sends SET delivery = ?1 WHERE delivery <> ?1 AND id = (SELECT send FROM texts WHERE carrier = ?2 AND kind = ?3 AND ref = ?4)`,
		x.Delivery, x.Key.Carrier, string(x.Key.Kind), x.Key.ID)
	return err
}

// Unclaimed gives the texts sent to a number at or after since that no send has as its own, oldest first.
func (s *Store) Unclaimed(ctx context.Context, to smsmcp.Number, since time.Time) ([]smsmcp.Text, error) {
	rows, err := s.rows(s.read(ctx), `LEFT JOIN contact_numbers n ON n.number = x.number WHERE x.number = ? AND x.at >= ? AND x.direction = 2
		AND x.send IS NULL ORDER BY x.at, x.id`, string(to), ms(since.Truncate(time.Second)))
	if err != nil {
		return nil, fmt.Errorf("unclaimed texts: %w", err)
	}
	texts := make([]smsmcp.Text, len(rows))
	for i, r := range rows {
		texts[i] = r.Text
	}
	return texts, nil
}

// Listed gives the text of a carrier's list that a send became by its words, whatever their times say, if there is one that no send has as its
// own: the nearest within a day. Who knows from elsewhere that the send went would else store it a second time.
func (s *Store) Listed(ctx context.Context, x smsmcp.Send) (found smsmcp.Text, ok bool, err error) {
	const within = 24 * time.Hour
	texts, err := s.Unclaimed(ctx, x.Draft.To(), x.Reserved.Add(-within))
	words, off := smsmcp.BodyDigest(x.Draft.Body()), within
	for _, t := range texts {
		if d := t.At.Sub(x.Reserved).Abs(); d <= off && smsmcp.BodyDigest(t.Body.RawForRules()) == words {
			found, off, ok = t, d, true
		}
	}
	return found, ok, err
}

// Synced keeps how a carrier's last sync went. A zero Good or Asked leaves the last one standing.
func (s *Store) Synced(ctx context.Context, st smsmcp.SyncState) error {
	return s.write(ctx, "synced", func(t *tx) error {
		_, err := t.Exec(`INSERT INTO syncs (carrier, good, asked, partial, tried, failure) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
			good = CASE excluded.good WHEN 0 THEN good ELSE excluded.good END, asked = CASE excluded.asked WHEN 0 THEN asked ELSE excluded.asked END,
			partial = excluded.partial, tried = excluded.tried, failure = excluded.failure`,
			st.Carrier, ms(st.Good), ms(st.Asked), ms(st.Partial), ms(st.Tried), st.Failure)
		return err
	})
}

// SyncState gives what Synced kept; for a carrier that never synced, its name alone.
func (s *Store) SyncState(ctx context.Context, carrier string) (smsmcp.SyncState, error) {
	st := smsmcp.SyncState{Carrier: carrier}
	var good, asked, partial, tried int64
	if _, err := engine.One(s.read(ctx), `SELECT good, asked, partial, tried, failure FROM syncs WHERE carrier = ?`, []any{carrier},
		&good, &asked, &partial, &tried, &st.Failure); err != nil {
		return st, fmt.Errorf("sync state: %w", err)
	}
	st.Good, st.Asked, st.Partial, st.Tried = fromMS(good), fromMS(asked), fromMS(partial), fromMS(tried)
	return st, nil
}
