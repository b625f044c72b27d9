package mcptools

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"readback/smsmcp"
	"readback/smsmcp/contacts"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
)

// Door is the one way out (dispatch.Door).
type Door interface {
	Send(ctx context.Context, r dispatch.Request) (dispatch.Answer, error)
	Await(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Log
}

// Log tells of sends and withdraws those that wait; it sends nothing (dispatch.Door).
type Log interface {
	Check(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
	Cancel(ctx context.Context, id smsmcp.SendID) (smsmcp.Send, error)
}

// Book is the owner's contacts (store.Store).
type Book interface {
	Contacts(ctx context.Context) ([]smsmcp.Contact, error)
}

// voice is in which language and zone answers are written.
type voice struct {
	lang lang.Lang
	zone *time.Location
}

// looking is what a plain tool has.
type looking struct {
	voice
	book Book
	log  Log
}

// sending is what an outward tool has.
type sending struct {
	voice
	book Book
	door Door
	who  func(context.Context) smsmcp.Principal
	wait time.Duration // for the owner's yes
}

func findContact(ctx context.Context, in *looking, a args) (string, error) {
	all, err := in.book.Contacts(ctx)
	if err != nil {
		return "", err
	}
	if names := contacts.Find(all, a.text("word")); len(names) > 0 {
		return lang.ContactsFound.In(in.lang, in.list(names)), nil
	}
	return lang.ContactsNone.In(in.lang), nil
}

func sendText(ctx context.Context, in *sending, a args) (reply, error) {
	to, body := a.text("to"), a.text("body")
	if strings.ContainsRune(body, utf8.RuneError) {
		// JSON can name half a character (\ud83d); the decoder puts U+FFFD in its place, which is not what was asked for (invariant 14).
		return reply{}, refusal(lang.SendRefused.In(in.lang, lang.GuardBodyUTF8.In(in.lang)))
	}
	answer, err := in.door.Send(ctx, dispatch.Request{To: to, Body: body, By: in.who(ctx).Name, Scope: smsmcp.MCP})
	if err != nil {
		return reply{}, err
	}
	s := answer.Send
	switch s.State {
	case smsmcp.Done:
		said := lang.SendSent
		if s.Delivery == smsmcp.HandedOver {
			said = lang.SendHanded
		}
		return reply{text: said.In(in.lang, s.Name, quoted(s.Draft.Body()), s.ID)}, nil
	case smsmcp.Refused:
		why := in.reasons(s.Reasons)
		if unknown(s.Reasons) {
			near, err := near(ctx, in.book, in.voice, to)
			if err != nil {
				return reply{}, err
			}
			why += near
		}
		return reply{}, refusal(lang.SendRefused.In(in.lang, why))
	case smsmcp.Waiting:
		return reply{waits: s, again: answer.Again}, nil
	}
	return reply{text: in.tell(s)}, nil
}

func unknown(reasons []smsmcp.Reason) bool {
	for _, r := range reasons {
		if r.Rule == guard.RuleRecipient {
			return true
		}
	}
	return false
}

// near names the contacts that a name may have meant; empty if there are none.
func near(ctx context.Context, book Book, v voice, name string) (string, error) {
	all, err := book.Contacts(ctx)
	if err != nil {
		return "", err
	}
	names := contacts.Find(all, name)
	if len(names) == 0 {
		return "", nil
	}
	return " " + lang.ToolNear.In(v.lang, v.list(names)), nil
}

func checkSend(ctx context.Context, in *looking, a args) (string, error) {
	s, err := in.log.Check(ctx, smsmcp.SendID(a.text("id")))
	if err != nil {
		return "", err
	}
	return in.tell(s), nil
}

func cancelSend(ctx context.Context, in *looking, a args) (string, error) {
	s, err := in.log.Cancel(ctx, smsmcp.SendID(a.text("id")))
	if err != nil {
		return "", err
	}
	if s.State == smsmcp.Cancelled {
		return in.tell(s), nil
	}
	return lang.SendTooLate.In(in.lang) + in.tell(s), nil
}

// tell says where a send stands. It never repeats the body: another client may have asked for that send.
func (v voice) tell(s smsmcp.Send) string {
	l := v.lang
	switch s.State {
	case smsmcp.Waiting:
		return lang.SendWaiting.In(l, s.Name, v.at(s.Expires), s.ID, v.reasons(s.Reasons))
	case smsmcp.Reserved:
		return lang.SendReserved.In(l, s.Name, s.ID)
	case smsmcp.Done:
		out := lang.SendDone.In(l, s.Name, v.at(s.Ended), s.ID)
		if s.Delivery != "" {
			out += " " + lang.SendDelivery.In(l, smsmcp.Reduce(s.Delivery))
		}
		return out
	case smsmcp.Unknown:
		return lang.SendUnknown.In(l, s.Name, s.ID, v.failure(s))
	case smsmcp.Failed:
		return lang.SendFailed.In(l, s.Name, s.ID, v.failure(s))
	case smsmcp.Declined:
		return lang.SendDeclined.In(l, s.Name, s.ID)
	case smsmcp.Expired:
		return lang.SendExpired.In(l, s.Name, s.ID)
	case smsmcp.Cancelled:
		return lang.SendCancelled.In(l, s.Name, s.ID)
	case smsmcp.Void:
		return lang.SendVoid.In(l, s.Name, s.ID)
	}
	return lang.SendWasBad.In(l, s.Name, s.ID, v.reasons(s.Reasons))
}

func (v voice) failure(s smsmcp.Send) string {
	if s.Failure == "" {
		return ""
	}
	return lang.SendFailure.In(v.lang, smsmcp.Reduce(s.Failure))
}

// list joins names by what no name holds: a comma stands in some.
func (v voice) list(names []string) string { return strings.Join(names, lang.ContactsNext.In(v.lang)) }

func (v voice) at(t time.Time) string { return lang.Stamp(v.lang, t.In(v.zone)) }

func (v voice) reasons(reasons []smsmcp.Reason) string {
	out := make([]string, len(reasons))
	for i, r := range reasons {
		out[i] = guard.Explain(v.lang, v.zone, r)
	}
	return strings.Join(out, " ")
}
