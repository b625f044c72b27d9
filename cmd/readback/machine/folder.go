// Package machine is what the program asks of the machine that it runs on: small files, the data folder, the terminal on which a passphrase is
// typed, and which other programs run.
//
// Floor 3: imports smsmcp/lang alone.
package machine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"readback/smsmcp/lang"
)

// Names in the data folder.
const (
	StoreFile   = "readback.db"
	LockFile    = "lock"
	WorkersFile = "workers.lock" // held by those who work beside the server
	TokenFile   = "token"
	AddressFile = "address"
	SandboxFile = "sandbox.jsonl"
	ACMEFolder  = "acme" // keys and certificates of the server's own names

	VoicemailFolder = "voicemail" // what callers left
	ImagesFolder    = "images"    // that came with texts, and that the owner asked for
)

// Beside are the ends of the files in which SQLite keeps what is not in the store itself yet.
var Beside = []string{"-wal", "-shm"}

// Folder is the data folder.
type Folder string

// Prepare makes the data folder for the owner's user alone. A folder that holds anything else is not taken over: its rights are not
// ours to change.
func (d Folder) Prepare() error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	info, err := os.Stat(string(d))
	if err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	if !ours(info) {
		return lang.Say(lang.CLIDataForeign, string(d))
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if !d.empty() {
		return lang.Say(lang.CLIDataOpen, string(d), string(d))
	}
	if err := os.Chmod(string(d), 0o700); err != nil { //nolint:gosec // a folder needs its x
		return lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	return nil
}

// empty says whether the data folder holds nothing. A store in a folder that others could write may be one that they put there.
func (d Folder) empty() bool {
	all, err := os.ReadDir(string(d))
	return err == nil && len(all) == 0
}

// Path is that of a file in the folder.
func (d Folder) Path(name string) string { return filepath.Join(string(d), name) }

// ours says whether a file belongs to the user that runs this program.
func ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// ErrLocked says that another process holds the data folder.
var ErrLocked = errors.New("the data folder is in use")

// ErrWorkers says that other processes work on the data folder beside the server.
var ErrWorkers = errors.New("workers run on the data folder")

// ErrLost says that a lock is held under a name that is not its file's any more.
var ErrLost = errors.New("the lock of the data folder has been removed or replaced")

// Lock is Hold for who holds it not for long.
func (d Folder) Lock() (release func(), err error) {
	held, err := d.Hold()
	if err != nil {
		return nil, err
	}
	return held.Release, nil
}

// Hold takes the data folder for this process: whoever holds it may open the store, and no other but those who joined. The kernel lets go when the process ends, however it
// ends. The file stays: removing it would let two processes hold two files of one name.
func (d Folder) Hold() (*Held, error) {
	held, err := d.flock(LockFile, syscall.LOCK_EX)
	if err == nil {
		d.sweep()
	}
	return held, err
}

// workFolder is how the names of working folders begin.
const workFolder = ".restore-"

// Work makes a folder to work in. The caller holds the lock, and removes it; the next that takes the lock does, if the process ends before.
func (d Folder) Work() (Folder, error) {
	dir, err := os.MkdirTemp(string(d), workFolder+"*") // 0700
	return Folder(dir), err
}

// sweep removes what a process left that held the lock and did not come to its end.
func (d Folder) sweep() {
	all, _ := os.ReadDir(string(d))
	for _, e := range all {
		if e.IsDir() && strings.HasPrefix(e.Name(), workFolder) {
			_ = os.RemoveAll(d.Path(e.Name()))
		}
	}
}

// Create writes a small file of the data folder whole or not at all, for the owner's user alone.
func (d Folder) Create(name, content string) error {
	f, err := os.CreateTemp(string(d), "."+name+"-*") // mode 0600
	if err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	_, err = f.WriteString(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), d.Path(name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return lang.Say(lang.CLIDataUnwritable, string(d), Reason(err))
	}
	return nil
}

// Keep copies the store that is there, with its log, to a name that nothing has yet; empty if there is none. A second name of the same file
// would be written with the first. The copy is made in a working folder, and has its name once it is whole.
func (d Folder) Keep(work Folder, name, kind string) (string, error) {
	if _, err := os.Stat(d.Path(StoreFile)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for {
		if _, err := os.Lstat(d.Path(name + kind)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		name += "+"
	}
	name += kind
	ends := append(slices.Clone(Beside), "") // the store last: what is found under its name has its log
	for _, end := range ends {
		if err := CopyFile(d.Path(StoreFile)+end, work.Path(name)+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	for _, end := range ends {
		if err := os.Rename(work.Path(name)+end, d.Path(name)+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return d.Path(name), SyncFolder(string(d))
}

// Address is where a client on this machine reaches the server on the data folder, and where that listens; otherwise, where none has said.
func (d Folder) Address(otherwise string) (reach, listen string, err error) {
	b, err := ReadFile(d.Path(AddressFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return otherwise, otherwise, nil
	}
	if err != nil {
		return "", "", lang.Say(lang.CLIFileUnreadable, d.Path(AddressFile), Reason(err))
	}
	reach, listen, _ = strings.Cut(strings.TrimSpace(string(b)), "\n")
	return reach, listen, nil
}
