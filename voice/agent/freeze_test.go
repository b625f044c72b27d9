package agent_test

import "testing"

// TestTheOwnerFreezesAllSendsByVoice: no model is asked, a draft that waited is void, and nothing goes afterwards.
func TestTheOwnerFreezesAllSendsByVoice(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.hears("What can I do") // and the model, which has no answer here, would fail the test
		w.ears.says("freeze everything")
		w.hears("All sends are frozen")
		if frozen, err := w.store.Frozen(t.Context()); err != nil || !frozen {
			t.Errorf("%v %v", frozen, err)
		}
		w.ends()
		w.nothingWent()
	})
}

// TestNothingFreezesBySomethingLikeIt: a text that holds the words is a text.
func TestNothingFreezesBySomethingLikeIt(t *testing.T) {
	inCall(t, func(t *testing.T, w *world) {
		w.model.then("Well.")
		w.hears("What can I do")
		w.ears.says("text Marie that it will freeze everything tonight")
		w.hears("Well")
		if frozen, err := w.store.Frozen(t.Context()); err != nil || frozen {
			t.Errorf("%v %v", frozen, err)
		}
		w.ends()
	})
}
