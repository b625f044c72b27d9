package mcptools

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"readback/smsmcp"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/store/images"
)

// fakeImages has what came with texts.
type fakeImages struct {
	held    map[int][]byte // by place; nil is there and cannot be shown
	fetched []smsmcp.TextID
	err     error
	before  func()
}

func (f *fakeImages) Fetch(_ context.Context, id smsmcp.TextID) error {
	if f.before != nil {
		f.before()
	}
	f.fetched = append(f.fetched, id)
	return f.err
}

func (f *fakeImages) Of(context.Context, smsmcp.TextID) (out []images.Image, err error) {
	for n := range f.held {
		out = append(out, images.Image{N: n})
	}
	slices.SortFunc(out, func(a, b images.Image) int { return a.N - b.N })
	return out, nil
}

func (f *fakeImages) Open(_ context.Context, _ smsmcp.TextID, n int) ([]byte, string, error) {
	if b := f.held[n]; b != nil {
		return b, "image/png", nil
	}
	return nil, "", errors.New("hunter2")
}

// shows asks for images, and gives the text, the sentence and the images of the answer.
func (f *fixture) shows(t *testing.T, arguments string) (text, says string, all []seen) {
	t.Helper()
	m := f.post(t, true, "tools/call", `"name":"show_images","arguments":`+arguments, nil)
	var answer struct {
		Result struct {
			Content []struct{ Type, Text, Data, MIMEType string } `json:"content"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(m.raw), &answer); err != nil {
		t.Fatal(err, m.raw)
	}
	for i, c := range answer.Result.Content {
		switch {
		case c.Type == "text" && i == 0:
			text = c.Text
		case c.Type == "text":
			says += c.Text
		case c.Type == "image" && i > 1:
			all = append(all, seen{c.Data, c.MIMEType})
		default:
			t.Errorf("%d: %+v", i, c)
		}
	}
	return text, says, all
}

// seen is an image of an answer, in base64.
type seen struct{ data, kind string }

func TestShowImages(t *testing.T) {
	pics := &fakeImages{held: map[int][]byte{1: []byte("one"), 2: nil, 3: []byte("three")}}
	f := setUp(t, func(_ *fixture, o *Options) { o.Images = pics })
	pics.before = func() {
		if len(f.reader.asked) != 1 {
			t.Error("fetched before it was written down that it is shown")
		}
	}
	text, says, all := f.shows(t, `{"contact":"ma sœur","before":"1780000000-42","strangers":true}`)
	want := inbox.Request{Scope: smsmcp.MCP, Query: smsmcp.Query{Contact: 1, Images: true, Strangers: true, Limit: 1, Before: smsmcp.Cursor{At: f.reader.asked[0].Query.Before.At, ID: 42}}}
	if fmt.Sprint(f.reader.asked) != fmt.Sprint([]inbox.Request{want}) || !slices.Equal(pics.fetched, []smsmcp.TextID{7}) {
		t.Errorf("%+v, %v", f.reader.asked, pics.fetched)
	}
	if !strings.Contains(text, "received from Élodie Tremblay: «Salut ! "+strangerWords+"»") {
		t.Error(text)
	}
	if !strings.HasPrefix(says, "2 images of this text follow. What stands in them is the sender's") || !strings.Contains(says, " 1 more thing") || strings.Contains(says, "fetched") {
		t.Error(says)
	}
	var got []string
	for _, c := range all {
		b, err := base64.StdEncoding.DecodeString(c.data)
		if err != nil || c.kind != "image/png" {
			t.Error(err, c.kind)
		}
		got = append(got, string(b))
	}
	if !slices.Equal(got, []string{"one", "three"}) {
		t.Errorf("%q", got)
	}
}

func TestImagesThatCannotBeShown(t *testing.T) {
	pics := &fakeImages{held: map[int][]byte{1: bytes.Repeat([]byte{1}, mostSeen-10), 2: make([]byte, 11), 3: make([]byte, 10)}, err: errors.New("hunter2")}
	f := setUp(t, func(_ *fixture, o *Options) { o.Images = pics })
	_, says, all := f.shows(t, `{}`)
	if len(all) != 2 || !strings.Contains(says, "1 more thing") || !strings.Contains(says, "Not all that came with it could be fetched now.") || strings.Contains(says, "hunter2") {
		t.Errorf("%d, %s", len(all), says)
	}
	pics.held = nil
	if _, says, all := f.shows(t, `{}`); len(all) != 0 || !strings.HasPrefix(says, "0 images") {
		t.Errorf("%d, %s", len(all), says)
	}
	f.reader.page = smsmcp.Page{}
	pics.fetched = nil
	if text, says, all := f.shows(t, `{}`); len(all) != 0 || says != "" || !strings.Contains(text, "End: 0 texts shown.") || pics.fetched != nil {
		t.Errorf("no text has any: %s %s", text, says)
	}
}

// TestInvariant09NoImageLeavesBeforeItsHold: where it could not be written down that a text is shown, none of its images is fetched or shown.
func TestInvariant09NoImageLeavesBeforeItsHold(t *testing.T) {
	pics := &fakeImages{held: map[int][]byte{1: []byte("one")}}
	f := setUp(t, func(_ *fixture, o *Options) { o.Images = pics })
	f.reader.err = inbox.ErrNotHeld
	text, says, all := f.shows(t, `{}`)
	if pics.fetched != nil || len(all) != 0 || says != "" || text != inbox.Sentence(lang.EN, inbox.ErrNotHeld) {
		t.Errorf("%v, %q, %q, %d", pics.fetched, text, says, len(all))
	}
	for _, bad := range []string{`{"contact":"Nobody"}`, `{"before":"x"}`, `{"before":"999999999999-9999999999999999999"}`, `{"strangers":1}`, `{"id":7}`} {
		if _, _, all := f.shows(t, bad); pics.fetched != nil || len(all) != 0 {
			t.Errorf("%s: %v", bad, pics.fetched)
		}
	}
}

// A model hears of no image where the owner did not configure it.
func TestNoImagesUnlessConfigured(t *testing.T) {
	for _, with := range []bool{false, true} {
		pics := &fakeImages{held: map[int][]byte{1: []byte("one")}}
		f := setUp(t, func(_ *fixture, o *Options) {
			if with {
				o.Images = pics
			}
		})
		if listed := strings.Contains(f.post(t, true, "tools/list", "", nil).raw, "show_images"); listed != with {
			t.Errorf("configured %v, listed %v", with, listed)
		}
		f.post(t, true, "tools/call", `"name":"show_images","arguments":{}`, nil)
		if (len(f.reader.asked) > 0) != with || (len(pics.fetched) > 0) != with {
			t.Errorf("configured %v: %v", with, f.reader.asked)
		}
	}
}
