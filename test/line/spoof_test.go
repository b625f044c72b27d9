package line

import (
	"context"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/frame/frametest"
	"readback/test/testbed"
)

const (
	name       = "Marie Tremblay"
	contactTag = "speech_balloon" // what a contact's notification has, and no other
)

// asContact says whether a notification passes its text off as a contact's.
func asContact(n testbed.Notification) bool {
	return n.Title == name || n.Title == "Bruno Roy" || strings.HasPrefix(n.Title, name+" ") || slices.Contains(n.Tags, contactTag)
}

// shown has the model read all texts, strangers' too, and gives the one with these words.
func (s *scene) shown(body string) frametest.Text {
	s.t.Helper()
	raw := s.program.Call(s.t.Context(), "read_texts", map[string]any{"strangers": true, "limit": 500})
	a, err := frametest.Parse(raw)
	if err != nil {
		s.t.Fatalf("%v in\n%s", err, raw)
	}
	for _, x := range a.Texts {
		if x.Body == body {
			return x
		}
	}
	s.t.Fatalf("%q is not shown in\n%s", body, raw)
	return frametest.Text{}
}

// folded is how many texts the model is told of and not shown, when it asks for no strangers'; and those of contacts that it is shown.
func (s *scene) folded() (hidden int, contacts []frametest.Text) {
	s.t.Helper()
	raw := s.program.Call(s.t.Context(), "read_texts", nil)
	a, err := frametest.Parse(raw)
	if err != nil {
		s.t.Fatalf("%v in\n%s", err, raw)
	}
	return a.FoldedTexts, a.Texts
}

// metric reads one counter or gauge; a series that is not there is 0.
func (s *scene) metric(series string) (sum float64) {
	s.t.Helper()
	_, page := s.program.Get(s.t.Context(), "/metrics")
	for _, m := range regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(series)+`(?:\{[^}]*\})? ([0-9.e+]+)$`).FindAllStringSubmatch(page, -1) {
		var v float64
		if _, err := fmt.Sscan(m[1], &v); err == nil {
			sum += v
		}
	}
	return sum
}

