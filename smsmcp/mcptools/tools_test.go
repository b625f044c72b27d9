package mcptools

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/frame"
	"readback/smsmcp/guard"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
)

func TestReadTextsDefaults(t *testing.T) {
	f := setUp(t, nil)
	text, bad := f.call(t, "read_texts", `{}`)
	if bad || !strings.Contains(text, strangerWords) {
		t.Fatal(text)
	}
	want := inbox.Request{Scope: smsmcp.MCP, Query: smsmcp.Query{Since: time.Date(2026, 11, 29, 0, 0, 0, 0, montreal), Limit: 50}}
	if got := f.reader.asked[0]; got.Scope != want.Scope || !got.Query.Since.Equal(want.Query.Since) || got.Query.Limit != 50 ||
		got.Query.Strangers || got.Query.Contact != 0 || got.Query.Contains != "" || got.Query.Before != (smsmcp.Cursor{}) {
		t.Fatalf("%+v", got)
	}
}

func TestReadTextsArguments(t *testing.T) {
	f := setUp(t, nil)
	at := smsmcp.Cursor{At: time.Unix(1_780_000_000, 0).UTC(), ID: 42}
	for arguments, want := range map[string]smsmcp.Query{
		`{"days":0}`:             {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50},
		`{"days":7,"limit":500}`: {Since: time.Date(2026, 11, 23, 0, 0, 0, 0, montreal), Limit: 500},
		`{"contact":"  elodie  TREMBLAY ","days":0}`:           {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50, Contact: 1},
		`{"contact":"MA SOEUR","days":0}`:                      {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50, Contact: 1},
		`{"contact":"papa","days":0,"query":"clés"}`:           {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50, Contact: 2, Contains: "clés"},
		`{"strangers":true,"days":0}`:                          {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50, Strangers: true},
		`{"before":"` + frame.FormatCursor(at) + `","days":0}`: {Since: time.Date(2026, 11, 30, 0, 0, 0, 0, montreal), Limit: 50, Before: at},
	} {
		f.reader.asked = nil
		if text, bad := f.call(t, "read_texts", arguments); bad {
			t.Fatal(text)
		}
		got := f.reader.asked[0].Query
		same := got.Since.Equal(want.Since)
		got.Since, want.Since = time.Time{}, time.Time{}
		if !same || got != want {
			t.Errorf("%s: %+v", arguments, got)
		}
	}
}

// TestReadTextsOfNobody: a name that is not whole is refused with candidates, and nothing is read.
func TestReadTextsOfNobody(t *testing.T) {
	f := setUp(t, nil)
	for asked, near := range map[string]string{"Tremblay": "Élodie Tremblay; Marc Tremblay", "Elodi": "Élodie Tremblay", "Zoé": ""} {
		text, bad := f.call(t, "read_texts", `{"contact":`+quoted(asked)+`}`)
		if !bad || !strings.HasPrefix(text, lang.ToolNoContact.EN) || near != "" && !strings.Contains(text, near+".") {
			t.Errorf("%s: %s", asked, text)
		}
		if near == "" && text != lang.ToolNoContact.EN {
			t.Errorf("%s: %s", asked, text)
		}
	}
	if len(f.reader.asked) > 0 {
		t.Fatal("something was read")
	}
}

func TestMidnight(t *testing.T) {
	beirut := must(time.LoadLocation("Asia/Beirut")) // its clocks change at midnight: 00:00 of 2026-03-29 does not exist
	for _, c := range []struct {
		now  time.Time
		zone *time.Location
		days int
		want string
	}{
		{noon, montreal, 1, "2026-11-29T00:00:00-05:00"},
		{noon, montreal, 30, "2026-10-31T00:00:00-04:00"},
		{time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC), montreal, 0, "2026-11-29T00:00:00-05:00"},
		{time.Date(2026, 3, 30, 12, 0, 0, 0, beirut), beirut, 1, "2026-03-29T01:00:00+03:00"},
		{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.UTC, 1, "2025-12-31T00:00:00Z"},
	} {
		if got := smsmcp.Midnight(c.now, c.zone, c.days).Format(time.RFC3339); got != c.want {
			t.Errorf("%v, %d days: %s, want %s", c.now, c.days, got, c.want)
		}
	}
}

