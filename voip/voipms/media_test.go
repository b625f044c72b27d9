package voipms_test

import (
	"errors"
	"slices"
	"testing"

	"readback/smsmcp"
	"readback/voip/voipms/voipmstest"
)

func TestMedia(t *testing.T) {
	r := newRig(t)
	id := r.fake.Receive("mms", "5145550123", "two", r.now.now(), 2)
	none := r.fake.Receive("mms", "5145550123", "none", r.now.now(), 0)
	key := func(kind smsmcp.Kind, id string) smsmcp.Key {
		return smsmcp.Key{Carrier: r.Name(), Kind: kind, ID: id}
	}
	want := []string{"https://voip.ms/media/" + id + "-0.jpg", "https://voip.ms/media/" + id + "-1.jpg"}
	for _, q := range []voipmstest.Quirks{{}, {Listed: true}} {
		r.fake.Set(q)
		if got, err := r.Media(t.Context(), key(smsmcp.MMS, id)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: %v, %v", q, got, err)
		}
		if got, err := r.Media(t.Context(), key(smsmcp.MMS, none)); err != nil || len(got) != 0 {
			t.Errorf("%+v: %v, %v", q, got, err)
		}
	}
	r.fake.Set(voipmstest.Quirks{NoMedia: true, Listed: true})
	for _, x := range r.days(t, 0) {
		if x.Images != map[string]int{"two": 2, "none": 0}[x.Body.RawForStore()] {
			t.Errorf("%d images, where some places are empty", x.Images)
		}
	}
	calls := r.fake.Calls("getMediaMMS")
	for _, other := range []smsmcp.Key{key(smsmcp.SMS, id), {Carrier: "asterisk", Kind: smsmcp.MMS, ID: id}, key(smsmcp.MMS, "0"), key(smsmcp.MMS, "1&did=2")} {
		if got, err := r.Media(t.Context(), other); len(got) != 0 || err != nil || r.fake.Calls("getMediaMMS") != calls {
			t.Errorf("%+v is none of its own MMS: %v, %v", other, got, err)
		}
	}
	for _, status := range []string{"no_sms", "no_mms"} {
		r.fake.Fail("getMediaMMS", voipmstest.Fault{Status: status})
		if got, err := r.Media(t.Context(), key(smsmcp.MMS, id)); len(got) != 0 || err != nil {
			t.Errorf("%s: %v, %v", status, got, err)
		}
	}
	for _, f := range []voipmstest.Fault{{Status: "invalid_credentials"}, {Cut: true}, {HTML: true}} {
		r.fake.Fail("getMediaMMS", f)
		got, err := r.Media(t.Context(), key(smsmcp.MMS, id))
		var coded smsmcp.Coded
		if len(got) != 0 || !errors.As(err, &coded) {
			t.Errorf("%+v: %v, %v", f, got, err)
		}
	}
}

// Whatever an answer holds, what is no address is passed on as such, bounded, each once.
func TestMediaOfEveryForm(t *testing.T) {
	r := newRig(t)
	id := r.fake.Receive("mms", "5145550123", "x", r.now.now(), 1)
	for raw, want := range map[string][]string{
		`{"2":"b","10":"c","1":"a"}`:         {"a", "b", "c"},
		`["a","","b",null,"a"]`:              {"a", "b"},
		`[{"url":"a"},7]`:                    {`{"url":"a"}`, "7"},
		`"a"`:                                nil,
		`null`:                               nil,
		`{"1":"data:image/png;base64,AAAA"}`: {"data:image/png;base64,AAAA"},
	} {
		r.fake.Fail("getMediaMMS", voipmstest.Fault{Raw: `{"status":"success","media":` + raw + `}`})
		got, err := r.Media(t.Context(), smsmcp.Key{Carrier: r.Name(), Kind: smsmcp.MMS, ID: id})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", raw, got, err)
		}
	}
}