// TestASpoofedTextIsNeverAContacts: a SIP MESSAGE can be written by anybody who can reach Asterisk from the trunk's address. Whatever it says of its sender, it
// is shown, told of and counted as unverified, until voip.ms's list has it.
func TestASpoofedTextIsNeverAContacts(t *testing.T) {
	t.Parallel()
	s := newScene(t, newBed(t), setting{})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()

	// From outside the trunk: Asterisk takes none.
	outside := testbed.NewPhone(t, netip.MustParseAddrPort("127.0.0.2:0"), nil)
	for _, from := range []string{marie, "voipms", "readback", "123456_readback"} {
		if status, err := outside.Text(ctx, s.bed.SIP, testbed.SIPText{From: from, Name: name, Body: "from outside"}); status != 401 {
			t.Errorf("a text from outside the trunk, as %s: %d %v", from, status, err)
		}
	}

	// From the trunk's address.
	pai := map[string]string{
		"P-Asserted-Identity": `"Marie Tremblay" <sip:` + marie + `@montreal1.voip.ms>`, "Remote-Party-ID": `"Marie Tremblay" <sip:` + marie + `@x>;party=calling`,
		"P-Preferred-Identity": "<sip:" + marie + "@x>", "Contact-Name": name,
	}
	spoofs := map[string]struct {
		m    testbed.SIPText
		kind string // as the model is to be told
	}{
		"a contact's number":               {testbed.SIPText{From: marie, Body: "It is me, send money"}, "number"},
		"a contact's number and name":      {testbed.SIPText{From: marie, Name: name, Body: "It is really me, send money"}, "number"},
		"a stranger with a contact's name": {testbed.SIPText{From: nobody, Name: name, Body: "It is me on another phone"}, "number"},
		"a stranger with identities":       {testbed.SIPText{From: nobody, Head: pai, Body: "The network says that it is me"}, "number"},
		"a label":                          {testbed.SIPText{From: "Marie.Tremblay", Name: name, Body: "I have no number"}, "none"},
		"a label with the number in it":    {testbed.SIPText{From: marie + ";phone-context=x", Name: name, Body: "I have a number and more"}, "none"},
	}
	for what, x := range spoofs {
		s.text(x.m)
		n := s.notified(20*time.Second, what, func(n testbed.Notification) bool { return words(n) == x.m.Body })
		t.Logf("%s: %q %v: %s", what, n.Title, n.Tags, n.Message)
		if asContact(n) || !strings.Contains(strings.ToLower(n.Title+n.Message), "unverified") && !strings.Contains(n.Title, "not in your contacts") {
			t.Errorf("%s is told of as %q %v", what, n.Title, n.Tags)
		}
		if x.m.From == marie && !strings.Contains(strings.ToLower(n.Title), "unverified") {
			t.Errorf("%s is told of as %q", what, n.Title)
		}
	}
	// Counted: none is a contact's, neither for the model nor in the metrics.
	if hidden, contacts := s.folded(); hidden != len(spoofs) || len(contacts) != 0 {
		t.Errorf("the model is told of %d texts of strangers and shown %+v", hidden, contacts)
	}
	if got := s.metric("readback_texts_unverified_total"); got != float64(len(spoofs)) {
		t.Errorf("%v texts are counted as unverified, not %d", got, len(spoofs))
	}

	// A STOP in a contact's name stops nothing. Nothing of a stranger was shown yet, so nothing else does either.
	s.text(testbed.SIPText{From: bruno, Name: "Bruno Roy", Body: "STOP"})
	s.notified(20*time.Second, "the STOP", func(n testbed.Notification) bool { return words(n) == "STOP" })
	answer := s.program.Call(ctx, "send_text", map[string]any{"to": "Bruno Roy", "body": "See you at 6."})
	t.Logf("send_text after a spoofed STOP: %s", answer)
	if sent := s.api.Sent(); len(sent) != 1 || sent[0].Body != "See you at 6." {
		t.Errorf("after a spoofed STOP: %s (%d sent)", answer, len(sent))
	}

	// The good case: the list has it, and within seconds it is the contact's, in the same notification.
	const true1 = "The train is late, I am there at 7."
	began := time.Now()
	s.text(testbed.SIPText{From: marie, Body: true1})
	s.listed(marie, true1)
	first := s.notified(20*time.Second, "the true text", func(n testbed.Notification) bool { return words(n) == true1 })
	final := s.notified(40*time.Second, "the true text with the contact's name", func(n testbed.Notification) bool { return words(n) == true1 && n.Title == name })
	t.Logf("told of as %q at once, and as %q %v after it was written", first.Title, final.Title, final.Got.Sub(began).Round(time.Millisecond))
	if first.SequenceID != final.SequenceID || !slices.Contains(final.Tags, contactTag) {
		t.Errorf("the name came in another notification: %+v, %+v", first, final)
	}
	hidden, contacts := s.folded()
	if len(contacts) != 2 || contacts[1].Body != true1 && contacts[0].Body != true1 || hidden != len(spoofs)+1 {
		t.Errorf("%d hidden, and shown without strangers: %+v", hidden, contacts)
	}
	if x := s.shownAmong(contacts, true1); x.Peer.Kind != "contact" || x.Peer.Name != name {
		t.Errorf("the true text is shown as %+v", x.Peer)
	}
	// The same words once more, that no list has: a claim, and another text.
	s.text(testbed.SIPText{From: marie, Name: name, Body: true1})
	replay := s.notified(20*time.Second, "the true text again", func(n testbed.Notification) bool { return words(n) == true1 && n.SequenceID != first.SequenceID })
	if asContact(replay) {
		t.Errorf("what nothing but a datagram says is told of as %q %v", replay.Title, replay.Tags)
	}
	if hidden, contacts := s.folded(); len(contacts) != 2 || hidden != len(spoofs)+2 {
		t.Errorf("%d hidden, and shown without strangers: %+v", hidden, contacts)
	}

	// And a STOP that is Marie's own stops texts to her: so the one before was not simply overlooked.
	s.listed(marie, "STOP")
	s.text(testbed.SIPText{From: marie, Body: "STOP"})
	s.notified(40*time.Second, "Marie's STOP", func(n testbed.Notification) bool { return words(n) == "STOP" && n.Title == name })
	if answer := s.program.Call(ctx, "send_text", map[string]any{"to": name, "body": "Good night."}); len(s.api.Sent()) != 1 {
		t.Errorf("after Marie's own STOP: %s", answer)
	}

	// Shown: each as unverified, and the hold begins.
	for what, x := range spoofs {
		got := s.shown(x.m.Body)
		if got.Peer.Kind != x.kind || got.Peer.Name == name || !got.Peer.Unverified {
			t.Errorf("%s is shown as %+v", what, got.Peer)
		}
	}
	answer = s.program.Call(ctx, "send_text", map[string]any{"to": "Bruno Roy", "body": "And bring the keys."})
	t.Logf("send_text after an unverified text was shown: %s", answer)
	if len(s.api.Sent()) != 1 || !strings.Contains(answer, "wait") {
		t.Errorf("no hold: %s", answer)
	}
	s.program.Stop()
}

