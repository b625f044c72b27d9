package voicemail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/untrusted"
	"readback/voice/media"
)

// note is all that a message's text is made of, in a file beside its sound: it is written before the sound, so that no sound is ever without one, and stays as long as the
// sound does. A note without a sound is of a text that may not be stored yet, and whose sound, if it had one, is gone; it goes once the text is stored. So what is in the
// folder says what is left to do, and doing it twice changes nothing.
type note struct {
	Call   string        `json:"call"`
	Number string        `json:"number,omitempty"` // as the line tells it
	At     time.Time     `json:"at"`
	Long   time.Duration `json:"long_ns"` // of the sound
	Words  string        `json:"words,omitempty"`
}

const (
	noteEnd  = ".json"
	soundEnd = ".wav"
	partEnd  = ".part"
	mostNote = 16 << 20 // bytes of a note that is read
)

func noteOf(m Message) note {
	return note{Call: m.Call, Number: m.Caller.Number, At: m.At.UTC(), Long: m.Sound.Duration(), Words: m.Words.RawForStore()}
}

// text is what is stored of it.
func (n note) text(kept bool) smsmcp.Text {
	x := smsmcp.Text{
		Key: smsmcp.Key{Carrier: Carrier, Kind: smsmcp.Voicemail, ID: n.Call}, Direction: smsmcp.Received,
		Body: untrusted.New(n.Words), At: n.At.UTC().Truncate(time.Second), Unverified: true, Delivery: smsmcp.VoicemailDelivery(n.Long, kept),
	}
	if number, err := smsmcp.ParseNumber(n.Number); err == nil {
		x.Peer = smsmcp.NumberPeer(number)
	}
	return x
}

func (n note) sound() string { return File(n.Call, n.At) }
func (n note) file() string  { return strings.TrimSuffix(n.sound(), soundEnd) + noteEnd }

// tell has a note's text stored, or what is new about its sound.
func (b *Box) tell(ctx context.Context, n note) error {
	_, err := os.Lstat(b.path(n.sound()))
	kept := err == nil
	if err := b.o.Inbox.Receive(ctx, n.text(kept)); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	b.told.Store(n.file(), map[bool]string{true: soundKept, false: soundGone}[kept])
	if !kept {
		_ = os.Remove(b.path(n.file())) // one that stays is told again, which changes nothing
	}
	return nil
}

// Recover stores what Keep could not, here or in a process that is gone: each message that is in the folder, whose text the store may not have, with its own number, words and time.
// It is called at the start and every so often, by one process; goes on where a text cannot be stored, and answers ErrStore then. It may be called while messages are kept, here and,
// with Options.Alone, by other processes; what it knows to be stored it does not look at again.
func (b *Box) Recover(ctx context.Context) error {
	list, err := os.ReadDir(b.o.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s", ErrFolder, codeOf(err))
	}
	there := map[any]bool{}
	for _, e := range list {
		there[e.Name()] = true
	}
	b.told.Range(func(name, _ any) bool {
		if !there[name] {
			b.told.Delete(name)
		}
		return true
	})
	var failed error
	for _, e := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := b.recover(ctx, e.Name()); err != nil {
			failed = err
		}
	}
	return failed
}

func (b *Box) recover(ctx context.Context, name string) error {
	end := filepath.Ext(name)
	if end != partEnd && (end != noteEnd || b.known(name)) {
		return nil
	}
	release, err := b.alone(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.o.Log.WarnContext(ctx, "a voicemail cannot be looked at", "code", codeOf(err))
		return ErrFolder
	}
	defer release()
	switch end {
	case partEnd: // of a process that was killed: nobody else writes now
		_ = os.Remove(b.path(name))
	case noteEnd:
		n, ok := b.read(name)
		if _, err := os.Lstat(b.path(name)); errors.Is(err, fs.ErrNotExist) {
			return nil // told, and gone, since the folder was listed
		}
		if !ok {
			b.told.Store(name, unreadable)
			b.o.Log.WarnContext(ctx, "a voicemail's note cannot be read", "file", name)
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, storeFor)
		defer cancel()
		if err := b.tell(ctx, n); err != nil {
			b.o.Log.WarnContext(ctx, "a voicemail's text is not stored yet", "call", n.Call)
			return err
		}
	}
	return nil
}

// What is known of a note: that its text is stored, and says of the sound that it is there or that it is gone; or that nobody can read it.
const (
	soundKept  = "kept"
	soundGone  = "gone"
	unreadable = "unreadable"
)

// known says whether there is nothing to do about a note: its text is stored, and says of the sound what is so, or it cannot be read.
func (b *Box) known(name string) bool {
	is, _ := b.told.Load(name)
	_, err := os.Lstat(b.path(strings.TrimSuffix(name, noteEnd) + soundEnd))
	return is == unreadable || is == soundKept && err == nil || is == soundGone && err != nil
}

// read gives the note of that name.
func (b *Box) read(name string) (n note, ok bool) {
	f, err := os.Open(b.path(name))
	if err != nil {
		return n, false
	}
	defer func() { _ = f.Close() }()
	var raw bytes.Buffer
	if k, err := raw.ReadFrom(io.LimitReader(f, mostNote)); err != nil || k == 0 {
		return n, false
	}
	return n, json.Unmarshal(raw.Bytes(), &n) == nil && n.Call != "" && n.file() == name
}

// hold brings a message to the disk, its note first. It says of its sound why that is not there, and of all of it.
func (b *Box) hold(ctx context.Context, n note, m Message) (noSound, nothing error) {
	release, err := b.alone(ctx)
	if err != nil {
		// The message is worth more than what another process may do to its files at this very moment.
		b.o.Log.WarnContext(ctx, "a voicemail is kept without waiting for other processes", "call", m.Call, "code", codeOf(err))
		b.mu.Lock()
		release = b.mu.Unlock
	}
	defer release()
	raw, err := json.Marshal(n)
	if err == nil {
		err = os.MkdirAll(b.o.Folder, 0o700)
	}
	if err == nil {
		err = b.write(n.file(), raw)
	}
	if err != nil {
		return err, err
	}
	switch {
	case len(m.Sound.Samples) == 0:
		return nil, nil
	case m.Sound.Rate <= 0:
		return errRate, nil
	}
	if _, err := os.Lstat(b.path(n.sound())); err == nil { // kept by a try before this one
		return nil, nil
	}
	var wav bytes.Buffer
	if err := media.WriteWAV(&wav, m.Sound.Rate, m.Sound.Samples); err != nil {
		return err, nil
	}
	if err := b.room(n, int64(wav.Len())); err != nil {
		return err, nil
	}
	return b.write(n.sound(), wav.Bytes()), nil
}
