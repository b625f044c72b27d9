package room

import (
	"context"

	"github.com/livekit/protocol/livekit"
	lksdk "github.com/livekit/server-sdk-go/v2"
)

// CodeNotEnded says that a room could not be ended: whoever was in it may be there still.
const CodeNotEnded = "room_not_ended"

// End ends a room: everybody in it is out of it, and LiveKit's SIP bridge hangs up their telephones. sid is the server's name of this very room: one that is no more is not looked for, and
// another by the same name is left alone. Of the options URL, Key, Secret and Room are needed. An error has the code CodeNotEnded.
func End(ctx context.Context, o Options, sid string) error {
	api := lksdk.NewRoomServiceClient(o.URL, o.Key, o.Secret)
	is, err := api.ListRooms(ctx, &livekit.ListRoomsRequest{Names: []string{o.Room}})
	if err != nil {
		return errCode(CodeNotEnded)
	}
	for _, r := range is.GetRooms() {
		if r.GetName() == o.Room && r.GetSid() == sid {
			if _, err := api.DeleteRoom(ctx, &livekit.DeleteRoomRequest{Room: o.Room}); err != nil && !notFound(err) {
				return errCode(CodeNotEnded)
			}
		}
	}
	return nil
}
