package workers

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"

	"readback/smsmcp"
	"readback/test/testbed"
	"readback/voice/room"
	"readback/voice/worker"
)

// TestARealServersJobs: a room's job is taken, its token lets in the agent that it names, and what becomes of it is what the server says then.
func TestARealServersJobs(t *testing.T) {
	h := newHouse(t)
	w := h.own(h.options())
	w.stands("")
	room := h.room()
	c := w.call()
	if c.job.Room != room || c.job.Token == "" {
		t.Errorf("%+v", c.job)
	}
	in := lksdk.NewRoom(&lksdk.RoomCallback{})
	if err := in.JoinWithToken(h.kit.URL, c.job.Token); err != nil {
		t.Fatal(err)
	}
	defer in.Disconnect()
	if me := in.LocalParticipant; in.Name() != room || me.Identity() != c.job.ID || me.Kind() != lksdk.ParticipantKind(livekit.ParticipantInfo_AGENT) {
		t.Errorf("in %s as %s, a %v", in.Name(), me.Identity(), me.Kind())
	}
	if err := in.LocalParticipant.PublishDataPacket(lksdk.UserData([]byte("shown")), lksdk.WithDataPublishReliable(true)); err != nil {
		t.Errorf("it may not show anything: %v", err)
	}
	// A room that has its agent gets no second one, whoever asks for it.
	if _, err := h.told.CreateDispatch(t.Context(), &livekit.CreateAgentDispatchRequest{Room: room, AgentName: "readback"}); err != nil {
		t.Fatal(err)
	}
	w.none("the room has its agent")
	for _, end := range []struct {
		err    error
		status livekit.JobStatus
		why    string
	}{{nil, livekit.JobStatus_JS_SUCCESS, ""}, {coded("no_caller"), livekit.JobStatus_JS_FAILED, "no_caller"}, {errWords, livekit.JobStatus_JS_FAILED, "job_failed"}} {
		room := h.room()
		c := w.call()
		testbed.Until(t, patience, "it runs", func() bool {
			s := h.job(room)
			return s.GetStatus() == livekit.JobStatus_JS_RUNNING && s.GetParticipantIdentity() == c.job.ID
		})
		busy := w.Counts().Calls
		c.end <- end.err
		testbed.Until(t, patience, "it is over", func() bool { return w.Counts().Calls == busy-1 })
	}
	silent(t, w.log.String(), h.kit)
}

// silent checks that a log holds nothing of what is foreign, or secret.
func silent(t *testing.T, log string, kit *testbed.LiveKit) {
	t.Helper()
	for _, private := range []string{kit.Secret, "eyJ", "stranger", "nstructions", "room-", "RM_", "AJ_", "127.0.0.1"} {
		if strings.Contains(log, private) {
			t.Errorf("the log holds %q:\n%s", private, log)
		}
	}
}

// TestARealServerEndsAJob: when its dispatch is deleted, and when its agent has left the room.
func TestARealServerEndsAJob(t *testing.T) {
	h := newHouse(t)
	w := h.own(h.options())
	w.stands("")
	room := h.room()
	c := w.call()
	all, err := h.told.ListDispatch(t.Context(), &livekit.ListAgentDispatchRequest{Room: room})
	if err != nil || len(all.GetAgentDispatches()) != 1 {
		t.Fatal(all, err)
	}
	testbed.Until(t, patience, "the server knows of the job", func() bool { return h.job(room) != nil })
	if _, err := h.told.DeleteDispatch(t.Context(), &livekit.DeleteAgentDispatchRequest{Room: room, DispatchId: all.AgentDispatches[0].Id}); err != nil {
		t.Fatal(err)
	}
	ended(t, c)

	room = h.room()
	c = w.call()
	testbed.Until(t, patience, "the server knows of the job", func() bool { return h.job(room) != nil })
	in := lksdk.NewRoom(&lksdk.RoomCallback{})
	if err := in.JoinWithToken(h.kit.URL, c.job.Token); err != nil {
		t.Fatal(err)
	}
	in.Disconnect()
	ended(t, c)
}

func ended(t *testing.T, c *call) {
	t.Helper()
	select {
	case <-c.ctx.Done():
	case <-time.After(patience):
		t.Fatal("the job has not ended")
	}
}

func TestARealServerRefusesAKey(t *testing.T) {
	h := newHouse(t)
	o := h.options()
	o.Secret += "x"
	w := h.own(o)
	w.stands(worker.CodeRefused)
	o = h.options()
	o.URL += "/elsewhere"
	h.own(o).stands(worker.CodeNotFound)
	silent(t, w.log.String(), h.kit)
}

