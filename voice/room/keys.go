package room

import (
	"strings"

	"readback/voice"
)

// pressed takes a key, if the server says that the caller's own SIP participant sent it: anybody in the room can send one (invariant 10).
func (c *Call) pressed(digit, from string) {
	c.mu.Lock()
	theirs := c.sip && from != "" && from == c.identity
	c.mu.Unlock()
	if !theirs || len(digit) != 1 || strings.IndexByte(voice.Keys, digit[0]) < 0 {
		return
	}
	now := c.o.Now()
	down := earlier(c.lost.dated(now), c.theirs.dated(now)) // before the key itself is a sign of life
	c.lost.came(now)
	if !c.queue.Add(rune(digit[0]), down) {
		c.end(CodeKeysFull)
	}
}
