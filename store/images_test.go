package store

import (
	"fmt"
	"slices"
	"testing"

	"readback/smsmcp"
	"readback/store/images"
)

// withImages is an MMS with so many.
func withImages(id string, peer smsmcp.Peer, n int) smsmcp.Text {
	x := received(id, peer, "body "+id, noon)
	x.Key.Kind, x.Images = smsmcp.MMS, n
	return x
}

func TestOnlyTextsThatCameWithImages(t *testing.T) {
	s := newStore(t)
	friend, other := smsmcp.NumberPeer("+15145550101"), smsmcp.NumberPeer("+15145550999")
	id := addContact(t, s, "Marie", "+15145550101").ID
	ours := withImages("sent", friend, 1)
	ours.Direction = smsmcp.Sent
	storeTexts(t, s, noon, withImages("a", friend, 2), withImages("b", friend, 0), withImages("c", other, 1), ours, received("d", friend, "no image", noon))
	for _, c := range []struct {
		q    smsmcp.Query
		want []string
	}{
		{smsmcp.Query{Images: true, Strangers: true}, []string{"a", "c"}},
		{smsmcp.Query{Images: true}, []string{"a"}},
		{smsmcp.Query{Images: true, Contact: id}, []string{"a"}},
		{smsmcp.Query{Images: true, Contact: id, Contains: "body b"}, nil},
		{smsmcp.Query{Contact: id}, []string{"a", "b", "sent", "d"}},
		{smsmcp.Query{Images: true, Contact: id}, []string{"a"}}, // and again, of what is kept of the answers
	} {
		if got := ids(page(t, s, c.q)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
	if p := page(t, s, smsmcp.Query{Images: true}); p.FoldedTexts != 1 || p.FoldedStrangers != 1 {
		t.Errorf("folded: %+v", p)
	}
}

func TestTheBookOfImages(t *testing.T) {
	s := newStore(t)
	storeTexts(t, s, noon, withImages("a", smsmcp.NumberPeer("+15145550101"), 2), received("b", smsmcp.NumberPeer("+15145550101"), "x", noon))
	b := images.New(s.DB())
	id := page(t, s, smsmcp.Query{Strangers: true, Images: true}).Rows[0].Text.ID
	if key, found, err := b.Key(t.Context(), id); err != nil || !found || key.ID != "a" || key.Kind != smsmcp.MMS {
		t.Errorf("%+v, %v, %v", key, found, err)
	}
	if _, found, err := b.Key(t.Context(), id+1); err != nil || found {
		t.Errorf("a text without: %v, %v", found, err)
	}
	one := images.Image{Text: id, N: 1, State: images.Kept, Kind: "png", Bytes: 5, Width: 6, Height: 7, File: "x.png", At: noon}
	two := images.Image{Text: id, N: 2, State: images.NoImage, Kind: "vcard", At: noon}
	for _, x := range []images.Image{two, {Text: id, N: 1, State: images.Failed, Kind: "outside_time", At: noon}, one} {
		ok(t, b.Put(t.Context(), x))
	}
	if all, err := b.Of(t.Context(), id); err != nil || fmt.Sprint(all) != fmt.Sprint([]images.Image{one, two}) {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := b.Files(t.Context()); err != nil || fmt.Sprint(all) != fmt.Sprint([]images.Image{one}) {
		t.Errorf("%+v, %v", all, err)
	}
	if b.Put(t.Context(), images.Image{Text: 999, N: 1, State: images.Kept, At: noon}) == nil {
		t.Error("an image of no text is kept")
	}
}
