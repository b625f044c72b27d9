package images

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/outside"
	"readback/store/images"
)

// Book is where is written what became of each thing that came with a text. *images.Book of the store is one.
type Book interface {
	Key(ctx context.Context, id smsmcp.TextID) (smsmcp.Key, bool, error)
	Put(ctx context.Context, x images.Image) error
	Of(ctx context.Context, id smsmcp.TextID) ([]images.Image, error)
	Files(ctx context.Context) ([]images.Image, error)
}

// Getter fetches what an address holds. *outside.Client is one; see [Most].
type Getter interface {
	Get(ctx context.Context, address string) (outside.Doc, error)
}

// Most is how many bytes one thing may have. voip.ms takes 1.2 MB.
const Most = 5 << 20

const (
	mostThings = 10          // of one text
	usualKept  = 500_000_000 // bytes of all files
)

// Options are what New needs. All must be set but Carrier and Kept.
type Options struct {
	Book    Book
	Carrier smsmcp.MediaKeeper // nil: the carrier keeps nothing
	Get     Getter
	Folder  string // made when the first image comes
	Kept    int64  // bytes of all files together; 0 is 500 MB
	Now     func() time.Time
	Log     *slog.Logger
}

// Box fetches and keeps. It is safe for concurrent use by the goroutines of one process, which is the only one that uses the folder.
type Box struct {
	o     Options
	turn  chan struct{} // held by who fetches: one at a time
	files sync.Mutex    // held while the folder changes
}

// New makes a box.
func New(o Options) *Box {
	if o.Kept <= 0 {
		o.Kept = usualKept
	}
	return &Box{o: o, turn: make(chan struct{}, 1)}
}

// Error is a code of [a-z_]{1,40}.
type Error string

func (e Error) Error() string { return "images: " + string(e) }

// Code is in the form [a-z_]{1,40}.
func (e Error) Code() string { return string(e) }

// What can go wrong beside what becomes of each thing, which the book says.
const (
	ErrNone    Error = "images_none"    // no received text of that id has images
	ErrNowhere Error = "images_nowhere" // the carrier has nothing of it, or nothing any more
	ErrCarrier Error = "images_carrier" // it could not be asked
	ErrTime    Error = "images_time"    // not all came in time; what did is kept
	ErrDisk    Error = "images_disk"    // it could not be written down
)

// Of gives what is known of what came with a text, in order; nothing before it was fetched. One whose file is gone, as after a restore, is Dropped.
func (b *Box) Of(ctx context.Context, id smsmcp.TextID) ([]images.Image, error) {
	all, err := b.o.Book.Of(ctx, id)
	for i, x := range all {
		if x.State != images.Kept {
			continue
		}
		if _, err := os.Lstat(b.path(x.File)); err != nil {
			all[i].State = images.Dropped
		}
	}
	return all, err
}

// path is where a file of ours is, whatever the book says that it is called.
func (b *Box) path(name string) string { return filepath.Join(b.o.Folder, filepath.Base(name)) }

// Fetch asks the carrier for what came with a text and keeps what is an image. What is kept already is not fetched again, and what is known to be none neither. What
// became of each, Of says. An error is an Error.
func (b *Box) Fetch(ctx context.Context, id smsmcp.TextID) error {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ErrTime
	}
	key, found, err := b.o.Book.Key(ctx, id)
	switch {
	case err != nil:
		return b.failed(ctx, ErrDisk, err)
	case !found:
		return ErrNone
	case b.o.Carrier == nil:
		return ErrNowhere
	}
	where, err := b.o.Carrier.Media(ctx, key)
	if err != nil {
		return b.failed(ctx, ErrCarrier, err)
	}
	if len(where) == 0 {
		return ErrNowhere
	}
	known, err := b.Of(ctx, id)
	if err != nil {
		return b.failed(ctx, ErrDisk, err)
	}
	for i, address := range where[:min(len(where), mostThings)] {
		if settled(known, i+1) {
			continue
		}
		x, p := b.one(ctx, address)
		if ctx.Err() != nil {
			return ErrTime
		}
		x.Text, x.N = id, i+1
		if err := b.keep(ctx, x, p.bytes); err != nil {
			return b.failed(ctx, ErrDisk, err)
		}
	}
	return nil
}

func settled(known []images.Image, n int) bool {
	for _, x := range known {
		if x.N == n {
			return x.State == images.Kept || x.State == images.NoImage
		}
	}
	return false
}

