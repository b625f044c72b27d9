package worker_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"

	"readback/voice/worker"
)

type coded string

func (c coded) Error() string { return "the words of a stranger" }
func (c coded) Code() string  { return string(c) }

// TestAJobFromItsOfferToItsEnd: what is said to the server, in which order, and what the handler is given.
func TestAJobFromItsOfferToItsEnd(t *testing.T) {
	s := newServer(t)
	h := start(t, strings.Replace(s.URL, "http", "ws", 1)+"/live/kit/")
	p := s.next()
	until(t, "it is registered", func() bool { return h.Part().Failure == "" && !h.Part().Since.IsZero() })
	if r := p.register; r.Type != livekit.JobType_JT_ROOM || r.AgentName != "readback" || r.AllowedPermissions.Hidden || !r.AllowedPermissions.CanPublish || !r.AllowedPermissions.CanSubscribe || r.AllowedPermissions.CanUpdateMetadata {
		t.Errorf("it registers as %v", r)
	}
	r := s.requests()[0]
	if r.URL.String() != "/live/kit/agent?protocol=1" {
		t.Errorf("it asks for %s", r.URL)
	}
	grants, until5 := grants(t, r.Header.Get("Authorization"))
	if !grants.Video.Agent || grants.Video.RoomJoin || grants.Video.RoomAdmin || grants.Video.RoomCreate || until5 > 5*time.Minute {
		t.Errorf("its token is good for %+v, for %v", grants.Video, until5)
	}
	j := theJob("AJ_one", "a room <of> somebody")
	j.Room.Sid = "RM_one"
	a := p.offer(j)
	if !a.Available || a.Terminate || !regexp.MustCompile(`^readback-[a-z2-7]{26}$`).MatchString(a.ParticipantIdentity) || a.ParticipantMetadata != "" {
		t.Fatalf("it answers %v", a)
	}
	p.assign(j)
	c := h.call()
	if want := (worker.Job{ID: a.ParticipantIdentity, Room: "a room <of> somebody", SID: "RM_one", Token: "the-token-of-AJ_one"}); c.job != want {
		t.Errorf("the job is %+v, not %+v", c.job, want)
	}
	p.updated("AJ_one", livekit.JobStatus_JS_RUNNING, "")
	p.status("one of three", func(u *livekit.UpdateWorkerStatus) bool { return free(u) && u.Load > 0.2 && u.JobCount == 1 })
	if n := h.Counts(); n.Calls != 1 || n.Taken != 1 {
		t.Errorf("%+v", n)
	}
	c.hangUp(nil)
	p.updated("AJ_one", livekit.JobStatus_JS_SUCCESS, "")
	p.status("none of three", func(u *livekit.UpdateWorkerStatus) bool { return free(u) && u.Load == 0 && u.JobCount == 0 })
	h.stop()
	h.ended()
	if n := h.Counts(); n != (worker.Counts{Taken: 1}) {
		t.Errorf("%+v", n)
	}
	silent(t, h.log.String(), "AJ_one", "somebody", "RM_one")
}

func grants(t *testing.T, header string) (*auth.ClaimGrants, time.Duration) {
	t.Helper()
	v, err := auth.ParseAPIToken(strings.TrimPrefix(header, "Bearer "))
	if err != nil || v.APIKey() != key {
		t.Fatalf("the token is of %v: %v", v, err)
	}
	claims, grants, err := v.Verify(secret)
	if err != nil {
		t.Fatal(err)
	}
	return grants, time.Until(claims.ExpiresAt.Time)
}

// TestHowAHandlerEndsIsToldByACode: by its own, in the known form, and never by its words.
func TestHowAHandlerEndsIsToldByACode(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	for i, c := range []struct {
		err  error
		want string
	}{
		{coded("no_caller"), "no_caller"}, {fmt.Errorf("it is: %w", coded("No Caller!")), "no_caller_"}, {errors.New("the words of a stranger"), "job_failed"}, {errPanic, "job_crashed"},
	} {
		id := fmt.Sprintf("AJ_%d", i)
		p.give(id)
		h.call().hangUp(c.err)
		u := p.hear().GetUpdateJob()
		if u.GetJobId() != id || u.GetStatus() != livekit.JobStatus_JS_FAILED || !regexp.MustCompile(`^[a-z_]{1,40}$`).MatchString(u.GetError()) || c.want == strings.Trim(c.want, "_") && u.GetError() != c.want {
			t.Errorf("%v is told as %v", c.err, u)
		}
	}
	if n := h.Counts(); n.Failed != 3 || n.Crashed != 1 || n.Taken != 4 {
		t.Errorf("%+v", n)
	}
	silent(t, h.log.String())
}

// TestAFullWorkerTakesNoMore: what was promised counts; it says so, and takes the next when a place is free.
func TestAFullWorkerTakesNoMore(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	p.give("AJ_1")
	p.give("AJ_2")
	p.status("two of three", free)
	last := theJob("AJ_3", "three")
	if a := p.offer(last); !a.Available { // and not assigned yet
		t.Fatal(a)
	}
	p.status("it is full", full)
	if a := p.offer(theJob("AJ_4", "four")); a.Available || a.Terminate {
		t.Errorf("a fourth is answered with %v", a)
	}
	p.assign(last)
	p.updated("AJ_3", livekit.JobStatus_JS_RUNNING, "")
	if a := p.offer(theJob("AJ_5", "five")); a.Available {
		t.Error("a fifth is taken")
	}
	h.call().hangUp(nil)
	if u := p.hear().GetUpdateJob(); u.GetStatus() != livekit.JobStatus_JS_SUCCESS {
		t.Fatal(u)
	}
	p.status("a place is free", free)
	p.give("AJ_6")
	if n := h.Counts(); n.Refused != 2 || n.Calls != 3 || n.Taken != 4 {
		t.Errorf("%+v", n)
	}
}

