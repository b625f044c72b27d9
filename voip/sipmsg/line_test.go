package sipmsg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
	"readback/voip/ari"
	"readback/voip/sipmsg"
)

// events is an Asterisk that does what it is told.
type events struct {
	do chan func(ctx context.Context, l ari.Listener)

	mu      sync.Mutex
	objects map[string]map[string]string // kind/id → attributes
	err     error                        // of every question
	breaks  bool                         // every question panics
	asked   int
	state   ari.State
}

// wellMade is what deploy/asterisk makes of a trunk.
func wellMade() map[string]map[string]string {
	return map[string]map[string]string{
		"endpoint/voipms":     {"transport": "trunk-tls", "identify_by": "ip"},
		"transport/trunk-tls": {"protocol": "tls", "verify_server": "Yes", "method": "tlsv1_2"},
	}
}

func newEvents() *events {
	return &events{do: make(chan func(context.Context, ari.Listener)), objects: wellMade(), state: ari.State{Up: true}}
}

func (e *events) Run(ctx context.Context, l ari.Listener) error {
	for {
		select {
		case f := <-e.do:
			f(ctx, l)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (e *events) State() ari.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state
}

func (e *events) Object(_ context.Context, kind, id string) (map[string]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked++
	got, ok := e.objects[kind+"/"+id]
	switch {
	case e.breaks:
		panic("the words of a stranger")
	case e.err != nil:
		return nil, e.err
	case id == "":
		return nil, coded(ari.CodeBadValue)
	case !ok:
		return nil, coded(ari.CodeNotFound)
	}
	return maps.Clone(got), nil
}

func (e *events) set(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

// tell has the line take something, and waits until it has.
func (e *events) tell(f func(ctx context.Context, l ari.Listener)) {
	done := make(chan struct{})
	e.do <- func(ctx context.Context, l ari.Listener) { f(ctx, l); close(done) }
	<-done
}

func (e *events) connect(t *testing.T) {
	e.tell(func(ctx context.Context, l ari.Listener) {
		if err := l.Connected(ctx); err != nil {
			t.Error(err)
		}
	})
}

func (e *events) text(m ari.TextMessageReceived) {
	e.tell(func(ctx context.Context, l ari.Listener) { l.Event(ctx, m) })
}

type coded string

func (c coded) Error() string { return string(c) }
func (c coded) Code() string  { return string(c) }

// box is an inbox that keeps what it got.
type box struct {
	mu       sync.Mutex
	texts    []smsmcp.Text
	expected int
	tries    []time.Time
	receive  func(n int, x smsmcp.Text) error // of the n-th try
}

func (b *box) Receive(_ context.Context, x smsmcp.Text) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tries = append(b.tries, time.Now())
	if b.receive != nil {
		if err := b.receive(len(b.tries), x); err != nil {
			return err
		}
	}
	b.texts = append(b.texts, x)
	return nil
}

func (b *box) Expect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected++
}

func (b *box) got() ([]smsmcp.Text, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.texts), b.expected
}

// counts keeps what was counted.
type counts struct {
	mu  sync.Mutex
	got []string
}

func (c *counts) observe(e smsmcp.Event, label string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, string(e)+" "+label)
}

func (c *counts) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := strings.Join(c.got, ", ")
	c.got = nil
	return out
}

// safe is a buffer for a log.
type safe struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// rig is a line on fakes.
type rig struct {
	*events
	box    *box
	counts *counts
	log    *safe
	line   *sipmsg.Line
	end    func()
}

func startLine(t *testing.T, change func(*sipmsg.LineOptions)) *rig {
	t.Helper()
	r := &rig{events: newEvents(), box: &box{}, counts: &counts{}, log: &safe{}}
	o := sipmsg.LineOptions{
		Asterisk: r.events, Carrier: carrier(t, broken{}, "voipms", "h", 0), Inbox: r.box, TLSOnly: true,
		Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(1, 2)), Log: slog.New(slog.NewTextHandler(r.log, nil)), Observe: r.counts.observe,
	}
	if change != nil {
		change(&o)
	}
	var err error
	if r.line, err = sipmsg.NewLine(o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := r.line.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}()
	r.end = func() { cancel(); <-done }
	t.Cleanup(r.end)
	return r
}