// TestBefore: what an answer gives goes in again, and nothing else does.
func TestBefore(t *testing.T) {
	f := setUp(t, nil)
	f.reader.page.Older = true
	text, _ := f.call(t, "read_texts", `{}`)
	given := frame.FormatCursor(smsmcp.Cursor{At: noon, ID: 7})
	if !strings.Contains(text, given) {
		t.Fatal(text)
	}
	if text, bad := f.call(t, "read_texts", `{"before":"`+given+`"}`); bad || f.reader.asked[1].Query.Before != (smsmcp.Cursor{At: noon.UTC(), ID: 7}) {
		t.Fatal(text, f.reader.asked)
	}
	for _, before := range []string{"", "-", "1", "00-1", "1-9999999999999999999", `1780000000-1\n`, " 1-1", "1-1-1", "999999999999-1x"} {
		if text, bad := f.call(t, "read_texts", `{"before":"`+before+`"}`); !bad {
			t.Errorf("%q: %s", before, text)
		}
	}
}

func TestFindContact(t *testing.T) {
	f := setUp(t, nil)
	text, bad := f.call(t, "find_contact", `{"word":"tremblay"}`)
	if bad || text != "Contacts that match, best first: Élodie Tremblay; Marc Tremblay." {
		t.Fatal(text)
	}
	for _, word := range []string{"5145550101", "+15145550101", "0101", "zzz", " ", "%"} {
		if text, bad := f.call(t, "find_contact", `{"word":`+quoted(word)+`}`); bad || text != lang.ContactsNone.EN {
			t.Errorf("%q: %s", word, text)
		}
	}
}

// TestNamesInAList: a name with a comma is not two names.
func TestNamesInAList(t *testing.T) {
	all := []smsmcp.Contact{{ID: 1, Name: "Roy, Marie", To: "+15145550101"}, {ID: 2, Name: "Marie", To: "+15145550102"}}
	for l, want := range map[lang.Lang]string{lang.EN: ": Marie; Roy, Marie.", lang.FR: " : Marie ; Roy, Marie."} {
		f := setUp(t, func(_ *fixture, o *Options) { o.Lang, o.Book = l, fakeBook{all: all} })
		f.door.send = smsmcp.Send{ID: "abcdefghij", State: smsmcp.Refused, Reasons: []smsmcp.Reason{{Rule: guard.RuleRecipient}}}
		for _, c := range [][2]string{{"find_contact", `{"word":"marie"}`}, {"send_text", `{"to":"mari","body":"x"}`}, {"read_texts", `{"contact":"mari"}`}} {
			if text, _ := f.call(t, c[0], c[1]); !strings.Contains(text, want) {
				t.Errorf("%s: %s", c[0], text)
			}
		}
	}
}

// TestCountsAreNoOracle: how many strangers' texts hold some words is not told. A model could spell a text out by it.
func TestCountsAreNoOracle(t *testing.T) {
	f := setUp(t, nil)
	f.reader.page = smsmcp.Page{FoldedTexts: 7, FoldedStrangers: 3}
	if text, _ := f.call(t, "read_texts", `{}`); !strings.Contains(text, "7 texts from 3") {
		t.Fatal(text)
	}
	with, _ := f.call(t, "read_texts", `{"query":"code is 4"}`)
	f.reader.page = smsmcp.Page{}
	without, _ := f.call(t, "read_texts", `{"query":"code is 4"}`)
	if strings.ReplaceAll(with, with[:10], "") != strings.ReplaceAll(without, without[:10], "") {
		t.Fatalf("%s\n%s", with, without)
	}
}

