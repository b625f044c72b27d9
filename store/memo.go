package store

import (
	"cmp"
	"slices"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/store/engine"
)

// memo is what the writer read of the log, kept from one transaction to the next: reading a day of it costs more than the commit. It is used only
// inside a transaction, and only if no other connection has committed since (PRAGMA data_version), so it never says anything that the file does not.
// What this connection writes is either followed here or drops the memo; a transaction that fails drops it.
type memo struct {
	version int64
	log     *logMemo
	heard   *heardMemo
}

// logMemo is complete for times after since. Nothing is left out for being in the future.
type logMemo struct {
	since   int64
	now     int64        // when it was read
	past    []guard.Past // by time
	open    []openSend
	asked   []time.Time
	answers []guard.Answer // newest first: the last two before now, and all that are later
	holds   []smsmcp.Hold
	frozen  bool
}

// openSend is a send that is open, with what it is found by.
type openSend struct {
	smsmcp.Send
	words [32]byte // smsmcp.BodyDigest
}

// heard remembers what was found in the texts that were heard last: to look into thousands of them again because one has arrived would hold up a
// send. A text changes once at most, when it is paired.
type heard map[heardKey]guard.Heard

type heardKey struct {
	text   smsmcp.TextID
	paired bool
}

// heardMemo is complete for times after since and after left, which is the time of the newest one that was left out; 0 if none was. A showing
// counts as later by shownSlack: a mark may be that much older than the last one.
type heardMemo struct {
	since, left int64
	list        []guard.Heard
}

// What is kept at most, and of what is too old to be asked for.
const (
	maxPast = 2048
	maxOld  = 128
)

// fresh drops the memo if another connection has committed.
func (t *tx) fresh() error {
	var version int64
	if _, err := engine.One(t, `PRAGMA data_version`, nil, &version); err != nil {
		return err
	}
	if version != t.s.memo.version {
		t.s.memo = memo{version: version}
	}
	return nil
}

// began follows a new send with these words.
func (m *memo) began(s smsmcp.Send, words [32]byte) {
	if m.log == nil || s.State == smsmcp.Refused && s.Expires.IsZero() && s.Answered.IsZero() {
		return
	}
	if s.State != smsmcp.Reserved || !s.Expires.IsZero() || !s.Answered.IsZero() || len(m.log.past) > maxPast {
		m.log = nil
		return
	}
	s.Created, s.Reserved, s.Ended, s.Key.ID = fromMS(ms(s.Created)), fromMS(ms(s.Reserved)), fromMS(ms(s.Ended)), ""
	m.log.open = append(m.log.open, openSend{s, words})
	m.log.past = append(m.log.past, guard.Past{
		ID: s.ID, Contact: s.Draft.Contact(), To: s.Draft.To(), Body: words, At: s.Reserved, State: s.State,
		Confirmed: s.ConfirmedBy != smsmcp.NoChannel,
	})
	if n := len(m.log.past); n > 1 && m.log.past[n-1].At.Before(m.log.past[n-2].At) {
		slices.SortStableFunc(m.log.past, byTime)
	}
}

// settled follows a send that Record wrote.
func (m *memo) settled(s smsmcp.Send, counts bool) {
	if m.log == nil {
		return
	}
	i := slices.IndexFunc(m.log.open, func(o openSend) bool { return o.ID == s.ID })
	switch {
	case i < 0:
		m.log = nil
		return
	case s.State.Open():
		m.log.open[i].Send = s
	default:
		m.log.open = slices.Delete(m.log.open, i, i+1)
	}
	if i = slices.IndexFunc(m.log.past, func(p guard.Past) bool { return p.ID == s.ID }); i < 0 {
		return // older than the memo
	}
	if m.log.past[i].State = s.State; !counts {
		m.log.past = slices.Delete(m.log.past, i, i+1)
	}
}

// outgoing gives the send that is to be recorded.
func (t *tx) outgoing(id smsmcp.SendID) (smsmcp.Send, error) {
	if err := t.fresh(); err != nil {
		return smsmcp.Send{}, err
	}
	if m := t.s.memo.log; m != nil {
		if i := slices.IndexFunc(m.open, func(s openSend) bool { return s.ID == id }); i >= 0 {
			return m.open[i].Send, nil
		}
	}
	return send(t, id)
}

// fill gives a state what the memo knows, in slices of its own.
func (m *logMemo) fill(st *guard.State, now time.Time, need guard.Need) {
	since := ms(need.LogSince)
	st.Frozen = m.frozen
	recent := after(m.past, since, func(p guard.Past) time.Time { return p.At })
	if old := len(m.past) - len(recent); old > maxOld {
		m.past, m.since = slices.Delete(m.past, 0, old), since
		recent = m.past
	}
	st.Log = slices.Clone(recent)
	st.Asked = slices.Clone(after(m.asked, since, func(t time.Time) time.Time { return t }))
	st.Answers = lastTwo(m.answers, ms(now))
	for _, h := range m.holds {
		if ms(h.Until) > ms(now) {
			st.Holds = append(st.Holds, h)
		}
	}
	for _, s := range m.open {
		switch {
		case s.State == smsmcp.Waiting:
			st.Waiting = append(st.Waiting, s.Send)
		case (s.Draft.Contact() == st.Contact.ID || s.Draft.To() == st.Contact.To) && s.words == smsmcp.BodyDigest(need.Body):
			st.Unsettled = append(st.Unsettled, s.Send)
		}
	}
}

// ahead says whether an answer that was in the past when the memo was read lies in the future at now: then others may be the last two.
func (m *logMemo) ahead(now int64) bool {
	return slices.ContainsFunc(m.answers, func(a guard.Answer) bool { return ms(a.At) > now && ms(a.At) <= m.now })
}

// lastTwo gives the last two answers, those of the future last.
func lastTwo(all []guard.Answer, now int64) []guard.Answer {
	first := slices.IndexFunc(all, func(a guard.Answer) bool { return ms(a.At) <= now })
	if first < 0 {
		first = len(all)
	}
	list := slices.Concat(all[first:], all[:first])
	return list[:min(2, len(list))]
}

// after gives the part of a list in the order of time that is later than since.
func after[T any](list []T, since int64, at func(T) time.Time) []T {
	i, _ := slices.BinarySearchFunc(list, since, func(x T, since int64) int {
		return cmp.Or(cmp.Compare(ms(at(x)), since), -1) // the same moment is not after it
	})
	return list[i:]
}

func byTime(a, b guard.Past) int { return a.At.Compare(b.At) }
