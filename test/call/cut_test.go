package call

import (
	"encoding/binary"
	"net"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zaf/g711"

	"readback/smsmcp"
	"readback/voice/media"
	"readback/voice/speech/wyoming/wyomingtest"
	"readback/voip/voipms/voipmstest"
)

// voipms is a house whose carrier is voip.ms, on the real wire; the function gives what that was handed, and is slow once it was asked to be.
func voipms(t testing.TB) (*house, *voipmstest.Server) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	api := voipmstest.New(voipmstest.Account{Username: "owner@example.com", Password: "a-password", DID: "5145550100", Zone: zone, Now: time.Now, PerDay: 100})
	web := httptest.NewServer(api)
	t.Cleanup(func() { api.Close(); web.Close() })
	return newHouse(t, wish{
		more: "[carrier]\nkind = \"voipms\"\n[voipms]\nusername = \"owner@example.com\"\npassword_file = \"$DIR/api\"\ndid = \"+15145550100\"\nurl = \"" +
			web.URL + voipmstest.Path + "\"\n",
		files: map[string]string{"api": "a-password\n"},
		sent: func(name string) (bodies []string) {
			for _, r := range api.Sent() {
				if strings.HasSuffix(numberOf(name), r.Contact) {
					bodies = append(bodies, r.Body)
				}
			}
			return bodies
		},
	}), api
}

// TestInvariant10TheOwnerHangsUpAtEveryStep: at most what was confirmed goes, and that is recorded.
func TestInvariant10TheOwnerHangsUpAtEveryStep(t *testing.T) {
	t.Parallel()
	apis := map[*wyomingtest.Server]*voipmstest.Server{} // by what hears in their house
	var mu sync.Mutex
	scenes(t, func(t testing.TB) *house {
		h, api := voipms(t)
		mu.Lock()
		defer mu.Unlock()
		apis[h.hears] = api
		return h
	}, map[string]func(h *house){
		"before the PIN": func(h *house) {
			p := h.call(owners[0])
			p.begins()
			p.hangsUp()
			p = h.owner(owners[0]) // and after it, in the greeting's wake
			p.hangsUp()
		},
		"in the read-back": func(h *house) {
			p := h.owner(owners[1])
			p.requests("Marie", long)
			p.hangsUp()
			h.settled("Marie", smsmcp.Cancelled)
			h.left("Marie")
		},
		"after the question": func(h *house) {
			p := h.owner(owners[2])
			p.asks("Robert", "the train is late")
			p.hangsUp()
			h.settled("Robert", smsmcp.Cancelled)
			h.left("Robert")
		},
		"while it leaves": func(h *house) {
			mu.Lock()
			api := apis[h.hears]
			mu.Unlock()
			p := h.owner(owners[3])
			p.asks("Julie", "i will be late")
			api.Fail("sendSMS", voipmstest.Fault{Late: 3 * time.Second})
			p.may("Julie")
			p.keys("1")
			h.until("voip.ms is asked", func() bool { return api.Calls("sendSMS") > 0 })
			p.hangsUp()
			h.settled("Julie", smsmcp.Done)
			h.left("Julie", "I will be late")
		},
	})
}

// TestInvariant10AForeignYesAndARestart: a yes in packets that are not Asterisk's is never heard, and when Asterisk restarts in the middle of a call nothing goes, and the next
// call is as all are.
func TestInvariant10AForeignYesAndARestart(t *testing.T) {
	t.Parallel()
	alone(t, usual, func(h *house) {
		p := h.owner(owners[0])
		p.asks("Marie", "dinner is ready")
		p.far.Mute(true) // nothing comes from Asterisk: the stranger has the port alone
		ports := regexp.MustCompile(`UnicastRTP/(127\.0\.0\.1:\d+)`).FindAllStringSubmatch(h.bed.CLI("core show channels concise"), -1)
		if len(ports) != 1 {
			h.t.Fatalf("the call's port: %v", ports)
		}
		yes, before := flite(h.t, "kal16", "Yes, send it."), len(h.hears.Requests())
		for _, from := range []string{"127.0.0.1:0", "127.0.0.9:0"} {
			inject(h.t, from, netip.MustParseAddrPort(ports[0][1]), yes)
		}
		p.hearsOf(question) // 15 s later: nothing was heard
		if got := len(h.hears.Requests()); got != before {
			h.t.Errorf("%d utterances were heard", got-before)
		}
		h.left("Marie")

		h.bed.Asterisk.Kill()
		h.settled("Marie", smsmcp.Cancelled)
		h.bed.Asterisk.Restart()
		p.far.Vanish()
		h.stands()
		h.left("Marie")
		p = h.owner(owners[0])
		p.asks("Robert", "the train is late")
		p.yes("Robert", "Yes, send it.") // the same sound, by the telephone
		p.hangsUp()
		h.settled("Robert", smsmcp.Done)
		h.left("Robert", "The train is late")
		h.nothingLeft()
		h.program.Stop() // and it ends well
	})
}

// inject sends speech to a port as Asterisk would.
func inject(t testing.TB, from string, to netip.AddrPort, pcm []int16) {
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
	alone(t, func(t testing.TB) *house { return newHouse(t, wish{second: true}) }, func(h *house) {
		p := h.owner(owners[0])
		p.asks("Marie", "dinner is ready")
		h.hears.Stop()
		p.mutters("Yes, send it.")
		p.saidAll()
		p.hearsOf(question)
		h.left("Marie")
		p.press("Marie")
		if s := h.settled("Marie", smsmcp.Done)[0]; s.Answer != "key 1" {
			h.t.Errorf("%+v", s)
		}
		p.mutters("read my texts.")
		p.saidAll()
		p.hearsOf("i have trouble hearing you the keys of your telephone still work")
		p.keys("1")
		p.hearsOf("there are no texts")
		h.speaks.Stop()
		p.keys("1") // espeak-ng says so now, which the recogniser does not understand
		if s := p.hears(words); s.lasts() < 500*time.Millisecond {
			h.t.Errorf("heard for %v", s.lasts())
		}
		p.hangsUp()
		h.left("Marie", "Dinner is ready")
		h.nothingLeft()
	})
}
