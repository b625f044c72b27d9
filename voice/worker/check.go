package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
)

// checkFor bounds a question of Check.
const checkFor = 10 * time.Second

// maxAnswer is how much of an answer is read: all rooms that there are, of which nothing is looked at.
const maxAnswer = 1 << 20

// Check asks a LiveKit server whether it answers and takes the key, and how far its clock is ahead of now; by a second more or less, and 0 where it does not say. It registers nothing and changes
// nothing. Its error has one of the codes of [Worker.Part]; the clock is told with CodeRefused too, since it may be why.
func Check(ctx context.Context, o Options) (ahead time.Duration, err error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || o.Key == "" || o.Secret == "" {
		return 0, errors.New("worker: URL, Key and Secret are needed")
	}
	u.Scheme = strings.NewReplacer("wss", "https", "ws", "http").Replace(u.Scheme)
	u.Path = strings.TrimRight(u.Path, "/") + "/twirp/livekit.RoomService/ListRooms"
	token, err := auth.NewAccessToken(o.Key, o.Secret).SetVideoGrant(&auth.VideoGrant{RoomList: true}).SetValidFor(goodFor).ToJWT()
	if err != nil {
		return 0, errCode(CodeRefused)
	}
	ctx, cancel := context.WithTimeout(ctx, checkFor)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(`{"names":["readback-doctor"]}`))
	if err != nil {
		return 0, errCode(CodeUnreachable)
	}
	req.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "User-Agent": {"readback"}}
	// As for the connection: no proxy, and no redirect.
	resp, err := (&http.Transport{
		DialContext: (&net.Dialer{Timeout: checkFor}).DialContext, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true,
	}).RoundTrip(req)
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		return 0, errCode(CodeUntrusted)
	case err != nil:
		return 0, errCode(CodeUnreachable)
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer))
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		ahead = at.Sub(o.Now()).Round(time.Second)
	}
	switch resp.StatusCode {
	case http.StatusOK:
		return ahead, nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return ahead, errCode(CodeRefused)
	case http.StatusNotFound:
		return ahead, errCode(CodeNotFound)
	}
	return ahead, errCode(CodeBadAnswer)
}
