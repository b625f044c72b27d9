package voicemail

import (
	"bytes"
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
	"readback/voice/media"
)

// Why a sound is not kept.
var (
	errFull = errors.New("voicemail_full")
	errRate = errors.New("voicemail_no_rate")
)

// What is no message: less than leastSound above quietest, and no words.
const (
	leastSound = time.Second
	window     = 20 * time.Millisecond
	quietest   = 32 // root mean square of a window; -60 dBFS, which the silence of a line stays below
)

// Silent says whether nothing was said: no words were heard, and there is not a second of sound that is more than a line's own silence. A text for each of those
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

// sound writes a message's sound. It is under its name only when all of it is on the disk.
func (b *Box) sound(m Message) (err error) {
	if m.Sound.Rate <= 0 {
		return errRate
	}
	var wav bytes.Buffer
	if err := media.WriteWAV(&wav, m.Sound.Rate, m.Sound.Samples); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := os.MkdirAll(b.o.Folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(b.o.Folder, File(m.Call, m.At))
	if there, err := b.size(name); err != nil || there+int64(wav.Len()) > b.o.Most {
		return errors.Join(err, errFull)
	}
	part := name + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(wav.Bytes())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return syncFolder(b.o.Folder)
}

// size is how much all files take, but for the one of that name.
func (b *Box) size(but string) (n int64, err error) {
	list, err := os.ReadDir(b.o.Folder)
	for _, e := range list {
		i, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		if path := filepath.Join(b.o.Folder, e.Name()); path != but && path != but+".part" {
			n += i.Size()
		}
	}
	return n, err
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
