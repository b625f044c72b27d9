package voipms

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

func TestQuirks(t *testing.T) {
	for _, c := range []struct {
		kind      smsmcp.Kind
		raw, want string
	}{
		{smsmcp.SMS, `I don\'t`, `I don't`},
		{smsmcp.SMS, `I don\\'t`, `I don't`},
		{smsmcp.SMS, `\"I don\'t\"`, `"I don't"`},
		{smsmcp.SMS, `\'a\' and 'b'`, `\'a\' and 'b'`},            // one bare quote: nothing was escaped
		{smsmcp.SMS, `\"a\" and 'b'`, `"a" and 'b'`},              // each kind of quote by itself
		{smsmcp.SMS, `\\'a\'`, `\'a'`},                            // as little as every quote has
		{smsmcp.SMS, `C:\dir\new`, `C:\dir\new`},                  // no quote
		{smsmcp.SMS, `''twice''`, `''twice''`},                    // not certain
		{smsmcp.SMS, `1+1=2`, `1+1=2`},                            // not a space
		{smsmcp.SMS, `50%27`, `50%27`},                            // not a quote
		{smsmcp.SMS, `&amp; &#039; &lt;`, `&amp; &#039; &lt;`},    // entities are of getMMS alone
		{smsmcp.MMS, `L&#039;&eacute;t&eacute; &amp;`, `L'été &`}, //
		{smsmcp.MMS, `&amp;lt;b&amp;gt;`, `&lt;b&gt;`},            // once
		{smsmcp.MMS, `&amp;amp;`, `&amp;`},                        // once
		{smsmcp.MMS, `Tom & Jerry &lt;3`, `Tom & Jerry &lt;3`},    // a bare one: nothing was escaped
		{smsmcp.MMS, `a < b &amp; c`, `a < b &amp; c`},            //
		{smsmcp.MMS, `&copy2026 &lt;`, `&copy2026 &lt;`},          // never without its semicolon
		{smsmcp.MMS, `&nosuchthing; &lt;`, `&nosuchthing; &lt;`},  //
		{smsmcp.MMS, `AT&T`, `AT&T`},                              //
		{smsmcp.MMS, `say \&quot;yes\&quot;`, `say "yes"`},        // entities lie outside the backslashes
		{smsmcp.MMS, `\\&#039;`, `'`},                             //
		{smsmcp.MMS, `&laquo; &raquo;`, `« »`},                    // decoding makes quotes: cleaning comes after
		{smsmcp.MMS, `&#0;&#x110000;&#xD800;`, "\ufffd\ufffd\ufffd"},
		{smsmcp.MMS, ``, ``},
	} {
		if got := unquirk(c.kind, c.raw); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.kind, c.raw, got, c.want)
		}
	}
}

func TestSender(t *testing.T) {
	for raw, want := range map[string]string{
		"011732873": "732873", "01172975": "72975", "0111234": "0111234", "0111234567": "0111234567", "011": "011",
		"011447700900123": "011447700900123", "5145550123": "5145550123", "01173287x": "01173287x", "": "", "72975": "72975",
	} {
		if got := sender(raw); got != want {
			t.Errorf("%q is %q, want %q", raw, got, want)
		}
	}
}

func TestWallClock(t *testing.T) {
	ny, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	utc := func(s string) time.Time { v, _ := time.Parse(time.DateTime, s); return v }
	for _, c := range []struct{ name, wall, now, want string }{
		{"winter", "2026-11-30 12:00:00", "2026-11-30 18:00:00", "2026-11-30 17:00:00"},
		{"summer", "2026-07-01 12:00:00", "2026-07-01 18:00:00", "2026-07-01 16:00:00"},
		{"the hour before the gap", "2026-03-08 01:59:59", "2026-03-08 12:00:00", "2026-03-08 06:59:59"},
		{"in the gap", "2026-03-08 02:30:00", "2026-03-08 12:00:00", "2026-03-08 07:30:00"},
		{"after the gap", "2026-03-08 03:00:00", "2026-03-08 12:00:00", "2026-03-08 07:00:00"},
		{"before the hour that comes twice", "2026-11-01 00:59:59", "2026-11-01 12:00:00", "2026-11-01 04:59:59"},
		{"twice, read in the first", "2026-11-01 01:30:00", "2026-11-01 05:31:00", "2026-11-01 05:30:00"},
		{"twice, read in the second", "2026-11-01 01:30:00", "2026-11-01 06:30:05", "2026-11-01 06:30:00"},
		{"twice, our clock a minute behind", "2026-11-01 01:30:00", "2026-11-01 06:29:00", "2026-11-01 06:30:00"},
		{"after the hour that comes twice", "2026-11-01 02:00:00", "2026-11-01 12:00:00", "2026-11-01 07:00:00"},
	} {
		got, ok := wallClock(c.wall, ny, utc(c.now))
		if !ok || !got.Equal(utc(c.want)) || got.Location() != time.UTC {
			t.Errorf("%s: %v, %t, want %s", c.name, got, ok, c.want)
		}
	}
	for _, bad := range []string{"", "0000-00-00 00:00:00", "2026-02-30 10:00:00", "2026-11-30", "1999-01-01 00:00:00", "2026-11-30T10:00:00Z"} {
		if got, ok := wallClock(bad, ny, time.Time{}); ok {
			t.Errorf("%q is %v", bad, got)
		}
	}
}

