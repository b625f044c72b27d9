package guard

import (
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

// Explain says a reason to a model in one sentence, times in the owner's zone.
func Explain(l lang.Lang, zone *time.Location, r smsmcp.Reason) string {
	return explain(l, lang.Stamp(l, r.Until.In(zone)), r, sentences[r.Rule], Standing(l, r.State))
}

// ExplainToOwner says it to the owner.
func ExplainToOwner(l lang.Lang, zone *time.Location, r smsmcp.Reason) string {
	return toTheOwner(l, lang.Stamp(l, r.Until.In(zone)), r)
}

// ExplainAloud is Explain for a model in a call, whose words are heard: until is the reason's time, as people say it.
func ExplainAloud(l lang.Lang, until string, r smsmcp.Reason) string {
	return explain(l, until, r, sentences[r.Rule], Standing(l, r.State))
}

// ExplainAloudToOwner says it to the owner in a call.
func ExplainAloudToOwner(l lang.Lang, until string, r smsmcp.Reason) string {
	return toTheOwner(l, until, r)
}

func toTheOwner(l lang.Lang, until string, r smsmcp.Reason) string {
	sentence, ok := toOwner[r.Rule]
	if !ok {
		sentence = sentences[r.Rule]
	}
	return explain(l, until, r, sentence, StandingToOwner(l, r.State))
}

func explain(l lang.Lang, until string, r smsmcp.Reason, sentence lang.Message, standing string) string {
	switch r.Rule {
	case RuleDuplicate:
		return lang.GuardDuplicate.In(l, r.Send, standing, until)
	case RuleUnsettled:
		return lang.GuardUnsettled.In(l, r.Send, standing)
	case RuleBody:
		return bodySentence(r.Code).In(l)
	case RuleFanOut, RuleWaiting:
		return sentence.In(l, r.Count, r.Limit)
	case RuleHour, RuleDay, RuleKept, RuleUnconfirmedHour, RuleUnconfirmedDay, RuleAsks:
		return sentence.In(l, r.Count, r.Limit, until)
	case RuleHold, RuleAlarm, RuleNamed, RulePause:
		return sentence.In(l, until)
	}
	if sentence.EN == "" {
		sentence = lang.GuardOther
	}
	return sentence.In(l)
}

var sentences = map[smsmcp.Rule]lang.Message{
	RuleRecipient: lang.GuardNotAContact, RuleChanged: lang.GuardContactChanged, RuleFrozen: lang.GuardFrozen, RuleStopped: lang.GuardStopped,
	RuleTooLong: lang.GuardTooLong,
	RuleHour:    lang.GuardHour, RuleDay: lang.GuardDay, RuleKept: lang.GuardKept,
	RuleUnconfirmedHour: lang.GuardUnconfirmedHour, RuleUnconfirmedDay: lang.GuardUnconfirmedDay, RuleFanOut: lang.GuardFanOut,
	RuleHold: lang.GuardHold, RuleAlarm: lang.GuardAlarm, RuleNamed: lang.GuardNamed,
	RuleRepeatsCode: lang.GuardRepeatsCode, RuleRepeatsWords: lang.GuardRepeatsWords, RuleNewHost: lang.GuardNewHost, RuleQuiet: lang.GuardQuiet, RuleHeard: lang.GuardHeard,
	RuleReadBack: lang.GuardReadBack, RuleAlways: lang.GuardAlways, RuleWaiting: lang.GuardWaiting, RuleAsks: lang.GuardAsks, RulePause: lang.GuardPause,
	RuleNoChannel: lang.GuardNoAsking, RuleWeak: lang.GuardWeak,
}

var toOwner = map[smsmcp.Rule]lang.Message{
	RuleRecipient: lang.YourNotAContact, RuleFrozen: lang.YourFrozen, RuleKept: lang.YourKept,
	RuleUnconfirmedHour: lang.YourUnconfirmedHour, RuleUnconfirmedDay: lang.YourUnconfirmedDay, RuleFanOut: lang.YourFanOut,
	RuleHold: lang.YourHold, RuleAlarm: lang.YourAlarm, RuleNamed: lang.YourNamed,
	RuleRepeatsCode: lang.YourRepeatsCode, RuleNewHost: lang.YourNewHost, RuleQuiet: lang.YourQuiet, RuleHeard: lang.YourHeard,
	RuleReadBack: lang.YourReadBack, RuleAlways: lang.YourAlways, RuleWaiting: lang.YourWaiting, RuleAsks: lang.YourAsks, RulePause: lang.YourPause, RuleNoChannel: lang.YourNoAsking,
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

// Standing says to a model where a send stands, in a few words.
func Standing(l lang.Lang, s smsmcp.SendState) string { return states[s].In(l) }

// StandingToOwner says it to the owner.
func StandingToOwner(l lang.Lang, s smsmcp.SendState) string {
	switch s {
	case smsmcp.Waiting:
		return lang.YourStateWaiting.In(l)
	case smsmcp.Declined:
		return lang.YourStateDeclined.In(l)
	}
	return Standing(l, s)
}

var states = map[smsmcp.SendState]lang.Message{
	smsmcp.Refused: lang.StateRefused, smsmcp.Waiting: lang.StateWaiting, smsmcp.Declined: lang.StateDeclined, smsmcp.Expired: lang.StateExpired,
	smsmcp.Cancelled: lang.StateCancelled, smsmcp.Void: lang.StateVoid, smsmcp.Reserved: lang.StateReserved, smsmcp.Done: lang.StateSent,
	smsmcp.Failed: lang.StateFailed, smsmcp.Unknown: lang.StateUnknown,
}
