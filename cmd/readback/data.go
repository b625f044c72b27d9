package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

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

// prepare makes the data folder for the owner's user alone. A folder that holds anything else is not taken over: its rights are not
// ours to change.
func (c *Config) prepare() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	info, err := os.Stat(c.Data)
	if err != nil {
		return say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	if !ours(info) {
		return say(lang.CLIDataForeign, c.Data)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if !c.empty() {
		return say(lang.CLIDataOpen, c.Data, c.Data)
	}
	if err := os.Chmod(c.Data, 0o700); err != nil { //nolint:gosec // a folder needs its x
		return say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	return nil
}

// empty says whether the data folder holds nothing yet, or already a store of ours.
func (c *Config) empty() bool {
	if _, err := os.Stat(c.path(fileStore)); err == nil {
		return true
	}
	all, err := os.ReadDir(c.Data)
	return err == nil && len(all) == 0
}

func (c *Config) path(name string) string { return filepath.Join(c.Data, name) }

// ours says whether a file belongs to the user that runs this program.
func ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// errLocked says that another process holds the data folder.
var errLocked = errors.New("the data folder is in use")

// lock takes the data folder for this process: whoever holds it may open the store. The kernel lets go when the process ends, however it
// ends. The file stays: removing it would let two processes hold two files of one name.
func (c *Config) lock() (release func(), err error) {
	f, err := os.OpenFile(c.path(fileLock), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) //nolint:gosec // a descriptor is small
	if err == nil {
		return func() { _ = f.Close() }, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errLocked
	}
	return nil, say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
}

// create writes a small file of the data folder whole or not at all, for the owner's user alone.
func (c *Config) create(name, content string) error {
	f, err := os.CreateTemp(c.Data, "."+name+"-*") // mode 0600
	if err != nil {
		return say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	_, err = f.WriteString(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), c.path(name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return say(lang.CLIDataUnwritable, c.Data, reasonOf(c.lang, err))
	}
	return nil
}
