package checkup

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

type roomsFault string

func (f roomsFault) Error() string { return "what a stranger wrote" }
func (f roomsFault) Code() string  { return string(f) }

// TestRooms: what is said of the owner's LiveKit server, in sentences that a person can act on, and nothing that it answered.
func TestRooms(t *testing.T) {
	well := Rooms{
		URL: "wss://livekit.example.com", Key: "key", Agent: "readback", Talk: true, Browser: "wss://livekit.example.com", PublicURL: "https://texts.example.com", Passphrase: true, Running: true,
		Hook: "https://texts.example.com/hooks/livekit", Ask: func(context.Context) (time.Duration, error) { return 2 * time.Second, nil },
	}
	for name, c := range map[string]struct {
		change func(*Rooms)
		want   []string // "status what", a status of 0 to 2
	}{
		"well":        {func(*Rooms) {}, []string{"0 wss://livekit.example.com answers", "0 from your page"}},
		"unreached":   {func(r *Rooms) { r.Ask = answers(0, roomsFault("livekit_unreachable")) }, []string{"2 The LiveKit server cannot be reached"}},
		"refused":     {func(r *Rooms) { r.Ask = answers(-2*time.Minute, roomsFault("livekit_refused")) }, []string{"2 The LiveKit server does not take the key", "1 the clock of wss://livekit.example.com is 2m0s away"}},
		"unknown":     {func(r *Rooms) { r.Ask = answers(0, errors.New("what a stranger wrote")) }, []string{"2 What answers at livekit.url could not be understood"}},
		"a clock":     {func(r *Rooms) { r.Ask = answers(30*time.Second, nil) }, []string{"0 wss", "1 the clock", "0 from"}},
		"idle":        {func(r *Rooms) { r.Running = false }, []string{"0 wss", "0 nobody takes them while no server runs", "0 from"}},
		"by webhook":  {func(r *Rooms) { r.Agent = "" }, []string{"0 wss", "0 they come by webhook: see that livekit.yaml has webhook.api_key key, and in webhook.urls this server's address with /hooks/livekit, as in https://texts.example.com/hooks/livekit", "0 from"}},
		"no talk":     {func(r *Rooms) { r.Talk = false }, []string{"0 wss", "0 off"}},
		"off and out": {func(r *Rooms) { r.Talk, r.Ask = false, answers(0, roomsFault("livekit_unreachable")) }, []string{"2 The", "0 off"}},
		"deaf":        {func(r *Rooms) { r.Deaf = true }, []string{"0 wss", "1 nobody would be heard"}},
		"mute":        {func(r *Rooms) { r.Mute = true }, []string{"0 wss"}},
		"nobody":      {func(r *Rooms) { r.Passphrase = false }, []string{"0 wss", "1 only who has the passphrase"}},
		"here alone":  {func(r *Rooms) { r.Browser = "ws://127.0.0.1:7880" }, []string{"0 wss", "1 your page is at https://texts.example.com, but by ws://127.0.0.1:7880"}},
		"all here":    {func(r *Rooms) { r.Browser, r.PublicURL = "ws://127.0.0.1:7880", "" }, []string{"0 wss", "0 from your page"}},
		"a page here": {func(r *Rooms) { r.Browser, r.PublicURL = "ws://localhost:7880", "http://127.0.0.1:8787" }, []string{"0 wss", "0 from your page"}},
	} {
		r := well
		c.change(&r)
		found := r.Examine(t.Context())
		if len(found) != len(c.want) {
			t.Errorf("%s: %d findings", name, len(found))
			continue
		}
		for i, f := range found {
			status, what, _ := strings.Cut(c.want[i], " ")
			if string('0'+rune(f.Status)) != status || !strings.HasPrefix(f.In(lang.EN), what) || f.In(lang.FR) == f.In(lang.EN) || strings.Contains(f.In(lang.EN), "stranger") {
				t.Errorf("%s: %d %s, and not %s", name, f.Status, f.In(lang.EN), c.want[i])
			}
		}
	}
}

func answers(ahead time.Duration, err error) func(context.Context) (time.Duration, error) {
	return func(context.Context) (time.Duration, error) { return ahead, err }
}
