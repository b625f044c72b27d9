package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"readback/cmd/readback/config"
	"readback/smsmcp/lang"
)

// Names in the data folder.
const (
	fileStore   = "readback.db"
	fileLock    = "lock"
	fileToken   = "token"
	fileAddress = "address"
	fileSandbox = "sandbox.jsonl"
)

// folder is the data folder.
type folder string

func (p *program) data() folder { return folder(p.cfg.Data) }

// prepare makes the data folder for the owner's user alone. A folder that holds anything else is not taken over: its rights are not
// ours to change.
func (d folder) prepare() error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
	}
	info, err := os.Stat(string(d))
	if err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
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
		return lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
	}
	return nil
}

// empty says whether the data folder holds nothing yet, or already a store of ours.
func (d folder) empty() bool {
	if _, err := os.Stat(d.path(fileStore)); err == nil {
		return true
	}
	all, err := os.ReadDir(string(d))
	return err == nil && len(all) == 0
}

func (d folder) path(name string) string { return filepath.Join(string(d), name) }

// ours says whether a file belongs to the user that runs this program.
func ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// errLocked says that another process holds the data folder.
var errLocked = errors.New("the data folder is in use")

// lock takes the data folder for this process: whoever holds it may open the store. The kernel lets go when the process ends, however it
// ends. The file stays: removing it would let two processes hold two files of one name.
func (d folder) lock() (release func(), err error) {
	f, err := os.OpenFile(d.path(fileLock), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) //nolint:gosec // a descriptor is small
	if err == nil {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errLocked
	}
	return nil, lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
}

// create writes a small file of the data folder whole or not at all, for the owner's user alone.
func (d folder) create(name, content string) error {
	f, err := os.CreateTemp(string(d), "."+name+"-*") // mode 0600
	if err != nil {
		return lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
	}
	_, err = f.WriteString(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), d.path(name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return lang.Say(lang.CLIDataUnwritable, string(d), config.Reason(err))
	}
	return nil
}
