package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/lang/spoken"
	"readback/smsmcp/untrusted"
	"readback/voice"
	"readback/voice/aloud"
	"readback/voice/consent"
	"readback/voip/segments"
)

// draft is a send that waits for the caller's answer, as it was prepared.
type draft struct {
	id      smsmcp.SendID
	digest  consent.Digest
	name    string // of the contact
	words   string // of its read-back
	answer  *entry // of the tool that prepared it: what became of it
	reading int    // the number of its last read-back

	shown    bool      // on the screen
	question int       // the number of the last one
	opens    time.Time // what is pressed sooner is no answer
}

// errNotPrepared says that the log no longer holds what was prepared.
var errNotPrepared = errors.New("the draft is not what was prepared")

// step gives the machine an event, and does what it answers. Nothing that is done here gives it another: events come from outside, one at a time.
func (c *conversation) step(e consent.Event) {
	var effects []consent.Effect
	c.machine, effects = c.machine.Step(c.o.Now(), e)
	_, first := e.(consent.Played) // question of a read-back: of what else one comes, that was no clear answer
	for _, e := range effects {
		switch e := e.(type) {
		case consent.Stop:
			c.call.Mouth.Stop()
		case consent.ReadBack:
			c.readBack(e)
		case consent.Ask:
			if !first {
				c.showStage(c.draft, voice.StageUnclear)
			}
			c.ask(e)
		case consent.Void:
			c.void(e)
		case consent.Hand:
			c.hand(e.Turn)
		case consent.Send:
			c.send(e)
		}
	}
}

// propose gives the machine a draft. From here on it leads: the model's turn is over, and all that was being said is thrown away. It comes of a turn of the model's, so that no other draft is
// pending.
func (c *conversation) propose(d *draft) {
	c.drop()
	c.call.Mouth.Stop()
	c.draft = d
	c.step(consent.Prepared{Draft: d.digest, Words: d.words})
}

// readBack has the draft spoken, from what the log holds at this moment (invariant 14).
func (c *conversation) readBack(e consent.ReadBack) {
	d, l := c.draft, c.lang
	again := d.reading > 0
	d.reading = e.Reading
	c.help(func() func() {
		what, err := c.lookUp(d, l)
		return func() {
			switch {
			case c.draft != d || d.reading != e.Reading: // it is no more, or it is read anew
			case err != nil:
				c.log.Warn("the draft cannot be read back", "id", d.id, "code", code(err))
				c.step(consent.Withdrawn{})
			case again:
				what.parts = append([]voice.Part{{Text: spoken.Again.In(c.lang)}}, what.parts...)
				c.recite(d, what)
			default:
				c.recite(d, what)
			}
		}
	})
}

// readable is what a draft is in the log, to be spoken and to be shown.
type readable struct {
	digest consent.Digest
	parts  []voice.Part
	shown  voice.ShownDraft
}

// lookUp gives what a draft is now.
func (c *conversation) lookUp(d *draft, l lang.Lang) (what readable, err error) {
	ctx, stop := context.WithTimeout(c.ctx, logTime)
	defer stop()
	s, err := c.o.Door.Check(ctx, d.id)
	if err != nil {
		return what, fmt.Errorf("look at the draft: %w", err)
	}
	if s.State != smsmcp.Waiting || s.Only != smsmcp.Voice {
		return what, errNotPrepared
	}
	what.digest = consent.Digest(s.Draft.Digest())
	all, err := c.o.Book.Contacts(ctx)
	if err != nil {
		return what, fmt.Errorf("look at the contacts: %w", err)
	}
	to, body := s.Draft.To(), s.Draft.Body()
	r, err := aloud.Draft(l, s.Name, to, body, all)
	if err == nil && r.Words != d.words { // by which the machine tells an echo
		err = errNotPrepared
	}
	what.parts, what.shown = r.Parts, voice.ShownDraft{Name: s.Name, Number: string(to), Body: body, Segments: segments.Count(body)}
	return what, err
}

