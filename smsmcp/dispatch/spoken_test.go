package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/untrusted"
	"readback/store"
)

const call = smsmcp.CallScope + "1"

// drafted is a draft that is made on a call.
func (b *bench) drafted(to, body string) smsmcp.Send {
	b.t.Helper()
	return b.draftedOn(call, to, body).Send
}

func (b *bench) draftedOn(scope smsmcp.Scope, to, body string) dispatch.Answer {
	b.t.Helper()
	a, err := b.door.Send(b.t.Context(), dispatch.Request{To: to, Body: body, By: "phone", Scope: scope, Only: smsmcp.Voice})
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

var aYes = untrusted.New("oui, envoie-le")

func (b *bench) say(s smsmcp.Send) (smsmcp.Send, error) {
	return b.door.Spoken(b.t.Context(), s.ID, s.Draft.Digest(), aYes)
}

func (b *bench) said(s smsmcp.Send) smsmcp.Send {
	b.t.Helper()
	after, err := b.say(s)
	if err != nil {
		b.t.Fatal(err)
	}
	return after
}

// TestASpokenDraftWaitsWhateverTheGuardWouldAllow: also where nobody else is ever asked. Its yes sends it once, and the log says in which words it came.
func TestASpokenDraftWaitsWhateverTheGuardWouldAllow(t *testing.T) {
	for _, confirm := range []string{guard.ConfirmAuto, guard.ConfirmNever, guard.ConfirmAlways} {
		b := newBench(t, func(b *bench) { b.guard.Confirm = confirm })
		s := b.drafted("Marie", "hi")
		rules := []smsmcp.Rule{guard.RuleReadBack}
		if confirm == guard.ConfirmAlways {
			rules = append(rules, guard.RuleAlways)
		}
		b.want(s, smsmcp.Waiting, 0, rules...)
		if !s.Strong || s.Only != smsmcp.Voice || !s.Expires.Equal(b.clock().Add(b.guard.Expiry)) {
			t.Fatalf("%s: %+v", confirm, s)
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := b.say(s); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		b.want(b.said(s), smsmcp.Done, 1)
		kept := must(b.store.Send(t.Context(), s.ID))
		if kept.ConfirmedBy != smsmcp.Voice || !kept.Answer.Equal(aYes) || kept.Answered.IsZero() || kept.Only != smsmcp.Voice {
			t.Errorf("%s: the audit does not say who confirmed, and how: %+v", confirm, kept)
		}
		if b.counts["answered voice"] != 1 || b.counts["asked "] != 1 {
			t.Error(b.counts)
		}
	}
}

// TestInvariant10AnotherChannelSaysNoYesToASpokenDraft: it changes nothing at all, whatever else has come to be against the draft, and however strong the channel.
func TestInvariant10AnotherChannelSaysNoYesToASpokenDraft(t *testing.T) {
	for name, change := range map[string]func(*bench){
		"as it was": func(*bench) {},
		"frozen": func(b *bench) {
			if err := b.store.Freeze(b.t.Context(), b.clock(), smsmcp.CommandLine); err != nil {
				b.t.Fatal(err)
			}
		},
		"over": func(b *bench) { b.pass(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			s := b.drafted("Marie", "hi")
			change(b)
			for _, channel := range []smsmcp.Channel{smsmcp.NoChannel, smsmcp.CommandLine, smsmcp.PageChannel, smsmcp.Phone, smsmcp.Voice, "card"} {
				for _, digest := range [][32]byte{s.Draft.Digest(), {}} {
					if _, err := b.door.Confirm(t.Context(), s.ID, digest, channel, true); !errors.Is(err, dispatch.ErrOtherChannel) {
						t.Errorf("%q: %v", channel, err)
					}
				}
			}
			b.want(s, smsmcp.Waiting, 0)
			if name == "as it was" {
				b.want(b.said(s), smsmcp.Done, 1)
			}
		})
	}
}

// TestInvariant10TheVoiceSaysYesToNoOtherDraft: to none that was not made for it, to none but the one that was read back, and not without a word.
func TestInvariant10TheVoiceSaysYesToNoOtherDraft(t *testing.T) {
	b := newBench(t, always)
	typed := b.send("Marie", "hi")
	if _, err := b.say(typed); !errors.Is(err, dispatch.ErrOtherChannel) {
		t.Error(err)
	}
	if _, err := b.door.Confirm(t.Context(), typed.ID, typed.Draft.Digest(), smsmcp.Voice, true); !errors.Is(err, dispatch.ErrOtherChannel) {
		t.Error(err)
	}
	// One that only came from a call's scope is no other.
	a, err := b.door.Send(t.Context(), dispatch.Request{To: "Luc", Body: "hi", Scope: call})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.say(a.Send); !errors.Is(err, dispatch.ErrOtherChannel) {
		t.Error(err)
	}
	spoken := b.drafted("Paul", "hello")
	if _, err := b.door.Spoken(t.Context(), spoken.ID, typed.Draft.Digest(), aYes); !errors.Is(err, dispatch.ErrAltered) {
		t.Error(err)
	}
	if _, err := b.door.Spoken(t.Context(), spoken.ID, spoken.Draft.Digest(), untrusted.Text{}); !errors.Is(err, dispatch.ErrNoWords) {
		t.Error(err)
	}
	if _, err := b.door.Spoken(t.Context(), "zzzzzzzzzz", spoken.Draft.Digest(), aYes); !errors.Is(err, smsmcp.ErrNoSend) {
		t.Error(err)
	}
	for _, s := range []smsmcp.Send{typed, a.Send, spoken} {
		b.want(s, smsmcp.Waiting, 0)
	}
	b.want(b.said(spoken), smsmcp.Done, 1)
	after, err := b.yes(typed)
	if err != nil {
		t.Fatal(err)
	}
	b.want(after, smsmcp.Done, 2)
	if after.Answer.Len() != 0 {
		t.Error("a yes that nobody spoke has words")
	}
}

// edited has the contact changed between the draft and its yes.
type edited struct{ dispatch.Ledger }

func (e edited) Answer(ctx context.Context, now time.Time, id smsmcp.SendID, need func(smsmcp.Send) guard.Need,
	decide func(smsmcp.Send, guard.State) smsmcp.Send,
) (smsmcp.Send, error) {
	return e.Ledger.Answer(ctx, now, id, need, func(s smsmcp.Send, st guard.State) smsmcp.Send {
		st.Contact.Revision++
		return decide(s, st)
	})
}

// TestASpokenYesIsJudgedAgain: what denies a draft denies it after the read-back too.
func TestASpokenYesIsJudgedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		set    func(*bench)
		change func(*bench, smsmcp.Send)
		want   smsmcp.SendState
		handed int
		rule   smsmcp.Rule
	}{
		"the contact was edited": {func(b *bench) { b.ledger = edited{b.store} }, func(*bench, smsmcp.Send) {}, smsmcp.Void, 0, guard.RuleChanged},
		"the contact is gone": {nil, func(b *bench, s smsmcp.Send) {
			if err := b.store.RemoveContact(b.t.Context(), s.Draft.Contact()); err != nil {
				b.t.Fatal(err)
			}
		}, smsmcp.Refused, 0, guard.RuleRecipient},
		"frozen": {nil, func(b *bench, _ smsmcp.Send) {
			if err := b.store.Freeze(b.t.Context(), b.clock(), smsmcp.CommandLine); err != nil {
				b.t.Fatal(err)
			}
		}, smsmcp.Refused, 0, guard.RuleFrozen},
		"the hour is full": {
			func(b *bench) { b.guard.PerHour = 1 },
			func(b *bench, _ smsmcp.Send) { b.want(b.said(b.drafted("Paul", "hello")), smsmcp.Done, 1) },
			smsmcp.Refused, 1, guard.RuleHour,
		},
		"the same words went another way": {
			nil, func(b *bench, _ smsmcp.Send) { b.want(b.send("Marie", "hi"), smsmcp.Done, 1) }, smsmcp.Refused, 1, guard.RuleDuplicate,
		},
		"the same words may have gone": {
			func(b *bench) { b.carrier.send = func(context.Context, int) error { return context.DeadlineExceeded } },
			func(b *bench, _ smsmcp.Send) {
				b.want(b.send("Marie", "hi"), smsmcp.Unknown, 1)
				b.pass(3 * time.Minute)
			}, smsmcp.Refused, 1, guard.RuleUnsettled,
		},
		"too late": {nil, func(b *bench, _ smsmcp.Send) { b.pass(10 * time.Minute) }, smsmcp.Expired, 0, guard.RuleReadBack},
		"a no before it": {nil, func(b *bench, s smsmcp.Send) {
			b.want(must(b.door.Decline(b.t.Context(), s.ID, smsmcp.Voice)), smsmcp.Declined, 0)
		}, smsmcp.Declined, 0, guard.RuleReadBack},
		"a no from the terminal": {nil, func(b *bench, s smsmcp.Send) {
			b.want(must(b.door.Decline(b.t.Context(), s.ID, smsmcp.CommandLine)), smsmcp.Declined, 0)
		}, smsmcp.Declined, 0, guard.RuleReadBack},
		"called off": {nil, func(b *bench, s smsmcp.Send) {
			b.want(must(b.door.Cancel(b.t.Context(), s.ID)), smsmcp.Cancelled, 0)
		}, smsmcp.Cancelled, 0, guard.RuleReadBack},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(b *bench) {
				b.guard.Confirm = guard.ConfirmNever
				if tt.set != nil {
					tt.set(b)
				}
			})
			s := b.drafted("Marie", "hi")
			tt.change(b, s)
			after := b.said(s)
			b.want(after, tt.want, tt.handed, tt.rule)
			if after.ConfirmedBy != smsmcp.NoChannel || after.Answer.Len() != 0 {
				t.Errorf("a yes that sent nothing counts as one: %+v", after)
			}
		})
	}
}

