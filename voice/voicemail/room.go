package voicemail

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// kept is a sound that is on the disk.
type kept struct {
	note note
	size int64
}

// room makes room for a sound of a message: while there is none, whoever left most loses their oldest sound, and the text of it says so. Who calls again and again so
// loses their own, and takes no other caller's, but for as much as their one newest message needs. All who hide their number are one caller.
func (b *Box) room(n note, size int64) error {
	files, used, err := b.files()
	if err != nil {
		return err
	}
	if used+size <= b.o.Most {
		return nil
	}
	if size > b.o.Most {
		return errFull
	}
	sounds := b.sounds(files)
	for used+size > b.o.Most {
		by := map[string]int64{n.Number: size}
		for _, k := range sounds {
			by[k.note.Number] += k.size
		}
		i := victim(sounds, by)
		if i < 0 {
			return errFull
		}
		k := sounds[i]
		if err := os.Remove(b.path(k.note.sound())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := syncFolder(b.o.Folder); err != nil {
			return err
		}
		used -= k.size
		sounds = slices.Delete(sounds, i, i+1)
		b.o.Log.Warn("a voicemail's sound gave way to a newer one", "call", k.note.Call)
		b.dropped(k.note)
	}
	return nil
}

// dropped has the text say that its sound is gone. Where that fails, the note is there to say so at the next start.
func (b *Box) dropped(n note) {
	ctx, cancel := context.WithTimeout(context.Background(), tellFor)
	defer cancel()
	if err := b.tell(ctx, n); err != nil {
		b.o.Log.Warn("a voicemail's text does not say yet that its sound is gone", "call", n.Call)
	}
}

// victim is the oldest sound of the caller who has most, by that count; less than 0 if there is none.
func victim(sounds []kept, by map[string]int64) int {
	best := -1
	for i, k := range sounds { // the oldest first
		if best < 0 || by[k.note.Number] > by[sounds[best].note.Number] {
			best = i
		}
	}
	return best
}

// files gives the files that are there, and how much they take.
func (b *Box) files() (all []fs.FileInfo, used int64, err error) {
	list, err := os.ReadDir(b.o.Folder)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range list {
		i, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		all, used = append(all, i), used+i.Size()
	}
	return all, used, nil
}

// sounds gives those files that are sounds, the oldest first. One without a note is nobody's, and stays.
func (b *Box) sounds(files []fs.FileInfo) (all []kept) {
	for _, i := range files {
		if name, ok := strings.CutSuffix(i.Name(), soundEnd); ok {
			if n, ok := b.read(name + noteEnd); ok {
				all = append(all, kept{n, i.Size()})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y kept) int {
		return cmp.Or(x.note.At.Compare(y.note.At), cmp.Compare(x.note.Call, y.note.Call))
	})
	return all
}
