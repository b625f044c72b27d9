package grants

import (
	"database/sql"
	"encoding/json"
	"time"

	"readback/smsmcp/oauth"
	"readback/store/engine"
)

// ms is a time as it is stored.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// at reads such a time into where it belongs.
type at struct{ to *time.Time }

func (a at) Scan(v any) error {
	n, _ := v.(int64)
	if *a.to = (time.Time{}); n != 0 {
		*a.to = time.UnixMilli(n).UTC()
	}
	return nil
}

// hashed reads a hash. The table has none of another length.
type hashed struct{ to *oauth.Hash }

func (h hashed) Scan(v any) error {
	b, _ := v.([]byte)
	copy(h.to[:], b)
	return nil
}

const clientColumns = `id, name, redirects, created, granted, fetched, fresh`

func readClient(rows *sql.Rows) (c oauth.Client, err error) {
	var redirects []byte
	var fresh int64
	if err := rows.Scan(&c.ID, &c.Name, &redirects, at{&c.Created}, at{&c.Granted}, at{&c.Fetched}, &fresh); err != nil {
		return c, err
	}
	c.Fresh = time.Duration(fresh) * time.Millisecond
	return c, json.Unmarshal(redirects, &c.Redirects)
}

func (t *tx) Client(id string) (c oauth.Client, found bool, err error) {
	return one(t, readClient, `SELECT `+clientColumns+` FROM oauth_clients WHERE id = ?`, id)
}

func (t *tx) Clients() ([]oauth.Client, error) {
	return all(t, readClient, `SELECT `+clientColumns+` FROM oauth_clients ORDER BY created, id`)
}

