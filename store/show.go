package store

import (
	"context"
	"encoding/json"
	"time"

	"readback/smsmcp"
)

// shownSlack is how old a mark or a hold may be and stand for a new one, so that reading again and again commits nothing. A hold is
// written longer by it, and a mark is read as that much later: neither is ever shorter than it was asked for.
const shownSlack = time.Minute

// keptMarks bounds what is remembered of the marks; past it they are forgotten, and written again.
const keptMarks = 8192

type holdKey struct {
	scope smsmcp.Scope
	kind  smsmcp.HoldKind
}

// marks remembers what Show committed. Marks and holds only ever grow and are never deleted, so what was committed still covers.
type marks struct {
	texts map[smsmcp.TextID]int64
	holds map[holdKey]int64
}

// Show commits which texts a model is about to be shown, and the holds that this starts, before the words leave (invariant 9): if it fails,
// they must not. Where all of it stands already it writes nothing.
func (s *Store) Show(ctx context.Context, sh smsmcp.Shown) error {
	ids, holds := s.uncovered(sh)
	if len(ids) == 0 && len(holds) == 0 {
		return nil
	}
	err := s.write(ctx, "show", func(t *tx) error {
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			if _, err := t.Exec(`INSERT INTO shown (text, at) SELECT value, ?2 FROM json_each(?1) WHERE true
				ON CONFLICT DO UPDATE SET at = excluded.at WHERE at < excluded.at`, string(list), ms(sh.At)); err != nil {
				return err
			}
		}
		for _, h := range holds {
			if _, err := t.Exec(`INSERT INTO holds (scope, kind, since, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
				since = CASE WHEN until < excluded.since THEN excluded.since ELSE min(since, excluded.since) END, until = max(until, excluded.until)`,
				string(h.Scope), string(h.Kind), ms(h.From), ms(h.Until.Add(shownSlack))); err != nil {
				return err
			}
		}
		t.s.memo = memo{}
		return nil
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.marks.texts == nil || len(s.marks.texts) > keptMarks || len(s.marks.holds) > keptMarks {
		s.marks = marks{map[smsmcp.TextID]int64{}, map[holdKey]int64{}}
	}
	for _, id := range ids {
		s.marks.texts[id] = max(s.marks.texts[id], ms(sh.At))
	}
	for _, h := range holds {
		k := holdKey{h.Scope, h.Kind}
		s.marks.holds[k] = max(s.marks.holds[k], ms(h.Until.Add(shownSlack)))
	}
	return nil
}

// uncovered is what of sh no earlier Show has committed.
func (s *Store) uncovered(sh smsmcp.Shown) (ids []smsmcp.TextID, holds []smsmcp.Hold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := ms(sh.At.Add(-shownSlack))
	for _, id := range sh.Texts {
		if at, ok := s.marks.texts[id]; !ok || at < from {
			ids = append(ids, id)
		}
	}
	for _, h := range sh.Holds {
		if until, ok := s.marks.holds[holdKey{h.Scope, h.Kind}]; !ok || until < ms(h.Until) {
			holds = append(holds, h)
		}
	}
	return ids, holds
}
