package store

import (
	"time"

	"readback/smsmcp"
	"readback/store/engine"
)

const (
	claimWithin = 24 * time.Hour  // how long after its send a text may have been sent
	claimSkew   = 2 * time.Minute // how far a carrier's clock may be behind ours
)

// claim finds out whether a listed text is what a send became that went without the carrier's id: the owner said that it did, or the carrier called
// it by another text's key. Then that send and its text take the key and the time of the listed one; it would be stored a second time otherwise, and
// another send might take it for its own. Of several such sends the oldest is served first, each once. A later send with those words of
// which nobody knows what became of it, out already when the text was sent, comes before them: that text is left for it.
func (t *tx) claim(x smsmcp.Text) (bool, error) {
	if x.Direction != smsmcp.Sent || x.Peer.Kind != smsmcp.PeerNumber {
		return false, nil
	}
	at, words := x.At.Truncate(time.Second), smsmcp.BodyDigest(x.Body.RawForRules())
	var id smsmcp.SendID
	var own smsmcp.TextID
	found, err := engine.One(t, `SELECT s.id, x.id FROM sends s CROSS JOIN texts x ON x.carrier = '' AND x.kind = s.kind AND x.ref = s.id AND x.send = s.id
		WHERE s.tally = 1 AND s.reserved BETWEEN ?5 AND ?6 AND s.state = 'sent' AND s.key_carrier IN (?1, '')
		AND s.number = ?4 AND s.body_digest = ?8
		AND NOT EXISTS (SELECT 1 FROM texts WHERE carrier = ?1 AND kind = ?2 AND ref = ?3)
		AND NOT EXISTS (SELECT 1 FROM sends o WHERE o.tally = 2 AND o.state IN ('reserved', 'unknown') AND o.number = s.number
			AND o.body_digest = s.body_digest AND o.reserved > s.reserved AND o.reserved <= ?7)
		ORDER BY s.reserved, s.n LIMIT 1`,
		[]any{
			x.Key.Carrier, string(x.Key.Kind), x.Key.ID, string(x.Peer.Number), ms(at.Add(-claimWithin)), ms(at.Add(claimSkew)),
			ms(at.Add(time.Second - time.Millisecond)), words[:],
		}, &id, &own)
	if !found || err != nil {
		return false, err
	}
	if _, err := t.Exec(`UPDATE sends SET key_carrier = ?, key_kind = ?, key_ref = ? WHERE id = ?`,
		x.Key.Carrier, string(x.Key.Kind), x.Key.ID, string(id)); err != nil {
		return false, err
	}
	_, err = t.Exec(`UPDATE texts SET carrier = ?, kind = ?, ref = ?, at = ? WHERE id = ?`,
		x.Key.Carrier, string(x.Key.Kind), x.Key.ID, ms(at), int64(own))
	return err == nil, err
}