func numbered(n int) ari.TextMessageReceived {
	return message(func(m *ari.TextMessageReceived) {
		m.Vars["Call-ID"], m.Body = untrusted.New(fmt.Sprint("call ", n)), untrusted.New(fmt.Sprint("text ", n))
	})
}

// TestTrunk: each thing that would let a text's address be made up has its code, and the code its sentence.
func TestTrunk(t *testing.T) {
	if err := sipmsg.Trunk(t.Context(), newEvents(), "voipms"); err != nil {
		t.Fatal(err)
	}
	set := func(object, name, value string) func(*events) {
		return func(e *events) {
			if e.objects[object] == nil {
				e.objects[object] = map[string]string{}
			}
			e.objects[object][name] = value
		}
	}
	for name, test := range map[string]struct {
		change func(*events)
		want   string
	}{
		"no endpoint":              {func(e *events) { delete(e.objects, "endpoint/voipms") }, "trunk_no_endpoint"},
		"by its name too":          {set("endpoint/voipms", "identify_by", "username,ip"), "trunk_identified_by_more"},
		"by name alone":            {set("endpoint/voipms", "identify_by", "auth_username"), "trunk_identified_by_more"},
		"by who knows what":        {func(e *events) { delete(e.objects["endpoint/voipms"], "identify_by") }, "trunk_identified_by_more"},
		"any transport":            {set("endpoint/voipms", "transport", ""), "trunk_no_transport"},
		"a transport that is gone": {func(e *events) { delete(e.objects, "transport/trunk-tls") }, "trunk_no_transport"},
		"UDP":                      {set("transport/trunk-tls", "protocol", "udp"), "trunk_not_tls"},
		"a WebSocket":              {set("transport/trunk-tls", "protocol", "wss"), "trunk_not_tls"},
		"unverified":               {set("transport/trunk-tls", "verify_server", "No"), "trunk_not_verified"},
		"verified who knows how":   {func(e *events) { delete(e.objects["transport/trunk-tls"], "verify_server") }, "trunk_not_verified"},
		"TLS 1.1":                  {set("transport/trunk-tls", "method", "tlsv1_1"), "trunk_old_tls"},
		"TLS of any age":           {set("transport/trunk-tls", "method", "sslv23"), "trunk_old_tls"},
		"TLS of the default":       {set("transport/trunk-tls", "method", "unspecified"), "trunk_old_tls"},
		"UDP beside it":            {set("transport/transport-udp", "protocol", "udp"), "trunk_other_transport"},
		"FreePBX":                  {set("transport/0.0.0.0-udp", "protocol", "udp"), "trunk_other_transport"},
		"TCP beside it":            {set("transport/transport-tcp", "protocol", "tcp"), "trunk_other_transport"},
		"a WebSocket beside it":    {set("transport/transport-ws", "protocol", "ws"), "trunk_other_transport"},
		"the sample's":             {set("transport/simpletrans", "protocol", "udp"), "trunk_other_transport"},
		"nothing known beside it":  {set("transport/udp", "bind", "0.0.0.0"), "trunk_other_transport"},
		"it cannot be asked":       {func(e *events) { e.err = coded(ari.CodeTimedOut) }, ari.CodeTimedOut},
		"anybody":                  {matches("voipms", "match", "0.0.0.0/0.0.0.0"), "trunk_wide_match"},
		"half of the world":        {matches("voipms-identify", "match", "192.0.2.1/255.255.255.255,128.0.0.0/128.0.0.0"), "trunk_wide_match"},
		"anybody by IPv6":          {matches("voipms", "match", "::/::"), "trunk_wide_match"},
		"most by IPv6":             {matches("voipms", "match", "2000::/e000::"), "trunk_wide_match"},
		"anybody, written so":      {matches("voipms", "match", "::ffff:0.0.0.0/96"), "trunk_wide_match"},
		"a prefix in digits":       {matches("voipms", "match", "10.0.0.0/7"), "trunk_wide_match"},
		"a mask with holes":        {matches("voipms", "match", "0.0.0.1/0.255.255.255"), "trunk_wide_match"},
		"who knows whom":           {matches("voipms", "match", "everybody"), "trunk_wide_match"},
		"who knows what mask":      {matches("voipms", "match", "10.0.0.0/x"), "trunk_wide_match"},
		"a header":                 {matches("voipms", "match_header", "X-Trunk: yes"), "trunk_wide_match"},
		"an address of ours":       {matches("voipms", "match_request_uri", "sip:me@x"), "trunk_wide_match"},
		"the provider's":           {matches("voipms", "match", "192.0.2.1/255.255.255.255,198.51.100.0/255.255.255.0,10.0.0.0/255.0.0.0,2001:db8::/ffff:ffff::"), ""},
		"not all":                  {matches("voipms", "match", "!0.0.0.0/0.0.0.0, 192.0.2.1"), ""},
		"nobody":                   {matches("voipms", "match", ""), ""},
		"anybody, for another": {func(e *events) {
			e.objects["identify/voipms"] = map[string]string{"endpoint": "x", "match": "0.0.0.0/0.0.0.0"}
		}, ""},
		"another TLS beside it": {set("transport/0.0.0.0-tls", "protocol", "tls"), ""},
		"TLS 1.3":               {set("transport/trunk-tls", "method", "tlsv1_3"), ""},
	} {
		e := newEvents()
		test.change(e)
		err := sipmsg.Trunk(t.Context(), e, "voipms")
		var c smsmcp.Coded
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (!errors.As(err, &c) || c.Code() != test.want || !lang.CarrierKnows(test.want)):
			t.Errorf("%s: %v, not %s", name, err, test.want)
		}
	}
	// It cannot be asked after some questions were answered.
	for n := range 40 {
		var c smsmcp.Coded
		if err := sipmsg.Trunk(t.Context(), &failing{newEvents(), n}, "voipms"); !errors.As(err, &c) || c.Code() != ari.CodeLost {
			t.Errorf("question %d is not answered: %v", n, err)
		}
	}
	for _, c := range []string{sipmsg.CodeConnecting, sipmsg.CodeStore, sipmsg.CodeCrashed, ari.CodeCrashed} {
		if !lang.CarrierKnows(c) {
			t.Errorf("%s has no sentence", c)
		}
	}
}

