package owner

import "net"

// named gives each connection the name of the process at its other end as its remote address: a guesser is told from the owner by it.
type named struct{ net.Listener }

func (l named) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if u, ok := c.(*net.UnixConn); ok {
		return peer{u, process(u)}, nil
	}
	return c, nil
}

type peer struct {
	*net.UnixConn
	name string
}

func (p peer) RemoteAddr() net.Addr { return &net.UnixAddr{Name: p.name, Net: "unix"} }
