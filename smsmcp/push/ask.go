package push

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/screen"
)

// The bounds of a body on the phone, in characters.
const (
	maxLine  = 160 // that may be sent by a button: what a phone shows whole
	maxShown = 700 // that is shown at all; the page shows all of it
)

// freezeFor is how long after a question its button stops all sends.
const freezeFor = 24 * time.Hour

// The paths under the public address.
const (
	TapPath  = "/tap"    // where buttons post
	SendPath = "/sends/" // where the page shows a send, by its id
)

// The priorities, and the tags.
const (
	loud  = 4
	quiet = 2

	tagAsk     = "question"
	tagAlarm   = "warning"
	tagSent    = "white_check_mark"
	tagNotSent = "no_entry_sign"
	tagUnknown = "grey_question"
	tagOpen    = "hourglass_flowing_sand"
)

// wholeLine says whether a phone's notification shows a body as it is, so that a button below it may send it: one short line, in which nothing passes for the
// program's own words or hides.
func wholeLine(body string) bool {
	return utf8.RuneCountInString(body) <= maxLine && clean.Body(body) == clean.Result{Text: body} && strings.TrimSpace(body) == body
}

// ask is the note that asks for a yes to a send. Its tokens are in the store before it leaves.
func (a *Asker) ask(ctx context.Context, s smsmcp.Send) (smsmcp.Note, error) {
	l := a.o.Lang
	words := clean.Lines(s.Draft.Body(), maxShown)
	lines := []string{"«" + words.Text + "»"}
	if words.Cut > 0 {
		lines = append(lines, screen.PushCut.In(l, words.Cut))
	}
	if s.Segments > 1 {
		lines = append(lines, screen.PushSegments.In(l, s.Segments))
	}
	for _, r := range s.Reasons {
		lines = append(lines, "- "+guard.ExplainToOwner(l, a.o.Zone, r))
	}
	n := smsmcp.Note{
		Sequence: sequence(s.ID), Priority: loud, Tags: []string{tagAsk},
		Title: screen.PushAsk.In(l, s.Name, string(s.Draft.To())),
	}
	if s.Strong {
		n.Tags = append(n.Tags, tagAlarm)
	}
	var actions []smsmcp.TapAction
	switch {
	case a.o.Address == "":
		lines = append(lines, screen.PushTerminal.In(l, string(s.ID)))
	case wholeLine(s.Draft.Body()):
		actions = []smsmcp.TapAction{smsmcp.TapSend, smsmcp.TapDont, smsmcp.TapFreeze}
	default:
		lines = append(lines, screen.PushOnPage.In(l))
		n.Buttons = []smsmcp.Button{{Label: screen.PushOpen.In(l), URL: a.o.Address + SendPath + string(s.ID)}}
		actions = []smsmcp.TapAction{smsmcp.TapDont, smsmcp.TapFreeze}
	}
	if a.o.Address != "" {
		n.Click = a.o.Address + SendPath + string(s.ID)
	}
	lines = append(lines, screen.PushUntil.In(l, lang.Stamp(l, s.Expires.In(a.o.Zone))))
	n.Body = strings.Join(lines, "\n")
	taps := make([]smsmcp.Tap, 0, len(actions))
	for _, action := range actions {
		token, err := newToken(a.o.Random)
		if err != nil {
			return n, err
		}
		expires := s.Expires
		if action == smsmcp.TapFreeze { // who finds the question later may stop all sends by it still
			expires = expires.Add(freezeFor)
		}
		taps = append(taps, smsmcp.Tap{Hash: sha256.Sum256([]byte(token)), Send: s.ID, Digest: s.Draft.Digest(), Action: action, Expires: expires})
		n.Buttons = append(n.Buttons, smsmcp.Button{Label: labels[action].In(l), URL: a.o.Address + TapPath, Body: token})
	}
	if len(taps) == 0 {
		return n, nil
	}
	return n, a.o.Store.AddTaps(ctx, a.o.Now(), taps)
}

var labels = map[smsmcp.TapAction]lang.Message{smsmcp.TapSend: screen.PushSend, smsmcp.TapDont: screen.PushDont, smsmcp.TapFreeze: screen.PushFreeze}

// sequence names a send's notes: the receipt takes the place of the question.
func sequence(id smsmcp.SendID) string { return "send-" + string(id) }

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const tokenBytes = 16

// tokenChars is how long a token is as it is written.
var tokenChars = base32Lower.EncodedLen(tokenBytes)

func newToken(random io.Reader) (string, error) {
	var b [tokenBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("push: %w: %w", errRandom, err)
	}
	return base32Lower.EncodeToString(b[:]), nil
}

var errRandom = errors.New("no randomness")

// receipt is the note that says how a send stands, in place of the question. more is said before it.
func (a *Asker) receipt(s smsmcp.Send, more string, priority int) note {
	l := a.o.Lang
	n := note{Note: smsmcp.Note{Sequence: sequence(s.ID), Priority: priority, Title: screen.PushTo.In(l, s.Name, string(s.Draft.To()))}}
	switch s.State {
	case smsmcp.Done:
		n.Tags = []string{tagSent}
	case smsmcp.Reserved, smsmcp.Waiting:
		n.Tags = []string{tagOpen}
	case smsmcp.Unknown:
		n.Tags, n.unknown = []string{tagUnknown}, s.ID
	default:
		n.Tags = []string{tagNotSent}
	}
	n.Body = strings.TrimSpace(more + " " + a.stands(s))
	if a.o.Address != "" {
		n.Click = a.o.Address + SendPath + string(s.ID)
	}
	return n
}

// stands says how a send stands.
func (a *Asker) stands(s smsmcp.Send) string {
	l := a.o.Lang
	switch s.State {
	case smsmcp.Done:
		if s.Delivery == smsmcp.HandedOver {
			return screen.PushHanded.In(l)
		}
		return screen.PushSent.In(l)
	case smsmcp.Waiting:
		return screen.PushWaits.In(l, lang.Stamp(l, s.Expires.In(a.o.Zone)))
	case smsmcp.Reserved:
		return screen.PushOnItsWay.In(l)
	case smsmcp.Unknown:
		return screen.PushUnknown.In(l, string(s.ID))
	case smsmcp.Failed:
		return screen.PushFailed.In(l, lang.CarrierSays(l, s.Failure))
	case smsmcp.Declined:
		return screen.PushDeclined.In(l)
	case smsmcp.Expired:
		return screen.PushExpired.In(l)
	case smsmcp.Refused:
		out := screen.PushRefused.In(l)
		for _, r := range s.Reasons {
			out += "\n- " + guard.ExplainToOwner(l, a.o.Zone, r)
		}
		return out
	}
	if len(s.Reasons) == 1 && s.Reasons[0].Rule == guard.RuleChanged {
		return screen.PushRefused.In(l) + " " + guard.ExplainToOwner(l, a.o.Zone, s.Reasons[0])
	}
	return screen.PushVoid.In(l)
}