// TestWorkersShareTheJobs of a server, each up to its last place: no room has two, and none more than it may. Where all are full a room has nobody; when one is not, the next has.
func TestWorkersShareTheJobs(t *testing.T) {
	const each = 4
	h := newHouse(t)
	all := []*process{h.process(each), h.process(each), h.process(each)}
	var rooms []string
	for range len(all) * each {
		rooms = append(rooms, h.room())
		testbed.Until(t, patience, "the room has its job", func() bool { _, now := running(all); return len(now) == len(rooms) })
	}
	ever, now := running(all)
	if slices.Sort(ever); !slices.Equal(slices.Compact(slices.Clone(ever)), ever) || len(ever) != len(rooms) || len(now) != len(rooms) {
		t.Errorf("%d rooms have the jobs %v", len(rooms), ever)
	}
	for i, p := range all {
		if ever, _ := p.jobs(); len(ever) != each {
			t.Errorf("the worker %d has %d", i, len(ever))
		}
	}
	nobody := h.room()
	time.Sleep(time.Second)
	if ever, _ := running(all); slices.Contains(ever, nobody) {
		t.Errorf("a worker that is full has taken %s", nobody)
	}
	_, its := all[1].jobs()
	all[1].over(its[0])
	testbed.Until(t, patience, "a place is free", func() bool { _, now := all[1].jobs(); return len(now) == each-1 })
	// The server hears of it at once, and yet a little later than we.
	testbed.Until(t, patience, "the next room has its job", func() bool {
		next := h.room()
		for range 20 {
			if ever, _ := all[1].jobs(); slices.Contains(ever, next) {
				return true
			}
			time.Sleep(50 * time.Millisecond)
		}
		return false
	})
}

// running gives the jobs of all: those that ever were, and those that go on.
func running(all []*process) (ever, now []string) {
	for _, p := range all {
		e, n := p.jobs()
		ever, now = append(ever, e...), append(now, n...)
	}
	return ever, now
}

// TestARealServersRoomIsEnded: whoever is in it is out of it, and no other room is, also not one that has taken its name.
func TestARealServersRoomIsEnded(t *testing.T) {
	h := newHouse(t)
	o := room.Options{URL: h.kit.URL, Key: h.kit.Key, Secret: h.kit.Secret, Room: "call-1"}
	sid := func() string {
		t.Helper()
		all, err := h.api.ListRooms(t.Context(), &livekit.ListRoomsRequest{Names: []string{o.Room}})
		if err != nil || len(all.GetRooms()) != 1 {
			t.Fatal(all, err)
		}
		return all.GetRooms()[0].GetSid()
	}
	one, two, elsewhere := h.enter(t, o.Room, who{mute: true}), h.enter(t, o.Room, who{mute: true, identity: "sip_second"}), h.enter(t, "call-2", who{mute: true})
	before := sid()
	if err := room.End(t.Context(), o, "RM_another"); err != nil || sid() != before {
		t.Errorf("another room of the name: %v", err)
	}
	wrong := o
	wrong.Secret += "x"
	var c smsmcp.Coded
	if err := room.End(t.Context(), wrong, before); !errors.As(err, &c) || c.Code() != room.CodeNotEnded || strings.Contains(err.Error(), "call-") {
		t.Errorf("%v", err)
	}
	if err := room.End(t.Context(), o, before); err != nil {
		t.Error(err)
	}
	for _, p := range []*person{one, two} {
		testbed.Until(t, patience, "they are out of the room", func() bool { return over(p) })
	}
	if err := room.End(t.Context(), o, before); err != nil {
		t.Errorf("it is no more: %v", err)
	}
	again := h.enter(t, o.Room, who{mute: true})
	if err := room.End(t.Context(), o, before); err != nil || sid() == before {
		t.Errorf("%v", err)
	}
	if over(again) || over(elsewhere) {
		t.Error("another room was ended")
	}
	h.kit.Server.Kill()
	if err := room.End(t.Context(), o, before); !errors.As(err, &c) || c.Code() != room.CodeNotEnded {
		t.Errorf("nobody is there: %v", err)
	}
}