// TestWallClockComesBack: written by the carrier's clock and read again, every half-hour of two years is itself, or an hour off in
// the hour that comes twice.
func TestWallClockComesBack(t *testing.T) {
	for _, name := range []string{"America/New_York", "America/Vancouver", "Europe/Paris", "Australia/Lord_Howe", "UTC"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		off := 0
		for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2028; at = at.Add(30 * time.Minute) {
			got, ok := wallClock(at.In(zone).Format(timeForm), zone, at)
			if !ok {
				t.Fatalf("%s: %v cannot be read", name, at)
			}
			if !got.Equal(at) {
				off++
			}
		}
		if off != 0 { // read at the time it is written, even the doubled hour is certain
			t.Errorf("%s: %d times came back as others", name, off)
		}
	}
}

// fuzzed is a carrier that only decodes.
func fuzzed() *Carrier {
	ny, _ := time.LoadLocation("America/New_York")
	return &Carrier{opt: Options{Zone: ny, Peer: func(raw string) smsmcp.Peer { return smsmcp.CodePeer(raw) }}}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"status":"success","sms":[{"id":"1","date":"2026-11-30 10:00:00","type":1,"did":5145550100,"contact":"","message":"don\\'t"}]}`))
	f.Add([]byte(`{"status":"success","sms":[{"id":2,"date":"2026-11-30 10:00:00","type":"0","message":null,"media":{"1":"x"},"col_media1":"y"}]}`))
	f.Add([]byte(`{"status":"no_sms"}`))
	f.Add([]byte(`{"status":"success","mms":23}`))
	f.Add([]byte(`<html>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := decode(b)
		if err != nil {
			var coded smsmcp.Coded
			if !errors.As(err, &coded) || coded.Code() != smsmcp.Reduce(coded.Code()) {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, kind := range []smsmcp.Kind{smsmcp.SMS, smsmcp.MMS} {
			if id, err := a.sentID(kind); err == nil && !goodID(id) {
				t.Fatalf("the id %q", id)
			}
		}
	})
}

// FuzzQuirks: no decoding more than doubles a text, leaves UTF-8, or touches what shows no quirk.
func FuzzQuirks(f *testing.F) {
	f.Add(`don\'t &amp;lt; \\"`)
	f.Add(`&#1114111;`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []smsmcp.Kind{smsmcp.SMS, smsmcp.MMS} {
			got := unquirk(kind, s)
			if utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Fatalf("%q became %q", s, got)
			}
			if len(got) > 2*len(s) { // "&nGt;" is five bytes and stands for six
				t.Fatalf("%q grew to %q", s, got)
			}
			if !strings.ContainsAny(s, `\&`) && got != s {
				t.Fatalf("%q became %q", s, got)
			}
		}
		_ = sender(s) // no panic
		_, _ = wallClock(s, time.UTC, time.Time{})
	})
}

// TestEveryCodeHasASentence: a person is never told a bare word.
func TestEveryCodeHasASentence(t *testing.T) {
	codes := []string{
		"sms_failed", "no_sms", "invalid_daterange", "invalid_timezone",
		codeUnreachable, codeTimedOut, codeCancelled, codeLost, codeRedirected, codeHTTP, codeHTML, codeBadAnswer, codeTooBig, codeListFull, codeBadRow,
		codeNoSecret, codeNotHere, codeBadBody, codeBadWindow,
	}
	for c := range certain {
		codes = append(codes, c)
	}
	for _, c := range codes {
		if !lang.CarrierKnows(c) || c != smsmcp.Reduce(c) {
			t.Errorf("%s has no sentence", c)
		}
	}
}