// TestAWorkerThatIsNotFullHasLoadToSpare: the server gives nothing to workers of which none is below its target, though they say that they are free.
func TestAWorkerThatIsNotFullHasLoadToSpare(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL, func(o *worker.Options, _ *worker.Times) { o.MaxCalls = 20 })
	p := s.next()
	for i := range 19 {
		p.give(fmt.Sprintf("AJ_%d", i))
	}
	p.status("one place is free", func(u *livekit.UpdateWorkerStatus) bool { return free(u) && u.JobCount == 19 && u.Load > 0.6 })
	p.give("AJ_last")
	p.status("none is", full)
	if n := h.Counts(); n.Calls != 20 {
		t.Errorf("%+v", n)
	}
}

// TestAPromiseLapses: its place is free again, and the job that comes too late is given back; so is one that nobody agreed to.
func TestAPromiseLapses(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL, func(o *worker.Options, w *worker.Times) { o.MaxCalls = 1; w.Promise = 50 * time.Millisecond })
	p := s.next()
	j := theJob("AJ_1", "one")
	if a := p.offer(j); !a.Available {
		t.Fatal(a)
	}
	until(t, "the promise lapses", func() bool { _, n := h.Places(); return n == 0 && h.Counts().Lapsed == 1 })
	p.status("a place is free", free)
	p.assign(j)
	p.updated("AJ_1", livekit.JobStatus_JS_FAILED, "not_promised")
	p.assign(theJob("AJ_2", "two"))
	p.updated("AJ_2", livekit.JobStatus_JS_FAILED, "not_promised")
	if n := h.Counts(); n.Taken != 0 || n.Calls != 0 {
		t.Errorf("%+v", n)
	}
}

// TestWhatWasTakenDoesNotLapse: a place of a job that runs is not given back when the time of its promise is over.
func TestWhatWasTakenDoesNotLapse(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL, func(_ *worker.Options, w *worker.Times) { w.Promise = 30 * time.Millisecond })
	p := s.next()
	p.give("AJ_1")
	if a := p.offer(theJob("AJ_2", "two")); !a.Available { // lapses later than the first would
		t.Fatal(a)
	}
	until(t, "the second lapses", func() bool { return h.Counts().Lapsed > 0 })
	if busy, _ := h.Places(); busy != 1 || h.Counts().Lapsed != 1 {
		t.Errorf("%d places are taken: %+v", busy, h.Counts())
	}
}

// TestAJobIsTakenOnce: a question that is repeated has one place, an assignment that is repeated one handler, and a room one agent.
func TestAJobIsTakenOnce(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	j := theJob("AJ_1", "one")
	first, again := p.offer(j), p.offer(j)
	if !again.Available || again.ParticipantIdentity != first.ParticipantIdentity {
		t.Errorf("%v, and again %v", first, again)
	}
	if busy, _ := h.Places(); busy != 1 {
		t.Errorf("%d places", busy)
	}
	other := theJob("AJ_2", "one")
	if a := p.offer(other); a.Available || !a.Terminate {
		t.Errorf("a second agent for a room that is promised: %v", a)
	}
	p.assign(j)
	p.assign(j)
	p.updated("AJ_1", livekit.JobStatus_JS_RUNNING, "")
	for _, j := range []*livekit.Job{j, other} {
		if a := p.offer(j); a.Available || !a.Terminate {
			t.Errorf("a room that has its job is offered as %s: %v", j.Id, a)
		}
	}
	// Another room may have the same name.
	namesake := theJob("AJ_3", "one")
	namesake.Room.Sid = "RM_new"
	if a := p.offer(namesake); !a.Available {
		t.Errorf("%v", a)
	}
	p.assign(namesake)
	p.updated("AJ_3", livekit.JobStatus_JS_RUNNING, "")
	if n := h.Counts(); n.Taken != 2 || n.Refused != 0 {
		t.Errorf("%+v", n)
	}
}

// TestTheServerEndsAJob: that one, and no other.
func TestTheServerEndsAJob(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	p.give("AJ_1")
	one := h.call()
	p.give("AJ_2")
	two := h.call()
	p.terminate("AJ_none")
	p.terminate("")
	p.terminate("AJ_1")
	if err := one.over(t); !errors.Is(err, worker.ErrTerminated) {
		t.Errorf("it ended by %v", err)
	}
	p.updated("AJ_1", livekit.JobStatus_JS_FAILED, "job_terminated")
	if two.ctx.Err() != nil {
		t.Error("the other ended too")
	}
}

// TestAPanicEndsOneJob: the others go on, where it was is logged, and what it said is not.
func TestAPanicEndsOneJob(t *testing.T) {
	s := newServer(t)
	h := start(t, s.URL)
	p := s.next()
	p.give("AJ_1")
	one := h.call()
	p.give("AJ_2")
	two := h.call()
	one.hangUp(errPanic)
	p.updated("AJ_1", livekit.JobStatus_JS_FAILED, "job_crashed")
	if !strings.Contains(h.log.String(), "code=job_crashed") || !strings.Contains(h.log.String(), "fake_test.go") {
		t.Errorf("the log does not say where:\n%s", h.log.String())
	}
	silent(t, h.log.String())
	two.hangUp(nil)
	p.updated("AJ_2", livekit.JobStatus_JS_SUCCESS, "")
	p.give("AJ_3")
}
