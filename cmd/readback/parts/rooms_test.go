package parts

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"

	"readback/cmd/readback/config"
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/page/talk"
	"readback/voice"
	"readback/voice/room"
	"readback/voice/voicetest"
	"readback/voice/worker"
)

const owns = "+15145550100"

// inRooms are the parts of a program that takes calls in rooms of a server that nobody asks.
func inRooms(t *testing.T, change func(*config.Config)) *App {
	t.Helper()
	c := config.Defaults()
	c.Data, c.Zone = t.TempDir(), time.UTC
	c.Lang, c.Phone.Lang, c.Phone.Owners = lang.EN, lang.EN, []string{owns}
	c.LiveKit.URL, c.LiveKit.Key, c.LiveKit.SecretFile, c.LiveKit.MaxCalls = "ws://127.0.0.1:1", "key", filepath.Join(t.TempDir(), "secret"), 4
	if err := os.WriteFile(c.LiveKit.SecretFile, []byte("a-secret-of-thirty-two-characters\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(c)
	}
	a, err := Open(t.Context(), Options{Config: c, Now: time.Now, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	if _, err := a.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// fakeRoom is a call in a room that is none.
type fakeRoom struct {
	*voicetest.Leg
	hungUp atomic.Bool
	parted error // of the ctx in which it was hung up
}

func (*fakeRoom) Others() int       { return 0 }
func (*fakeRoom) Show([]byte) error { return nil }
func (f *fakeRoom) HangUp(ctx context.Context) error {
	if _, ok := ctx.Deadline(); !ok {
		return errors.New("it may take for ever")
	}
	f.parted = ctx.Err()
	f.hungUp.Store(true)
	return f.Leg.HangUp(ctx)
}

// job is one of a room that is the only one of its name.
func job(name string) worker.Job {
	return worker.Job{ID: "readback-" + name, Room: name, SID: "RM_" + name, Token: "token of " + name}
}

// joining has rooms joined by nobody: caller is who is in one. It notes as whom each was looked for.
func joining(t *testing.T, r *rooms, caller voice.CallerID) (asked *[]room.Options, led *[]bool, legs *[]*fakeRoom) {
	t.Helper()
	asked, led, legs = new([]room.Options), new([]bool), new([]*fakeRoom)
	r.join = func(_ context.Context, o room.Options) (roomLeg, error) {
		*asked = append(*asked, o)
		leg := &fakeRoom{Leg: voicetest.New(voicetest.Options{Caller: caller})}
		*legs = append(*legs, leg)
		return leg, nil
	}
	r.lead = func(_ context.Context, _ roomLeg, owner bool) { *led = append(*led, owner) }
	r.end = func(context.Context, room.Options, string) error { return nil }
	return asked, led, legs
}

// TestInvariant10WhoCallsInARoomIsWhatTheStoreSays: the one who has a pass is the owner, once, and is looked for by the name that the pass has; everybody else came by SIP, whatever the room is called, and into no room that is a browser's by its name.
func TestInvariant10WhoCallsInARoomIsWhatTheStoreSays(t *testing.T) {
	a := inRooms(t, nil)
	asked, led, legs := joining(t, a.rooms, voice.CallerID{Line: "livekit"})
	if err := a.rooms.passes.Add(t.Context(), time.Now(), "talk-a", "owner-a"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		room, caller string
		owner        bool
	}{
		{"owner-a", "", false}, {"call-1", "", false}, {"atalk-a", "", false},
		{"talk-a", "owner-a", true},
	} {
		*asked, *led = nil, nil
		if err := a.rooms.take(t.Context(), job(c.room)); err != nil {
			t.Errorf("%s: %v", c.room, err)
		}
		if len(*asked) != 1 || len(*led) != 1 || (*led)[0] != c.owner {
			t.Fatalf("%s: %d joined, led as the owner: %v", c.room, len(*asked), *led)
		}
		if o := (*asked)[0]; o.Caller != c.caller || o.Room != c.room || o.Token != "token of "+c.room || o.URL != "ws://127.0.0.1:1" || o.Key != "key" || o.Secret != "a-secret-of-thirty-two-characters" {
			t.Errorf("%s: %+v", c.room, o)
		}
	}
	for i, leg := range *legs {
		if !leg.hungUp.Load() {
			t.Errorf("call %d was left in its room", i)
		}
	}
	*asked, *led = nil, nil
	for _, name := range []string{"talk-b", "talk-", "talk-a"} { // the pass of the last was taken
		if err := a.rooms.take(t.Context(), job(name)); codeOf(err) != codeNoPass {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(*asked) != 0 || len(*led) != 0 {
		t.Errorf("%d rooms were joined, %d calls led", len(*asked), len(*led))
	}
}

// lostPasses are a store that cannot be read.
type lostPasses struct{ identity string }

func (lostPasses) Add(context.Context, time.Time, string, string) error {
	return errors.New("the disk is full")
}
func (l lostPasses) Take(context.Context, time.Time, string) (string, error) {
	if l.identity != "" {
		return l.identity, errors.New("the disk is full")
	}
	return "", nil // a pass of nobody: there is none like it
}

// TestInvariant10APassThatCannotBeLookedForLetsNobodyIn: neither as the owner nor as a telephone.
func TestInvariant10APassThatCannotBeLookedForLetsNobodyIn(t *testing.T) {
	a := inRooms(t, nil)
	asked, led, _ := joining(t, a.rooms, voice.CallerID{Number: owns})
	for _, p := range []passes{lostPasses{"owner-a"}, lostPasses{}} {
		a.rooms.passes = p
		err := a.rooms.take(t.Context(), job("talk-a"))
		var coded smsmcp.Coded
		if !errors.As(err, &coded) || coded.Code() != codePasses {
			t.Errorf("%v", err)
		}
	}
	if len(*asked) != 0 || len(*led) != 0 {
		t.Errorf("%d rooms were joined, %d calls led", len(*asked), len(*led))
	}
}

func TestARoomThatCannotBeJoinedIsAFailure(t *testing.T) {
	a := inRooms(t, nil)
	_, led, _ := joining(t, a.rooms, voice.CallerID{})
	a.rooms.join = func(ctx context.Context, _ room.Options) (roomLeg, error) {
		if d, ok := ctx.Deadline(); !ok || time.Until(d) > comeWithin {
			t.Error("it may take for ever")
		}
		return nil, refused(room.CodeNoCaller)
	}
	if err := a.rooms.take(t.Context(), job("call-1")); codeOf(err) != room.CodeNoCaller || len(*led) != 0 {
		t.Errorf("%v, %d calls", err, len(*led))
	}
}

// TestPlacesAreKeptForTheOwner: as many strangers as like may call, two of the process's calls are for callers who may be the owner, and one of the two is for a pass, since a number is what somebody
// claims. Who has no place any more is out of their room.
func TestPlacesAreKeptForTheOwner(t *testing.T) {
	a := inRooms(t, nil)
	stranger, known := voice.CallerID{Number: "+15145550199"}, voice.CallerID{Number: owns}
	going, end, over := make(chan struct{}, 8), make(chan struct{}), make(chan error, 8)
	var ended []string
	call := func(name string, from voice.CallerID) (legs *[]*fakeRoom) {
		_, _, legs = joining(t, a.rooms, from)
		a.rooms.lead = func(context.Context, roomLeg, bool) { going <- struct{}{}; <-end }
		a.rooms.end = func(_ context.Context, o room.Options, _ string) error { ended = append(ended, o.Room); return nil }
		go func() { over <- a.rooms.take(t.Context(), job(name)) }()
		return legs
	}
	for i := range 2 {
		call(fmt.Sprint("call-", i), stranger)
		next(t, going)
	}
	legs := call("call-3", stranger)
	if err := next(t, over); codeOf(err) != codeTooMany || !(*legs)[0].hungUp.Load() {
		t.Errorf("a third stranger: %v", err)
	}
	call("call-4", known)
	next(t, going)
	legs = call("call-5", known)
	if err := next(t, over); codeOf(err) != codeTooMany || len(*legs) != 0 {
		t.Errorf("a fourth telephone, with a number that may be forged: %v", err)
	}
	if !slices.Equal(ended, []string{"call-3", "call-5"}) {
		t.Errorf("the rooms that were ended are %q", ended)
	}
	if err := a.rooms.passes.Add(t.Context(), time.Now(), "talk-a", "owner-a"); err != nil {
		t.Fatal(err)
	}
	call("talk-a", voice.CallerID{})
	next(t, going)
	a.rooms.end = func(context.Context, room.Options, string) error { return nil }
	close(end)
	for range 4 {
		if err := next(t, over); err != nil {
			t.Error(err)
		}
	}
	if s, p := a.rooms.strangers.Load(), a.rooms.telephones.Load(); s != 0 || p != 0 {
		t.Errorf("%d strangers are still counted, %d telephones", s, p)
	}
}

// TestInvariant10ABrowserHasNoKeys: in a room that is the owner's, and a screen; a telephone is nobody's before the gate has said so.
func TestInvariant10ABrowserHasNoKeys(t *testing.T) {
	leg := &fakeRoom{Leg: voicetest.New(voicetest.Options{})}
	if c := callIn(leg, true, lang.EN); !c.Owner || !c.NoKeys || c.Screen == nil || c.Others == nil {
		t.Errorf("a browser: %+v", c)
	}
	if c := callIn(leg, false, lang.EN); c.Owner || c.NoKeys || c.Screen != nil || c.Others == nil {
		t.Errorf("a telephone: %+v", c)
	}
}

// TestABrowserIsLetInByAPass that is in the store before it hears of the room, and only while somebody would come.
func TestABrowserIsLetInByAPass(t *testing.T) {
	if _, err := inRooms(t, nil).rooms.Begin(t.Context()); !errors.Is(err, talk.ErrAway) {
		t.Errorf("the server cannot be reached, and: %v", err)
	}
	a := inRooms(t, func(c *config.Config) {
		c.LiveKit.Dispatch, c.LiveKit.PublicURL = config.ByWebhook, "wss://livekit.example"
	})
	asked, led, _ := joining(t, a.rooms, voice.CallerID{})
	v, err := a.rooms.Begin(t.Context())
	if err != nil || v.URL != "wss://livekit.example" || strings.Count(v.Token, ".") != 2 {
		t.Fatalf("%q %v", v.URL, err)
	}
	var said struct {
		Sub   string
		Video struct{ Room string }
	}
	claims, err := base64.RawURLEncoding.DecodeString(strings.Split(v.Token, ".")[1])
	if err != nil || json.Unmarshal(claims, &said) != nil {
		t.Fatal(err)
	}
	if err := a.rooms.take(t.Context(), job(said.Video.Room)); err != nil || len(*led) != 1 || !(*led)[0] || (*asked)[0].Caller != said.Sub || said.Sub == "" {
		t.Errorf("%v %v", err, *led)
	}
	a.rooms.passes = lostPasses{}
	if v, err := a.rooms.Begin(t.Context()); err == nil || v.Token != "" {
		t.Errorf("a browser was let in of which nothing is written down: %v", err)
	}
}

// TestTheWebhookIsThereWhereItBeginsCalls: it asks for a signature, and sees one. Elsewhere that path is the page's like any other, which takes nothing from another site.
func TestTheWebhookIsThereWhereItBeginsCalls(t *testing.T) {
	const event = `{"event":"participant_joined","room":{"sid":"RM_one","name":"call-1"},"participant":{"sid":"PA_one","identity":"sip_caller","kind":"SIP"}}`
	sum := sha256.Sum256([]byte(event))
	signed, err := auth.NewAccessToken("key", "a-secret-of-thirty-two-characters").SetSha256(base64.StdEncoding.EncodeToString(sum[:])).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dispatch, signature string
		want                int
	}{
		{config.ByWebhook, "", http.StatusUnauthorized}, {config.ByAgent, signed, http.StatusForbidden},
		{config.ByWebhook, signed, http.StatusServiceUnavailable}, // nothing runs here that could take the call: LiveKit is to try again
	} {
		a := inRooms(t, func(conf *config.Config) { conf.LiveKit.Dispatch = c.dispatch })
		h, err := a.Web()
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "http://localhost:8787/hooks/livekit", strings.NewReader(event))
		r.Header.Set("Content-Type", "application/webhook+json")
		r.Header.Set("Origin", "https://elsewhere.example")
		if c.signature != "" {
			r.Header.Set("Authorization", c.signature)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%s, signed %t: %d %s", c.dispatch, c.signature != "", w.Code, w.Body)
		}
	}
}

// TestOneConversationForEveryLine: a PIN that was wrong in a room was wrong on the telephone.
func TestOneConversationForEveryLine(t *testing.T) {
	a := inRooms(t, nil)
	one, err := a.conversation()
	if err != nil {
		t.Fatal(err)
	}
	if two, err := a.conversation(); err != nil || one != two {
		t.Errorf("there are two: %v", err)
	}
}