// over says whether somebody is out of their room.
func over(p *person) bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// TestOneIsKilledAndOneDrained: jobs go on where they are, and new ones to the one that is left; the drained one ends when its last job has.
func TestOneIsKilledAndOneDrained(t *testing.T) {
	h := newHouse(t)
	all := []*process{h.process(10), h.process(10), h.process(10)}
	testbed.Until(t, patience, "each has a job", func() bool {
		before, _ := running(all)
		h.room()
		testbed.Until(t, patience, "the room has its job", func() bool { ever, _ := running(all); return len(ever) > len(before) })
		return !slices.ContainsFunc(all, func(p *process) bool { ever, _ := p.jobs(); return len(ever) == 0 })
	})
	killed, drained, left := all[0], all[1], all[2]
	_ = killed.cmd.Process.Kill()
	<-killed.done
	_ = drained.cmd.Process.Signal(syscall.SIGTERM)
	_, still := drained.jobs()
	// It says that it takes no more, and who is asked before that is heard says no.
	was, _ := drained.jobs()
	for range 6 {
		before, _ := left.jobs()
		name := h.room()
		testbed.Until(t, patience, "the one that is left has the job", func() bool { ever, _ := left.jobs(); return len(ever) == len(before)+1 && ever[len(ever)-1] == name })
	}
	if is, now := drained.jobs(); len(is) != len(was) || !slices.Equal(now, still) {
		t.Errorf("the drained one has %v of %v, and had %v of %v", now, is, still, was)
	}
	select {
	case <-drained.done:
		t.Error("the drained one has ended before its calls")
	default:
	}
	for _, room := range still {
		drained.over(room)
	}
	select {
	case <-drained.done:
	case <-time.After(patience):
		t.Fatal("the drained one does not end")
	}
	if !drained.has("ended") || drained.cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("it ended with %v", drained.cmd.ProcessState)
	}
}

// TestAServerIsStartedAgain: jobs go on, and the worker is there when the server is.
func TestAServerIsStartedAgain(t *testing.T) {
	h := newHouse(t)
	w := h.own(h.options())
	w.stands("")
	h.room()
	c := w.call()
	h.kit.Server.Kill()
	testbed.Until(t, patience, "the worker knows", func() bool { return w.Part().Failure != "" })
	h.kit.Server.Restart()
	w.stands("")
	if c.ctx.Err() != nil || w.Counts().Calls != 1 {
		t.Errorf("the job has ended: %+v", w.Counts())
	}
	room := h.room()
	if again := w.call(); again.job.Room != room {
		t.Errorf("%+v", again.job)
	}
	c.end <- nil
	testbed.Until(t, patience, "the first job is over", func() bool { return w.Counts().Calls == 1 })
	h.kit.Server.Pause() // the connection stands, and nobody answers
	w.stands(worker.CodeSilent)
	h.kit.Server.Resume()
	w.stands("")
	silent(t, w.log.String(), h.kit)
}

// TestARealServersWebhooks begin the calls of those who came by SIP, and of browsers in a page's rooms; our own agent, which comes into the room by them, is no caller.
func TestARealServersWebhooks(t *testing.T) {
	var now atomic.Pointer[own]
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w := now.Load(); w != nil {
			w.Webhook().ServeHTTP(rw, r)
		}
	}))
	defer hook.Close()
	h := newHouse(t, hook.URL)
	o := h.options()
	o.Agent = ""
	w := h.own(o)
	testbed.Until(t, patience, "it takes jobs", func() bool { return w.Part().Failure == "" })
	now.Store(w)
	for _, c := range []struct {
		room string
		who  who
		job  bool
	}{{"call-1", who{mute: true}, true}, {"call-2", who{mute: true, browser: true}, false}, {"talk-abc", who{mute: true, browser: true}, true}} {
		p := h.enter(t, c.room, c.who)
		if !c.job {
			w.none("a page in any room")
			continue
		}
		got := w.call()
		if got.job.Room != c.room || got.job.Token != "" {
			t.Errorf("%+v", got.job)
		}
		agent := h.enter(t, c.room, who{identity: got.job.ID, kind: livekit.ParticipantInfo_AGENT, mute: true})
		other := h.enter(t, c.room, who{identity: "other", mute: true})
		w.none("somebody came into a call")
		other.HangUp()
		agent.HangUp()
		got.end <- nil
		p.HangUp()
	}
	if n := w.Counts(); n.Taken != 2 || n.Forged != 0 || n.Unread != 0 {
		t.Errorf("%+v", n)
	}
	// Another key's webhooks are not believed.
	o.Secret += "x"
	forger := h.own(o)
	now.Store(forger)
	h.enter(t, "call-3", who{mute: true})
	testbed.Until(t, patience, "a webhook came", func() bool { return forger.Counts().Forged > 0 })
	forger.none("a signature that is not ours")
	silent(t, forger.log.String(), h.kit)
}
