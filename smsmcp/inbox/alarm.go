package inbox

import (
	"errors"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
	"readback/smsmcp/signs"
	"readback/smsmcp/untrusted"
)

// alarmed says whether a shown text trips an alarm, by its body or by the label that stands for its sender, each as the frame shows it.
func alarmed(p smsmcp.Peer, body untrusted.Text) bool {
	for _, words := range []untrusted.Text{body, p.Label} {
		if len(signs.Alarms(clean.Body(words.RawForRules()).Text)) > 0 {
			return true
		}
	}
	return false
}

// Sentence says in l what an error of the box means to the owner or the model.
func Sentence(l lang.Lang, err error) string {
	switch {
	case errors.Is(err, ErrCarrier):
		return lang.InboxCarrier.In(l)
	case errors.Is(err, ErrStore):
		return lang.InboxStore.In(l)
	case errors.Is(err, ErrNotHeld):
		return lang.InboxNotHeld.In(l)
	}
	return lang.InboxUnread.In(l)
}
