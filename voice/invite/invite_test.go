package invite

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/livekit/protocol/auth"
)

const key, secret = "readback", "a-secret-of-thirty-two-characters"

// claims gives all that a token says, as it is on the wire.
func claims(t *testing.T, token string) map[string]any {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("no token: %d parts", len(parts))
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]any{}
	if err := json.Unmarshal(b, &said); err != nil {
		t.Fatal(err)
	}
	return said
}

// TestInvariant10WhatABrowserIsLetInFor: one room, one name, a microphone, two minutes, and nothing else. The whole token is compared, so that nothing more can come in.
func TestInvariant10WhatABrowserIsLetInFor(t *testing.T) {
	for agent, dispatch := range map[string]any{"readback": []any{map[string]any{"agentName": "readback"}}, "": nil} {
		inviter, err := New(key, secret, agent)
		if err != nil {
			t.Fatal(err)
		}
		before := time.Now().Truncate(time.Second)
		in, err := inviter.Invite()
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^talk-[a-z2-7]{26}$`).MatchString(in.Room) || !regexp.MustCompile(`^owner-[a-z2-7]{26}$`).MatchString(in.Identity) || in.Room[5:] == in.Identity[6:] {
			t.Errorf("%s %s", in.Room, in.Identity)
		}
		said := claims(t, in.Token)
		from, to := time.Unix(int64(said["nbf"].(float64)), 0), time.Unix(int64(said["exp"].(float64)), 0)
		if from.Before(before) || to.Sub(from) != 2*time.Minute {
			t.Errorf("it is good from %v to %v", from, to)
		}
		delete(said, "nbf")
		delete(said, "exp")
		delete(said, "iat")
		room := map[string]any{"emptyTimeout": 60.0, "departureTimeout": 10.0, "maxParticipants": 4.0}
		if dispatch != nil {
			room["agents"] = dispatch
		}
		want := map[string]any{
			"iss": key, "sub": in.Identity, "identity": in.Identity, "kind": "standard",
			"video": map[string]any{
				"roomJoin": true, "room": in.Room, "canPublish": true, "canPublishSources": []any{"microphone"}, "canSubscribe": true,
				"canPublishData": false, "canUpdateOwnMetadata": false, "canSubscribeMetrics": false, "canManageAgentSession": false,
			},
			"roomConfig": room,
		}
		if !reflect.DeepEqual(said, want) {
			t.Errorf("the token says\n%v\nand not\n%v", said, want)
		}
		v, err := auth.ParseAPIToken(in.Token)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := v.Verify(secret); err != nil {
			t.Errorf("the secret does not fit: %v", err)
		}
		if _, _, err := v.Verify(secret + "x"); err == nil {
			t.Error("another secret fits")
		}
	}
}

func TestNoNameComesTwice(t *testing.T) {
	inviter, err := New(key, secret, "readback")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 500 {
		in, err := inviter.Invite()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{in.Room, in.Identity} {
			if seen[n] {
				t.Fatalf("%s came twice", n)
			}
			seen[n] = true
		}
	}
}

func TestWithoutAKeyThereAreNoInvites(t *testing.T) {
	for _, pair := range [][2]string{{"", secret}, {key, ""}} {
		if _, err := New(pair[0], pair[1], "readback"); err == nil {
			t.Errorf("%q", pair)
		}
	}
}
