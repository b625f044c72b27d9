package owner

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
	"readback/smsmcp/secret"
	"readback/store"
	calls "readback/voice/gate"
)

// Store is what the calls read and write. *store.Store is one.
type Store interface {
	Secrets
	Contacts(ctx context.Context) ([]smsmcp.Contact, error)
	AddContact(ctx context.Context, c smsmcp.Contact, check func(existing []smsmcp.Contact) error) (smsmcp.Contact, error)
	AddContacts(ctx context.Context, cs []smsmcp.Contact,
		check func(existing []smsmcp.Contact, c smsmcp.Contact) error) ([]smsmcp.Contact, []error, error)
	RemoveContact(ctx context.Context, id smsmcp.ContactID) error
	ClearStop(ctx context.Context, id smsmcp.ContactID) error
	Send(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Sends(ctx context.Context, limit int) ([]smsmcp.Send, error)
	Unsettled(ctx context.Context) ([]smsmcp.Send, error)
	Listed(ctx context.Context, s smsmcp.Send) (smsmcp.Text, bool, error)
	Record(ctx context.Context, id smsmcp.SendID, o smsmcp.Outcome) (smsmcp.Send, error)
	Restored(ctx context.Context) (bool, error)
	AddToken(ctx context.Context, now time.Time, name, id string, hash [32]byte) error
	Tokens(ctx context.Context) ([]store.TokenInfo, error)
	RevokeToken(ctx context.Context, now time.Time, name string) error
	SetTokenMayConfirm(ctx context.Context, name string, may bool) error
	Backup(ctx context.Context, file string) error
	Check(ctx context.Context) error
}

// Desk takes the owner's answers. *confirm.Desk is one.
type Desk interface {
	Waiting(ctx context.Context) ([]smsmcp.Send, error)
	Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error)
	No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error)
	Freeze(ctx context.Context, on smsmcp.Channel) error
	Thaw(ctx context.Context, on smsmcp.Channel) error
	Frozen(ctx context.Context) (bool, error)
}

// PIN is what the owner keys in on a call. *gate.Gate has one.
type PIN interface {
	IsSet(ctx context.Context) (bool, error)
	Set(ctx context.Context, pin string) error
	Remove(ctx context.Context) error
}

// Options are what the handler works with. All but Receive and Parts are needed.
type Options struct {
	Store   Store
	Desk    Desk
	Carrier smsmcp.Carrier
	Real    bool                                                         // texts go to people
	Receive func(ctx context.Context, text Incoming) error               // a text arrives in the sandbox; nil with another carrier
	Mint    func(io.Reader) (id, token string, hash [32]byte, err error) // makes a bearer token
	Region  string                                                       // of numbers that are written without a country
	Parts   func() []smsmcp.Part                                         // how what runs by itself stands; nil where nothing does
	Now     func() time.Time
	Rand    io.Reader
	Log     *slog.Logger
	Gate    *Gate  // shared with another face; one of its own where nil
	Changed func() // told that there is another passphrase now; may be nil
	PIN     PIN    // of calls; a gate of its own where nil

	cost secret.Cost // of a new passphrase's hash; zero is the recommended one
}

type handler struct {
	o    Options
	gate *gate
	mux  *http.ServeMux
}

