package config

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"
)

// boundsForm is told apart from what another version of the program takes for the bounds.
const boundsForm = 1

// Bounds is a digest of what bounds the program and of who counts as the owner: processes on one data folder have to have the same, or the widest of several limits would be the limit. It covers
// the guard, what hour it is, the owners' telephones and what bounds a call, which carrier and account send, and whether codes are masked; and no file's content. It is no secret, and gives none away.
func (c *Config) Bounds() []byte {
	g := c.Settings()
	g.Zone = nil // it is taken by what it does
	owners := slices.Clone(c.Phone.Owners)
	slices.Sort(owners)
	b, err := json.Marshal([]any{
		boundsForm, g, hours(c.Zone), slices.Compact(owners),
		c.Phone.Silence.Duration, c.Phone.BargeIn.Duration, c.Phone.MaxMessage.Duration,
		c.Carrier.Kind, c.VoipMS.Username, c.VoipMS.DID, c.Asterisk.Endpoint, c.Asterisk.Number, c.Asterisk.MaxBody,
		c.Read.MaskCodes,
	})
	if err != nil {
		panic(err) // of nothing but numbers, strings and lists of them
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// hours is what a zone does, all over two years, in seconds: "Local" is one zone in one process and another in the next.
func hours(z *time.Location) (offsets []int) {
	last := -1 << 31
	for at := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2028; at = at.Add(time.Hour) {
		_, off := at.In(z).Zone()
		if off != last {
			offsets, last = append(offsets, int(at.Unix()), off), off
		}
	}
	return offsets
}
