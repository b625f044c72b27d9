package grants_test

import (
	"path/filepath"
	"testing"

	"readback/smsmcp/oauth"
	"readback/smsmcp/oauth/oauthtest"
	"readback/store"
	"readback/store/grants"
)

func TestContract(t *testing.T) {
	oauthtest.Contract(t, func(t *testing.T) oauth.Store {
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return grants.New(s.DB())
	})
}