// matches has an identify object give something to the endpoint.
func matches(name, attribute, value string) func(*events) {
	return func(e *events) {
		e.objects["identify/"+name] = map[string]string{"endpoint": "voipms", attribute: value}
	}
}

// failing answers n questions.
type failing struct {
	*events
	n int
}

func (f *failing) Object(ctx context.Context, kind, id string) (map[string]string, error) {
	if f.n--; f.n < 0 {
		return nil, coded(ari.CodeLost)
	}
	return f.events.Object(ctx, kind, id)
}

// TestWhoATextIsFrom: a text is a claim unless the configuration and Asterisk both say that nobody else can have written it.
func TestWhoATextIsFrom(t *testing.T) {
	for name, test := range map[string]struct {
		options  func(*sipmsg.LineOptions)
		asterisk func(*events)
		want     bool // a claim
	}{
		"all is well":                            {nil, nil, false},
		"a list has it too":                      {func(o *sipmsg.LineOptions) { o.List = true }, nil, true},
		"the owner does not say that TLS is all": {func(o *sipmsg.LineOptions) { o.TLSOnly = false }, nil, true},
		"Asterisk says that it is not":           {nil, func(e *events) { e.objects["transport/trunk-tls"]["verify_server"] = "No" }, true},
		"Asterisk does not say":                  {nil, func(e *events) { e.err = errors.New("x") }, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := startLine(t, test.options)
			if test.asterisk != nil {
				r.set(func() { test.asterisk(r.events) })
			}
			r.text(numbered(0)) // before anybody was asked
			r.connect(t)
			r.text(numbered(1))
			texts, _ := r.box.got()
			if len(texts) != 2 || !texts[0].Unverified || texts[1].Unverified != test.want {
				t.Errorf("%s: %+v", name, texts)
			}
			r.end()
		})
	}
}

