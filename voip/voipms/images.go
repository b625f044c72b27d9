package voipms

import (
	"context"
	"slices"
	"time"

	"readback/smsmcp"
)

const (
	imagesTime = 3 * time.Second // for all images of one list
	maxLookups = 8               // calls in one list
	maxMemory  = 4096            // MMS whose count is remembered
)

// Media asks where the media of a received MMS are. voip.ms gives them to whoever has their addresses.
func (c *Carrier) Media(ctx context.Context, key smsmcp.Key) ([]string, error) {
	if key.Carrier != c.Name() || key.Kind != smsmcp.MMS || !goodID(key.ID) {
		return nil, nil
	}
	a, err := c.call(ctx, c.list, c.opt.ListTimeout, "getMediaMMS", field{"id", key.ID}, field{"media_as_array", "1"})
	if empty(err) {
		return nil, nil
	}
	return media(a.Media), err
}

// countImages asks for the media of received MMS whose row told of none, the newest first. It is a count for the eye: where it cannot be had
// in a short time, the text stands without, and the list is none the later.
func (c *Carrier) countImages(ctx context.Context, texts []smsmcp.Text) {
	ctx, cancel := context.WithTimeout(ctx, min(imagesTime, c.opt.ListTimeout))
	defer cancel()
	lookups := 0
	for i := range slices.Backward(texts) {
		t := &texts[i]
		if t.Key.Kind != smsmcp.MMS || t.Direction != smsmcp.Received || t.Images > 0 {
			continue
		}
		c.mu.Lock()
		n, known := c.media[t.Key.ID]
		c.mu.Unlock()
		if !known && lookups < maxLookups {
			lookups++
			a, err := c.call(ctx, c.list, c.opt.ListTimeout, "getMediaMMS", field{"id", t.Key.ID}, field{"media_as_array", "1"})
			if err != nil {
				lookups = maxLookups // the others would fare no better; what is remembered still counts
				continue
			}
			n = len(media(a.Media))
			c.remember(t.Key.ID, n)
		}
		t.Images = n
	}
}

func (c *Carrier) remember(id string, images int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.media) >= maxMemory {
		clear(c.media)
	}
	c.media[id] = images
}
