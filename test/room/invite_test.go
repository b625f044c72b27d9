package room

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"google.golang.org/protobuf/proto"

	"readback/test/testbed"
	"readback/voice/invite"
)

// TestInvariant10WhatAServerLetsAnInviteDo asks the real server what it makes of the owner's browser's token: one microphone in one room, and nothing else; and the room is one with a job for us.
func TestInvariant10WhatAServerLetsAnInviteDo(t *testing.T) {
	t.Parallel()
	h := newHall(t)
	inviter, err := invite.New(h.kit.Key, h.kit.Secret, "readback")
	if err != nil {
		t.Fatal(err)
	}
	in, err := inviter.Invite()
	if err != nil {
		t.Fatal(err)
	}
	browser := lksdk.NewRoom(&lksdk.RoomCallback{})
	if err := browser.JoinWithToken(h.kit.URL, in.Token); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(browser.Disconnect)
	if browser.Name() != in.Room || browser.LocalParticipant.Identity() != in.Identity {
		t.Errorf("it is %s in %s", browser.LocalParticipant.Identity(), browser.Name())
	}

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	rooms := lksdk.NewRoomServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret)
	p, err := rooms.GetParticipant(ctx, &livekit.RoomParticipantIdentity{Room: in.Room, Identity: in.Identity})
	if err != nil {
		t.Fatal(err)
	}
	want := &livekit.ParticipantPermission{CanSubscribe: true, CanPublish: true, CanPublishSources: []livekit.TrackSource{livekit.TrackSource_MICROPHONE}}
	if !proto.Equal(p.GetPermission(), want) || p.GetKind() != livekit.ParticipantInfo_STANDARD || p.GetMetadata() != "" || len(p.GetAttributes()) != 0 {
		t.Errorf("the server lets it %v\nand not %v; it is %v", p.GetPermission(), want, p)
	}
	list, err := rooms.ListRooms(ctx, &livekit.ListRoomsRequest{Names: []string{in.Room}})
	if err != nil || len(list.GetRooms()) != 1 || list.GetRooms()[0].GetMaxParticipants() != 4 || list.GetRooms()[0].GetEmptyTimeout() != 60 || list.GetRooms()[0].GetDepartureTimeout() != 10 {
		t.Errorf("%v %v", list, err)
	}
	jobs := lksdk.NewAgentDispatchServiceClient(h.kit.URL, h.kit.Key, h.kit.Secret)
	testbed.Until(t, soon, "there is a job for the program's own agent", func() bool {
		all, err := jobs.ListDispatch(ctx, &livekit.ListAgentDispatchRequest{Room: in.Room})
		return err == nil && slices.ContainsFunc(all.GetAgentDispatches(), func(d *livekit.AgentDispatch) bool { return d.GetAgentName() == "readback" })
	})

	// What it may not, tried. What is sent as data would arrive before what is published after it is seen.
	var data, seen atomic.Bool
	token, err := auth.NewAccessToken(h.kit.Key, h.kit.Secret).SetIdentity("other").SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: in.Room}).ToJWT()
	if err != nil {
		t.Fatal(err)
	}
	other := lksdk.NewRoom(&lksdk.RoomCallback{ParticipantCallback: lksdk.ParticipantCallback{
		OnDataPacket:     func(lksdk.DataPacket, lksdk.DataReceiveParams) { data.Store(true) },
		OnTrackPublished: func(*lksdk.RemoteTrackPublication, *lksdk.RemoteParticipant) { seen.Store(true) },
	}})
	if err := other.JoinWithToken(h.kit.URL, token); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Disconnect)
	_ = browser.LocalParticipant.PublishDataPacket(lksdk.UserData([]byte("yes")), lksdk.WithDataPublishReliable(true))
	browser.LocalParticipant.SetMetadata("the owner")
	browser.LocalParticipant.SetAttributes(map[string]string{livekit.AttrSIPPhoneNumber: "+15145550100"})
	out, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := browser.LocalParticipant.PublishTrack(out, &lksdk.TrackPublicationOptions{Source: livekit.TrackSource_MICROPHONE}); err != nil {
		t.Errorf("the microphone: %v", err)
	}
	for _, call := range []string{"RoomService/ListRooms", "RoomService/CreateRoom", "RoomService/DeleteRoom", "RoomService/ListParticipants", "RoomService/RemoveParticipant", "RoomService/SendData", "AgentDispatchService/CreateDispatch"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.Replace(h.kit.URL, "ws", "http", 1)+"/twirp/livekit."+call, strings.NewReader(`{"room":"`+in.Room+`","name":"`+in.Room+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+in.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", call, resp.StatusCode)
		}
	}
	testbed.Until(t, soon, "its microphone is published", func() bool {
		p, err = rooms.GetParticipant(ctx, &livekit.RoomParticipantIdentity{Room: in.Room, Identity: in.Identity})
		return err == nil && len(p.GetTracks()) > 0 && seen.Load()
	})
	if p.GetMetadata() != "" || len(p.GetAttributes()) != 0 || len(p.GetTracks()) != 1 || p.GetTracks()[0].GetSource() != livekit.TrackSource_MICROPHONE || data.Load() {
		t.Errorf("after all that it is %v; data came: %t", p, data.Load())
	}
}
