package deploy

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/twitchtv/twirp"
)

// TestServeAndAWorkerTakeCallsThere: with the configuration that is deployed, both register with the real server on one data folder, each as its unit has it; the agent that the dispatch rule names
// comes into a room, and a worker that is told to end does.
func TestServeAndAWorkerTakeCallsThere(t *testing.T) {
	at, server, _, secret := liveKit(t)
	dir, err := os.MkdirTemp(scratch, "rooms-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	etc := t.TempDir()
	write(t, filepath.Join(etc, "livekit.secret"), []byte(secret+"\n"), 0o600)
	_, ours, _ := strings.Cut(string(awake(read(t, "systemd/readback.toml"))), "[livekit]")
	moved := strings.Replace(ours, "127.0.0.1:7880", at, 1)
	if moved == ours {
		t.Fatal("the configuration names another server")
	}
	config := write(t, filepath.Join(etc, "readback.toml"), []byte(fmt.Sprintf("data = %q\n[livekit]", dir)+moved), 0o644)
	n := port(t)
	serving := start(t, "/", plain(), inCage(t, dir, program(t), "serve", "--config", config, "--listen", fmt.Sprintf("127.0.0.1:%d", n))...)
	registered := func() bool {
		_, body := get(fmt.Sprintf("http://127.0.0.1:%d/healthz", n))
		return strings.Contains(body, `"livekit":"ok"`)
	}
	serving.until(t, "serve registers", registered)

	token, err := auth.NewAccessToken("readback", secret).SetVideoGrant(&auth.VideoGrant{RoomCreate: true, RoomList: true, RoomAdmin: true, Room: "call_x"}).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := twirp.WithHTTPRequestHeaders(t.Context(), http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err)
	}
	rule := &livekit.CreateSIPDispatchRuleRequest{}
	message(t, "livekit/dispatch-rule.json", rule)
	rooms := livekit.NewRoomServiceProtobufClient("http://"+at, http.DefaultClient)
	comes := func(r *running, who string) {
		t.Helper()
		if _, err := rooms.CreateRoom(ctx, &livekit.CreateRoomRequest{Name: "call_x", Agents: rule.DispatchRule.RoomConfig.Agents}); err != nil {
			t.Fatalf("%v\n%s", err, server.said())
		}
		r.until(t, who+" comes into the room", func() bool {
			all, err := rooms.ListParticipants(ctx, &livekit.ListParticipantsRequest{Room: "call_x"})
			return err == nil && len(all.Participants) == 1 && all.Participants[0].Kind == livekit.ParticipantInfo_AGENT
		})
		if _, err := rooms.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: "call_x"}); err != nil {
			t.Fatal(err)
		}
	}
	comes(serving, "serve")

	working := start(t, "/", plain(), inCage(t, dir, program(t), "worker", "--config", config)...)
	working.until(t, "the worker works", func() bool { return strings.Contains(working.said(), "msg=working") })
	// serve ends, and the worker goes on: it registers by itself, and what comes is its own.
	if code := serving.stop(t); code != 0 {
		t.Errorf("serve ends with %d:\n%s", code, serving.said())
	}
	working.until(t, "the worker registers", func() bool { return strings.Count(server.said(), "worker registered") >= 2 })
	comes(working, "the worker")
	if code := working.stop(t); code != 0 || strings.Contains(working.said(), "not permitted") {
		t.Errorf("the worker ends with %d:\n%s", code, working.said())
	}
}
