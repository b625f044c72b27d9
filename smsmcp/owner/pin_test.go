package owner

import (
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

func TestThePINOfCalls(t *testing.T) {
	w := newWorld(t, true)
	w.setPassphrase()
	set := func() bool {
		st, err := GetState.Do(t.Context(), w.client, None{}, "")
		if err != nil {
			t.Fatal(err)
		}
		return st.PIN
	}
	for _, weak := range []string{"", "12345", "abcdef", "123456", "198484"} {
		_, err := SetPIN.Do(t.Context(), w.client, Secret{weak}, good)
		if !is(err, CodePIN) || weak != "" && strings.Contains(err.Error(), weak) || set() {
			t.Errorf("%q: %v", weak, err)
		}
		if local := CheckPIN(weak); local == nil {
			t.Errorf("%q is asked for no more", weak)
		} else if s, ok := lang.Heard(lang.EN, local); !ok || s != err.Error() {
			t.Errorf("%q: the terminal says %q, the server %q", weak, s, err)
		}
	}
	if CheckPIN("481516") != nil {
		t.Error("a good one")
	}
	if _, err := SetPIN.Do(t.Context(), w.client, Secret{"481516"}, bad); !is(err, CodePassphrase) || set() {
		t.Errorf("by a wrong passphrase: %v", err)
	}
	if _, err := SetPIN.Do(t.Context(), w.client, Secret{"481516"}, good); err != nil || !set() {
		t.Fatal(err)
	}
	if b, err := w.store.Secret(t.Context(), "pin"); err != nil || strings.Contains(string(b), "481516") || !strings.HasPrefix(string(b), "$argon2id$") {
		t.Errorf("kept as %q: %v", b, err)
	}
	if _, err := RemovePIN.Do(t.Context(), w.client, None{}, good); err != nil || set() {
		t.Errorf("removed: %v", err)
	}
}
