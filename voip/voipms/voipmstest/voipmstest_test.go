package voipmstest

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

var eastern, _ = time.LoadLocation("America/New_York")

// The server is checked against what is known of the API, by requests made by hand.

func start(t *testing.T) (*Server, string) {
	t.Helper()
	s := New(Account{
		Username: "u", Password: "p", DID: "5145550100", Zone: eastern,
		Now: func() time.Time { return time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC) },
	})
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	t.Cleanup(s.Close)
	return s, srv.URL
}

// ask posts a form as curl -F does, and gives the HTTP status, the bytes and, if they are JSON, the answer.
func ask(t *testing.T, url string, fields ...string) (int, string, map[string]any) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	_ = w.Close()
	resp, err := http.Post(url, w.FormDataContentType(), &b)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, resp)
}

func read(t *testing.T, resp *http.Response) (int, string, map[string]any) {
	t.Helper()
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	_ = json.Unmarshal(raw, &m)
	return resp.StatusCode, string(raw), m
}

func with(method string, more ...string) []string {
	return append([]string{"api_username", "u", "api_password", "p", "content_type", "json", "method", method}, more...)
}

func TestTheWire(t *testing.T) {
	s, base := start(t)
	api := base + Path

	if code, _, m := ask(t, api, with("getSMS", "did", "5145550100")...); code != 200 || m["status"] != "no_sms" {
		t.Errorf("an empty list: %d %v", code, m)
	}
	if code, _, m := ask(t, api, "api_username", "u", "api_password", "wrong", "content_type", "json", "method", "getSMS"); code != 200 ||
		m["status"] != "invalid_credentials" {
		t.Errorf("a wrong password: %d %v", code, m)
	}
	if _, _, m := ask(t, api, "api_username", "u"); m["status"] != "missing_method" {
		t.Errorf("no method: %v", m)
	}
	if code, _, _ := ask(t, base+"/elsewhere", with("getSMS")...); code != 404 {
		t.Errorf("another path: %d", code)
	}

	form := url.Values{"api_username": {"u"}, "api_password": {"p"}, "method": {"getSMS"}}
	resp, err := http.PostForm(api, form)
	if err != nil {
		t.Fatal(err)
	}
	if _, raw, _ := read(t, resp); !strings.Contains(raw, "SOAP") {
		t.Errorf("urlencoded: %s", raw)
	}
	if resp, err = http.Get(api + "?" + form.Encode()); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := read(t, resp); code != 400 {
		t.Errorf("a GET: %d", code)
	}

	req := httptest.NewRequest("POST", "https://www.voip.ms"+Path, nil)
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, req)
	if rec.Code != 301 || rec.Header().Get("Location") != "https://voip.ms"+Path {
		t.Errorf("www: %d to %s", rec.Code, rec.Header().Get("Location"))
	}
	if got := s.Requests(); len(got) != 7 || !strings.Contains(got[5].URL, "api_password=p") {
		t.Errorf("%d requests are recorded", len(got))
	}
}

func TestSends(t *testing.T) {
	s, base := start(t)
	send := func(method, did, dst, body string) any {
		_, _, m := ask(t, base+Path, with(method, "did", did, "dst", dst, "message", body)...)
		return m["status"]
	}
	for _, c := range []struct{ method, did, dst, body, want string }{
		{"sendSMS", "5145550100", "5145550123", strings.Repeat("é", 80), "success"},
		{"sendSMS", "5145550100", "15145550123", "x", "success"},
		{"sendSMS", "5145550100", "5145550123", strings.Repeat("é", 80) + "x", "sms_toolong"},
		{"sendMMS", "5145550100", "5145550123", strings.Repeat("é", 2048), "success"},
		{"sendMMS", "5145550100", "5145550123", strings.Repeat("a", 2049), "sms_toolong"},
		{"sendSMS", "5145550100", "5145550123", "", "message_empty"},
		{"sendSMS", "5145550100", "+33612345678", "x", "invalid_dst"},
		{"sendSMS", "5145559999", "5145550123", "x", "invalid_did"},
		{"sendFax", "5145550100", "5145550123", "x", "invalid_method"},
	} {
		if got := send(c.method, c.did, c.dst, c.body); got != c.want {
			t.Errorf("%s of %d bytes to %s: %v, want %s", c.method, len(c.body), c.dst, got, c.want)
		}
	}
	for len(s.Sent()) < 100 {
		if got := send("sendSMS", "5145550100", "5145550123", "x"); got != "success" {
			t.Fatalf("number %d: %v", len(s.Sent()), got)
		}
	}
	if got := send("sendSMS", "5145550100", "5145550123", "x"); got != "limit_reached" {
		t.Errorf("the 101st of a day: %v", got)
	}
}

func TestLists(t *testing.T) {
	s, base := start(t)
	list := func(method string, more ...string) (any, []any) {
		_, _, m := ask(t, base+Path, with(method, append([]string{"did", "5145550100"}, more...)...)...)
		rows, _ := m["sms"].([]any)
		return m["status"], rows
	}
	late := time.Date(2026, 11, 30, 23, 59, 59, 0, eastern) // 1 December in UTC
	for range 60 {
		s.Receive("sms", "5145550123", "x", late, 0)
	}
	s.Receive("mms", "72975", "C'est <tout>", late, 2)
	if _, rows := list("getSMS", "from", "2026-11-30", "to", "2026-11-30"); len(rows) != 50 {
		t.Errorf("%d rows without a limit", len(rows))
	}
	if _, rows := list("getSMS", "from", "2026-11-30", "to", "2026-11-30", "limit", "1000"); len(rows) != 60 {
		t.Errorf("%d rows with one", len(rows))
	}
	if st, _ := list("getSMS", "from", "2026-12-01", "to", "2026-12-01"); st != "no_sms" {
		t.Errorf("the dates are not Eastern: %v", st)
	}
	if st, _ := list("getSMS", "from", "2026-01-01", "to", "2026-11-30"); st != "invalid_daterange" {
		t.Errorf("more than 92 days: %v", st)
	}
	if st, _ := list("getSMS", "from", "2026-11-30", "to", "2026-11-30", "type", "0"); st != "no_sms" {
		t.Errorf("sent ones alone: %v", st)
	}

	_, rows := list("getMMS")
	row := rows[0].(map[string]any)
	if row["id"] != "1001" || row["type"] != "1" || row["date"] != "2026-11-30 23:59:59" || row["contact"] != "72975" ||
		row["message"] != "C'est <tout>" || len(row["media"].([]any)) != 2 {
		t.Errorf("%v", row)
	}
	s.Set(Quirks{Escape: true, Entities: true, Ints: true, Prefix011: true, NoMedia: true})
	_, rows = list("getMMS")
	row = rows[0].(map[string]any)
	if row["id"] != 1001.0 || row["type"] != 1.0 || row["contact"] != "01172975" || row["message"] != `C\&#39;est &lt;tout&gt;` {
		t.Errorf("with quirks: %v", row)
	}
	_, _, m := ask(t, base+Path, with("getMediaMMS", "id", "1001")...)
	if media, ok := m["media"].(map[string]any); !ok || len(media) != 2 || media["1"] == nil {
		t.Errorf("getMediaMMS: %v", m)
	}
}
