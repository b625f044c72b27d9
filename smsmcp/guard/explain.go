package guard

import (
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

// Explain says a reason in one sentence, times in the owner's zone.
func Explain(l lang.Lang, zone *time.Location, r smsmcp.Reason) string {
	until := lang.Stamp(l, r.Until.In(zone))
	switch r.Rule {
	case RuleDuplicate:
		return lang.GuardDuplicate.In(l, r.Send, Standing(l, r.State), until)
	case RuleUnsettled:
		return lang.GuardUnsettled.In(l, r.Send, Standing(l, r.State))
	case RuleBody:
		return bodySentence(r.Code).In(l)
	case RuleFanOut, RuleWaiting:
		return sentences[r.Rule].In(l, r.Count, r.Limit)
	case RuleHour, RuleDay, RuleKept, RuleUnconfirmedHour, RuleUnconfirmedDay, RuleAsks:
		return sentences[r.Rule].In(l, r.Count, r.Limit, until)
	case RuleHold, RuleAlarm, RuleNamed, RulePause:
		return sentences[r.Rule].In(l, until)
	}
	if m, ok := sentences[r.Rule]; ok {
		return m.In(l)
	}
	return lang.GuardOther.In(l)
}

var sentences = map[smsmcp.Rule]lang.Message{
	RuleRecipient: lang.GuardNotAContact, RuleChanged: lang.GuardContactChanged, RuleFrozen: lang.GuardFrozen, RuleStopped: lang.GuardStopped,
	RuleTooLong: lang.GuardTooLong,
	RuleHour:    lang.GuardHour, RuleDay: lang.GuardDay, RuleKept: lang.GuardKept,
	RuleUnconfirmedHour: lang.GuardUnconfirmedHour, RuleUnconfirmedDay: lang.GuardUnconfirmedDay, RuleFanOut: lang.GuardFanOut,
	RuleHold: lang.GuardHold, RuleAlarm: lang.GuardAlarm, RuleNamed: lang.GuardNamed,
	RuleRepeatsCode: lang.GuardRepeatsCode, RuleRepeatsWords: lang.GuardRepeatsWords, RuleNewHost: lang.GuardNewHost, RuleQuiet: lang.GuardQuiet, RuleHeard: lang.GuardHeard,
	RuleAlways: lang.GuardAlways, RuleWaiting: lang.GuardWaiting, RuleAsks: lang.GuardAsks, RulePause: lang.GuardPause,
	RuleNoChannel: lang.GuardNoAsking, RuleWeak: lang.GuardWeak,
}

func bodySentence(code string) lang.Message {
	switch code {
	case clean.Empty:
		return lang.GuardBodyEmpty
	case clean.NotUTF8:
		return lang.GuardBodyUTF8
	}
	return lang.GuardBody
}

// Standing says where a send stands, in a few words.
func Standing(l lang.Lang, s smsmcp.SendState) string { return states[s].In(l) }

var states = map[smsmcp.SendState]lang.Message{
	smsmcp.Refused: lang.StateRefused, smsmcp.Waiting: lang.StateWaiting, smsmcp.Declined: lang.StateDeclined, smsmcp.Expired: lang.StateExpired,
	smsmcp.Cancelled: lang.StateCancelled, smsmcp.Void: lang.StateVoid, smsmcp.Reserved: lang.StateReserved, smsmcp.Done: lang.StateSent,
	smsmcp.Failed: lang.StateFailed, smsmcp.Unknown: lang.StateUnknown,
}
