package owner

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/fold"
	"readback/smsmcp/lang"
)

func (h *handler) contacts() {
	s := h.o.Store
	ListContacts.handle(h, func(ctx context.Context, _ lang.Lang, _ None) ([]Contact, error) {
		all, err := s.Contacts(ctx)
		out := make([]Contact, 0, len(all))
		for _, c := range all {
			out = append(out, person(c))
		}
		slices.SortFunc(out, func(a, b Contact) int { return strings.Compare(fold.Key(a.Name), fold.Key(b.Name)) })
		return out, err
	})
	AddContact.handle(h, func(ctx context.Context, _ lang.Lang, in Contact) (Contact, error) {
		c, err := contacts.New(in.Name, in.Aliases, in.Numbers, h.o.Region)
		if err != nil {
			return Contact{}, err
		}
		c, err = s.AddContact(ctx, c, func(existing []smsmcp.Contact) error { return contacts.Fits(existing, c) })
		return person(c), err
	})
	RemoveContact.handle(h, func(ctx context.Context, _ lang.Lang, n Name) (Contact, error) {
		c, err := h.named(ctx, n.Name)
		if err != nil {
			return Contact{}, err
		}
		return person(c), s.RemoveContact(ctx, c.ID)
	})
	ClearStop.handle(h, func(ctx context.Context, _ lang.Lang, n Name) (Contact, error) {
		c, err := h.named(ctx, n.Name)
		if err != nil {
			return Contact{}, err
		}
		return person(c), s.ClearStop(ctx, c.ID)
	})
	Import.handle(h, h.importFile)
}

// named finds the contact with exactly this name or alias, folded; nothing is guessed (invariant 2).
func (h *handler) named(ctx context.Context, name string) (smsmcp.Contact, error) {
	all, err := h.o.Store.Contacts(ctx)
	if err != nil {
		return smsmcp.Contact{}, err
	}
	key := fold.Key(name)
	for _, c := range all {
		if slices.ContainsFunc(append([]string{c.Name}, c.Aliases...), func(s string) bool { return fold.Key(s) == key }) {
			return c, nil
		}
	}
	if near := contacts.Find(all, name); len(near) > 0 {
		return smsmcp.Contact{}, fail(CodeNoContact, lang.OwnerNoContactNear, strings.Join(near, ", "))
	}
	return smsmcp.Contact{}, fail(CodeNoContact, lang.OwnerNoContact)
}

// importFile adds what fits, in one transaction, and says of every other row why not. It changes no contact that is there.
func (h *handler) importFile(ctx context.Context, l lang.Lang, f ImportFile) (Imported, error) {
	read := contacts.ReadVCard
	switch f.Format {
	case "vcard":
	case "csv":
		read = contacts.ReadCSV
	default:
		return Imported{}, fail(CodeBadRequest, lang.OwnerBadRequest)
	}
	entries, refused := read(bytes.NewReader(f.Data), h.o.Region)
	out := Imported{Added: []Contact{}, Refused: []Row{}}
	for _, r := range refused {
		out.Refused = append(out.Refused, Row{At: r.At, Name: r.Name, Why: contacts.Sentence(l, r.Why)})
	}
	fresh := make([]smsmcp.Contact, len(entries))
	for i, e := range entries {
		fresh[i] = e.Contact
	}
	added, errs, err := h.o.Store.AddContacts(ctx, fresh, contacts.Checker())
	if err != nil {
		return Imported{}, err
	}
	for i, e := range errs {
		if e != nil {
			out.Refused = append(out.Refused, Row{At: entries[i].At, Name: fresh[i].Name, Why: contacts.Sentence(l, e)})
		}
	}
	for _, c := range added {
		if c.ID != 0 {
			out.Added = append(out.Added, person(c))
		}
	}
	slices.SortStableFunc(out.Refused, func(a, b Row) int { return a.At - b.At })
	return out, nil
}

func person(c smsmcp.Contact) Contact {
	out := Contact{Name: c.Name, Aliases: c.Aliases, To: string(c.To)}
	for _, n := range c.Numbers {
		out.Numbers = append(out.Numbers, string(n))
	}
	return out
}
