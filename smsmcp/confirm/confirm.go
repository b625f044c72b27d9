// Package confirm is the desk where the owner's answers arrive: one mechanism, several channels.
//
// A channel is named and rated here, in code; what arrives on it says which draft it is for, by id and digest, and the desk adds the
// strength. Nothing a model can call leads here (invariant 5), and a draft that needs an answer is refused when no channel
// can be reached (invariant 6).
//
// Floor 3: imports smsmcp and below. It knows the door and the store as small interfaces.
package confirm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
)

// Channel is a way in which the owner's answer can come. One named smsmcp.Voice takes a yes by [Desk.Spoken] alone, to the drafts that were made for it alone: it never
// makes a desk Reachable, since a draft of any other kind would wait for it in vain. Nor do those of [Weak], which are there for some clients alone.
type Channel struct {
	Name      smsmcp.Channel
	Strong    bool
	Reachable func() bool // can it take an answer now?
}

// Weak gives the channels by which a client answers: what it asks its user for us, and the card that it draws. They are always open. Whose client's yes counts there is for who asks
// to know (smsmcp.Principal); that none counts against an alarm, the door knows.
func Weak() []Channel {
	always := func() bool { return true }
	return []Channel{{Name: smsmcp.Elicitation, Reachable: always}, {Name: smsmcp.Card, Reachable: always}}
}

// reaches says whether a draft may wait because this channel is there.
func (c Channel) reaches() bool {
	return c.Name != smsmcp.Voice && c.Name != smsmcp.Elicitation && c.Name != smsmcp.Card && c.Reachable()
}

// Door takes the answers.
type Door interface {
	Confirm(ctx context.Context, id smsmcp.SendID, digest [32]byte, channel smsmcp.Channel, strong bool) (smsmcp.Send, error)
	Spoken(ctx context.Context, id smsmcp.SendID, digest [32]byte, answer untrusted.Text) (smsmcp.Send, error)
	Decline(ctx context.Context, id smsmcp.SendID, channel smsmcp.Channel) (smsmcp.Send, error)
	Retry(ctx context.Context) error
}

// Store is what the desk keeps.
type Store interface {
	Waiting(ctx context.Context) ([]smsmcp.Send, error)
	Expire(ctx context.Context, now time.Time) ([]smsmcp.Send, error)
	Freeze(ctx context.Context, now time.Time, by smsmcp.Channel) error
	Thaw(ctx context.Context) error
	Frozen(ctx context.Context) (bool, error)
}

// ErrNoChannel says that an answer came on a channel that is not open here.
var ErrNoChannel = errors.New("no such confirmation channel is open")

// Desk holds the open channels. Its methods are safe for concurrent use.
type Desk struct {
	store    Store
	now      func() time.Time
	log      *slog.Logger
	channels []Channel
	door     Door
	tell     func(smsmcp.Send)
	observe  smsmcp.Observe
}

// New makes a desk with its channels. Bind gives it the door before it takes an answer.
func New(store Store, now func() time.Time, log *slog.Logger, channels ...Channel) *Desk {
	return &Desk{store: store, now: now, log: log, channels: channels, tell: func(smsmcp.Send) {}}
}

// Open opens one more channel, before the desk takes an answer: one that asks what waits needs the desk itself.
func (d *Desk) Open(c Channel) { d.channels = append(d.channels, c) }

// Tell has each send told of whose wait the desk ends, as the door tells of the others. It must not block. It is called before the desk takes an answer.
func (d *Desk) Tell(tell func(smsmcp.Send)) { d.tell = tell }

// Bind gives the desk its door: the two need each other.
func (d *Desk) Bind(door Door) { d.door = door }

// Observe has the desk count the waits that it ends. The door counts the answers: it alone knows which of two was the first.
func (d *Desk) Observe(o smsmcp.Observe) { d.observe = o }

// Reachable says whether an answer can come now; with strong, by a strong channel.
func (d *Desk) Reachable(strong bool) bool {
	for _, c := range d.channels {
		if (c.Strong || !strong) && c.reaches() {
			return true
		}
	}
	return false
}

