package store

import (
	"errors"
	"reflect"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/guard"
)

func TestContactsComeBackWholeAndIdsAreNeverUsedAgain(t *testing.T) {
	s := newStore(t)
	in := smsmcp.Contact{Name: "Élodie", Aliases: []string{"Lolo", "elodie"}, Numbers: []smsmcp.Number{"+15145550101", "+15145550102"}, To: "+15145550102"}
	a, err := s.AddContact(t.Context(), in, func(existing []smsmcp.Contact) error {
		if len(existing) != 0 {
			t.Error("there is somebody already")
		}
		return nil
	})
	ok(t, err)
	in.ID, in.Revision = a.ID, 1
	all, err := s.Contacts(t.Context())
	if err != nil || len(all) != 1 || !reflect.DeepEqual(all[0], in) {
		t.Errorf("%+v, %v", all, err)
	}
	ok(t, s.RemoveContact(t.Context(), a.ID))
	if err := s.RemoveContact(t.Context(), a.ID); !errors.Is(err, ErrNoContact) {
		t.Error(err)
	}
	if b := addContact(t, s, "Élodie", "+15145550101"); b.ID <= a.ID {
		t.Errorf("id %d after %d", b.ID, a.ID)
	}
}

func TestInvariant02ANameAndANumberAreOneContacts(t *testing.T) {
	s := newStore(t)
	addContact(t, s, "Élodie", "+15145550101")
	fine := func([]smsmcp.Contact) error { return nil }
	refuse := errors.New("looks like another")
	for name, c := range map[string]struct {
		c     smsmcp.Contact
		check func([]smsmcp.Contact) error
		want  error
	}{
		"the name":   {smsmcp.Contact{Name: "ELODIE", Numbers: []smsmcp.Number{"+15145550102"}, To: "+15145550102"}, fine, ErrTaken},
		"as alias":   {smsmcp.Contact{Name: "Marie", Aliases: []string{" elodie "}, Numbers: []smsmcp.Number{"+15145550102"}, To: "+15145550102"}, fine, ErrTaken},
		"the number": {smsmcp.Contact{Name: "Marie", Numbers: []smsmcp.Number{"+15145550102", "+15145550101"}, To: "+15145550102"}, fine, ErrTaken},
		"no number":  {smsmcp.Contact{Name: "Marie", To: "+15145550102"}, fine, ErrInvalid},
		"no name":    {smsmcp.Contact{Name: " ", Numbers: []smsmcp.Number{"+15145550102"}, To: "+15145550102"}, fine, ErrInvalid},
		"bad number": {smsmcp.Contact{Name: "Marie", Numbers: []smsmcp.Number{"5145550102"}, To: "5145550102"}, fine, smsmcp.ErrNotE164},
		"the check":  {smsmcp.Contact{Name: "Marie", Numbers: []smsmcp.Number{"+15145550102"}, To: "+15145550102"}, func([]smsmcp.Contact) error { return refuse }, refuse},
	} {
		if _, err := s.AddContact(t.Context(), c.c, c.check); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if all, _ := s.Contacts(t.Context()); len(all) != 1 {
		t.Errorf("%d contacts", len(all))
	}
}

func TestAnImportIsCheckedRowByRow(t *testing.T) {
	s := newStore(t)
	c := func(name string, n smsmcp.Number) smsmcp.Contact {
		return smsmcp.Contact{Name: name, Numbers: []smsmcp.Number{n}, To: n}
	}
	no := errors.New("no")
	added, refused, err := s.AddContacts(t.Context(), []smsmcp.Contact{
		c("Marie", "+15145550101"), c("marie", "+15145550102"), c("Paul", "+15145550101"), c("Evil", "+15145550103"), c("Luc", "+15145550104"),
	}, func(existing []smsmcp.Contact, x smsmcp.Contact) error {
		if x.Name == "Luc" && len(existing) != 1 {
			t.Errorf("%d before Luc", len(existing))
		}
		if x.Name == "Evil" {
			return no
		}
		return nil
	})
	ok(t, err)
	for i, want := range []error{nil, ErrTaken, ErrTaken, no, nil} {
		if !errors.Is(refused[i], want) || (want == nil) != (added[i].ID != 0) {
			t.Errorf("row %d: %v, %+v", i, refused[i], added[i])
		}
	}
	if st := look(t, s, smsmcp.Recipient{Name: "LUC"}, guard.Need{}, noon); !st.Known || st.Contact.To != "+15145550104" {
		t.Errorf("%+v", st)
	}
}
