package inbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const anna = smsmcp.Number("+15145550101")

// shelf is a store in memory that can be made to fail. It keeps the order of what was asked of it.
type shelf struct {
	mu      sync.Mutex
	did     []string
	fail    map[string]error
	texts   map[smsmcp.Key]smsmcp.Text
	stored  map[smsmcp.Key]time.Time
	state   smsmcp.SyncState
	states  []smsmcp.SyncState
	sends   map[smsmcp.SendID]smsmcp.Send
	shown   []smsmcp.Shown
	page    smsmcp.Page
	claimed map[smsmcp.Key]bool
}

func newShelf() *shelf {
	return &shelf{fail: map[string]error{}, texts: map[smsmcp.Key]smsmcp.Text{}, stored: map[smsmcp.Key]time.Time{}, sends: map[smsmcp.SendID]smsmcp.Send{}, claimed: map[smsmcp.Key]bool{}}
}

func (s *shelf) do(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.did = append(s.did, what)
	return s.fail[what]
}

func (s *shelf) StoreTexts(_ context.Context, now time.Time, texts []smsmcp.Text) (added []smsmcp.Text, err error) {
	if err := s.do("store"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range texts {
		if _, ok := s.texts[t.Key]; !ok {
			added = append(added, t)
			s.stored[t.Key] = now
		}
		s.texts[t.Key] = t
	}
	return added, nil
}

func (s *shelf) Receive(ctx context.Context, now time.Time, x smsmcp.Text) (added []smsmcp.Text, absorbed bool, err error) {
	added, err = s.StoreTexts(ctx, now, []smsmcp.Text{x})
	return added, false, err
}

func (s *shelf) Texts(context.Context, smsmcp.Query) (smsmcp.Page, error) {
	return s.page, s.do("texts")
}

func (s *shelf) Show(_ context.Context, sh smsmcp.Shown) error {
	if err := s.do("show"); err != nil {
		return err
	}
	s.shown = append(s.shown, sh)
	return nil
}

func (s *shelf) Synced(_ context.Context, st smsmcp.SyncState) error {
	if err := s.do("synced"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.states = append(s.states, st)
	if st.Good.IsZero() {
		st.Good = s.state.Good
	}
	s.state = st
	return nil
}

func (s *shelf) SyncState(context.Context, string) (smsmcp.SyncState, error) {
	err := s.do("state")
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, err
}

func (s *shelf) Unconfirmed(_ context.Context, since time.Time) (n int, err error) {
	if err := s.do("unconfirmed"); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.texts {
		if t.Unverified && !s.stored[t.Key].Before(since) {
			n++
		}
	}
	return n, nil
}

// confirm says of every text that it is known whom it is from.
func (s *shelf) confirm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, t := range s.texts {
		t.Unverified = false
		s.texts[k] = t
	}
}

func (s *shelf) Unsettled(context.Context) (list []smsmcp.Send, err error) {
	for _, x := range s.sends {
		if x.State == smsmcp.Unknown || x.State == smsmcp.Reserved {
			list = append(list, x)
		}
	}
	return list, s.do("unsettled")
}

func (s *shelf) Unlisted(_ context.Context, since time.Time) (list []smsmcp.Send, err error) {
	for _, x := range s.sends {
		if x.State == smsmcp.Failed && (x.Failure == smsmcp.NotListed || x.Failure == smsmcp.OwnerSaid) && x.Reserved.After(since) {
			list = append(list, x)
		}
	}
	return list, s.do("unlisted")
}

func (s *shelf) Unclaimed(_ context.Context, to smsmcp.Number, since time.Time) (list []smsmcp.Text, err error) {
	for _, t := range s.texts {
		if t.Direction == smsmcp.Sent && t.Peer.Number == to && !t.At.Before(since.Truncate(time.Second)) && !s.claimed[t.Key] {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b smsmcp.Text) int { return a.At.Compare(b.At) })
	return list, s.do("unclaimed")
}

func (s *shelf) Record(_ context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error) {
	if err := s.do("record " + string(id)); err != nil {
		return smsmcp.Send{}, err
	}
	x := s.sends[id]
	if s.claimed[o.Key] || x.State != smsmcp.Unknown && (x.State != smsmcp.Failed || o.State != smsmcp.Done) {
		return smsmcp.Send{}, errors.New("claimed or settled already")
	}
	if o.State == smsmcp.Done {
		s.claimed[o.Key] = true
	}
	if x.State, x.Ended, x.Failure = o.State, o.At, o.Failure; o.Key.ID != "" {
		x.Key = o.Key
	}
	s.sends[id] = x
	return x, nil
}

// lister is a carrier's list, counted.
type lister struct {
	mu    sync.Mutex
	calls []window
	list  func(ctx context.Context, n int) ([]smsmcp.Text, error)
}

type window struct{ at, from, to time.Time }

func (l *lister) List(ctx context.Context, from, to time.Time) ([]smsmcp.Text, error) {
	l.mu.Lock()
	l.calls = append(l.calls, window{time.Now().UTC(), from, to})
	n, f := len(l.calls), l.list
	l.mu.Unlock()
	if f == nil {
		return nil, nil
	}
	return f(ctx, n)
}

func (l *lister) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.calls)
}

// newBox makes a box on fakes, on the clock of time.Now: in a synctest bubble that is the bubble's.
func newBox(s Store, l smsmcp.Lister) *Box {
	return New(Options{Store: s, Name: "test", Carrier: l, Now: time.Now, Rand: rand.New(rand.NewPCG(1, 2)), Hold: time.Hour, Alarm: 2 * time.Hour})
}

func received(id string, p smsmcp.Peer, body string, at time.Time) smsmcp.Text {
	return smsmcp.Text{Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: id}, Direction: smsmcp.Received, Peer: p, Body: untrusted.New(body), At: at}
}

func sent(id string, to smsmcp.Number, body string, at time.Time) smsmcp.Text {
	t := received(id, smsmcp.NumberPeer(to), body, at)
	t.Direction = smsmcp.Sent
	return t
}

func unknown(id smsmcp.SendID, body string, at time.Time) smsmcp.Send {
	return smsmcp.Send{ID: id, Draft: smsmcp.RestoreDraft(1, 1, anna, body), State: smsmcp.Unknown, Reserved: at}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
