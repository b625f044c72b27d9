package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"

	"readback/smsmcp"
)

const (
	maxMessage = 1 << 20         // bytes; a job's room and its metadata, of 64 KiB each by LiveKit's own limits, and a token
	goodFor    = 5 * time.Minute // the token with which we connect: clocks differ
)

// socket is what is used of a websocket.
type socket interface {
	Read(ctx context.Context) (websocket.MessageType, []byte, error)
	Write(ctx context.Context, t websocket.MessageType, b []byte) error
	Close(code websocket.StatusCode, reason string) error
	CloseNow() error
	SetReadLimit(n int64)
}

// conn is one connection to the server.
type conn struct {
	w     *Worker
	ws    socket
	out   chan *livekit.WorkerMessage
	end   context.CancelCauseFunc
	heard atomic.Int64 // messages
	big   atomic.Bool  // one was over its bound: the library ends the connection, which whoever writes may see first
}

// errEnded is the end of a connection by our wish.
var errEnded = errors.New("worker: ended")

// code gives the code of an error of this package.
func code(err error) string {
	var c smsmcp.Coded
	if errors.As(err, &c) {
		return smsmcp.Reduce(c.Code())
	}
	return CodeLost
}

// connect makes a connection, with a token of its own.
func (w *Worker) connect(ctx context.Context) (socket, error) {
	token, err := auth.NewAccessToken(w.o.Key, w.o.Secret).SetVideoGrant(&auth.VideoGrant{Agent: true}).SetValidFor(goodFor).ToJWT()
	if err != nil {
		return nil, errCode(CodeRefused)
	}
	u := *w.base
	u.Path += "/agent"
	u.RawQuery = "protocol=1"
	// No proxy, and no redirect is followed: the token goes to the address that was configured and to no other.
	client := &http.Client{
		Transport: &http.Transport{
			DialContext: (&net.Dialer{Timeout: w.times.dial}).DialContext, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: w.times.dial,
			MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	head := http.Header{"Authorization": {"Bearer " + token}, "User-Agent": {"readback"}}
	ws, resp, err := websocket.Dial(ctx, u.String(), &websocket.DialOptions{HTTPClient: client, HTTPHeader: head}) //nolint:bodyclose // the library does
	if err == nil {
		return ws, nil
	}
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return nil, errCode(CodeUntrusted)
	case resp == nil:
		return nil, errCode(CodeUnreachable)
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, errCode(CodeRefused)
	case resp.StatusCode == http.StatusNotFound:
		return nil, errCode(CodeNotFound)
	}
	return nil, errCode(CodeBadAnswer)
}

// session is one connection, from its start to its end. It says whether it stood for long, and why it ended.
func (w *Worker) session(parent, life context.Context) (good bool, err error) {
	limit, enough := context.WithTimeout(parent, w.times.dial)
	defer enough()
	ws, err := w.dial(limit)
	if err != nil {
		return false, err
	}
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(maxMessage)
	ctx, end := context.WithCancelCause(context.WithoutCancel(life)) // what waits to be said when life ends is said
	defer end(nil)
	c := &conn{w: w, ws: ws, end: end, out: make(chan *livekit.WorkerMessage, 64+4*w.o.MaxCalls)}
	if err := c.register(limit); err != nil {
		return false, err
	}
	stood := make(chan struct{})
	steady := time.AfterFunc(w.times.steady, func() { close(stood) })
	defer steady.Stop()
	w.take(c)
	var parts sync.WaitGroup
	parts.Go(func() { c.guarded(func() error { return c.read(ctx) }) })
	parts.Go(func() { c.guarded(func() error { return c.write(ctx, life) }) })
	parts.Wait()
	w.leave(c)
	select {
	case <-stood:
		good = true
	default:
	}
	if c.big.Load() {
		return good, errCode(CodeTooBig)
	}
	return good, context.Cause(ctx)
}

// take makes a connection the one that is spoken to, and tells it of the jobs that go on.
func (w *Worker) take(c *conn) {
	w.mu.Lock()
	w.conn = c
	var going []string
	for j := range w.running {
		if j.id != "" {
			going = append(going, j.id)
		}
	}
	if len(going) > 0 {
		c.send(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_MigrateJob{MigrateJob: &livekit.MigrateJobRequest{JobIds: going}}})
	}
	w.mu.Unlock()
	w.tell()
	w.stands("")
}

// leave forgets a connection that has ended. What the server was promised on it, it has forgotten too.
func (w *Worker) leave(c *conn) {
	w.mu.Lock()
	w.conn = nil
	w.mu.Unlock()
	w.lapse(func(p *promise) bool { return p.by == c })
}

// guarded runs a part of a connection that has a goroutine of its own. Its end is that of the other.
func (c *conn) guarded(f func() error) {
	defer func() {
		if recover() != nil {
			c.w.o.Log.Error("the connection to the LiveKit server broke", "code", CodeCrashed, "stack", string(debug.Stack()))
			c.end(errCode(CodeCrashed))
		}
	}()
	c.end(f())
}