// Waiting lists the sends that wait for an answer, oldest first, but for those that a call alone can answer.
func (d *Desk) Waiting(ctx context.Context) ([]smsmcp.Send, error) {
	if err := d.expire(ctx); err != nil {
		return nil, fmt.Errorf("expire what waited too long: %w", err)
	}
	return d.store.Waiting(ctx)
}

func (d *Desk) expire(ctx context.Context) error {
	gone, err := d.store.Expire(ctx, d.now())
	for _, s := range gone {
		d.observe.Count(smsmcp.Answered, string(smsmcp.Expired))
		d.observe.Count(smsmcp.SendEnded, string(smsmcp.Expired))
		d.tell(s)
	}
	return err
}

// Yes gives the owner's yes to the draft with this digest: what the owner was shown.
func (d *Desk) Yes(ctx context.Context, id smsmcp.SendID, digest [32]byte, on smsmcp.Channel) (smsmcp.Send, error) {
	c, err := d.channel(on)
	if err != nil {
		return smsmcp.Send{}, err
	}
	return d.door.Confirm(ctx, id, digest, c.Name, c.Strong)
}

// Spoken gives the owner's yes, by voice or by a key on a call, to the draft with this digest: what was read back there. answer is what was judged to be the yes.
func (d *Desk) Spoken(ctx context.Context, id smsmcp.SendID, digest [32]byte, answer untrusted.Text) (smsmcp.Send, error) {
	if _, err := d.taking(smsmcp.Voice); err != nil {
		return smsmcp.Send{}, err
	}
	return d.door.Spoken(ctx, id, digest, answer)
}

// No gives the owner's no. It only tightens: a channel of which nothing is known just now, so that no yes would count there, may give it all the same.
func (d *Desk) No(ctx context.Context, id smsmcp.SendID, on smsmcp.Channel) (smsmcp.Send, error) {
	c, err := d.named(on)
	if err != nil {
		return smsmcp.Send{}, err
	}
	return d.door.Decline(ctx, id, c.Name)
}

// Freeze stops all sends until Thaw, a yes in hand included. It only tightens, as No does.
func (d *Desk) Freeze(ctx context.Context, on smsmcp.Channel) error {
	if _, err := d.named(on); err != nil {
		return err
	}
	return d.store.Freeze(ctx, d.now(), on)
}

// Thaw lifts the freeze. It loosens a wall: only a strong channel may.
func (d *Desk) Thaw(ctx context.Context, on smsmcp.Channel) error {
	c, err := d.channel(on)
	if err != nil {
		return err
	}
	if !c.Strong {
		return ErrNoChannel
	}
	return d.store.Thaw(ctx)
}

// Frozen says whether the owner has stopped all sends.
func (d *Desk) Frozen(ctx context.Context) (bool, error) { return d.store.Frozen(ctx) }

// channel gives a channel that can take a yes now. The voice's comes by Spoken.
func (d *Desk) channel(name smsmcp.Channel) (Channel, error) {
	if name == smsmcp.Voice {
		return Channel{}, ErrNoChannel
	}
	return d.taking(name)
}

func (d *Desk) taking(name smsmcp.Channel) (Channel, error) {
	c, err := d.named(name)
	if err == nil && !c.Reachable() {
		err = ErrNoChannel
	}
	return c, err
}

func (d *Desk) named(name smsmcp.Channel) (Channel, error) {
	for _, c := range d.channels {
		if c.Name == name {
			return c, nil
		}
	}
	return Channel{}, ErrNoChannel
}

// Run ends the waits whose time is past, and has the door write what it could not, until ctx ends.
func (d *Desk) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := d.expire(ctx); err != nil && ctx.Err() == nil {
				d.log.Error("expire what waited too long", "error", err)
			}
			if err := d.door.Retry(ctx); err != nil && ctx.Err() == nil {
				d.log.Error("write late outcomes", "error", err)
			}
		}
	}
}