// failed logs of an error its code alone: one of the carrier's or the disk's may hold anything. Where there was no more time, that is why.
func (b *Box) failed(ctx context.Context, as Error, err error) Error {
	if ctx.Err() != nil {
		return ErrTime
	}
	code := string(as)
	var coded smsmcp.Coded
	if errors.As(err, &coded) {
		code = smsmcp.Reduce(coded.Code())
	}
	b.o.Log.Warn("images: what came with a text could not be fetched", "error", string(as), "code", code)
	return as
}

// one fetches one thing and judges it.
func (b *Box) one(ctx context.Context, address string) (images.Image, picture) {
	doc, err := b.o.Get.Get(ctx, address)
	if err != nil {
		x := images.Image{State: images.Failed, Kind: "outside_broken"}
		var coded smsmcp.Coded
		if errors.As(err, &coded) {
			x.Kind = smsmcp.Reduce(coded.Code())
		}
		return x, picture{}
	}
	f, ok := formats[http.DetectContentType(doc.Body)]
	if !ok {
		return images.Image{State: images.NoImage, Kind: class(doc.Body)}, picture{}
	}
	in, cancel := context.WithTimeout(ctx, decodeFor)
	defer cancel()
	p, err := judge(in, f, doc.Body)
	if err != nil {
		var why refusal
		errors.As(err, &why)
		return images.Image{State: images.Refused, Kind: string(why)}, picture{}
	}
	return images.Image{State: images.Kept, Kind: p.kind, Bytes: int64(len(p.bytes)), Width: p.width, Height: p.height}, p
}

// keep writes a thing down; an image into its file first, so that what the book says is kept is there.
func (b *Box) keep(ctx context.Context, x images.Image, file []byte) error {
	x.At = b.o.Now().UTC()
	if x.State == images.Kept {
		x.File = strings.ToLower(rand.Text()) + ends[x.Kind]
		b.files.Lock()
		defer b.files.Unlock()
		if err := b.room(ctx, x.Bytes); err != nil {
			return err
		}
		if err := b.write(x.File, file); err != nil {
			return err
		}
	}
	return b.o.Book.Put(ctx, x)
}

var ends = map[string]string{"png": ".png", "jpeg": ".jpg"}

// types are the kinds that are kept, by what they begin with.
var types = map[string]string{"png": "image/png", "jpeg": "image/jpeg"}

// room lets the oldest go until there is room for a new one, and whatever is in the folder that the book does not know.
func (b *Box) room(ctx context.Context, more int64) error {
	all, err := b.o.Book.Files(ctx)
	if err != nil {
		return err
	}
	sum := more
	for _, x := range all {
		sum += x.Bytes
	}
	for len(all) > 0 && sum > b.o.Kept {
		old := all[0]
		all, sum = all[1:], sum-old.Bytes
		old.State, old.File, old.Bytes = images.Dropped, "", 0
		if err := b.o.Book.Put(ctx, old); err != nil {
			return err
		}
	}
	known := map[string]bool{}
	for _, x := range all {
		known[x.File] = true
	}
	there, err := os.ReadDir(b.o.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range there {
		if !known[f.Name()] {
			if err := os.Remove(b.path(f.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes a file. It is under its name only when all of it is on the disk.
func (b *Box) write(name string, what []byte) error {
	if err := os.MkdirAll(b.o.Folder, 0o700); err != nil {
		return err
	}
	part := b.path(name) + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(what)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, b.path(name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	d, err := os.Open(b.o.Folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// biggest bounds what is read of a file: no encoder of ours writes more.
const biggest = 16 << 20

// Open gives an image as it is kept, and its media type: image/png or image/jpeg, which its content was seen to be. The error is ErrNone where it is not kept.
func (b *Box) Open(ctx context.Context, id smsmcp.TextID, n int) ([]byte, string, error) {
	all, err := b.o.Book.Of(ctx, id)
	if err != nil {
		return nil, "", b.failed(ctx, ErrDisk, err)
	}
	for _, x := range all {
		if x.N != n || x.State != images.Kept {
			continue
		}
		f, err := os.Open(b.path(x.File))
		if err != nil {
			return nil, "", ErrNone // it is gone, as after a restore
		}
		what, err := io.ReadAll(io.LimitReader(f, biggest))
		_ = f.Close()
		if kind := types[x.Kind]; err == nil && kind != "" && http.DetectContentType(what) == kind {
			return what, kind, nil
		}
		return nil, "", ErrNone
	}
	return nil, "", ErrNone
}
