// Package oauthtest is the contract that every oauth.Store passes, for tests alone.
package oauthtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/oauth"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 5e6, time.UTC)

var errBack = errors.New("none of it")

// Contract tests a store that open gives, empty each time.
func Contract(t *testing.T, open func(*testing.T) oauth.Store) {
	t.Run("kept", func(t *testing.T) { kept(t, open(t)) })
	t.Run("whole", func(t *testing.T) { whole(t, open(t)) })
	t.Run("dropped", func(t *testing.T) { dropped(t, open(t)) })
	t.Run("alone", func(t *testing.T) { alone(t, open(t)) })
}

func update(t *testing.T, s oauth.Store, do func(oauth.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

func view(t *testing.T, s oauth.Store, do func(oauth.Tx) error) {
	t.Helper()
	if err := s.View(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// same compares what was kept with what is found; times by what they mean.
func same(t *testing.T, what string, got, want any, found bool, err error) {
	t.Helper()
	if err != nil || !found {
		t.Errorf("%s: found %v, %v", what, found, err)
		return
	}
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		a, b, name := g.Field(i).Interface(), w.Field(i).Interface(), g.Type().Field(i).Name
		if r, ok := a.(oauth.Rotation); ok {
			same(t, what, r, b, true, nil)
			continue
		}
		if at, ok := a.(time.Time); ok {
			if !at.Equal(b.(time.Time)) || at.IsZero() != b.(time.Time).IsZero() {
				t.Errorf("%s.%s: %v, want %v", what, name, a, b)
			}
			continue
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s.%s: %v, want %v", what, name, a, b)
		}
	}
}

func client(id string) oauth.Client {
	return oauth.Client{ID: id, Name: "Édith (2)", Redirects: []string{"https://claude.ai/a", "http://localhost/b"}, Created: noon, Granted: noon.Add(1e6), Fetched: noon.Add(2e6), Fresh: time.Hour}
}

func code(n byte) oauth.Code {
	return oauth.Code{
		Hash: oauth.Hash{n, 1}, Client: "c", Name: "n", Redirect: "https://claude.ai/a", Challenge: "h", Resource: "r", Scopes: oauth.Send, Principal: "owner",
		Created: noon.Add(time.Duration(n) * time.Second), Used: noon.Add(1e6), Grant: "g",
	}
}

func grant(n int) oauth.Grant {
	return oauth.Grant{
		ID: fmt.Sprintf("grant%d", n), Client: "c", Name: "n", To: "claude.ai", Resource: "r", Scopes: oauth.All, Principal: "owner", MayConfirm: true,
		Created: noon.Add(time.Duration(n) * time.Minute), Used: noon.Add(1e6), Ended: noon.Add(2e6), Why: oauth.CodeTwice,
		Rotation: oauth.Rotation{Last: 7, Turn: 5, From: -1, Turned: noon.Add(3e6), Past: noon.Add(4e6), Heard: noon.Add(5e6)},
	}
}

func token(n byte, grant string, refresh bool) oauth.Token {
	return oauth.Token{Hash: oauth.Hash{n, 2}, Refresh: refresh, Grant: grant, Seq: int64(n), Parent: int64(n) - 1, Scopes: oauth.Read, Created: noon.Add(time.Duration(n) * time.Second)}
}

func kept(t *testing.T, s oauth.Store) {
	bare := []any{oauth.Client{ID: "bare", Redirects: []string{"https://claude.ai/"}, Created: noon}, oauth.Grant{ID: "bare", Created: noon}}
	for range 2 { // what is put again takes the place of what was there
		update(t, s, func(tx oauth.Tx) error {
			for i := range 2 {
				if err := errors.Join(tx.PutClient(client(fmt.Sprint("client", i))), tx.PutCode(code(byte(i))), tx.PutGrant(grant(1-i))); err != nil {
					return err
				}
			}
			return errors.Join(tx.PutClient(bare[0].(oauth.Client)), tx.PutGrant(bare[1].(oauth.Grant)), tx.PutCode(oauth.Code{Hash: oauth.Hash{9}, Created: noon}))
		})
	}
	update(t, s, func(tx oauth.Tx) error {
		return errors.Join(tx.PutToken(token(1, "grant1", true)), tx.PutToken(token(2, "grant1", false)))
	})
	if s.Update(t.Context(), func(tx oauth.Tx) error { return tx.PutToken(token(1, "grant0", true)) }) == nil {
		t.Error("a token takes the place of another")
	}
	view(t, s, func(tx oauth.Tx) error {
		c, found, err := tx.Client("client1")
		same(t, "client", c, client("client1"), found, err)
		c, found, err = tx.Client("bare")
		same(t, "bare client", c, bare[0], found, err)
		k, found, err := tx.Code(oauth.Hash{1, 1})
		same(t, "code", k, code(1), found, err)
		k, found, err = tx.Code(oauth.Hash{9})
		same(t, "bare code", k, oauth.Code{Hash: oauth.Hash{9}, Created: noon}, found, err)
		g, found, err := tx.Grant("grant1")
		same(t, "grant", g, grant(1), found, err)
		g, found, err = tx.Grant("bare")
		same(t, "bare grant", g, bare[1], found, err)
		for _, want := range []oauth.Token{token(1, "grant1", true), token(2, "grant1", false)} {
			got, found, err := tx.Token(want.Hash)
			same(t, "token", got, want, found, err)
		}
		clients, err := tx.Clients()
		if err != nil || len(clients) != 3 {
			t.Errorf("%d clients, %v", len(clients), err)
		}
		grants, err := tx.Grants()
		if err != nil || len(grants) != 3 || grants[2].ID != "grant1" {
			t.Errorf("%d grants, or not oldest first, %v", len(grants), err)
		}
		_, c1, err1 := tx.Client("none")
		_, c2, err2 := tx.Code(oauth.Hash{})
		_, c3, err3 := tx.Grant("")
		_, c4, err4 := tx.Token(oauth.Hash{})
		if c1 || c2 || c3 || c4 || errors.Join(err1, err2, err3, err4) != nil {
			t.Errorf("what is not there: %v %v %v %v, %v", c1, c2, c3, c4, errors.Join(err1, err2, err3, err4))
		}
		return nil
	})
}

// whole: all of an Update is there, or none; and a View writes nothing.
func whole(t *testing.T, s oauth.Store) {
	update(t, s, func(tx oauth.Tx) error {
		return errors.Join(tx.PutGrant(grant(1)), tx.PutToken(token(1, "grant1", true)))
	})
	err := s.Update(t.Context(), func(tx oauth.Tx) error {
		g := grant(1)
		g.Name = "other"
		if err := errors.Join(tx.PutGrant(g), tx.DropTokens("grant1"), tx.PutClient(client("c")), tx.PutCode(code(1))); err != nil {
			return err
		}
		if got, found, err := tx.Grant("grant1"); err != nil || !found || got.Name != "other" {
			t.Error("an Update does not see what it wrote")
		}
		return errBack
	})
	if !errors.Is(err, errBack) {
		t.Errorf("do's error is lost: %v", err)
	}
	if err := s.View(t.Context(), func(oauth.Tx) error { return errBack }); !errors.Is(err, errBack) {
		t.Errorf("do's error is lost: %v", err)
	}
	if err := s.View(t.Context(), func(tx oauth.Tx) error { return tx.PutClient(client("c")) }); err == nil {
		t.Error("a View writes")
	}
	view(t, s, func(tx oauth.Tx) error {
		g, _, _ := tx.Grant("grant1")
		_, has, _ := tx.Token(oauth.Hash{1, 2})
		_, c, _ := tx.Client("c")
		_, k, _ := tx.Code(oauth.Hash{1, 1})
		if g.Name != "n" || !has || c || k {
			t.Errorf("some of it is there: %q %v %v %v", g.Name, has, c, k)
		}
		return nil
	})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_ = s.Update(gone, func(tx oauth.Tx) error { return tx.PutClient(client("late")) }) // done or not: both are fine, but it ends
}

func dropped(t *testing.T, s oauth.Store) {
	update(t, s, func(tx oauth.Tx) error {
		for n := range byte(6) {
			if err := errors.Join(tx.PutCode(code(n)), tx.PutToken(token(n, "a", true)), tx.PutToken(token(10+n, "a", false)), tx.PutToken(token(20+n, "b", n%2 == 0))); err != nil {
				return err
			}
		}
		return errors.Join(tx.PutClient(client("x")), tx.PutClient(client("y")), tx.PutGrant(grant(1)), tx.PutGrant(grant(2)))
	})
	left := func() (codes, tokens string) {
		view(t, s, func(tx oauth.Tx) error {
			codes, tokens = "", ""
			for n := range byte(30) {
				if _, has, _ := tx.Code(oauth.Hash{n, 1}); has {
					codes += fmt.Sprint(n, " ")
				}
				if _, has, _ := tx.Token(oauth.Hash{n, 2}); has {
					tokens += fmt.Sprint(n, " ")
				}
			}
			return nil
		})
		return codes, tokens
	}
	const bs = "20 21 22 23 24 25 "
	for _, c := range []struct {
		do            func(oauth.Tx) error
		codes, tokens string
	}{
		{func(tx oauth.Tx) error {
			unused := code(4)
			unused.Used = time.Time{}
			return errors.Join(tx.PutCode(unused), tx.DropCodes(noon.Add(2*time.Second), noon.Add(4*time.Second)))
		}, "2 3 4 5 ", "0 1 2 3 4 5 10 11 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropCodes(noon, noon.Add(5*time.Second)) }, "2 3 5 ", "0 1 2 3 4 5 10 11 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.PutCode(code(4)) }, "2 3 4 5 ", "0 1 2 3 4 5 10 11 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropAccess("a", noon.Add(12*time.Second)) }, "2 3 4 5 ", "0 1 2 3 4 5 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropRefresh("a", 3, oauth.Rotation{Turn: 1, From: 0}) }, "2 3 4 5 ", "0 1 3 4 5 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropRefresh("a", 3, oauth.Rotation{Turn: 4, From: 3}) }, "2 3 4 5 ", "3 4 5 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropToken(oauth.Hash{4, 2}) }, "2 3 4 5 ", "3 5 12 13 14 15 " + bs},
		{func(tx oauth.Tx) error { return tx.DropTokens("a") }, "2 3 4 5 ", bs},
		{func(tx oauth.Tx) error { return errors.Join(tx.DropToken(oauth.Hash{}), tx.DropTokens("none")) }, "2 3 4 5 ", bs},
	} {
		update(t, s, c.do)
		if codes, tokens := left(); codes != c.codes || tokens != c.tokens {
			t.Errorf("left are codes %sand tokens %s; want %sand %s", codes, tokens, c.codes, c.tokens)
		}
	}
	update(t, s, func(tx oauth.Tx) error {
		return errors.Join(tx.DropClient("x"), tx.DropGrant("grant1"), tx.DropClient("none"), tx.DropGrant("none"))
	})
	view(t, s, func(tx oauth.Tx) error {
		clients, _ := tx.Clients()
		grants, _ := tx.Grants()
		if len(clients) != 1 || clients[0].ID != "y" || len(grants) != 1 || grants[0].ID != "grant2" {
			t.Errorf("%v, %v", clients, grants)
		}
		return nil
	})
}

// alone: what many Updates read and write at once is as if one had come after the other.
func alone(t *testing.T, s oauth.Store) {
	update(t, s, func(tx oauth.Tx) error { return tx.PutGrant(oauth.Grant{ID: "g", Created: noon}) })
	const n = 40
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			err := s.Update(t.Context(), func(tx oauth.Tx) error {
				g, _, err := tx.Grant("g")
				if err != nil {
					return err
				}
				g.Last++
				return tx.PutGrant(g)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	view(t, s, func(tx oauth.Tx) error {
		if g, _, err := tx.Grant("g"); err != nil || g.Last != n {
			t.Errorf("%d of %d, %v", g.Last, n, err)
		}
		return nil
	})
}