// recite shows a draft and speaks its read-back, and tells the machine of it, as long as the draft is the one that is read.
func (c *conversation) recite(d *draft, what readable) {
	reading := d.reading
	tell := func(e consent.Event) {
		if c.draft == d {
			c.step(e)
		}
	}
	if what.digest != d.digest { // the machine hears what would have been spoken, and the caller nothing
		tell(consent.Started{Reading: reading, Draft: what.digest})
		return
	}
	c.showDraft(d, what.shown)
	began := false
	c.utter(what.parts, func() {
		began = true
		tell(consent.Started{Reading: reading, Draft: what.digest})
	}, func(out voice.Outcome) {
		if !began || !out.Played || out.Err != nil {
			tell(consent.Interrupted{Reading: reading})
			return
		}
		c.o.Observe.Count(smsmcp.DraftRead, "")
		d.opens = c.o.Now().Add(max(0, out.RoundTrip) + consent.Margin)
		tell(consent.Played{Reading: reading, RoundTrip: out.RoundTrip})
	})
}

// ask speaks the question, and tells the machine when the caller can have heard it.
func (c *conversation) ask(e consent.Ask) {
	question := spoken.Ask
	if e.Keypad {
		question = c.keyed(spoken.Keypad, spoken.OneWord)
	}
	d := c.draft
	if d == nil {
		return
	}
	d.question = e.Question
	c.utter([]voice.Part{{Text: question.In(c.lang)}}, func() {}, func(out voice.Outcome) {
		if c.draft != d {
			return
		}
		asked := out.Played && out.Err == nil
		if asked { // else no speech answers it: a key does
			c.step(consent.Asked{Question: e.Question})
		}
		if asked || !c.call.NoKeys {
			c.showListening(d, e.Question)
		}
	})
}

// send carries out a yes. It is the one transition that leads to the desk.
func (c *conversation) send(e consent.Send) {
	d := c.draft
	if d == nil || d.digest != e.Draft {
		c.log.Error("a yes to no draft of this call")
		return
	}
	answer := e.Turn.Words()
	if e.Turn.Key() != 0 {
		answer = untrusted.New("key " + string(e.Turn.Key()))
	}
	c.showStage(d, voice.StageYes)
	c.conclude(func(ctx context.Context) func() {
		s, err := c.o.Desk.Spoken(ctx, d.id, d.digest, answer)
		c.draftEnded(d, endState(s, err))
		return func() { c.sent(d, s, err) }
	})
}

// endState is what a yes led to: a state, or a code for none.
func endState(s smsmcp.Send, err error) string {
	switch {
	case errors.Is(err, dispatch.ErrNotRecorded):
		return string(smsmcp.Unknown)
	case err != nil:
		return "error"
	}
	return string(s.State)
}

// sent tells the caller, and the model at its next turn, what became of a yes.
func (c *conversation) sent(d *draft, s smsmcp.Send, err error) {
	said, told, why := spoken.NotLeft, lang.AgentNotLeft, []smsmcp.Reason(nil)
	stage := voice.StageNotLeft
	switch {
	case errors.Is(err, dispatch.ErrNotRecorded), err == nil && (s.State == smsmcp.Unknown || s.State == smsmcp.Reserved):
		said, told, stage = spoken.NotKnown, lang.AgentNotKnown, voice.StageNotKnown
	case err != nil:
		c.log.Warn("a yes could not be carried out", "id", d.id, "code", code(err))
	case s.State == smsmcp.Done && s.Delivery == smsmcp.HandedOver:
		said, told, stage = spoken.Handed, lang.AgentLeft, voice.StageHanded
	case s.State == smsmcp.Done:
		said, told, stage = spoken.Left, lang.AgentLeft, voice.StageLeft
	case s.State == smsmcp.Void && !changed(s.Reasons):
		said = spoken.Replaced
	case len(s.Reasons) > 0 && (s.State == smsmcp.Refused || s.State == smsmcp.Void):
		said, told, why = spoken.Refused, lang.AgentDenied, s.Reasons
	}
	c.showStage(d, stage)
	if why == nil {
		d.answer.Text = told.In(c.lang, d.name)
		c.announce(said, d.name)
		return
	}
	d.answer.Text = told.In(c.lang, d.name, c.reasons(guard.ExplainAloud, why))
	c.announce(said, d.name, c.reasons(guard.ExplainAloudToOwner, why))
}

