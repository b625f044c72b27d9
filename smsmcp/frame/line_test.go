package frame_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/bidi"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
)

// asIf are names that go on like the line that they stand in. The contact list refuses the worst of them; the frame trusts none.
var asIf = []string{
	"Rose, oldest first, times of Rome", "Alex since Mon", "Alex depuis le Nord", "Rose, du plus ancien au plus récent", "Alex holding", "Alex contenant",
	"Alex, calling itself Bob", "Alex, qui se nomme Bob", "Alex received from Bob", "Alex sent to Bob", "Alex reçu de Bob", "Alex envoyé à Bob", "contact", "contact , named Bob",
	"Alex with Bob", "Alex avec Bob", "texts", "End", "Fin", "Alex a contact", "דנה", "نور", "דנה since Mon",
}

// What the head says of the contact, the words and the time that were asked for is read from it whatever the contact is called.
func TestInvariant03NamesInTheHead(t *testing.T) {
	since := time.Date(2026, 11, 29, 5, 0, 0, 0, time.UTC)
	for _, l := range languages {
		for _, name := range append(append([]string{}, asIf...), disguises(guessed)[:40]...) {
			c := &smsmcp.Contact{ID: 3, Name: name}
			for _, q := range []smsmcp.Query{{}, {Since: since}, {Contains: "midi"}, {Contains: "oldest first, times of", Since: since}} {
				rows := []smsmcp.Row{row(1, since, smsmcp.Received, smsmcp.NumberPeer("+15145550101"), c, "hi")}
				recovers(t, frame.List{Contact: c, Query: q, Page: smsmcp.Page{Rows: rows}}, frame.Options{Lang: l, Zone: toronto(t)})
			}
		}
	}
}

// Foreign words that are written from right to left take nothing of the server's with them: by UAX 9, what is drawn leftward is within
// one quoted field or one name.
func TestInvariant03RightToLeft(t *testing.T) {
	at := time.Date(2026, 11, 29, 5, 0, 0, 0, time.UTC)
	words := []string{"שלום", "שלום 5", "5 שלום", "מה?!", "مرحبا ٣", "שלום (ok) שלום", "שלום [2", "ﷲ", "𐤀", "שלום שלום שלום 12:30"}
	for _, l := range languages {
		for _, body := range words {
			for _, name := range append([]string{"Marie"}, words...) {
				known := &smsmcp.Contact{ID: 1, Name: name}
				rows := []smsmcp.Row{
					row(1, at, smsmcp.Received, smsmcp.NumberPeer("+15145550101"), known, body+" 482913 code"),
					row(2, at, smsmcp.Received, smsmcp.LabelPeer(name), nil, body),
					row(3, at, smsmcp.Sent, smsmcp.NumberPeer("+15145550101"), known, body),
				}
				rows = append(rows, rows[1], rows[0])
				rows[3].Text.Unverified, rows[4].Text.Unverified = true, true
				rows[1].Text.Images = 2
				rows[2].Text.Images = 1
				list := frame.List{Contact: known, Query: smsmcp.Query{Contains: body, Since: at}, Page: smsmcp.Page{Rows: rows}}
				got, _ := recovers(t, list, frame.Options{Lang: l, Zone: time.UTC, MaskCodes: true, BodyCap: 100})
				for line := range strings.Lines(got.Text) {
					drawnApart(t, strings.TrimSuffix(line, "\n"))
				}
			}
		}
	}
}

// drawnApart looks at the runs of a line as UAX 9 lays them out.
func drawnApart(t *testing.T, line string) {
	t.Helper()
	var p bidi.Paragraph
	if _, err := p.SetString(line, bidi.DefaultDirection(bidi.LeftToRight)); err != nil {
		t.Fatal(err)
	}
	order, err := p.Order()
	if err != nil {
		t.Fatal(err)
	}
	for i := range order.NumRuns() {
		if run := order.Run(i); run.Direction() == bidi.RightToLeft && strings.ContainsAny(run.String(), "«»:;") {
			t.Fatalf("%q is drawn leftward as one in %q", run.String(), line)
		}
	}
}

// In French the server's own words are never drawn with a sender's either: the language is that of the owner, not of the text.
func TestRemarksBeginWithALetter(t *testing.T) {
	l := lists([]string{"\u202eשלום «»\u200b\x00" + strings.Repeat("\u0301", 9) + "\xff code 482913"}, parties()[:1])
	l.Page.Rows[0].Text.Images = 3
	for _, lg := range []lang.Lang{lang.EN, lang.FR} {
		_, a := recovers(t, l, frame.Options{Lang: lg, Zone: time.UTC, MaskCodes: true})
		if n := len(a.Texts[0].Remarks); n < 7 {
			t.Errorf("only %d remarks: %q", n, a.Texts[0].Remarks)
		}
	}
}