func TestSendText(t *testing.T) {
	f := setUp(t, nil)
	text, bad := f.call(t, "send_text", `{"to":"ma sœur","body":"On dîne à 18 h ?\n« oui »"}`)
	if bad || text != `Sent to Élodie Tremblay: "On dîne à 18 h ? « oui »\nM." (send abcdefghij).` {
		t.Fatal(text)
	}
	if got := f.door.asked[0]; got != (dispatch.Request{To: "ma sœur", Body: "On dîne à 18 h ?\n« oui »", By: "laptop", Scope: smsmcp.MCP}) {
		t.Fatalf("%+v", got)
	}
}

func TestSendTextOutcomes(t *testing.T) {
	reasons := []smsmcp.Reason{{Rule: guard.RuleHold, Until: noon.Add(time.Hour)}}
	for state, want := range map[smsmcp.SendState]string{
		smsmcp.Waiting:  "waits for the owner's yes until Mon 2026-11-30 12:10",
		smsmcp.Refused:  "Refused, nothing was sent: A stranger's words were shown",
		smsmcp.Unknown:  "Nobody should send it again until check_send has settled it",
		smsmcp.Failed:   "carrier's status sms_failed",
		smsmcp.Reserved: "On its way",
	} {
		f := setUp(t, nil)
		f.door.send.State, f.door.send.Reasons, f.door.send.Expires, f.door.send.Failure = state, reasons, noon.Add(10*time.Minute), "sms_failed"
		text, bad := f.call(t, "send_text", `{"to":"Papa","body":"x"}`)
		if !strings.Contains(text, want) || bad != (state == smsmcp.Refused) {
			t.Errorf("%s: %s", state, text)
		}
		if state != smsmcp.Refused && !strings.Contains(text, "abcdefghij") {
			t.Errorf("%s names no id: %s", state, text)
		}
	}
	f := setUp(t, nil)
	f.door.send.State, f.door.send.Reasons, f.door.again = smsmcp.Waiting, reasons, true
	if text, _ := f.call(t, "send_text", `{"to":"Papa","body":"x"}`); !strings.HasPrefix(text, lang.SendAgain.EN) {
		t.Error(text)
	}
	f = setUp(t, nil)
	f.door.send = smsmcp.Send{ID: "abcdefghij", State: smsmcp.Refused, Reasons: []smsmcp.Reason{{Rule: guard.RuleRecipient}}}
	text, bad := f.call(t, "send_text", `{"to":"Tremblay","body":"x"}`)
	if !bad || !strings.Contains(text, "Élodie Tremblay; Marc Tremblay") {
		t.Error(text)
	}
}

// TestInvariant14HalfACharacter: what JSON decoding would mend is refused, not sent otherwise than asked.
func TestInvariant14HalfACharacter(t *testing.T) {
	f := setUp(t, nil)
	for _, body := range []string{`"a\ud83d"`, `"\udc00b"`, `"\ufffd"`} {
		if text, bad := f.call(t, "send_text", `{"to":"Papa","body":`+body+`}`); !bad || !strings.Contains(text, "UTF-8") {
			t.Error(text)
		}
	}
	if len(f.door.asked) > 0 {
		t.Fatal("it reached the door")
	}
}