// changed says whether a draft is void because its contact is another. If not, a newer one took its place, as one of the owner's other call does.
func changed(why []smsmcp.Reason) bool {
	return slices.ContainsFunc(why, func(r smsmcp.Reason) bool { return r.Rule == guard.RuleChanged })
}

// announce tells the caller what became of a draft.
func (c *conversation) announce(m lang.Message, args ...any) {
	var u *utterance
	u = c.say([]voice.Part{{Text: m.In(c.lang, args...)}}, func(voice.Outcome) {
		if c.outcome == u {
			c.outcome = nil
		}
	})
	if !u.cut {
		c.outcome = u
	}
}

func (c *conversation) reasons(explain func(lang.Lang, string, smsmcp.Reason) string, why []smsmcp.Reason) string {
	out := make([]string, len(why))
	for i, r := range why {
		out[i] = explain(c.lang, spoken.Until(c.lang, r.Until.In(c.o.Zone), c.o.Now().In(c.o.Zone)), r)
	}
	return strings.Join(out, " ")
}

// void takes a draft back that nobody said yes to.
func (c *conversation) void(e consent.Void) {
	d := c.draft
	if d == nil || d.digest != e.Draft {
		c.log.Error("no draft of this call is void")
		return
	}
	said, told, silent := spoken.TakenBack, lang.AgentVoid, false
	switch e.Why {
	case consent.Declined:
		said, told = spoken.Dropped, lang.AgentDeclined
		c.showStage(d, voice.StageNo)
	case consent.Changed:
		told, silent = lang.AgentChanged, true // the model answers what the caller said
	case consent.NoAnswer:
		said, told = spoken.NoAnswer, lang.AgentNoAnswer
		c.showStage(d, voice.StageUnclear)
	case consent.Cut:
		said = spoken.NotRead
	case consent.CallEnded:
		silent = true
	}
	c.showStage(d, voice.StageWithdrawn)
	d.answer.Text = told.In(c.lang, d.name)
	if !silent {
		c.announce(said)
	}
	c.conclude(func(ctx context.Context) func() {
		c.withdraw(ctx, d, e.Why)
		return func() {}
	})
}

// withdraw has it written down that a draft is no more.
func (c *conversation) withdraw(ctx context.Context, d *draft, why consent.Reason) {
	var err error
	if why == consent.Declined {
		_, err = c.o.Desk.No(ctx, d.id, smsmcp.Voice)
	} else {
		_, err = c.o.Door.Cancel(ctx, d.id)
	}
	if err != nil { // it waits in the log until it expires; nobody but this call can say yes to it
		c.log.Warn("a draft could not be withdrawn", "id", d.id, "code", code(err))
	}
	c.draftEnded(d, string(why))
}

// draftEnded counts, and logs, how a draft ended.
func (c *conversation) draftEnded(d *draft, how string) {
	c.o.Observe.Count(smsmcp.DraftEnded, how)
	c.log.Info("draft ended", "id", d.id, "how", how)
}

// conclude carries out what became of the draft, whatever becomes of the call. The model waits for it.
func (c *conversation) conclude(work func(ctx context.Context) (found func())) {
	c.draft, c.recording = nil, true
	c.help(func() func() {
		ctx, stop := c.lasting(dispatchTime)
		defer stop()
		found := work(ctx)
		return func() {
			c.recording = false
			found()
			c.resume()
		}
	})
}
