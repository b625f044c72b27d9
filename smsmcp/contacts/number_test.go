package contacts

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

func TestNumber(t *testing.T) {
	for raw, want := range map[string]smsmcp.Number{
		"5145550199": "+15145550199", "15145550199": "+15145550199", "+15145550199": "+15145550199", " (514) 555-0199 ": "+15145550199",
		"514.555.0199": "+15145550199", "+1 514\u00a0555\u20110199": "+15145550199", "+33 6 12 34 56 78": "+33612345678", "011 44 20 7946 0958": "+442079460958", "+39 06 1234567": "+39061234567",
	} {
		if got, err := Number(raw, "CA"); err != nil || got != want {
			t.Errorf("Number(%q) = %q, %v", raw, got, err)
		}
	}
	if got, err := Number("06 12 34 56 78", "FR"); err != nil || got != "+33612345678" {
		t.Errorf("%q, %v", got, err)
	}
	for raw, why := range map[string]lang.Message{
		"": lang.NumberForm, "  ": lang.NumberForm, "72975": lang.NumberShort, "911": lang.NumberShort, "0612345678": lang.NumberNotValid, "555-0199": lang.NumberNotValid,
		"442079460958": lang.NumberNotValid, "5145550199x3": lang.NumberLetters, "514 555 0199 ext. 3": lang.NumberLetters, "+1-514-555-0199;ext=3": lang.NumberLetters,
		"1-800-FLOWERS": lang.NumberLetters, "514555０199": lang.NumberForm, "٥١٤٥٥٥٠١٩٩": lang.NumberForm, "5145550199#3": lang.NumberLetters, "514+5550199": lang.NumberForm,
		"++15145550199": lang.NumberForm, "+0145550199": lang.NumberNotValid, "\u202a5145550199\u202c": lang.NumberForm, "5145550199\n": lang.NumberForm, "=5145550199": lang.NumberLetters,
		"5145550199, 4385550102": lang.NumberLetters, strings.Repeat("5", 65): lang.NumberTooLong, strings.Repeat("5", 64): lang.NumberNotValid, "51455501990": lang.NumberNotValid, "\xff": lang.NumberForm,
	} {
		_, err := Number(raw, "CA")
		var r *Refusal
		if !errors.As(err, &r) || !errors.Is(err, ErrBadNumber) || r.args[1] != why {
			t.Errorf("Number(%q): %v; want %q", raw, err, why.EN)
		}
	}
	if !Known("CA") || Known("XX") || Known("") || Known("ca") {
		t.Error("Known")
	}
}

func TestPeer(t *testing.T) {
	for raw, want := range map[string]smsmcp.Peer{
		"": {}, "5145550199": smsmcp.NumberPeer("+15145550199"), "15145550199": smsmcp.NumberPeer("+15145550199"), "+15145550199": smsmcp.NumberPeer("+15145550199"),
		"72975": smsmcp.CodePeer("72975"), "732873": smsmcp.CodePeer("732873"), "011732873": smsmcp.CodePeer("732873"), "01172975": smsmcp.CodePeer("72975"), "911": smsmcp.CodePeer("911"),
		"0612345678": smsmcp.LabelPeer("0612345678"), "+72975": smsmcp.LabelPeer("+72975"), "12": smsmcp.LabelPeer("12"), "Google": smsmcp.LabelPeer("Google"),
		"5145550199 x3": smsmcp.LabelPeer("5145550199 x3"), "(514) 555-0199": smsmcp.LabelPeer("(514) 555-0199"), "1800FLOWERS": smsmcp.LabelPeer("1800FLOWERS"),
		"٥١٤٥٥٥٠١٩٩": smsmcp.LabelPeer("٥١٤٥٥٥٠١٩٩"), "5145550199 ": smsmcp.LabelPeer("5145550199 "), "INFO5145550199": smsmcp.LabelPeer("INFO5145550199"), "+": smsmcp.LabelPeer("+"),
		"011442079460958": smsmcp.NumberPeer("+442079460958"), "12345678901234567890123": smsmcp.LabelPeer("12345678901234567890123"), "anonymous": smsmcp.LabelPeer("anonymous"),
		"5145550199,4385550102": smsmcp.LabelPeer("5145550199,4385550102"), "5145550199\x00": smsmcp.LabelPeer("5145550199\x00"), "sip:5145550199@x": smsmcp.LabelPeer("sip:5145550199@x"),
	} {
		if got := Peer(raw, "CA"); !got.Same(want) {
			t.Errorf("Peer(%q): kind %d number %q code %q; want kind %d", raw, got.Kind, got.Number, got.Code, want.Kind)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"5145550199", "+33 6 12 34 56 78", "72975", "1-800-FLOWERS", "+1 514 555 0199 ext 3", "٥١٤", "0111234567"} {
		f.Add(s, "CA")
		f.Add(s, "FR")
	}
	f.Fuzz(func(t *testing.T, raw, region string) {
		if !Known(region) {
			region = "CA"
		}
		n, err := Number(raw, region)
		if err == nil {
			again, err := Number(string(n), region)
			if err != nil || again != n || strings.ContainsFunc(raw, unicode.IsLetter) {
				t.Fatalf("%q is %q, and again %q (%v)", raw, n, again, err)
			}
		}
		p := Peer(raw, region)
		switch p.Kind {
		case smsmcp.PeerNumber:
			again, err := Number(string(p.Number), region)
			if err != nil || again != p.Number || strings.Trim(raw, "+0123456789") != "" || !Peer(string(p.Number), region).Same(p) {
				t.Fatalf("%q is %q, and again %q (%v)", raw, p.Number, again, err)
			}
			if _, err := smsmcp.ParseNumber(string(p.Number)); err != nil {
				t.Fatal(err)
			}
		case smsmcp.PeerCode:
			if strings.Trim(raw, "0123456789") != "" {
				t.Fatalf("%q is code %q", raw, p.Code)
			}
		case smsmcp.PeerNone:
			if raw != "" {
				t.Fatalf("%q is nobody", raw)
			}
		}
	})
}