// TestAsteriskIsAskedAgain on every connect, and every ten minutes, or each minute while it does not vouch; and what it said of a connection is
// not believed on the next.
func TestAsteriskIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, nil)
		n := 0
		expect := func(when string, claim bool) {
			t.Helper()
			n++
			r.text(numbered(n))
			if texts, _ := r.box.got(); texts[len(texts)-1].Unverified != claim {
				t.Errorf("%s: a claim: %t", when, !claim)
			}
		}
		set := func(name, value string) {
			r.set(func() { r.objects["transport/trunk-tls"][name] = value })
		}
		synctest.Wait()
		r.connect(t)
		expect("at first", false)
		r.set(func() { r.asked = 0 })
		set("verify_server", "No")
		time.Sleep(8 * time.Minute)
		r.set(func() {
			if r.asked != 0 {
				t.Errorf("asked %d times within eight minutes", r.asked)
			}
		})
		expect("not asked yet", false)
		time.Sleep(3 * time.Minute)
		expect("ten minutes later", true)
		time.Sleep(2 * time.Minute)
		set("verify_server", "Yes")
		time.Sleep(61 * time.Second)
		expect("mended", false)
		r.tell(func(_ context.Context, l ari.Listener) { l.Down(ari.CodeLost) })
		expect("while it is down", true)
		set("protocol", "udp")
		r.connect(t)
		expect("connected, with another configuration", true)
		set("protocol", "tls")
		r.connect(t)
		expect("connected again", false)
		// While the line is down nobody is asked.
		r.set(func() { r.state.Up = false; r.asked = 0 })
		time.Sleep(time.Hour)
		r.set(func() {
			if r.asked != 0 {
				t.Errorf("asked %d times while the line was down", r.asked)
			}
		})
		r.end()
		if n := strings.Count(r.log.String(), "level=WARN"); n != 3 { // not verified, down, not TLS
			t.Errorf("%d warnings:\n%s", n, r.log)
		}
	})
}

// TestWhatIsNoText is counted by its code, and a lost body is asked for, or told of.
func TestWhatIsNoText(t *testing.T) {
	lost := message(func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 1100 })
	for _, list := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := startLine(t, func(o *sipmsg.LineOptions) { o.List = list })
			r.connect(t)
			if _, n := r.box.got(); n != 1 {
				t.Errorf("expected %d times at the connect", n)
			}
			for change, want := range map[*ari.TextMessageReceived]string{
				new(message(func(m *ari.TextMessageReceived) { m.Endpoint = "peer" })):                    "text_refused not_trunk",
				new(message(func(m *ari.TextMessageReceived) { m.Body, m.Length = untrusted.Text{}, 0 })): "text_refused no_text",
				&lost: "text_lost sipmsg",
			} {
				if r.text(*change); r.counts.take() != want {
					t.Errorf("not %s", want)
				}
			}
			r.tell(func(ctx context.Context, l ari.Listener) { l.Event(ctx, ari.Other{Type: "PeerStatusChange"}) })
			texts, n := r.box.got()
			switch {
			case list && (len(texts) != 0 || n != 2):
				t.Errorf("with a list: %d texts, expected %d times", len(texts), n)
			case !list && (len(texts) != 1 || n != 1 || texts[0].Delivery != smsmcp.BodyLost || texts[0].Body.Len() != 0 || texts[0].Unverified ||
				!texts[0].Peer.Same(smsmcp.NumberPeer(friend)) || texts[0].Key.ID == "" || texts[0].Direction != smsmcp.Received):
				t.Errorf("without a list: %+v, expected %d times", texts, n)
			}
			r.end()
			for _, secret := range []string{"5145550101", "Eve", "hello", string(friend)} {
				if strings.Contains(r.log.String(), secret) {
					t.Errorf("the log holds %s:\n%s", secret, r.log)
				}
			}
		})
	}
}

// TestInvariant08AStoreThatFailsLosesNothing: a text that cannot be stored is tried again until it can, those behind it wait, and one line of the log says so.
func TestInvariant08AStoreThatFailsLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, nil)
		r.connect(t)
		full := true
		r.box.receive = func(int, smsmcp.Text) error {
			if full {
				return errors.New("disk full")
			}
			return nil
		}
		began := time.Now()
		told := make(chan struct{})
		go func() {
			defer close(told)
			for i := range 20 {
				r.text(numbered(i))
			}
		}()
		time.Sleep(10 * time.Minute)
		r.box.mu.Lock()
		full = false
		tries := slices.Clone(r.box.tries)
		r.box.mu.Unlock()
		if p := r.line.Part(); p.Failure != sipmsg.CodeStore || !p.Since.Equal(began) {
			t.Errorf("%+v", p)
		}
		if n := len(tries); n > 60 || n < 20 {
			t.Errorf("%d tries in ten minutes", n)
		}
		if wait := tries[1].Sub(tries[0]); wait > 250*time.Millisecond {
			t.Errorf("the first wait is %v", wait)
		}
		for i := 1; i < len(tries); i++ {
			if tries[i].Sub(tries[i-1]) > 30*time.Second {
				t.Errorf("a wait of %v", tries[i].Sub(tries[i-1]))
			}
		}
		<-told
		texts, _ := r.box.got()
		for i, x := range texts {
			if x.Body.RawForStore() != fmt.Sprint("text ", i) {
				t.Fatalf("%d is %s", i, x.Body.RawForStore())
			}
		}
		if len(texts) != 20 {
			t.Errorf("%d texts", len(texts))
		}
		if p := r.line.Part(); p.Failure != "" {
			t.Errorf("%+v", p)
		}
		if n := strings.Count(r.log.String(), "level=ERROR"); n != 1 {
			t.Errorf("%d errors in the log:\n%s", n, r.log)
		}
		// It fails again: that is told of anew, and the end ends it.
		r.box.mu.Lock()
		full = true
		r.box.mu.Unlock()
		r.do <- func(ctx context.Context, l ari.Listener) { l.Event(ctx, numbered(99)) }
		time.Sleep(time.Minute)
		r.end()
		if n := strings.Count(r.log.String(), "level=ERROR"); n != 3 { // and that it was not stored before the end
			t.Errorf("%d errors in the log:\n%s", n, r.log)
		}
	})
}

