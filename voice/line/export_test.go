package line

import "time"

// Hurry shortens how long a call may be without a packet.
func (l *Line) Hurry(up, down time.Duration) {
	l.patience = patience{look: 10 * time.Millisecond, up: up, down: down}
}
