package voipms

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
)

// FuzzPage: what encoding/json reads whole is read alike row by row, and nothing else makes anything but sound texts or a coded error.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		`{"status":"success","sms":[{"id":"1","date":"2026-11-30 10:00:00","type":1,"did":5145550100,"contact":"","message":"don\\'t"}]}`,
		`{"status":"success","sms":[{"id":2,"date":"2026-11-30 10:00:00","type":"0","message":null,"media":{"1":"x"},"col_media1":"y"},{},3]}`,
		` { "sms" : [ null , "a,]}\"" , [1,{"b":[]}] , -1.5e3 ] , "x" : true , "status" : "success" } `,
		`{"status":"success","sms":[]}`, `{"status":"no_sms"}`, `{"status":"success","sms":[1,]}`, `{"status":"success","sms":[{]},"x"]}`,
		`{}`, `<html>`, `[]`, `{"status":"success","sms":"12"}`, ``,
	} {
		f.Add([]byte(s))
	}
	c := fuzzed()
	now := time.Unix(1_800_000_000, 0)
	c.opt.Now = func() time.Time { return now }
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, kind := range []smsmcp.Kind{smsmcp.SMS, smsmcp.MMS} {
			q := query{kind: kind, limit: 100, bound: 1 << 20}
			p, err := c.readPage(bytes.NewReader(b), q)
			again, err2 := c.readPage(iotest.OneByteReader(bytes.NewReader(b)), q)
			if !reflect.DeepEqual(p, again) || (err == nil) != (err2 == nil) {
				t.Fatalf("byte by byte it is another page: %v, %v", err, err2)
			}
			if err != nil {
				var coded smsmcp.Coded
				if !errors.As(err, &coded) || coded.Code() != smsmcp.Reduce(coded.Code()) || p.rows != 0 {
					t.Fatalf("%v", err)
				}
			}
			if p.rows != len(p.texts)+p.bad || p.rows > q.limit {
				t.Fatalf("%d rows, %d texts, %d bad", p.rows, len(p.texts), p.bad)
			}
			for _, x := range p.texts {
				if !goodID(x.Key.ID) || x.Body.Len() > 3*len(b) || x.Images > 100 || x.At.Nanosecond() != 0 || !utf8.ValidString(x.Body.RawForStore()) {
					t.Fatalf("%+v", x)
				}
			}
			whole(t, c, b, q, p, err)
		}
	})
}

// whole reads the page in one piece.
func whole(t *testing.T, c *Carrier, b []byte, q query, p page, err error) {
	var a struct {
		Status scalar            `json:"status"`
		SMS    []json.RawMessage `json:"sms"`
	}
	if json.Unmarshal(b, &a) != nil || a.Status != "success" || a.SMS == nil || len(a.SMS) >= q.limit || twice(b) {
		return
	}
	if err != nil {
		t.Fatalf("%v for %q", err, b)
	}
	var want page
	for _, raw := range a.SMS {
		want.add(c, q.kind, raw, true, c.opt.Now())
	}
	if want.cost = p.cost; !reflect.DeepEqual(p, want) {
		t.Fatalf("%+v, want %+v", p, want)
	}
}

// twice says whether the answer may have a member that counts twice: encoding/json takes the last of them, and folds more than case.
func twice(b []byte) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	var m map[string]json.RawMessage
	if d.Decode(&m) != nil {
		return true
	}
	again, _ := json.Marshal(m)
	var flat bytes.Buffer
	return json.Compact(&flat, b) != nil || flat.Len() != len(again) || len(m) != 2 || m["sms"] == nil || m["status"] == nil
}

// TestABrokenConnectionIsNoShape: only an answer that ends by itself has a form to be wrong.
func TestABrokenConnectionIsNoShape(t *testing.T) {
	c := fuzzed()
	c.opt.Now = func() time.Time { return time.Unix(1_800_000_000, 0) }
	const answer = `{"x":[1,"a"],"status":"success","sms":[{"id":"1","date":"2026-11-30 10:00:00","type":"1"}]}`
	q := query{kind: smsmcp.SMS, limit: 9, bound: 1000}
	for n := range len(answer) {
		broken := errors.New("broken")
		var coded smsmcp.Coded
		if p, err := c.readPage(bytes.NewReader([]byte(answer[:n])), q); !errors.As(err, &coded) || p.rows != 0 {
			t.Errorf("%d bytes and an end: %+v, %v", n, p, err)
		}
		r := &failing{bytes.NewReader([]byte(answer[:n])), broken}
		if p, err := c.readPage(r, q); !errors.Is(err, broken) || p.rows != 0 {
			t.Errorf("%d bytes and a break: %+v, %v", n, p, err)
		}
	}
}

type failing struct {
	*bytes.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.Len() == 0 {
		return 0, f.err
	}
	return f.Reader.Read(p)
}