func TestCheckAndCancel(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		seen := map[string]bool{}
		for _, state := range []smsmcp.SendState{
			smsmcp.Refused, smsmcp.Waiting, smsmcp.Declined, smsmcp.Expired, smsmcp.Cancelled, smsmcp.Void, smsmcp.Reserved, smsmcp.Done, smsmcp.Failed, smsmcp.Unknown,
		} {
			f := setUp(t, func(_ *fixture, o *Options) { o.Lang = l })
			f.door.send.State, f.door.send.Delivery, f.door.send.Failure = state, "Delivered!", "HTTP 502 <b>"
			f.door.send.Reasons = []smsmcp.Reason{{Rule: guard.RuleHold, Until: noon}}
			text, bad := f.call(t, "check_send", `{"id":"abcdefghij"}`)
			if bad || strings.Contains(text, "%!") || !strings.Contains(text, "abcdefghij") || !strings.Contains(text, "Élodie Tremblay") || seen[text] {
				t.Errorf("%s: %s", state, text)
			}
			if strings.Contains(text, "dîne") || strings.Contains(text, "<b>") || strings.Contains(text, "!D") {
				t.Errorf("%s shows what it must not: %s", state, text)
			}
			if state == smsmcp.Done && !strings.Contains(text, "delivered_") {
				t.Errorf("no delivery state: %s", text)
			}
			seen[text] = true
			text, _ = f.call(t, "cancel_send", `{"id":"abcdefghij"}`)
			if late := strings.HasPrefix(text, lang.SendTooLate.In(l)); late != (state != smsmcp.Cancelled) {
				t.Errorf("cancel of %s: %s", state, text)
			}
		}
	}
	f := setUp(t, nil)
	f.door.err = fmt.Errorf("looking: %w", smsmcp.ErrNoSend)
	for _, name := range []string{"check_send", "cancel_send"} {
		if text, bad := f.call(t, name, `{"id":"zzzzzzzzzz"}`); !bad || text != lang.SendNone.EN {
			t.Error(text)
		}
	}
}

// TestNoNumberComesOut: whatever a tool answers about contacts, their numbers are not in it.
func TestNoNumberComesOut(t *testing.T) {
	f := setUp(t, nil)
	f.door.send.State = smsmcp.Waiting
	for _, c := range [][2]string{
		{"find_contact", `{"word":"tremblay"}`}, {"send_text", `{"to":"x","body":"y"}`}, {"check_send", `{"id":"abcdefghij"}`},
		{"cancel_send", `{"id":"abcdefghij"}`}, {"read_texts", `{"contact":"Trembley"}`}, {"read_texts", `{}`},
	} {
		text, _ := f.call(t, c[0], c[1])
		for _, p := range people {
			for _, n := range p.Numbers {
				if strings.Contains(text, string(n)) || strings.Contains(text, string(n[2:])) {
					t.Errorf("%s: %s", c[0], text)
				}
			}
		}
	}
}

// TestErrorsAreKnownSentences: of an error of a lower floor the model hears a sentence of ours alone.
func TestErrorsAreKnownSentences(t *testing.T) {
	for want, err := range map[string]error{
		lang.ToolStore.EN:     errors.New("SQL logic error near ZQXZQX"),
		lang.ToolNotLogged.EN: fmt.Errorf("%w: ZQXZQX", dispatch.ErrNotRecorded),
		lang.ToolClosing.EN:   dispatch.ErrClosed,
		lang.ToolSlow.EN:      fmt.Errorf("ZQXZQX: %w", context.DeadlineExceeded),
	} {
		f := setUp(t, nil)
		f.door.err = err
		if text, bad := f.call(t, "send_text", `{"to":"a","body":"b"}`); !bad || text != want {
			t.Errorf("%v: %s", err, text)
		}
	}
	for _, err := range []error{inbox.ErrStore, inbox.ErrNotHeld} {
		f := setUp(t, nil)
		f.reader.err = fmt.Errorf("ZQXZQX: %w", err)
		if text, bad := f.call(t, "read_texts", `{}`); !bad || text != inbox.Sentence(lang.EN, err) || strings.Contains(text, strangerWords) {
			t.Errorf("%v: %s", err, text)
		}
	}
	f := setUp(t, func(_ *fixture, o *Options) { o.Book = fakeBook{err: errors.New("ZQXZQX")} })
	for _, c := range [][2]string{{"find_contact", `{"word":"a"}`}, {"read_texts", `{"contact":"a"}`}} {
		if text, bad := f.call(t, c[0], c[1]); !bad || text != lang.ToolStore.EN {
			t.Error(text)
		}
	}
}

func TestAPanicIsAnAnswer(t *testing.T) {
	f := setUp(t, nil)
	f.reader.do = func(context.Context) { panic(strangerWords) }
	text, bad := f.call(t, "read_texts", `{}`)
	if !bad || text != lang.ToolBroken.EN || strings.Contains(f.log.String(), strangerWords) || !strings.Contains(f.log.String(), "tools_test.go") {
		t.Fatal(text, f.log.String())
	}
}

