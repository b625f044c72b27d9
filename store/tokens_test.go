package store

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	s := newStore(t)
	hash := [32]byte{1, 2, 31: 3}
	ok(t, s.AddToken(t.Context(), noon, "laptop", "id1", hash))
	if err := s.AddToken(t.Context(), noon, "laptop", "id2", hash); !errors.Is(err, ErrTokenName) {
		t.Error(err)
	}
	if err := s.AddToken(t.Context(), noon, "phone", "id1", hash); !errors.Is(err, ErrTaken) {
		t.Error(err)
	}
	if name, h, may, err := s.Token(t.Context(), "id1"); name != "laptop" || h != hash || may || err != nil {
		t.Error(name, h, err)
	}
	for _, id := range []string{"", "id", "ID1", "id2"} {
		if name, _, _, err := s.Token(t.Context(), id); !errors.Is(err, ErrNoToken) || name != "" {
			t.Errorf("%q: %q, %v", id, name, err)
		}
	}
	for _, may := range []bool{true, false, true} {
		ok(t, s.SetTokenMayConfirm(t.Context(), "laptop", may))
		list, err := s.Tokens(t.Context())
		if _, _, got, err2 := s.Token(t.Context(), "id1"); got != may || len(list) != 1 || list[0].MayConfirm != may || errors.Join(err, err2) != nil {
			t.Error(got, list, err, err2)
		}
	}
	if err := s.SetTokenMayConfirm(t.Context(), "phone", true); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	ok(t, s.RevokeToken(t.Context(), noon.Add(time.Hour), "laptop"))
	if err := s.SetTokenMayConfirm(t.Context(), "laptop", true); !errors.Is(err, ErrNoToken) {
		t.Errorf("a revoked token: %v", err)
	}
	if err := s.RevokeToken(t.Context(), noon, "laptop"); !errors.Is(err, ErrNoToken) {
		t.Error(err)
	}
	if _, _, _, err := s.Token(t.Context(), "id1"); !errors.Is(err, ErrNoToken) {
		t.Errorf("a revoked token: %v", err)
	}
	ok(t, s.AddToken(t.Context(), noon, "laptop", "id3", hash))
	if _, _, may, err := s.Token(t.Context(), "id3"); may || err != nil {
		t.Error("another token has the mark of one that had its name", err)
	}
	list, err := s.Tokens(t.Context())
	if err != nil || len(list) != 2 || !list[0].Revoked.Equal(noon.Add(time.Hour)) || !list[1].Revoked.IsZero() || !list[1].Created.Equal(noon) {
		t.Error(list, err)
	}
}

func TestSecrets(t *testing.T) {
	s := newStore(t)
	if _, err := s.Secret(t.Context(), "passphrase"); !errors.Is(err, ErrNoSecret) {
		t.Error(err)
	}
	for _, v := range [][]byte{[]byte("a\x00b"), []byte("other")} {
		ok(t, s.SetSecret(t.Context(), "passphrase", v))
		if got, err := s.Secret(t.Context(), "passphrase"); err != nil || !bytes.Equal(got, v) {
			t.Error(got, err)
		}
	}
	if err := s.SetSecret(t.Context(), "passphrase", nil); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