// TestASpokenYesIsStrong: an alarm on the call is a reason to ask, and the voice may answer it; one in another thread is none there.
func TestASpokenYesIsStrong(t *testing.T) {
	b := newBench(t)
	until := b.clock().Add(time.Hour)
	for _, scope := range []smsmcp.Scope{smsmcp.MCP, call} {
		err := b.store.Show(t.Context(), smsmcp.Shown{At: b.clock(), Holds: []smsmcp.Hold{{Scope: scope, Kind: smsmcp.HoldAlarm, From: b.clock(), Until: until}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	s := b.drafted("Marie", "hi")
	b.want(s, smsmcp.Waiting, 0, guard.RuleReadBack, guard.RuleAlarm)
	b.want(b.said(s), smsmcp.Done, 1)
	other := b.draftedOn(smsmcp.CallScope+"2", "Paul", "hello").Send
	b.want(other, smsmcp.Waiting, 1, guard.RuleReadBack)
}

// TestTheLimitsOnAskingAreNoneOfACalls: they neither bind the drafts of a call nor count them, and no channel need be open but the call.
func TestTheLimitsOnAskingAreNoneOfACalls(t *testing.T) {
	b := newBench(t, always)
	b.open = false
	for i := range 7 { // the seventh in an hour
		b.want(b.drafted("Marie", fmt.Sprint("hi ", i)), smsmcp.Waiting, 0)
	}
	for _, to := range []string{"Paul", "Luc", "Anne", "Zoé"} { // five at once
		b.want(b.drafted(to, "hi"), smsmcp.Waiting, 0)
	}
	b.want(b.send("Marie", "hello"), smsmcp.Refused, 0, guard.RuleAlways, guard.RuleNoChannel)
	b.open = true
	for i := range 6 {
		s := b.send([]string{"Marie", "Paul", "Luc"}[i%3], fmt.Sprint("hello ", i)) // three at once
		b.want(s, smsmcp.Waiting, 0)
	}
	refused := b.send("Anne", "hello")
	b.want(refused, smsmcp.Refused, 0, guard.RuleAlways, guard.RuleWaiting, guard.RuleAsks)
	if w, a := refused.Reasons[1], refused.Reasons[2]; w.Count != 3 || a.Count != 6 {
		t.Errorf("%+v", refused.Reasons)
	}
	b.want(b.drafted("Marie", "hi again"), smsmcp.Waiting, 0)
}

// TestSpokenNoesPauseNothing, and no spoken yes ends a pause.
func TestSpokenNoesPauseNothing(t *testing.T) {
	b := newBench(t, always)
	no := func(s smsmcp.Send, by smsmcp.Channel) {
		t.Helper()
		b.want(must(b.door.Decline(t.Context(), s.ID, by)), smsmcp.Declined, b.carrier.count())
		b.pass(time.Second)
	}
	for i := range 4 {
		no(b.drafted("Marie", fmt.Sprint("hi ", i)), smsmcp.Voice)
	}
	first := b.send("Marie", "hello")
	b.want(first, smsmcp.Waiting, 0)
	no(first, smsmcp.CommandLine)
	b.want(b.said(b.drafted("Paul", "hi")), smsmcp.Done, 1)
	second := b.send("Luc", "hello")
	b.want(second, smsmcp.Waiting, 1)
	no(second, smsmcp.CommandLine)
	b.want(b.said(b.drafted("Anne", "hi there")), smsmcp.Done, 2)
	b.want(b.send("Zoé", "hello"), smsmcp.Refused, 2, guard.RuleAlways, guard.RulePause)
	b.want(b.drafted("Zoé", "hello"), smsmcp.Waiting, 2)
}

// TestSpokenSendsCountAsAllOthers: in the rates, as confirmed ones.
func TestSpokenSendsCountAsAllOthers(t *testing.T) {
	b := newBench(t, func(b *bench) { b.guard.PerHour, b.guard.UnconfirmedPerHour = 3, 1 })
	b.want(b.said(b.drafted("Marie", "hi")), smsmcp.Done, 1)
	b.want(b.send("Paul", "hello"), smsmcp.Done, 2)
	b.want(b.said(b.drafted("Luc", "good morning")), smsmcp.Done, 3)
	b.want(b.drafted("Anne", "good day"), smsmcp.Refused, 3, guard.RuleHour)
	b.want(b.send("Anne", "good day"), smsmcp.Refused, 3, guard.RuleHour)
}

// TestANewDraftReplacesItsOwnKind: on calls those of calls, elsewhere the others; the same one again in the same call is the one that waits.
func TestANewDraftReplacesItsOwnKind(t *testing.T) {
	b := newBench(t, always)
	typed, first := b.send("Marie", "hi"), b.drafted("Marie", "hi")
	b.want(typed, smsmcp.Waiting, 0)
	if again := b.draftedOn(call, "marie", "hi"); !again.Again || again.Send.ID != first.ID {
		t.Fatalf("the same draft was asked twice: %+v", again)
	}
	elsewhere := b.draftedOn(smsmcp.CallScope+"2", "Marie", "hi")
	if elsewhere.Again || elsewhere.Send.ID == first.ID {
		t.Fatal("one call waits for another's yes")
	}
	b.want(must(b.store.Send(t.Context(), first.ID)), smsmcp.Void, 0)
	second := b.drafted("Marie", "hello")
	b.want(must(b.store.Send(t.Context(), elsewhere.Send.ID)), smsmcp.Void, 0)
	b.want(typed, smsmcp.Waiting, 0)
	newer := b.send("Marie", "good morning")
	b.want(must(b.store.Send(t.Context(), typed.ID)), smsmcp.Void, 0)
	b.want(second, smsmcp.Waiting, 0)
	b.want(b.said(second), smsmcp.Done, 1)
	b.want(newer, smsmcp.Waiting, 1)
	// One and the same scope is not one and the same channel.
	a, err := b.door.Send(t.Context(), dispatch.Request{To: "Luc", Body: "hi", Scope: call})
	if err != nil {
		t.Fatal(err)
	}
	if spoken := b.draftedOn(call, "Luc", "hi"); spoken.Again || spoken.Send.ID == a.Send.ID {
		t.Error("a draft that anybody may answer stands for a spoken one")
	}
}

// TestInvariant07ASpokenYesThatACrashCutsShortIsUnknown: the store is opened anew while the carrier has the text, as after a kill. The yes again, and the
// same words again, send nothing.
func TestInvariant07ASpokenYesThatACrashCutsShortIsUnknown(t *testing.T) {
	b := newBench(t)
	var copied string
	b.carrier.send = func(context.Context, int) error {
		copied = b.t.TempDir() + "/left.db"
		return b.store.Backup(b.t.Context(), copied)
	}
	s := b.drafted("Marie", "hi")
	b.want(b.said(s), smsmcp.Done, 1)
	left, err := store.Open(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { left.Close() })
	if err := left.Thaw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := left.Recover(t.Context(), b.clock()); err != nil {
		t.Fatal(err)
	}
	next := newBench(t, func(n *bench) { n.store, n.ledger, n.now = left, left, b.clock() })
	again := next.said(s)
	next.want(again, smsmcp.Unknown, 0)
	if again.ConfirmedBy != smsmcp.Voice || !again.Answer.Equal(aYes) {
		t.Errorf("the log has lost the yes: %+v", again)
	}
	next.pass(time.Hour)
	next.want(next.drafted("Marie", "hi"), smsmcp.Refused, 0, guard.RuleUnsettled)
}
