package voicemail

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"readback/smsmcp/untrusted"
)

// Why a sound is not kept.
var (
	errFull = errors.New("voicemail_full")
	errRate = errors.New("voicemail_no_rate")
)

// What is no message: less than leastSound above quietest, and no words. A short word is half a second, of which not all is loud.
const (
	leastSound = 300 * time.Millisecond
	window     = 20 * time.Millisecond
	quietest   = 32 // root mean square of a window; -60 dBFS, which the silence of a line stays below
)

// Silent says whether nothing was said: no words were heard, and there is less than leastSound that is more than a line's own silence. A text for each of those
// would tell the owner of wrong numbers and of machines that hang up, and hide what people said. Where it is in doubt, it is a message.
func Silent(m Message) bool {
	if m.Words != (untrusted.Text{}) {
		return false
	}
	step := int(time.Duration(m.Sound.Rate) * window / time.Second)
	if step <= 0 {
		return true
	}
	var loud time.Duration
	for s := m.Sound.Samples; len(s) > 0; {
		w := s[:min(step, len(s))]
		s = s[len(w):]
		sum := 0.0
		for _, v := range w {
			sum += float64(v) * float64(v)
		}
		if math.Sqrt(sum/float64(len(w))) > quietest {
			loud += time.Duration(len(w)) * time.Second / time.Duration(m.Sound.Rate)
		}
	}
	return loud < leastSound
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// File is the name of a sound's file: when it was left, and what tells the call from others but does not tell its id. Who has the text has the name.
func File(call string, at time.Time) string {
	sum := sha256.Sum256([]byte(call))
	return at.UTC().Format("20060102T150405Z") + "-" + base32Lower.EncodeToString(sum[:10]) + ".wav"
}

func (b *Box) path(name string) string { return filepath.Join(b.o.Folder, name) }

// write writes a file. It is under its name only when all of it is on the disk.
func (b *Box) write(name string, what []byte) error {
	part := b.path(name) + partEnd
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
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
	return syncFolder(b.o.Folder)
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// codeOf keeps of an error a known form: a path is nobody's business.
func codeOf(err error) string {
	switch {
	case errors.Is(err, errFull):
		return errFull.Error()
	case errors.Is(err, errRate):
		return errRate.Error()
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "disk_full"
	case errors.Is(err, fs.ErrPermission):
		return "no_permission"
	}
	return "write_failed"
}
