package worker

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/utils/protojson"
)

const (
	maxHook    = 2 << 20          // bytes of a webhook: a participant's attributes and metadata and the room's are of 64 KiB each by LiveKit's own limits, and may be escaped
	seenFor    = 10 * time.Minute // at least; a webhook's signature is good for five, and a minute more
	seenAtOnce = 4096             // joins; past them the oldest are forgotten
	talkRoom   = "talk-"          // how the names of rooms begin in which a page's owner is met
)

// seen is what webhooks have told: they come again, and late.
type seen struct {
	now, before map[string]bool
	since       time.Time // when now was begun
}

// note keeps what was told, for at least seenFor.
func (s *seen) note(what string, now time.Time) {
	if now.Before(s.since) { // a clock that is set back has it forget later, and never sooner
		s.since = now
	}
	if s.now == nil || now.Sub(s.since) >= seenFor || len(s.now) >= seenAtOnce {
		s.now, s.before, s.since = map[string]bool{}, s.now, now
	}
	s.now[what] = true
}

func (s *seen) has(what string) bool { return s.now[what] || s.before[what] }

// Webhook takes LiveKit's webhooks, signed with Key and Secret: a participant who came by SIP, or into a room whose name begins with talk-, begins a job of that room, once. Whoever
// cannot sign gets 401. While no job can be taken it answers 503, and LiveKit tries again a few times.
func (w *Worker) Webhook() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		status := w.hook(rw, r)
		w.mu.Lock()
		switch status {
		case http.StatusUnauthorized:
			w.counts.Forged++
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge:
			w.counts.Unread++
		case http.StatusServiceUnavailable:
			w.counts.Refused++
		}
		w.mu.Unlock()
		if status == http.StatusMethodNotAllowed {
			rw.Header().Set("Allow", http.MethodPost)
		}
		rw.WriteHeader(status)
	})
}

// hook reads one webhook and does what it says. It gives the answer.
func (w *Worker) hook(rw http.ResponseWriter, r *http.Request) int {
	if r.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	// The token first: for whoever has none no body is read.
	sum, ok := w.signed(r.Header.Get("Authorization"))
	if !ok {
		return http.StatusUnauthorized
	}
	body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxHook))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	is := sha256.Sum256(body)
	if subtle.ConstantTimeCompare(is[:], sum) != 1 {
		return http.StatusUnauthorized
	}
	var e livekit.WebhookEvent
	if protojson.Unmarshal(body, &e) != nil {
		return http.StatusBadRequest
	}
	return w.told(&e)
}

// signed gives the sum of the body that a webhook's token stands for. A token that is for something else stands for none.
func (w *Worker) signed(token string) (sum []byte, ok bool) {
	v, err := auth.ParseAPIToken(token)
	if err != nil || subtle.ConstantTimeCompare([]byte(v.APIKey()), []byte(w.o.Key)) != 1 {
		return nil, false
	}
	_, claims, err := v.Verify(w.o.Secret)
	if err != nil {
		return nil, false
	}
	sum, err = base64.StdEncoding.DecodeString(claims.Sha256)
	return sum, err == nil && len(sum) == sha256.Size
}

// told does what an event says, and gives the answer. All that is not about a caller is taken and forgotten.
func (w *Worker) told(e *livekit.WebhookEvent) int {
	room, who := e.GetRoom(), e.GetParticipant()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !serverName.MatchString(room.GetSid()) {
		return http.StatusOK
	}
	over, join := room.GetSid()+"/", room.GetSid()+"/"+who.GetSid()
	switch e.GetEvent() {
	case "room_finished": // who came into it, and is told of later, has left
		w.seen.note(over, w.o.Now())
	case "participant_left", "participant_connection_aborted":
		if serverName.MatchString(who.GetSid()) {
			w.seen.note(join, w.o.Now())
		}
	case "participant_joined":
		switch {
		case !calls(room, who) || w.seen.has(over) || w.seen.has(join):
		case w.has(room.GetSid()): // somebody else is there, or they are called for already
			w.seen.note(join, w.o.Now())
		case !w.open || w.draining || w.busy() >= w.o.MaxCalls:
			return http.StatusServiceUnavailable
		default:
			w.seen.note(join, w.o.Now())
			w.begin(&job{name: newName(), room: room.GetName(), sid: room.GetSid()}, "")
		}
	}
	return http.StatusOK
}

// calls says whether somebody who came into a room is one who calls. Agents, our own among them, come into rooms too.
func calls(room *livekit.Room, who *livekit.ParticipantInfo) bool {
	name := room.GetName()
	if name == "" || len(name) > maxRoom || !serverName.MatchString(who.GetSid()) {
		return false
	}
	return who.GetKind() == livekit.ParticipantInfo_SIP || who.GetKind() == livekit.ParticipantInfo_STANDARD && strings.HasPrefix(name, talkRoom)
}
