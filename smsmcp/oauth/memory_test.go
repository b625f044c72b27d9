package oauth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

// memory is a Store that forgets nothing until it is thrown away, and can fail.
type memory struct {
	mu    sync.Mutex
	state tables
	fail  func() error // of an Update, after what it did
	first func()       // before an Update, once
}

type tables struct {
	clients map[string]Client
	codes   map[Hash]Code
	grants  map[string]Grant
	tokens  map[Hash]Token
	undo    []func()
	ro      bool
}

func newMemory() *memory {
	return &memory{state: tables{clients: map[string]Client{}, codes: map[Hash]Code{}, grants: map[string]Grant{}, tokens: map[Hash]Token{}}}
}

var errReadOnly = errors.New("a View writes")

func (m *memory) View(_ context.Context, do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state.ro = true
	defer func() { m.state.ro = false }()
	if err := do(&m.state); err != nil {
		return err
	}
	if len(m.state.undo) > 0 {
		return errReadOnly
	}
	return nil
}

func (m *memory) Update(_ context.Context, do func(Tx) error) error {
	m.mu.Lock()
	if first := m.first; first != nil {
		m.first = nil
		m.mu.Unlock()
		first()
		m.mu.Lock()
	}
	defer m.mu.Unlock()
	if err := do(&m.state); err != nil {
		m.state.back()
		return err
	}
	m.state.back() // it may be run more than once
	err := do(&m.state)
	if err == nil && m.fail != nil {
		err = m.fail()
	}
	if err != nil {
		m.state.back()
	}
	m.state.undo = nil
	return err
}

func (t *tables) back() {
	for i := len(t.undo) - 1; i >= 0; i-- {
		t.undo[i]()
	}
	t.undo = nil
}

func find[K comparable, V any](m map[K]V, k K) (V, bool, error) { v, ok := m[k]; return v, ok, nil }

func put[K comparable, V any](t *tables, m map[K]V, k K, v V) error {
	return change(t, m, k, func() { m[k] = v })
}

func drop[K comparable, V any](t *tables, m map[K]V, which func(V) bool) error {
	for k, v := range m {
		if which(v) {
			if err := change(t, m, k, func() { delete(m, k) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func change[K comparable, V any](t *tables, m map[K]V, k K, do func()) error {
	if t.ro {
		return errReadOnly
	}
	if old, had := m[k]; had {
		t.undo = append(t.undo, func() { m[k] = old })
	} else {
		t.undo = append(t.undo, func() { delete(m, k) })
	}
	do()
	return nil
}

func (t *tables) Client(id string) (Client, bool, error) { return find(t.clients, id) }
func (t *tables) Clients() ([]Client, error) {
	return slices.SortedFunc(maps.Values(t.clients), func(a, b Client) int { return a.Created.Compare(b.Created) }), nil
}
func (t *tables) PutClient(c Client) error { return put(t, t.clients, c.ID, c) }
func (t *tables) DropClient(id string) error {
	return drop(t, t.clients, func(c Client) bool { return c.ID == id })
}

func (t *tables) Code(h Hash) (Code, bool, error) { return find(t.codes, h) }
func (t *tables) PutCode(c Code) error            { return put(t, t.codes, c.Hash, c) }
func (t *tables) DropCodes(before, unused time.Time) error {
	return drop(t, t.codes, func(c Code) bool { return c.Created.Before(before) || c.Used.IsZero() && c.Created.Before(unused) })
}

func (t *tables) Grant(id string) (Grant, bool, error) { return find(t.grants, id) }
func (t *tables) Grants() ([]Grant, error) {
	return slices.SortedFunc(maps.Values(t.grants), func(a, b Grant) int { return a.Created.Compare(b.Created) }), nil
}
func (t *tables) PutGrant(g Grant) error { return put(t, t.grants, g.ID, g) }
func (t *tables) DropGrant(id string) error {
	return drop(t, t.grants, func(g Grant) bool { return g.ID == id })
}

func (t *tables) Token(h Hash) (Token, bool, error) { return find(t.tokens, h) }
func (t *tables) PutToken(k Token) error {
	if _, has := t.tokens[k.Hash]; has {
		return errors.New("that token is here already")
	}
	return put(t, t.tokens, k.Hash, k)
}
func (t *tables) DropToken(h Hash) error {
	return drop(t, t.tokens, func(k Token) bool { return k.Hash == h })
}
func (t *tables) DropTokens(grant string) error {
	return drop(t, t.tokens, func(k Token) bool { return k.Grant == grant })
}
func (t *tables) DropAccess(grant string, before time.Time) error {
	return drop(t, t.tokens, func(k Token) bool { return k.Grant == grant && !k.Refresh && k.Created.Before(before) })
}
func (t *tables) DropRefresh(grant string, seq int64, but Rotation) error {
	return drop(t, t.tokens, func(k Token) bool {
		return k.Grant == grant && k.Refresh && k.Seq < seq && k.Seq != but.Turn && k.Seq != but.From
	})
}
