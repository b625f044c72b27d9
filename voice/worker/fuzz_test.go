package worker_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/livekit"
	"google.golang.org/protobuf/proto"

	"readback/voice/worker"
)

// FuzzServerMessages: whatever a server says, in whatever order, nothing breaks, no more places are taken than there are, and those that are come back.
func FuzzServerMessages(f *testing.F) {
	offer := func(j *livekit.Job) []byte {
		return message(&livekit.ServerMessage{Message: &livekit.ServerMessage_Availability{Availability: &livekit.AvailabilityRequest{Job: j}}})
	}
	assign := func(j *livekit.Job) []byte {
		return message(&livekit.ServerMessage{Message: &livekit.ServerMessage_Assignment{Assignment: &livekit.JobAssignment{Job: j, Token: "t"}}})
	}
	end := message(&livekit.ServerMessage{Message: &livekit.ServerMessage_Termination{Termination: &livekit.JobTermination{JobId: "AJ_1"}}})
	f.Add(offer(theJob("AJ_1", "one")), assign(theJob("AJ_1", "one")), end)
	f.Add(offer(theJob("AJ_1", "one")), offer(theJob("AJ_2", "one")), offer(theJob("AJ_2", "two")))
	f.Add(assign(theJob("AJ_1", "one")), end, registered)
	f.Add([]byte{}, []byte{0xff}, []byte(nil))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		o := options("ws://livekit.example")
		o.MaxCalls = 2
		handled := make(chan worker.Job, 10)
		o.Handle = func(ctx context.Context, j worker.Job) error {
			handled <- j
			<-ctx.Done()
			return ctx.Err()
		}
		w, err := worker.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range [][]byte{a, b, c, a, c, b} {
			m := &livekit.ServerMessage{}
			if proto.Unmarshal(raw, m) != nil {
				continue
			}
			w.Heed(m)
			if busy, _ := w.Places(); busy > 2 {
				t.Fatalf("%d places of 2", busy)
			}
		}
		w.EndAll()
		until2(t, func() bool { busy, _ := w.Places(); return busy == 0 })
		close(handled)
		for j := range handled {
			if j.Room == "" || len(j.Room) > 512 || !strings.HasPrefix(j.ID, "readback-") {
				t.Errorf("%+v", j)
			}
		}
	})
}

func until2(t *testing.T, is func() bool) {
	for end := time.Now().Add(soon); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("places do not come back")
		}
	}
}

// FuzzWebhook: whatever is signed breaks nothing; what is not is refused.
func FuzzWebhook(f *testing.F) {
	f.Add([]byte(body(f, joined("one", "1"))), "")
	f.Add([]byte(`{"event":"participant_joined","room":{"sid":"RM_1","name":"talk-x"},"participant":{"sid":"PA_1"}}`), "x")
	f.Add([]byte(`{"event":"room_finished","room":{"sid":"RM_1"}}`), "eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, b []byte, token string) {
		w, err := worker.New(options("ws://livekit.example"))
		if err != nil {
			t.Fatal(err)
		}
		if got := post(w.Webhook(), token, strings.NewReader(string(b))); got != 401 {
			t.Errorf("unsigned: %d", got)
		}
		got := post(w.Webhook(), sign(t, key, secret, string(b), time.Minute), strings.NewReader(string(b)))
		if got != 200 && got != 400 && got != 503 {
			t.Errorf("signed: %d", got)
		}
		if n := w.Counts(); n.Taken != 0 { // it does not run
			t.Errorf("%+v", n)
		}
	})
}