// TestAPanicCostsOneEvent: and is asked about, where there is a list.
func TestAPanicCostsOneEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, nil)
		r.box.receive = func(n int, _ smsmcp.Text) error {
			if n == 1 {
				panic("the words of a stranger")
			}
			return nil
		}
		r.text(numbered(1))
		r.text(numbered(2))
		texts, expected := r.box.got()
		if len(texts) != 1 || expected != 1 || r.counts.take() != "text_refused line_crashed" {
			t.Errorf("%d texts, expected %d times", len(texts), expected)
		}
		r.end()
		if strings.Contains(r.log.String(), "stranger") || !strings.Contains(r.log.String(), "line_crashed") {
			t.Errorf("%s", r.log)
		}
	})
}

func TestHowTheLineStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startLine(t, nil)
		since := time.Now()
		for _, test := range []struct {
			state ari.State
			want  smsmcp.Part
		}{
			{ari.State{}, smsmcp.Part{Failure: sipmsg.CodeConnecting}},
			{ari.State{Failure: ari.CodeUnreachable}, smsmcp.Part{Failure: ari.CodeUnreachable}},
			{ari.State{Up: true, Since: since}, smsmcp.Part{Since: since}},
			{ari.State{Since: since, Failure: ari.CodeUnauthorized}, smsmcp.Part{Since: since, Failure: ari.CodeUnauthorized}},
		} {
			r.set(func() { r.state = test.state })
			test.want.Name = "line"
			if got := r.line.Part(); got != test.want {
				t.Errorf("%+v, not %+v", got, test.want)
			}
		}
		for range 3 {
			r.tell(func(_ context.Context, l ari.Listener) { l.Down(ari.CodeUnreachable) })
		}
		if got := r.counts.take(); got != "line_failed ari_unreachable, line_failed ari_unreachable, line_failed ari_unreachable" {
			t.Error(got)
		}
		r.connect(t)
		r.tell(func(_ context.Context, l ari.Listener) { l.Down(ari.CodeUnreachable) })
		r.end()
		if n := strings.Count(r.log.String(), "level=WARN"); n != 2 {
			t.Errorf("%d warnings:\n%s", n, r.log)
		}
	})
}

func TestNewLineRefuses(t *testing.T) {
	good := sipmsg.LineOptions{
		Asterisk: newEvents(), Carrier: carrier(t, broken{}, "voipms", "h", 0), Inbox: &box{}, Now: time.Now, Rand: mathrand.New(mathrand.NewPCG(1, 2)),
	}
	if _, err := sipmsg.NewLine(good); err != nil {
		t.Fatal(err)
	}
	for i, change := range []func(*sipmsg.LineOptions){
		func(o *sipmsg.LineOptions) { o.Asterisk = nil }, func(o *sipmsg.LineOptions) { o.Carrier = nil }, func(o *sipmsg.LineOptions) { o.Inbox = nil },
		func(o *sipmsg.LineOptions) { o.Now = nil }, func(o *sipmsg.LineOptions) { o.Rand = nil },
	} {
		o := good
		if change(&o); true {
			if _, err := sipmsg.NewLine(o); err == nil {
				t.Errorf("%d is taken", i)
			}
		}
	}
}
