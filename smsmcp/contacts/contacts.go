// Package contacts holds the rules of names and numbers: what a contact may be called, which numbers are whole, who is found by a word,
// and how contact files are read. It is pure: no I/O but the reader that is handed in, no clock.
//
// It keeps the contacts' side of invariant 3 (no contact name can pass for another's, for a stranger or for the frame's own
// words) and of invariant 2 (a name folds to one contact; a number belongs to one).
//
// Floor 2: imports smsmcp, smsmcp/signs and floor 0. It alone imports phonenumbers and go-vcard.
package contacts

import (
	"slices"

	"readback/smsmcp"
	"readback/smsmcp/fold"
)

// What one contact may hold.
const (
	MaxName    = 40 // characters (code points, in NFC) of a name or an alias
	MaxAliases = 10
	MaxNumbers = 10
)

// New makes a contact of what a person typed or a file held. The first number is the one that we text to. Aliases that fold to
// the name or to each other, and numbers that are the same, are kept once. The error is a *Refusal.
func New(name string, aliases []string, numbers []string, region string) (smsmcp.Contact, error) {
	var c smsmcp.Contact
	var err error
	if c.Name, err = Name(name); err != nil {
		return smsmcp.Contact{}, err
	}
	seen := []string{fold.Key(c.Name)}
	for _, raw := range aliases {
		alias, err := Name(raw)
		if err != nil {
			return smsmcp.Contact{}, err
		}
		if k := fold.Key(alias); !slices.Contains(seen, k) {
			seen = append(seen, k)
			c.Aliases = append(c.Aliases, alias)
		}
	}
	for _, raw := range numbers {
		n, err := Number(raw, region)
		if err != nil {
			return smsmcp.Contact{}, err
		}
		if !slices.Contains(c.Numbers, n) {
			c.Numbers = append(c.Numbers, n)
		}
	}
	if err := count(c); err != nil {
		return smsmcp.Contact{}, err
	}
	c.To = c.Numbers[0]
	return c, nil
}

func count(c smsmcp.Contact) error {
	switch {
	case len(c.Numbers) == 0:
		return noNumber(c.Name)
	case len(c.Numbers) > MaxNumbers:
		return tooMany(c.Name, MaxNumbers)
	case len(c.Aliases) > MaxAliases:
		return tooMany(c.Name, MaxAliases)
	}
	return nil
}

// Fits says whether c may stand beside the contacts there are; one with c's own ID is c before a change, and not counted. A number or
// a name that another contact has is an error that names that contact: nothing is ever merged. The error is a *Refusal.
func Fits(existing []smsmcp.Contact, c smsmcp.Contact) error { return Checker()(existing, c) }

// Checker is Fits for many contacts in a row: it remembers what it has seen of existing as long as that only grows at its end. It
// is not safe for concurrent use.
func Checker() func(existing []smsmcp.Contact, c smsmcp.Contact) error {
	var b book
	var last smsmcp.Contact
	return func(existing []smsmcp.Contact, c smsmcp.Contact) error {
		n := len(b.all)
		if n > len(existing) || n > 0 && (existing[n-1].ID != last.ID || existing[n-1].Name != last.Name) {
			b, n = book{}, 0
		}
		for _, e := range existing[n:] {
			b.add(e)
			last = e
		}
		return b.fits(c)
	}
}

// book is an index of contacts by all that may not be shared.
type book struct {
	all     []smsmcp.Contact
	names   map[string]int // fold.Key of a name or alias
	looks   map[string]int // each key of its look
	numbers map[smsmcp.Number]int
}

func (b *book) add(c smsmcp.Contact) {
	if b.names == nil {
		b.names, b.looks, b.numbers = map[string]int{}, map[string]int{}, map[smsmcp.Number]int{}
	}
	i := len(b.all)
	b.all = append(b.all, c)
	for _, name := range called(c) {
		b.names[fold.Key(name)] = i
		for _, l := range looks(name) {
			b.looks[l] = i
		}
	}
	for _, n := range c.Numbers {
		b.numbers[n] = i
	}
}

func (b *book) fits(c smsmcp.Contact) error {
	other := func(i int, ok bool) (string, bool) {
		if !ok || c.ID != 0 && b.all[i].ID == c.ID {
			return "", false
		}
		return b.all[i].Name, true
	}
	if i, ok := b.names[fold.Key(c.Name)]; ok && same(b.all[i], c) {
		return there(c.Name)
	}
	for _, name := range called(c) {
		i, ok := b.names[fold.Key(name)]
		if o, ok := other(i, ok); ok {
			return nameTaken(name, o)
		}
	}
	for _, n := range c.Numbers {
		i, ok := b.numbers[n]
		if o, ok := other(i, ok); ok {
			return numberTaken(n, o)
		}
	}
	for _, name := range called(c) {
		for _, l := range looks(name) {
			i, ok := b.looks[l]
			if o, ok := other(i, ok); ok {
				return looksLike(name, o)
			}
		}
	}
	return nil
}

// same says whether a new contact holds nothing that the existing one does not.
func same(existing, c smsmcp.Contact) bool {
	if c.ID != 0 || fold.Key(existing.Name) != fold.Key(c.Name) {
		return false
	}
	have := map[string]bool{}
	for _, name := range called(existing) {
		have[fold.Key(name)] = true
	}
	for _, a := range c.Aliases {
		if !have[fold.Key(a)] {
			return false
		}
	}
	for _, n := range c.Numbers {
		if !slices.Contains(existing.Numbers, n) {
			return false
		}
	}
	return true
}

func called(c smsmcp.Contact) []string { return append([]string{c.Name}, c.Aliases...) }
