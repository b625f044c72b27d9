package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/fold"
	"readback/smsmcp/signs"
	"readback/store/engine"
)

// StoreTexts stores what a carrier listed and gives those that were new, with their ids. One that is known by its key is the same text
// (invariant 8): only its delivery state is taken, for the text and for the send with that key. A received MMS with the peer, the
// body and the second of another is a leg of the same group message: it is stored, and shown as one with the first. A sent text that is what a send
// without the carrier's id became is no new one. Where the outbox is on, a new received text is in it by the same transaction.
func (s *Store) StoreTexts(ctx context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, err error) {
	for _, x := range texts {
		if x.Key.Carrier == "" || x.Key.Kind == "" || x.Key.ID == "" || x.Direction != smsmcp.Received && x.Direction != smsmcp.Sent {
			return nil, fmt.Errorf("store texts: a text without its key or direction: %w", ErrInvalid)
		}
	}
	// Most of what a poll lists is stored already. It is looked for beside the writer, so that an idle poll commits nothing.
	fresh, err := s.changed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("store texts: %w", err)
	}
	if len(fresh) == 0 {
		return nil, nil
	}
	wake, owed := s.wake.Load(), false
	err = s.write(ctx, "store texts", func(t *tx) error {
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
			id, isNew, err := t.addText(now, x, nil)
			if err != nil {
				return err
			}
			if isNew {
				x.ID, x.At = id, x.At.UTC().Truncate(time.Second)
				added = append(added, x)
			}
			if isNew && wake != nil && x.Direction == smsmcp.Received {
				if err := t.owe(id); err != nil {
					return err
				}
				owed = true
			}
			if err := t.delivery(x, isNew); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if owed {
		(*wake)()
	}
	return added, nil
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
	for _, x := range texts {
		if delivery, found := stored[x.Key]; !found || x.Delivery != "" && x.Delivery != delivery {
			fresh = append(fresh, x)
		}
	}
	return fresh, nil
}

// addText stores a text, once by its key, and its links' hosts if we sent it. send is the id of the send that it came from, or nil.
func (t *tx) addText(now time.Time, x smsmcp.Text, send any) (id smsmcp.TextID, added bool, err error) {
	body := x.Body.RawForStore()
	at := ms(x.At.Truncate(time.Second))
	number, code, label := peerColumns(x.Peer)
	received := x.Direction == smsmcp.Received
	var group any
	if received && x.Key.Kind == smsmcp.MMS {
		if group, err = t.leg(x, at); err != nil {
			return 0, false, err
		}
	}
	added, err = engine.One(t, `INSERT INTO texts (carrier, kind, ref, direction, number, code, label, body, folded, at, stored, images, delivery,
		stop, group_of, send) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
		[]any{
			x.Key.Carrier, string(x.Key.Kind), x.Key.ID, int64(x.Direction), number, code, label, []byte(body), []byte(searched(body, received)), at,
			ms(now), x.Images, x.Delivery, flag(received && signs.Stop(body)), group, send,
		}, &id)
	if err != nil || !added {
		return 0, false, err
	}
	if received {
		t.s.memo.heard = nil
		return id, true, nil
	}
	return id, true, t.hosts(body)
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
func (t *tx) leg(x smsmcp.Text, at int64) (any, error) {
	number, code, label := peerColumns(x.Peer)
	var first int64
	found, err := engine.One(t, `SELECT id FROM texts WHERE direction = 1 AND group_of IS NULL AND at = ? AND number IS ? AND code IS ? AND label IS ?
		AND kind = 'mms' AND carrier = ? AND body = ? AND images = ? AND ref <> ? ORDER BY id LIMIT 1`,
		[]any{at, number, code, label, x.Key.Carrier, []byte(x.Body.RawForStore()), x.Images, x.Key.ID}, &first)
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

// peerColumns spreads a peer over its three columns, of which at most one is not NULL. A label is a BLOB: it equals no number.
func peerColumns(p smsmcp.Peer) (number, code, label any) {
	switch p.Kind {
	case smsmcp.PeerNumber:
		return string(p.Number), nil, nil
	case smsmcp.PeerCode:
		return nil, p.Code, nil
	case smsmcp.PeerLabel:
		return nil, nil, []byte(p.Label.RawForStore())
	}
	return nil, nil, nil
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
