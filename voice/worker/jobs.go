package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"

	"readback/smsmcp"
)

const (
	maxRoom    = 512 // bytes of a room's name; LiveKit's own limit is 256 characters, if its owner has not changed it
	targetLoad = 0.7 // what the server takes for full, if its owner has not changed it
)

// Why a job was not led to its end; [a-z_]+. The server is told.
const (
	codeNotPromised = "not_promised" // it was given to us and not agreed to, or so late that its place is gone
	codeFailed      = "job_failed"
	codeCrashed     = "job_crashed"
	codeTerminated  = "job_terminated"
	codeDrained     = "job_drained"
)

// serverName is what the server's names of jobs, rooms and participants look like.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// job is one that we agreed to, or that runs.
type job struct {
	name string // ours
	id   string // the server's; empty where it began with a webhook
	room string
	sid  string // the room's: another room by the same name has another
	end  context.CancelCauseFunc
}

// promise is a place that is kept for a job.
type promise struct {
	job    *job
	by     *conn
	lapses *time.Timer
}

func newName() string { return "readback-" + strings.ToLower(rand.Text()) }

// busy is how many places are taken. Called with mu.
func (w *Worker) busy() int { return len(w.running) + len(w.promised) }

// has says whether a room has a job here, or is promised one. Called with mu.
func (w *Worker) has(sid string) bool {
	for j := range w.running {
		if j.sid == sid {
			return true
		}
	}
	for _, p := range w.promised {
		if p.job.sid == sid {
			return true
		}
	}
	return false
}

// lookUp gives the running job of the server's name. Called with mu.
func (w *Worker) lookUp(id string) *job {
	for j := range w.running {
		if j.id == id && id != "" {
			return j
		}
	}
	return nil
}

// offered answers the question whether we take a job. nil: it cannot be answered.
func (w *Worker) offered(by *conn, of *livekit.Job) *livekit.AvailabilityResponse {
	id, room, sid := of.GetId(), of.GetRoom().GetName(), of.GetRoom().GetSid()
	answer := &livekit.AvailabilityResponse{JobId: id}
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.promised[id]
	switch {
	case !serverName.MatchString(id):
		w.counts.Unread++
		return nil
	case of.GetType() != livekit.JobType_JT_ROOM || of.GetAgentName() != w.o.Agent || room == "" || len(room) > maxRoom || !serverName.MatchString(sid):
		w.counts.Unread++
		return answer
	case p != nil: // asked again
		answer.Available, answer.ParticipantIdentity = true, p.job.name
		return answer
	case w.lookUp(id) != nil || w.has(sid):
		// Two agents would talk to one caller. Refused it would be offered to another worker, who does not know.
		answer.Terminate = true
		return answer
	case w.draining || w.busy() >= w.o.MaxCalls:
		w.counts.Refused++
		return answer
	}
	p = &promise{job: &job{name: newName(), id: id, room: room, sid: sid}, by: by}
	p.lapses = time.AfterFunc(w.times.promise, func() { w.lapse(func(q *promise) bool { return q == p }) })
	w.promised[id] = p
	w.tell()
	answer.Available, answer.ParticipantIdentity = true, p.job.name
	return answer
}

// lapse gives back the places that were kept for jobs that will not come.
func (w *Worker) lapse(which func(*promise) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, p := range w.promised {
		if which(p) {
			p.lapses.Stop()
			delete(w.promised, id)
			w.counts.Lapsed++
			w.freed()
		}
	}
}

// assigned begins a job that we agreed to. It says whether we had.
func (w *Worker) assigned(a *livekit.JobAssignment) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := a.GetJob().GetId()
	p := w.promised[id]
	if p == nil {
		return w.lookUp(id) != nil
	}
	p.lapses.Stop()
	delete(w.promised, id)
	w.begin(p.job, a.GetToken())
	return true
}

// begin begins a job. Called with mu.
func (w *Worker) begin(j *job, token string) {
	ctx, end := context.WithCancelCause(context.Background())
	j.end = end
	w.running[j] = struct{}{}
	w.counts.Taken++
	w.tell()
	go w.lead(ctx, j, Job{ID: j.name, Room: j.room, SID: j.sid, Token: token})
}

// terminated ends a job by the server's wish.
func (w *Worker) terminated(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if j := w.lookUp(id); j != nil {
		j.end(ErrTerminated)
	}
}

func (w *Worker) endAll(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for j := range w.running {
		j.end(why)
	}
}

// lead leads one job from its beginning to its end.
func (w *Worker) lead(ctx context.Context, j *job, of Job) {
	why := codeCrashed
	defer func() {
		if recover() != nil { // Where that was is logged, and what it said is not: that may be a stranger's words.
			w.o.Log.Error("a job broke", "job", j.name, "code", codeCrashed, "stack", string(debug.Stack()))
		}
		j.end(nil)
		w.o.Log.Info("a job is over", "job", j.name, "code", why)
		w.mu.Lock()
		switch why {
		case "":
		case codeCrashed:
			w.counts.Crashed++
		default:
			w.counts.Failed++
		}
		// The server hears of it before it hears that a place is free.
		status := livekit.JobStatus_JS_SUCCESS
		if why != "" {
			status = livekit.JobStatus_JS_FAILED
		}
		w.report(j, status, why)
		delete(w.running, j)
		w.freed()
		w.mu.Unlock()
	}()
	w.o.Log.Info("a job begins", "job", j.name)
	w.mu.Lock()
	w.report(j, livekit.JobStatus_JS_RUNNING, "")
	w.mu.Unlock()
	why = outcome(ctx, w.o.Handle(ctx, of))
}

// outcome makes a code of how a handler returned.
func outcome(ctx context.Context, err error) string {
	var c smsmcp.Coded
	switch cause := context.Cause(ctx); {
	case err == nil:
		return ""
	case errors.As(err, &c):
		return smsmcp.Reduce(c.Code())
	case errors.Is(cause, ErrTerminated):
		return codeTerminated
	case errors.Is(cause, ErrDrained):
		return codeDrained
	}
	return codeFailed
}

// report tells the server of a job, if it knows it. Called with mu.
func (w *Worker) report(j *job, status livekit.JobStatus, why string) {
	if w.conn != nil && j.id != "" {
		w.conn.send(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_UpdateJob{UpdateJob: &livekit.UpdateJobStatus{JobId: j.id, Status: status, Error: why}}})
	}
}

// status is how full we are. Load grows to what the server takes for full, and no further: while all its workers are past that it gives jobs to none, though they have room.
func (w *Worker) status() *livekit.WorkerMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	state, load := livekit.WorkerStatus_WS_AVAILABLE, targetLoad*float32(w.busy())/float32(w.o.MaxCalls)
	if w.draining || w.busy() >= w.o.MaxCalls {
		state, load = livekit.WorkerStatus_WS_FULL, 1
	}
	return &livekit.WorkerMessage{Message: &livekit.WorkerMessage_UpdateWorker{UpdateWorker: &livekit.UpdateWorkerStatus{Status: &state, Load: load, JobCount: uint32(len(w.running))}}}
}
