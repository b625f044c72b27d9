package worker

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
)

// Options are what a [Worker] is made of. All are needed but Agent, MaxCalls, Drain and Log.
type Options struct {
	URL    string // of the LiveKit server: ws, wss, http or https, with or without a path
	Key    string // the API key
	Secret string

	// Agent is the name by which jobs are dispatched to this worker. Without one it does not register (a nameless worker would be given every room of the server), and jobs come by
	// Webhook alone.
	Agent string

	MaxCalls int           // at once: 20
	Drain    time.Duration // how long calls have to end by themselves once Run's ctx has ended; none at 0

	// Handle leads one call, to its end. It has a goroutine of its own, and a panic in it ends that job alone. Its ctx outlives Run's: it ends when the server ends the job (the cause is
	// ErrTerminated), or when Drain has passed (ErrDrained), and then Handle must return. An error is told to the server by its code, if it has one.
	Handle func(ctx context.Context, j Job) error

	Now  func() time.Time
	Rand *rand.Rand   // for jitter; used by Run alone
	Log  *slog.Logger // codes, and our own names of jobs
}

// Job is a room in which somebody calls.
type Job struct {
	ID    string // ours: readback- and 26 of a-z2-7; with a Token, also who we are in the room
	Room  string // the room's name, as the server says it: foreign, at most 512 bytes
	SID   string // the server's name of this very room, at most 64 of A-Za-z0-9_-: another by the same name has another
	Token string // ours, for the room; empty where the job began with a webhook
}

// Why a job's ctx has ended.
var (
	ErrTerminated = errors.New("worker: the server has ended the job")
	ErrDrained    = errors.New("worker: there is no more time for the job")
)

// Counts says what became of jobs.
type Counts struct {
	Calls   int    // that are going on, handlers that have not returned among them
	Taken   uint64 // that were ever begun
	Refused uint64 // that were too many, or came while no more are taken
	Lapsed  uint64 // that we agreed to and that were then not given to us
	Failed  uint64 // whose handler gave an error
	Crashed uint64 // whose handler panicked
	Unread  uint64 // messages of the server, and signed webhooks, that could not be read
	Forged  uint64 // webhooks without a good signature
}

// Why there is no connection; [a-z_]+.
const (
	CodeNotJoined     = "livekit_not_joined"     // not yet, since the start
	CodeUnreachable   = "livekit_unreachable"    // no connection was had
	CodeUntrusted     = "livekit_untrusted"      // the certificate is not to be trusted
	CodeRefused       = "livekit_refused"        // wrong key or secret, or a clock that is wrong by minutes
	CodeNotFound      = "livekit_not_found"      // no agents there: another kind of server, or another path
	CodeBadAnswer     = "livekit_bad_answer"     // what answers is no LiveKit server, or one in trouble
	CodeNotRegistered = "livekit_not_registered" // it does not take us as a worker
	CodeLost          = "livekit_lost"           // the connection broke
	CodeSilent        = "livekit_silent"         // nothing comes any more, pings are not answered
	CodeTooBig        = "livekit_too_big"        // a message over its bound
	CodeCrashed       = "livekit_crashed"        // what reads, or writes, panicked
)

// errCode is an error of the worker's own; smsmcp.Coded.
type errCode string

func (e errCode) Error() string { return "worker: " + string(e) }
func (e errCode) Code() string  { return string(e) }

var _ smsmcp.Coded = errCode("")

// Worker takes jobs. Run is called once at a time; the other methods at any time.
type Worker struct {
	o       Options
	base    *url.URL
	times   times
	dial    func(ctx context.Context) (socket, error)
	changed chan struct{} // holds that the server is to hear how full we are
	news    chan struct{} // holds that a job, or the hope of one, is over

	mu       sync.Mutex
	counts   Counts
	part     smsmcp.Part
	open     bool                // Run runs
	draining bool                // and takes no more
	conn     *conn               // nil while there is none
	promised map[string]*promise // by the server's name of the job
	running  map[*job]struct{}
	seen     seen // by webhooks
}

// times are how long things take, and may take.
type times struct {
	dial     time.Duration // to connect, and to be registered
	promise  time.Duration // how long a place is kept for a job that was agreed to; the server gives it at once, or never
	status   time.Duration // between two reports of how full we are
	ping     time.Duration // between two pings; if nothing came between two of them the connection is gone
	write    time.Duration // for one message
	steady   time.Duration // a connection that stood so long was a good one: the next try comes soon
	min, max time.Duration // between two tries to connect; at first from min to half as much again
}

var usual = times{
	dial: 10 * time.Second, promise: 10 * time.Second, status: 2500 * time.Millisecond, ping: 10 * time.Second, write: 10 * time.Second, steady: 10 * time.Second,
	min: time.Second, max: 30 * time.Second,
}

// New checks the options and makes the worker. It does no I/O.
func New(o Options) (*Worker, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("worker: the URL is no plain address (no user, no query)")
	case u.Scheme != "ws" && u.Scheme != "wss" && u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("worker: the URL must begin with ws, wss, http or https")
	case o.Key == "" || o.Secret == "":
		return nil, errors.New("worker: Key and Secret are needed")
	case o.Handle == nil || o.Now == nil || o.Rand == nil:
		return nil, errors.New("worker: Handle, Now and Rand are needed")
	case o.MaxCalls < 0 || o.Drain < 0:
		return nil, errors.New("worker: MaxCalls and Drain cannot be less than none")
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	w := &Worker{
		o: o, base: u, times: usual, changed: make(chan struct{}, 1), news: make(chan struct{}, 1), part: smsmcp.Part{Name: "livekit"},
		promised: map[string]*promise{}, running: map[*job]struct{}{},
	}
	w.dial = w.connect
	if o.Agent != "" {
		w.part.Failure = CodeNotJoined
	}
	return w, nil
}

// Part says how the connection to the server stands.
func (w *Worker) Part() smsmcp.Part {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.part
}

// Counts says how many jobs there are, and were.
func (w *Worker) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts.Calls = len(w.running)
	return w.counts
}
