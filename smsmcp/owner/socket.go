package owner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// maxSocket is how long a socket's path may be: sun_path holds 104 bytes on BSD and macOS and 108 on Linux, one of them the final NUL.
const maxSocket = 103

// ErrLongPath says that the data folder's path is too long for a unix socket in it.
var ErrLongPath = errors.New("the data folder's path is too long for a unix socket")

// Running says whether a server listens on the owner's socket of a data folder. Nobody but the folder's owner can make it seem so.
func Running(ctx context.Context, dir string) bool {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", socket(dir))
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

func socket(dir string) string { return filepath.Join(dir, "owner.sock") }

// Listen opens the owner's socket in a data folder, for the owner's user alone. Whoever calls it holds the folder's lock, so a socket that
// is there already was left by a server that is gone.
func Listen(ctx context.Context, dir string) (net.Listener, error) {
	path := socket(dir)
	if len(path) > maxSocket {
		return nil, ErrLongPath
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("owner: old socket: %w", err)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("owner: socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("owner: socket: %w", err)
	}
	return named{l}, nil
}
