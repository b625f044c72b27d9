package ari

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"

	"readback/smsmcp/untrusted"
)

// Reason is what a caller's side is told when a call is ended.
type Reason string

// The reasons.
const (
	Normal     Reason = "normal"     // the call is over
	Busy       Reason = "busy"       // it was never answered: SIP 486
	Rejected   Reason = "rejected"   // the same: nobody takes calls
	Congestion Reason = "congestion" // it was never answered: SIP 503
)

// Bridge is channels that hear each other.
type Bridge struct {
	ID       string   // [A-Za-z0-9._-]{1,150}
	Channels []string // their ids
}

// App is the Stasis application's name.
func (c *Client) App() string { return c.c.App }

// Answer answers a call.
func (c *Client) Answer(ctx context.Context, channel string) error {
	const op = "answer"
	if !segment(channel) {
		return &Error{op, CodeBadValue, false}
	}
	return c.do(ctx, op, http.MethodPost, "/channels/"+channel+"/answer", nil, nil)
}

// HangUp ends a channel. One that is no more gives CodeNotFound.
func (c *Client) HangUp(ctx context.Context, channel string, why Reason) error {
	const op = "hang_up"
	if !segment(channel) || !token(string(why)) {
		return &Error{op, CodeBadValue, false}
	}
	return c.do(ctx, op, http.MethodDelete, "/channels/"+channel+"?reason="+string(why), nil, nil)
}

// CreateBridge makes a bridge whose channels hear each other, with an id of the caller's.
func (c *Client) CreateBridge(ctx context.Context, id string) error {
	const op = "create_bridge"
	if !segment(id) {
		return &Error{op, CodeBadValue, false}
	}
	return c.do(ctx, op, http.MethodPost, "/bridges?type=mixing&bridgeId="+id, nil, nil)
}

// AddToBridge puts a channel that is in the application into a bridge.
func (c *Client) AddToBridge(ctx context.Context, bridge, channel string) error {
	const op = "add_to_bridge"
	if !segment(bridge) || !segment(channel) {
		return &Error{op, CodeBadValue, false}
	}
	return c.do(ctx, op, http.MethodPost, "/bridges/"+bridge+"/addChannel?channel="+channel, nil, nil)
}

// DeleteBridge ends a bridge; its channels go on without it. One that is no more gives CodeNotFound.
func (c *Client) DeleteBridge(ctx context.Context, id string) error {
	const op = "delete_bridge"
	if !segment(id) {
		return &Error{op, CodeBadValue, false}
	}
	return c.do(ctx, op, http.MethodDelete, "/bridges/"+id, nil, nil)
}

// Bridges gives the bridges that exist now.
func (c *Client) Bridges(ctx context.Context) ([]Bridge, error) {
	var got []struct {
		ID       string   `json:"id"`
		Channels []string `json:"channels"`
	}
	if err := c.do(ctx, "bridges", http.MethodGet, "/bridges", nil, &got); err != nil {
		return nil, err
	}
	out := make([]Bridge, 0, len(got))
	for _, w := range got {
		if !segment(w.ID) {
			continue
		}
		b := Bridge{ID: w.ID}
		for _, ch := range w.Channels {
			if segment(ch) {
				b.Channels = append(b.Channels, ch)
			}
		}
		out = append(out, b)
	}
	return out, nil
}

// ExternalMedia makes a channel, with an id of the caller's, that sends what it hears to an address as µ-law in RTP, and enters the application. It gives the
// address from which Asterisk sends, and where it takes RTP. Where that is not said, or is none that packets can come from, the error has CodeBadAnswer; the
// channel may exist then, as it may after any error with Left.
func (c *Client) ExternalMedia(ctx context.Context, id string, to netip.AddrPort) (netip.AddrPort, error) {
	const op = "external_media"
	if !segment(id) || !to.IsValid() || to.Port() == 0 || to.Addr().IsUnspecified() || to.Addr().Zone() != "" {
		return netip.AddrPort{}, &Error{op, CodeBadValue, false}
	}
	q := url.Values{
		"channelId": {id}, "app": {c.c.App}, "external_host": {to.String()}, "format": {"ulaw"},
		"encapsulation": {"rtp"}, "transport": {"udp"}, "connection_type": {"client"}, "direction": {"both"},
	}
	var got struct {
		ID   string                     `json:"id"`
		Vars map[string]json.RawMessage `json:"channelvars"`
	}
	if err := c.do(ctx, op, http.MethodPost, "/channels/externalMedia?"+q.Encode(), nil, &got); err != nil {
		return netip.AddrPort{}, err
	}
	text := func(name string) string {
		var s string
		_ = json.Unmarshal(got.Vars[name], &s)
		return s
	}
	addr, err := netip.ParseAddr(text("UNICASTRTP_LOCAL_ADDRESS"))
	port, bad := strconv.ParseUint(text("UNICASTRTP_LOCAL_PORT"), 10, 16)
	if got.ID != id || err != nil || bad != nil || addr.IsUnspecified() || addr.IsMulticast() || port == 0 {
		return netip.AddrPort{}, &Error{op, CodeBadAnswer, true}
	}
	return netip.AddrPortFrom(addr.Unmap(), uint16(port)), nil
}

// Variable gives a channel's variable. One that is not set gives CodeNotFound, as does a channel that is no more. Names of functions are refused.
func (c *Client) Variable(ctx context.Context, channel, name string) (untrusted.Text, error) {
	const op = "variable"
	if !segment(channel) || !token(name) {
		return untrusted.Text{}, &Error{op, CodeBadValue, false}
	}
	var got struct{ Value string }
	if err := c.do(ctx, op, http.MethodGet, "/channels/"+channel+"/variable?variable="+name, nil, &got); err != nil {
		return untrusted.Text{}, err
	}
	return foreign(got.Value), nil
}

// segment says whether a string can be one segment of a path, and is an id.
func segment(s string) bool { return channelID.MatchString(s) && s != "." && s != ".." }