func (t *tx) PutClient(c oauth.Client) error {
	redirects, err := json.Marshal(c.Redirects)
	if err != nil {
		return err
	}
	return t.write(`INSERT INTO oauth_clients (`+clientColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name,
		redirects = excluded.redirects, created = excluded.created, granted = excluded.granted, fetched = excluded.fetched, fresh = excluded.fresh`,
		c.ID, c.Name, string(redirects), ms(c.Created), ms(c.Granted), ms(c.Fetched), c.Fresh.Milliseconds())
}

func (t *tx) DropClient(id string) error {
	return t.write(`DELETE FROM oauth_clients WHERE id = ?`, id)
}

const codeColumns = `hash, client, name, redirect, challenge, resource, scopes, principal, created, used, gave`

func readCode(rows *sql.Rows) (c oauth.Code, err error) {
	err = rows.Scan(hashed{&c.Hash}, &c.Client, &c.Name, &c.Redirect, &c.Challenge, &c.Resource, &c.Scopes, &c.Principal, at{&c.Created}, at{&c.Used}, &c.Grant)
	return c, err
}

func (t *tx) Code(h oauth.Hash) (c oauth.Code, found bool, err error) {
	return one(t, readCode, `SELECT `+codeColumns+` FROM oauth_codes WHERE hash = ?`, h[:])
}

func (t *tx) PutCode(c oauth.Code) error {
	return t.write(`INSERT OR REPLACE INTO oauth_codes (`+codeColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Hash[:], c.Client, c.Name, c.Redirect, c.Challenge, c.Resource, int64(c.Scopes), c.Principal, ms(c.Created), ms(c.Used), c.Grant)
}

func (t *tx) DropCodes(before, unused time.Time) error {
	return t.write(`DELETE FROM oauth_codes WHERE created < ? OR used = 0 AND created < ?`, ms(before), ms(unused))
}

const grantColumns = `id, client, name, goes, resource, scopes, principal, may_confirm, created, used, ended, why, last, turn, came, turned, past, heard`

func readGrant(rows *sql.Rows) (g oauth.Grant, err error) {
	err = rows.Scan(&g.ID, &g.Client, &g.Name, &g.To, &g.Resource, &g.Scopes, &g.Principal, &g.MayConfirm, at{&g.Created}, at{&g.Used}, at{&g.Ended}, &g.Why,
		&g.Last, &g.Turn, &g.From, at{&g.Turned}, at{&g.Past}, at{&g.Heard})
	return g, err
}

func (t *tx) Grant(id string) (g oauth.Grant, found bool, err error) {
	return one(t, readGrant, `SELECT `+grantColumns+` FROM oauth_grants WHERE id = ?`, id)
}

func (t *tx) Grants() ([]oauth.Grant, error) {
	return all(t, readGrant, `SELECT `+grantColumns+` FROM oauth_grants ORDER BY created, rowid`)
}

func (t *tx) PutGrant(g oauth.Grant) error {
	return t.write(`INSERT INTO oauth_grants (`+grantColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
		client = excluded.client, name = excluded.name, goes = excluded.goes, resource = excluded.resource, scopes = excluded.scopes, principal = excluded.principal,
		may_confirm = excluded.may_confirm, created = excluded.created, used = excluded.used, ended = excluded.ended, why = excluded.why, last = excluded.last,
		turn = excluded.turn, came = excluded.came, turned = excluded.turned, past = excluded.past, heard = excluded.heard`,
		g.ID, g.Client, g.Name, g.To, g.Resource, int64(g.Scopes), g.Principal, g.MayConfirm, ms(g.Created), ms(g.Used), ms(g.Ended), string(g.Why),
		g.Last, g.Turn, g.From, ms(g.Turned), ms(g.Past), ms(g.Heard))
}

func (t *tx) DropGrant(id string) error { return t.write(`DELETE FROM oauth_grants WHERE id = ?`, id) }

const pairColumns = `hash, refresh, of, seq, parent, scopes, created`

func readToken(rows *sql.Rows) (k oauth.Token, err error) {
	err = rows.Scan(hashed{&k.Hash}, &k.Refresh, &k.Grant, &k.Seq, &k.Parent, &k.Scopes, at{&k.Created})
	return k, err
}

func (t *tx) Token(h oauth.Hash) (k oauth.Token, found bool, err error) {
	return one(t, readToken, `SELECT `+pairColumns+` FROM oauth_tokens WHERE hash = ?`, h[:])
}

func (t *tx) PutToken(k oauth.Token) error {
	return t.write(`INSERT INTO oauth_tokens (`+pairColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		k.Hash[:], k.Refresh, k.Grant, k.Seq, k.Parent, int64(k.Scopes), ms(k.Created))
}

func (t *tx) DropToken(h oauth.Hash) error {
	return t.write(`DELETE FROM oauth_tokens WHERE hash = ?`, h[:])
}

func (t *tx) DropTokens(grant string) error {
	return t.write(`DELETE FROM oauth_tokens WHERE of = ?`, grant)
}

func (t *tx) DropAccess(grant string, before time.Time) error {
	return t.write(`DELETE FROM oauth_tokens WHERE of = ? AND refresh = 0 AND created < ?`, grant, ms(before))
}

func (t *tx) DropRefresh(grant string, seq int64, but oauth.Rotation) error {
	return t.write(`DELETE FROM oauth_tokens WHERE of = ? AND refresh = 1 AND seq < ? AND seq NOT IN (?, ?)`, grant, seq, but.Turn, but.From)
}

// all gives the rows of a query, each read.
func all[T any](t *tx, read func(*sql.Rows) (T, error), query string, args ...any) (list []T, err error) {
	err = engine.Each(t.look, query, args, func(rows *sql.Rows) error {
		x, err := read(rows)
		list = append(list, x)
		return err
	})
	return list, err
}

// one gives the one row of a query, if there is one.
func one[T any](t *tx, read func(*sql.Rows) (T, error), query string, args ...any) (x T, found bool, err error) {
	list, err := all(t, read, query, args...)
	if err != nil || len(list) == 0 {
		return x, false, err
	}
	return list[0], true, nil
}
