package ari

import (
	"context"
	"net/http"
	"strings"
)

// Object gives what Asterisk holds of one object of its SIP configuration, such as ("transport", "trunk-tls"): its attributes by name, and the values of one
// that it has more than once with commas between. Where there is no such object the error has CodeNotFound. Objects of type auth hold passwords: nothing asks for one.
func (c *Client) Object(ctx context.Context, kind, id string) (map[string]string, error) {
	const op = "object"
	if !token(kind) || kind == "auth" || !objectName(id) {
		return nil, &Error{op, CodeBadValue, false}
	}
	var got []struct{ Attribute, Value string }
	if err := c.do(ctx, op, http.MethodGet, "/asterisk/config/dynamic/res_pjsip/"+kind+"/"+id, nil, &got); err != nil {
		return nil, err
	}
	out := make(map[string]string, len(got))
	for _, a := range got {
		if earlier, more := out[a.Attribute]; more {
			a.Value = earlier + "," + a.Value
		}
		out[a.Attribute] = a.Value
	}
	return out, nil
}

// objectName says whether a string can be the id of an object: it goes into a path, as one segment.
func objectName(s string) bool {
	return len(s) <= 64 && token(strings.ReplaceAll(s, ".", "")) // so that it is not dots alone
}