func TestACallHasItsTime(t *testing.T) {
	f := setUp(t, func(_ *fixture, o *Options) { o.Timeout = time.Millisecond })
	f.reader.do = func(ctx context.Context) { <-ctx.Done() }
	f.reader.err = context.DeadlineExceeded
	if text, bad := f.call(t, "read_texts", `{}`); !bad || text != lang.ToolSlow.EN {
		t.Fatal(text)
	}
}

// TestRequestGivenUp: mcp-go writes nothing once a request's context is over; the client still gets an error that it can read.
func TestRequestGivenUp(t *testing.T) {
	f := setUp(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	f.reader.do = func(context.Context) { cancel() }
	m := f.post(t, true, "tools/call", `"name":"read_texts"`, func(r *http.Request) { *r = *r.WithContext(ctx) })
	if m.status != http.StatusServiceUnavailable || m.Error == nil {
		t.Fatal(m.status, m.raw)
	}
}

// TestOneClientCannotCancelAnother: both count their requests from 1.
func TestOneClientCannotCancelAnother(t *testing.T) {
	f := setUp(t, nil)
	inside, leave := make(chan struct{}), make(chan struct{})
	var cancelled atomic.Bool
	f.reader.do = func(ctx context.Context) {
		close(inside)
		<-leave
		cancelled.Store(ctx.Err() != nil)
	}
	done := make(chan rpc)
	go func() { done <- f.post(t, false, "tools/call", `"name":"read_texts"`, nil) }()
	<-inside
	m := f.raw(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, func(r *http.Request) {
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	})
	if m.status != http.StatusAccepted {
		t.Fatal(m.status)
	}
	close(leave)
	if m := <-done; cancelled.Load() || m.Error != nil {
		t.Fatal("one client's request was cancelled by another's notification", m.raw)
	}
}

func TestErasSideBySide(t *testing.T) {
	f := setUp(t, nil)
	for range 3 {
		for _, modern := range []bool{true, false} {
			m := f.post(t, modern, "tools/call", `"name":"find_contact","arguments":{"word":"papa"}`, nil)
			if m.Error != nil || len(m.Result.Content) != 1 || !strings.Contains(m.Result.Content[0].Text, "Marc Tremblay") {
				t.Fatal(m.raw)
			}
		}
	}
	if m := f.post(t, false, "ping", "", nil); m.Error != nil {
		t.Fatal(m.raw)
	}
	if m := f.raw(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil); m.status != 202 || m.raw != "" {
		t.Fatal(m.status, m.raw)
	}
	// Errors keep their code and id.
	if m := f.post(t, true, "no/such", "", nil); m.status != 404 || m.Error == nil || m.Error.Code != -32601 || string(m.ID) != "1" {
		t.Fatal(m.raw)
	}
	m := f.raw(t, `{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{`+strings.ReplaceAll(modernMeta, "2026-07-28", "2099-01-01")+`}}`,
		func(r *http.Request) {
			r.Header.Set("MCP-Protocol-Version", "2099-01-01")
			r.Header.Set("Mcp-Method", "tools/list")
		})
	if m.Error == nil || m.Error.Code != -32022 || !strings.Contains(string(m.Error.Data), "2026-07-28") || !strings.Contains(string(m.Error.Data), "2099-01-01") {
		t.Fatal(m.raw)
	}
}

// TestListen: both frames come, every time, and the connection is not held.
func TestListen(t *testing.T) {
	f := setUp(t, nil)
	for range 200 {
		m := f.post(t, true, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, nil)
		frames := strings.Split(strings.TrimSpace(m.raw), "\n\n")
		if m.status != 200 || len(frames) != 2 || !strings.Contains(frames[0], "notifications/subscriptions/acknowledged") ||
			!strings.Contains(frames[0], `"io.modelcontextprotocol/subscriptionId":1`) || !strings.Contains(frames[1], `"result"`) {
			t.Fatal(m.raw)
		}
	}
}
