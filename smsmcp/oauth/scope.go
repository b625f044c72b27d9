package oauth

import "strings"

// Scopes is a set of what a client may do.
type Scopes uint8

// The scopes.
const (
	Read Scopes = 1 << iota // texts:read: the tools that read
	Send                    // texts:send: the tools that send, or prepare to
	All  = Read | Send
)

var scopeNames = [...]string{"texts:read", "texts:send"}

// Names gives the scopes as they are written, in their one order.
func (s Scopes) Names() []string {
	var out []string
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

func (s Scopes) String() string { return strings.Join(s.Names(), " ") }

// Has says whether all of other are in s.
func (s Scopes) Has(other Scopes) bool { return s&other == other }

// parseScopes reads a scope parameter. Scopes that are not ours are left out, as RFC 6749 3.3 allows: clients ask for offline_access everywhere. None at
// all asks for everything; if none of what is asked for is ours, ok is false.
func parseScopes(s string) (all Scopes, ok bool) {
	if s == "" {
		return All, true
	}
	for _, one := range strings.Split(s, " ") {
		for i, name := range scopeNames {
			if one == name {
				all |= 1 << i
			}
		}
	}
	return all, all != 0
}
