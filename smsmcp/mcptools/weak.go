package mcptools

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/store/questions"
)

// Questions keeps what was asked of a client until it is answered (store/questions.Book).
type Questions interface {
	Put(ctx context.Context, now time.Time, hash [32]byte, q questions.Question) error
	Look(ctx context.Context, now time.Time, hash [32]byte, want questions.Question) (questions.Question, error)
	Take(ctx context.Context, now time.Time, hash [32]byte, want questions.Question) (questions.Question, error)
}

// Desk takes the answers that come by a client, on the channels smsmcp.Elicitation and smsmcp.Card (confirm.Desk).
type Desk interface {
	Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error)
	No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error)
	Freeze(ctx context.Context, on smsmcp.Channel) error
}

// weak is what the channels have by which a client answers: no tool of the table is handed it (invariant 5). A question is a secret of 256 bits, of which the book keeps the hash:
// good for one yes, until the send's wait is over, and for this channel, client and tool call alone. The secret goes where the client's answer comes from, and into no content that a model
// reads.
type weak struct {
	voice
	book   Questions
	desk   Desk
	who    func(context.Context) smsmcp.Principal
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
}

var (
	// errNoQuestion says that an answer is good for nothing: it came to no question, once more, too late, from another client or with other arguments.
	errNoQuestion = errors.New("the answer belongs to no open question")
	// errMayNot says that a yes by this client does not count.
	errMayNot = errors.New("a yes by this client does not count")
)

// may says whether a send's yes may come by the client that asks now: the owner said that this client's counts, and nothing calls for a strong one. What cannot be drawn is not asked
// about (invariant 14).
func (w *weak) may(ctx context.Context, s smsmcp.Send) bool {
	return w.book != nil && w.desk != nil && w.who(ctx).MayConfirm && s.State == smsmcp.Waiting && !s.Strong && s.Only == smsmcp.NoChannel &&
		clean.Drawable(s.Draft.Body()) == nil
}

// ask keeps a question about a send that waits, and gives its secret. call is the digest of the tool call that asks (callOf).
func (w *weak) ask(ctx context.Context, s smsmcp.Send, on smsmcp.Channel, call [32]byte) (secret string, err error) {
	var b [32]byte
	if _, err := io.ReadFull(w.random, b[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	secret = base64.RawURLEncoding.EncodeToString(b[:])
	return secret, w.book.Put(ctx, w.now(), sha256.Sum256([]byte(secret)), questions.Question{
		Channel: on, Send: s.ID, Digest: s.Draft.Digest(), Principal: w.who(ctx).ID, Call: call, Expires: s.Expires,
	})
}

// find gives the question that an answer is to. A yes spends it. A no and a freeze do not: they only tighten, and where one was lost, or could not be written down, it may be given
// again. errNoQuestion if the answer is good for nothing.
func (w *weak) find(ctx context.Context, secret string, on smsmcp.Channel, call [32]byte, spends bool) (questions.Question, error) {
	if w.book == nil || w.desk == nil {
		return questions.Question{}, errNoQuestion
	}
	look := w.book.Look
	if spends {
		look = w.book.Take
	}
	q, err := look(ctx, w.now(), sha256.Sum256([]byte(secret)), questions.Question{Channel: on, Principal: w.who(ctx).ID, Call: call})
	for _, none := range []error{questions.ErrNone, questions.ErrOther, questions.ErrUsed, questions.ErrLate} {
		if errors.Is(err, none) {
			return questions.Question{}, errNoQuestion
		}
	}
	return q, err
}

// yes gives the yes that came to a question. The owner may have taken the client's word away since: errMayNot.
func (w *weak) yes(ctx context.Context, q questions.Question) (smsmcp.Send, error) {
	if !w.who(ctx).MayConfirm {
		return smsmcp.Send{}, errMayNot
	}
	return w.desk.Yes(context.WithoutCancel(ctx), q.Send, q.Digest, q.Channel) // its question is spent: it counts, also where the client is gone
}

// no gives the no that came to a question. It only tightens: a client whose yes counts no more may give it.
func (w *weak) no(ctx context.Context, q questions.Question) (smsmcp.Send, error) {
	return w.desk.No(context.WithoutCancel(ctx), q.Send, q.Channel)
}

// freeze freezes all sends, also where the client is gone.
func (w *weak) freeze(ctx context.Context, q questions.Question) error {
	return w.desk.Freeze(context.WithoutCancel(ctx), q.Channel)
}

// callOf is the digest of a tool call: its tool and what it was called with, each with its length before it, so that no two calls share one.
func callOf(tool string, params []param, a args) [32]byte {
	h := sha256.New()
	part := func(s string) {
		_ = binary.Write(h, binary.BigEndian, uint64(len(s))) // a hash takes all
		_, _ = io.WriteString(h, s)
	}
	part(tool)
	for _, p := range params {
		v, ok := a[p.name]
		part(p.name)
		part(fmt.Sprintf("%t %v", ok, v))
	}
	return [32]byte(h.Sum(nil))
}