// New gives the handler of the owner's calls. Who may reach it is the caller's care: see [Listen].
func New(o Options) http.Handler {
	if o.cost == (secret.Cost{}) {
		o.cost = secret.Recommended
	}
	if o.Gate == nil {
		o.Gate = NewGate(o.Store, o.Real, o.Rand)
	}
	o.Gate.g.cost = o.cost
	if o.PIN == nil {
		o.PIN = calls.New(calls.Options{Secrets: o.Store, None: store.ErrNoSecret, Now: o.Now, Rand: o.Rand, Log: o.Log, Cost: o.cost})
	}
	h := &handler{o: o, mux: http.NewServeMux(), gate: &o.Gate.g}
	GetState.handle(h, h.state)
	Examine.handle(h, h.examine)
	h.contacts()

	ListWaiting.handle(h, func(ctx context.Context, _ lang.Lang, _ None) ([]Send, error) { return views(o.Desk.Waiting(ctx)) })
	ListSends.handle(h, func(ctx context.Context, _ lang.Lang, n Limit) ([]Send, error) {
		return views(o.Store.Sends(ctx, min(max(n.Limit, 1), 10_000)))
	})
	GetSend.handle(h, func(ctx context.Context, _ lang.Lang, a Answer) (Send, error) { return view(o.Store.Send(ctx, a.ID)) })
	Approve.handle(h, h.approve)
	Deny.handle(h, func(ctx context.Context, _ lang.Lang, a Answer) (Send, error) {
		return view(o.Desk.No(ctx, a.ID, smsmcp.CommandLine))
	})
	h.unknown()
	Freeze.handle(h, func(ctx context.Context, _ lang.Lang, _ None) (None, error) {
		return None{}, o.Desk.Freeze(ctx, smsmcp.CommandLine)
	})
	Thaw.handle(h, func(ctx context.Context, _ lang.Lang, _ None) (None, error) {
		return None{}, o.Desk.Thaw(ctx, smsmcp.CommandLine)
	})

	Receive.handle(h, h.receive)
	ListTokens.handle(h, h.tokens)
	NewToken.handle(h, h.newToken)
	RevokeToken.handle(h, func(ctx context.Context, _ lang.Lang, n Name) (None, error) {
		return None{}, o.Store.RevokeToken(ctx, o.Now(), n.Name)
	})
	MarkToken.handle(h, func(ctx context.Context, _ lang.Lang, m Mark) (None, error) {
		return None{}, o.Store.SetTokenMayConfirm(ctx, m.Name, m.May)
	})
	SetPassphrase.handle(h, func(ctx context.Context, _ lang.Lang, s Secret) (None, error) {
		err := h.gate.set(ctx, s.Value)
		if err == nil && o.Changed != nil {
			o.Changed()
		}
		return None{}, err
	})
	SetPIN.handle(h, func(ctx context.Context, _ lang.Lang, s Secret) (None, error) { return None{}, o.PIN.Set(ctx, s.Value) })
	RemovePIN.handle(h, func(ctx context.Context, _ lang.Lang, _ None) (None, error) { return None{}, o.PIN.Remove(ctx) })
	Backup.handle(h, h.backup)
	return h.mux
}

func (h *handler) state(ctx context.Context, _ lang.Lang, _ None) (State, error) {
	s := State{Carrier: h.o.Carrier.Name(), Real: h.o.Real}
	var err error
	if s.Passphrase, err = h.gate.isSet(ctx); err != nil {
		return s, err
	}
	if s.PIN, err = h.o.PIN.IsSet(ctx); err != nil {
		return s, err
	}
	if s.Frozen, err = h.o.Desk.Frozen(ctx); err != nil {
		return s, err
	}
	if s.Restored, err = h.o.Store.Restored(ctx); err != nil {
		return s, err
	}
	all, err := h.o.Store.Contacts(ctx)
	s.Contacts = len(all)
	return s, err
}

// approve sends the draft that the owner was shown: the digest says which one that was.
func (h *handler) approve(ctx context.Context, _ lang.Lang, a Answer) (Send, error) {
	var digest [32]byte
	b, err := hex.DecodeString(a.Digest)
	if err != nil || copy(digest[:], b) != len(digest) || len(b) != len(digest) {
		return Send{}, fail(CodeBadRequest, lang.OwnerBadRequest)
	}
	// The client may go away: the yes has been given, and what follows is recorded either way.
	return view(h.o.Desk.Yes(context.WithoutCancel(ctx), a.ID, digest, smsmcp.CommandLine))
}

func (h *handler) receive(ctx context.Context, _ lang.Lang, in Incoming) (None, error) {
	if h.o.Receive == nil {
		return None{}, fail(CodeSandboxOnly, lang.OwnerSandboxOnly)
	}
	return None{}, h.o.Receive(ctx, in)
}

// view gives a send as the owner sees it.
func view(s smsmcp.Send, err error) (Send, error) {
	if err != nil {
		return Send{}, err
	}
	digest := s.Draft.Digest()
	return Send{
		ID: s.ID, Contact: s.Name, Number: s.Draft.To(), Body: s.Draft.Body(), Digest: hex.EncodeToString(digest[:]),
		Kind: s.Kind, Segments: s.Segments, State: s.State, Reasons: s.Reasons, By: s.By,
		Created: s.Created, Expires: s.Expires, Only: s.Only, ConfirmedBy: s.ConfirmedBy, Answer: frame.Said(s.Answer),
		Delivery: s.Delivery, Failure: s.Failure,
	}, nil
}

func views(all []smsmcp.Send, err error) ([]Send, error) {
	out := make([]Send, 0, len(all))
	for _, s := range all {
		v, _ := view(s, nil)
		out = append(out, v)
	}
	return out, err
}