// register makes us a worker, and waits until the server says that we are.
func (c *conn) register(ctx context.Context) error {
	if err := c.put(ctx, &livekit.WorkerMessage{Message: &livekit.WorkerMessage_Register{Register: &livekit.RegisterWorkerRequest{
		Type: livekit.JobType_JT_ROOM, AgentName: c.w.o.Agent, Version: "1", PingInterval: uint32(c.w.times.ping / time.Second),
		// What the tokens of our jobs are good for: to hear, to speak, and to show what is said. Not hidden: the caller is to see that there is an agent.
		AllowedPermissions: &livekit.ParticipantPermission{CanSubscribe: true, CanPublish: true, CanPublishData: true},
	}}}); err != nil {
		return err
	}
	m, err := c.next(ctx)
	if err != nil || m.GetRegister() == nil {
		return errCode(CodeNotRegistered)
	}
	return nil
}

// send has a message written. It does not wait: where too many wait already, nothing reads them.
func (c *conn) send(m *livekit.WorkerMessage) {
	select {
	case c.out <- m:
	default:
		c.end(errCode(CodeLost))
	}
}

func (c *conn) put(parent context.Context, m *livekit.WorkerMessage) error {
	ctx, cancel := context.WithTimeout(parent, c.w.times.write)
	defer cancel()
	b, err := proto.Marshal(m)
	if err != nil || c.ws.Write(ctx, websocket.MessageBinary, b) != nil {
		return errCode(CodeLost)
	}
	return nil
}

// write writes what is to be said, until ctx ends, or life does; then what waits is still said.
func (c *conn) write(ctx, life context.Context) error {
	status, ping := time.NewTicker(c.w.times.status), time.NewTicker(c.w.times.ping)
	defer status.Stop()
	defer ping.Stop()
	before := int64(-1)
	for {
		var m *livekit.WorkerMessage
		select {
		case <-life.Done():
			return c.finish()
		case <-ctx.Done():
			return nil
		case m = <-c.out:
		case <-c.w.changed:
			m = c.w.status()
		case <-status.C:
			m = c.w.status()
		case <-ping.C:
			heard := c.heard.Load()
			if heard == before {
				return errCode(CodeSilent)
			}
			before = heard
			m = &livekit.WorkerMessage{Message: &livekit.WorkerMessage_Ping{Ping: &livekit.WorkerPing{Timestamp: c.w.o.Now().UnixMilli()}}}
		}
		if err := c.put(ctx, m); err != nil {
			return err
		}
	}
}

// finish says what waits to be said, and takes its leave.
func (c *conn) finish() error {
	ctx, cancel := context.WithTimeout(context.Background(), c.w.times.write)
	defer cancel()
	for {
		select {
		case m := <-c.out:
			if err := c.put(ctx, m); err != nil {
				return err
			}
			continue
		default:
		}
		_ = c.ws.Close(websocket.StatusNormalClosure, "")
		return errEnded
	}
}

// next reads one message. One that cannot be read is nil.
func (c *conn) next(ctx context.Context) (*livekit.ServerMessage, error) {
	kind, b, err := c.ws.Read(ctx)
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		c.big.Store(true)
		return nil, errCode(CodeTooBig)
	case err != nil:
		return nil, errCode(CodeLost)
	}
	c.heard.Add(1)
	return parse(kind, b), nil
}

// parse gives nil for what cannot be read.
func parse(kind websocket.MessageType, b []byte) *livekit.ServerMessage {
	m := &livekit.ServerMessage{}
	if kind != websocket.MessageBinary || proto.Unmarshal(b, m) != nil {
		return nil
	}
	return m
}

// read reads what the server says, until the connection ends.
func (c *conn) read(ctx context.Context) error {
	for {
		m, err := c.next(ctx)
		if err != nil {
			return err
		}
		c.heed(m)
	}
}

// heed does what a message says. It does not wait.
func (c *conn) heed(m *livekit.ServerMessage) {
	switch m := m.GetMessage().(type) {
	case *livekit.ServerMessage_Availability:
		if answer := c.w.offered(c, m.Availability.GetJob()); answer != nil {
			c.send(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_Availability{Availability: answer}})
		}
	case *livekit.ServerMessage_Assignment:
		id := m.Assignment.GetJob().GetId()
		if !c.w.assigned(m.Assignment) && serverName.MatchString(id) {
			c.send(&livekit.WorkerMessage{Message: &livekit.WorkerMessage_UpdateJob{UpdateJob: &livekit.UpdateJobStatus{JobId: id, Status: livekit.JobStatus_JS_FAILED, Error: codeNotPromised}}})
		}
	case *livekit.ServerMessage_Termination:
		c.w.terminated(m.Termination.GetJobId())
	case *livekit.ServerMessage_Pong, *livekit.ServerMessage_Register:
	default: // none that we know, or none at all
		c.w.mu.Lock()
		c.w.counts.Unread++
		c.w.mu.Unlock()
	}
}
