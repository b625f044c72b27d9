package talks

import (
	"context"
	"fmt"

	"readback/store/engine"
)

// End lets go of every pass, and has the calls that were begun by one end: who leads them looks at Ends. It is called when the owner signs out, or has another passphrase: whoever was in
// until then keeps no call.
func (t *Talks) End(ctx context.Context) error {
	return t.db.Write(ctx, "end the browser's calls", func(x *engine.Tx) error {
		if _, err := x.Exec(`DELETE FROM talks`); err != nil {
			return err
		}
		_, err := x.Exec(`INSERT INTO flags (name, at, by) VALUES ('talks', 1, '') ON CONFLICT (name) DO UPDATE SET at = at + 1`)
		return err
	})
}

// Ends counts how often End was called: a count, unlike a clock, goes one way. A call is to end once it is another than it was before its pass was taken. Asked before, and not after, no
// call slips between the two.
func (t *Talks) Ends(ctx context.Context) (n int64, err error) {
	if _, err := engine.One(t.db.Read(ctx), `SELECT at FROM flags WHERE name = 'talks'`, nil, &n); err != nil {
		return 0, fmt.Errorf("look whether calls are to end: %w", err)
	}
	return n, nil
}
