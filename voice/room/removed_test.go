package room

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"
)

// TestWhoLeavesWhileTheyAreRemovedIsNotLeftBehind: the server does not say that they have been removed. It is asked who is there.
func TestWhoLeavesWhileTheyAreRemovedIsNotLeftBehind(t *testing.T) {
	for what, k := range map[string]struct {
		there string
		left  bool
	}{"gone": {"", false}, "another is there": {"guest", false}, "there": {"sip_caller", true}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/ListParticipants") {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = w.Write([]byte(`{"code":"unavailable","msg":"no response from servers"}`))
				return
			}
			var list livekit.ListParticipantsResponse
			if k.there != "" {
				list.Participants = []*livekit.ParticipantInfo{{Identity: k.there}}
			}
			b, err := proto.Marshal(&list)
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/protobuf")
			_, _ = w.Write(b)
		}))
		c := called(t, time.Now, true)
		c.o.URL, c.o.Log = server.URL, slog.New(slog.DiscardHandler)
		if err := c.remove(); errors.Is(err, errCode(CodeNotRemoved)) != k.left || err != nil != k.left {
			t.Errorf("%s: %v", what, err)
		}
		server.Close()
	}
}
