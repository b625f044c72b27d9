package outbox

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"readback/store/engine"
)

// TestWhatIsAskedOfTheOutboxWalksItsIndexes: 10,000 texts that wait, or are held back, make no step slow.
func TestWhatIsAskedOfTheOutboxWalksItsIndexes(t *testing.T) {
	db, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	schema, err := os.ReadFile("../schema/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), "schema", func(t *engine.Tx) error { return t.Script(string(schema)) }); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		`SELECT ` + first: {"SEARCH o USING COVERING INDEX outbox_sender (state=? AND sender=?)", "SEARCH outbox USING COVERING INDEX outbox_state (state=?)"},
		pace:              {"SEARCH outbox USING INDEX outbox_state (state=? AND at>? AND at<?)", "SEARCH outbox USING COVERING INDEX outbox_sender (state=? AND sender=?)"},
		sizes:             {"SEARCH outbox USING COVERING INDEX outbox_sender (state=?)", "SEARCH outbox USING COVERING INDEX outbox_state (state=?)"},
	} {
		plan, numbered := "", func(q string) (n int) {
			for n < 3 && strings.Contains(q, fmt.Sprint("?", n+1)) {
				n++
			}
			return n
		}
		err := engine.Each(db.Read(t.Context()), `EXPLAIN QUERY PLAN `+query, []any{1, 2, "+15145550101"}[:numbered(query)], func(rows *sql.Rows) error {
			var id, parent, unused int
			var detail string
			err := rows.Scan(&id, &parent, &unused, &detail)
			plan += detail + "\n"
			return err
		})
		for _, w := range want {
			if err != nil || !strings.Contains(plan, w) || strings.Contains(plan, "SCAN o") {
				t.Errorf("%s: %v:\n%s", query, err, plan)
			}
		}
	}
}
