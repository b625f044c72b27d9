package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/inbox"
	"readback/smsmcp/untrusted"
)

// BenchmarkRead reads the newest 50 of 10,000 texts, with their alarms and the record that they were shown.
func BenchmarkRead(b *testing.B) {
	t := b
	r := newRig(t)
	var texts []smsmcp.Text
	for i := range 10_000 {
		texts = append(texts, smsmcp.Text{
			Key: smsmcp.Key{Carrier: "sandbox", Kind: smsmcp.SMS, ID: fmt.Sprint(i)}, Direction: smsmcp.Received, Peer: smsmcp.NumberPeer(anna),
			Body: untrusted.New(fmt.Sprintf("Hey, the meeting moved to room %d; can you tell Bruno that I'll be ten minutes late? Thanks a lot, see you there", i)),
			At:   noon.Add(-time.Duration(i) * time.Second),
		})
	}
	_, err := r.store.StoreTexts(t.Context(), noon, texts)
	must(t, err)
	for b.Loop() {
		if _, err := r.box.Read(b.Context(), inbox.Request{Query: smsmcp.Query{Limit: 50}, Scope: smsmcp.MCP}); err != nil {
			b.Fatal(err)
		}
	}
}
