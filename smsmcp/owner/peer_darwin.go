package owner

import (
	"net"
	"strconv"

	"golang.org/x/sys/unix"
)

// process names the process at the other end; empty if the system does not tell.
func process(c *net.UnixConn) (name string) {
	raw, err := c.SyscallConn()
	if err != nil {
		return ""
	}
	_ = raw.Control(func(fd uintptr) {
		if pid, err := unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
			name = strconv.Itoa(pid)
		}
	})
	return name
}