// shownAmong finds a text by its words.
func (s *scene) shownAmong(texts []frametest.Text, body string) frametest.Text {
	s.t.Helper()
	for _, x := range texts {
		if x.Body == body {
			return x
		}
	}
	s.t.Errorf("%q is not shown", body)
	return frametest.Text{}
}

// TestTheTrunkOverTLSNamesAContact: without a list, a contact's name needs the trunk over verified TLS, the owner's word that nothing else leads in, and an
// Asterisk that does not say otherwise.
func TestTheTrunkOverTLSNamesAContact(t *testing.T) {
	t.Parallel()
	udp := map[string]string{"pjsip.conf": "[transport-udp]\ntype = transport\nprotocol = udp\nbind = 127.0.0.1:0\n"}
	for what, c := range map[string]struct {
		bed   testbed.Config
		only  bool // what the owner says
		named bool
		log   string
	}{
		"nothing but TLS":                     {testbed.Config{Ntfy: generous, TLSOnly: true}, true, true, ""},
		"nothing but TLS, and nobody says so": {testbed.Config{Ntfy: generous, TLSOnly: true}, false, false, ""},
		"the owner is mistaken":               {testbed.Config{Ntfy: generous, TLSOnly: true, Asterisk: udp}, true, false, "trunk_other_transport"},
	} {
		t.Run(what, func(t *testing.T) {
			bed := testbed.Start(t, c.bed)
			provider := testbed.NewProvider(t, bed, bed.CAFile, bed.KeyFile)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			provider.Registered(ctx)
			s := newScene(t, bed, setting{kind: "sipmsg", server: bed.Trunk.String(), tlsOnly: c.only})
			const body = "The train is late."
			if status, err := provider.Text(ctx, testbed.SIPText{From: marie, Body: body}); status != 202 {
				t.Fatalf("a text of the provider: %d %v", status, err)
			}
			n := s.notified(20*time.Second, "the provider's text", func(n testbed.Notification) bool { return words(n) == body })
			t.Logf("over TLS: %q %v", n.Title, n.Tags)
			x := s.shown(body)
			if asContact(n) != c.named || (x.Peer.Kind == "contact" && x.Peer.Name == name) != c.named || x.Peer.Unverified == c.named {
				t.Errorf("told of as %q %v, and shown as %+v", n.Title, n.Tags, x.Peer)
			}
			// Another's name on it changes nothing.
			const other = "It is Marie, on another phone."
			if status, err := provider.Text(ctx, testbed.SIPText{From: nobody, Name: name, Body: other}); status != 202 {
				t.Fatalf("a text of the provider: %d %v", status, err)
			}
			n = s.notified(20*time.Second, "the stranger's text", func(n testbed.Notification) bool { return words(n) == other })
			if x := s.shown(other); asContact(n) || x.Peer.Kind != "number" {
				t.Errorf("told of as %q %v, and shown as %+v", n.Title, n.Tags, x.Peer)
			}
			if !strings.Contains(s.program.Log(), c.log) {
				t.Errorf("the log does not say %s:\n%s", c.log, s.program.Log())
			}
			s.program.Stop()
		})
	}
}

// TestADatagramNamesNobody: without a list, a text over UDP from the trunk's address is a claim.
func TestADatagramNamesNobody(t *testing.T) {
	t.Parallel()
	bed := newBed(t)
	s := newScene(t, bed, setting{kind: "sipmsg", server: bed.Trunk.String()})
	const body = "by a datagram"
	s.text(testbed.SIPText{From: marie, Name: name, Body: body})
	n := s.notified(20*time.Second, "the datagram", func(n testbed.Notification) bool { return words(n) == body })
	if hidden, contacts := s.folded(); hidden != 1 || len(contacts) != 0 {
		t.Errorf("%d hidden, shown %+v", hidden, contacts)
	}
	if x := s.shown(body); asContact(n) || x.Peer.Kind != "number" || x.Peer.Name != marie || !x.Peer.Unverified {
		t.Errorf("told of as %q %v and shown as %+v", n.Title, n.Tags, x.Peer)
	}
	s.program.Stop()
}
