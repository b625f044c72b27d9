package browser

import "testing"

// TestACallThatIsAnsweredWhileItReconnects does not say afterwards that it is connecting.
func TestACallThatIsAnsweredWhileItReconnects(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	eval[bool](b, `(() => {
		const on = livekit.Room.prototype.on;
		livekit.Room.prototype.on = function (...what) { window.room = this; return on.apply(this, what); };
		return true;
	})()`)
	b.dials()
	b.stands("connecting")
	b.wait(`room.state === "connected"`)
	eval[bool](b, `room.emit("reconnecting")`)
	b.stands("reconnecting")
	s.readback()
	b.wait(`document.querySelectorAll("#call audio").length == 1`)
	b.stands("reconnecting")
	eval[bool](b, `room.emit("reconnected")`)
	b.stands("talk")
	b.hangsUp()
	b.stands("hung_up")
	b.clean()
}

// TestACallThatIsHungUpLeavesTheScreenAlone, also where the browser was still asked to keep it on.
func TestACallThatIsHungUpLeavesTheScreenAlone(t *testing.T) {
	s := newStand(t)
	b := s.opens()
	b.signIn()
	s.begins(b)
	eval[bool](b, `(() => {
		window.released = 0;
		navigator.wakeLock.request = () => new Promise((give) => { window.give = () => { give({ release: async () => { released++; } }); return true; }; });
		return true;
	})()`)
	b.dials()
	b.wait(`window.give !== undefined`)
	b.hangsUp()
	b.stands("hung_up")
	eval[bool](b, `give()`)
	b.wait(`released === 1`)
	b.clean()
}
