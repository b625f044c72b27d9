package ari

import "time"

// Break has the goroutines of a connection meet what nothing real makes them meet.
func (c *Client) Break(decode func([]byte) (Event, error), ping time.Duration) {
	if decode != nil {
		c.decode = decode
	}
	c.c.Ping = ping
}
