package tokens

import "readback/store/engine"

// ErrBounds says that who sends has other bounds than the server; smsmcp.Coded.
var ErrBounds error = coded("server_has_other_bounds")

type coded string

func (c coded) Error() string { return "store: " + string(c) }
func (c coded) Code() string  { return string(c) }

// Holds is a secret that has to be so.
type Holds struct {
	Name  string
	Value []byte
}

// Stand is ErrBounds where the secret is another, or there is none. No Holds, which is nil, always stands.
func (h *Holds) Stand(r engine.Reader) error {
	if h == nil {
		return nil
	}
	found, err := engine.One(r, `SELECT 1 FROM secrets WHERE name = ? AND value = ?`, []any{h.Name, h.Value}, new(int))
	if err == nil && !found {
		err = ErrBounds
	}
	return err
}
