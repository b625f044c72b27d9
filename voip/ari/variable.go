package ari

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
)

// harmless is a dialplan function that tells whether the folder / exists: it has no effect, and is refused to ARI unless live_dangerously is set. It is of func_env.so.
const harmless = "STAT(e,/)"

var channelID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,150}$`)

// LivesDangerously says whether Asterisk evaluates for ARI the dialplan functions that reach its shell, files and other programs, by one of them that does
// nothing. It needs func_env.so, and a channel: Asterisk evaluates nothing without one. It is asked beside the call, which hears nothing of it. Where the channel
// has ended the error has CodeNotFound.
func (c *Client) LivesDangerously(ctx context.Context, channel string) (bool, error) {
	const op = "function"
	if !segment(channel) {
		return false, &Error{op, CodeBadValue, false}
	}
	var got struct{ Value string }
	err := c.do(ctx, op, http.MethodGet, "/channels/"+channel+"/variable?variable="+url.QueryEscape(harmless), nil, &got)
	var e *Error
	switch {
	case errors.As(err, &e) && e.code == CodeServer: // how it refuses
		return false, nil
	case err != nil:
		return false, err
	case got.Value != "1":
		return false, &Error{op, CodeBadAnswer, true}
	}
	return true, nil
}
