package call

import (
	"encoding/binary"
	"net"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/zaf/g711"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voice/media"
	"readback/voip/voipms/voipmstest"
)

// TestInvariant10TheOwnerHangsUpAtEveryStep: at most what was confirmed goes, and that is recorded.
func TestInvariant10TheOwnerHangsUpAtEveryStep(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	api := voipmstest.New(voipmstest.Account{Username: "owner@example.com", Password: "a-password", DID: "5145550100", Zone: zone, Now: time.Now, PerDay: 100})
	web := httptest.NewServer(api)
	t.Cleanup(func() { api.Close(); web.Close() })
	h := newHouse(t, wish{
		more: "[carrier]\nkind = \"voipms\"\n[voipms]\nusername = \"owner@example.com\"\npassword_file = \"$DIR/api\"\ndid = \"+15145550100\"\nurl = \"" +
			web.URL + voipmstest.Path + "\"\n",
		files: map[string]string{"api": "a-password\n"},
	})
	for i, step := range []struct {
		name, to, body string
		when           func(p *person)
		want           []smsmcp.SendState
	}{
		{"before the PIN", "", "", nil, nil},
		{"in the read-back", "Marie", long, func(*person) {}, []smsmcp.SendState{smsmcp.Cancelled}},
		{"after the question", "Robert", "the train is late", func(p *person) { p.asked("the train is late") }, []smsmcp.SendState{smsmcp.Cancelled}},
		{"while it leaves", "Julie", "i will be late", func(p *person) {
			p.asked("i will be late")
			api.Fail("sendSMS", voipmstest.Fault{Late: 3 * time.Second})
			p.keys("1")
			p.until("voip.ms is asked", func() bool { return api.Calls("sendSMS") > 0 })
		}, []smsmcp.SendState{smsmcp.Done}},
	} {
		t.Run(step.name, func(t *testing.T) {
			t.Parallel()
			h := h.on(t)
			if step.when == nil {
				p := h.call(owners[i])
				p.begins()
				p.hangsUp()
				p = h.owner(owners[i]) // and after it, in the greeting's wake
				p.hangsUp()
				return
			}
			p := h.owner(owners[i])
			p.requests(strings.ToLower(step.to), step.body)
			step.when(p)
			p.hangsUp()
			h.settled(step.to, step.want...)
		})
	}
	t.Cleanup(func() { // when all of them are over
		var sent []string
		for _, r := range api.Sent() {
			sent = append(sent, r.Contact+" "+r.Body)
		}
		if len(sent) != 1 || sent[0] != "5145550116 I will be late" {
			t.Errorf("voip.ms was handed %q", sent)
		}
	})
}

func (p *person) until(what string, so func() bool) {
	p.t.Helper()
	testbed.Until(p.t, patience, what, so)
}

// TestInvariant10AForeignYesAndARestart: a yes in packets that are not Asterisk's is never heard, and when Asterisk restarts in the middle of a call nothing goes, and the next
// call is as all are.
func TestInvariant10AForeignYesAndARestart(t *testing.T) {
	t.Parallel()
	h := newHouse(t, wish{})
	p := h.owner(owners[0])
	p.asks("marie", "dinner is ready")
	p.far.Mute(true) // nothing comes from Asterisk: the stranger has the port alone
	ports := regexp.MustCompile(`UnicastRTP/(127\.0\.0\.1:\d+)`).FindAllStringSubmatch(h.bed.CLI("core show channels concise"), -1)
	if len(ports) != 1 {
		t.Fatalf("the call's port: %v", ports)
	}
	yes, before := flite(t, "kal16", "Yes, send it."), len(h.hears.Requests())
	for _, from := range []string{"127.0.0.1:0", "127.0.0.9:0"} {
		inject(t, from, netip.MustParseAddrPort(ports[0][1]), yes)
	}
	p.hearsOf(question) // 15 s later: nothing was heard
	if got := len(h.hears.Requests()); got != before {
		t.Errorf("%d utterances were heard", got-before)
	}
	h.left("Marie")

	h.bed.Asterisk.Kill()
	h.settled("Marie", smsmcp.Cancelled)
	h.bed.Asterisk.Restart()
	p.far.Vanish()
	h.stands()
	h.left("Marie")
	p = h.owner(owners[0])
	p.asks("robert", "the train is late")
	p.answers("Yes, send it.", "the text to robert has left") // the same sound, by the telephone
	p.hangsUp()
	h.settled("Robert", smsmcp.Done)
	h.left("Robert", "The train is late")
	h.nothingLeft()
	h.program.Stop() // and it ends well
}

// inject sends speech to a port as Asterisk would.
func inject(t *testing.T, from string, to netip.AddrPort, pcm []int16) {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(from)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	tick := time.NewTicker(media.FrameTime)
	defer tick.Stop()
	for n := 0; n < len(pcm)+media.Rate; n += media.FrameSamples {
		b := make([]byte, 12, 12+media.FrameSamples)
		b[0] = 0x80
		binary.BigEndian.PutUint16(b[2:], uint16(n/media.FrameSamples)) //nolint:gosec // it wraps
		binary.BigEndian.PutUint32(b[4:], uint32(n))                    //nolint:gosec // it wraps
		for i := range media.FrameSamples {
			s := int16(0)
			if n+i < len(pcm) {
				s = pcm[n+i]
			}
			b = append(b, g711.EncodeUlawFrame(s))
		}
		if _, err := conn.WriteToUDPAddrPort(b, to); err != nil {
			t.Fatal(err)
		}
		<-tick.C
	}
}

// TestInvariant10EnginesDieInTheMiddleOfACall: what hears, while an answer is waited for, and then what speaks. The keys work all the time.
func TestInvariant10EnginesDieInTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	h := newHouse(t, wish{})
	p := h.owner(owners[0])
	p.asks("marie", "dinner is ready")
	h.hears.Stop()
	p.say("Yes, send it.")
	p.hearsOf(question)
	h.left("Marie")
	p.keys("1")
	p.hearsOf("the text to marie has left")
	if s := h.settled("Marie", smsmcp.Done)[0]; s.Answer != "key 1" {
		t.Errorf("%+v", s)
	}
	p.say("read my texts.")
	p.hearsOf("i have trouble hearing you the keys of your telephone still work")
	p.keys("1")
	p.hearsOf("there are no texts")
	h.speaks.Stop()
	p.keys("1") // espeak-ng says so now, which the recogniser does not understand
	if s := p.hears(words); s.lasts() < 500*time.Millisecond {
		t.Errorf("heard for %v", s.lasts())
	}
	p.hangsUp()
	h.left("Marie", "Dinner is ready")
	h.nothingLeft()
}
