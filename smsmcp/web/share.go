package web

import (
	"context"
	"sync"
	"time"
)

// What one token may take of the server, so that the others always find some left.
const (
	readingEach = 4               // bodies being read at once
	readingWait = time.Second     // how long a body waits for its token's other bodies
	answerWait  = 5 * time.Second // how long a request waits for others to be answered
)

// shares counts who takes what: the bytes of bodies that are held, and of each token the bodies being read and the requests being answered.
type shares struct {
	mu     sync.Mutex
	tokens map[string]*share
	bytes  int64         // left, over all tokens
	slots  chan struct{} // taken, over all tokens
	each   int           // slots that one token may have: not all of them
}

type share struct {
	reading chan struct{}
	slots   chan struct{}
	users   int // requests that point here
}

func newShares(slots int, body int64) *shares {
	return &shares{tokens: map[string]*share{}, bytes: int64(slots) * body, slots: make(chan struct{}, slots), each: max(1, slots/2)}
}

// of finds a token's share; done must be called once.
func (s *shares) of(token string) (t *share, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t = s.tokens[token]
	if t == nil {
		t = &share{reading: make(chan struct{}, readingEach), slots: make(chan struct{}, s.each)}
		s.tokens[token] = t
	}
	t.users++
	return t, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.users--; t.users == 0 {
			delete(s.tokens, token)
		}
	}
}

// read waits a little for the token's turn to have a body read.
func (t *share) read(ctx context.Context) (done func(), ok bool) {
	wait := time.NewTimer(readingWait)
	defer wait.Stop()
	return take(ctx, t.reading, wait.C)
}

// take puts one into c, or gives up.
func take(ctx context.Context, c chan struct{}, late <-chan time.Time) (done func(), ok bool) {
	select {
	case c <- struct{}{}:
	default:
		select {
		case c <- struct{}{}:
		case <-late:
			return nil, false
		case <-ctx.Done():
			return nil, false
		}
	}
	return func() { <-c }, true
}

// hold takes room for a body; give gives room back.
func (s *shares) hold(n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n > s.bytes {
		return false
	}
	s.bytes -= n
	return true
}

func (s *shares) give(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += n
}

// answer takes a slot for answering: of the token's, then of all.
func (s *shares) answer(ctx context.Context, t *share) (done func(), ok bool) {
	wait := time.NewTimer(answerWait)
	defer wait.Stop()
	mine, ok := take(ctx, t.slots, wait.C)
	if !ok {
		return nil, false
	}
	all, ok := take(ctx, s.slots, wait.C)
	if !ok {
		mine()
		return nil, false
	}
	return func() { all(); mine() }, true
}
